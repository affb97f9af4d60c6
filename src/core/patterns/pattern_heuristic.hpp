// Pattern databases: estimates from the exact values of projections, looked up.
//
// The estimate of a state is that of the best sum of tables (cost_partitioning.hpp), and at least the cost of the
// cheapest action. Where a projection has no proper policy, or with a dead-end cost no path to the goal, neither
// has the task, and the estimate is infinite. A state that has two atoms of a mutex group is none that can be reached;
// nothing but the cheapest action is known of it.
#pragma once

#include "heuristics/heuristic.hpp"
#include "patterns/cost_partitioning.hpp"

namespace gpaplan {

class PatternHeuristic final : public Heuristic {
public:
    // The task must outlive the heuristic. `stop` is for the making alone, which throws Stopped.
    PatternHeuristic(const Task& task, const PatternOptions& options, Stop& stop)
        : task_(task),
          least_cost_(task.effects.empty() ? 0 : std::max(0.0, cheapest_action(task))),
          variables_(),
          values_(variables_) {
        const ProjectedTask projected(task, stop);
        auto collection = collect_patterns(projected, options, stop);
        auto tables = combine(projected, collection, options, stop);
        samples_ = std::move(collection.states);
        variables_ = projected.variables;
        values_ = StateValues(variables_);
        tables_ = std::move(tables.tables);
        sums_ = std::move(tables.sums);
        const bool may_give_up = options.give_up < infinity;
        for (auto& projection : collection.projections) {
            Pattern pattern{std::move(projection.index), {}};
            pattern.dead = std::move(may_give_up ? projection.hopeless : projection.improper);
            pattern.has_dead = std::ranges::find(pattern.dead, 1) != pattern.dead.end();
            pattern.is_used = pattern.has_dead;
            if (!pattern.has_dead) pattern.dead = {};
            patterns_.push_back(std::move(pattern));
        }
        for (const auto& table : tables_) patterns_[table.projection].is_used = true;
        states_.resize(patterns_.size());
    }

    double evaluate(const Word* state) override {
        if (holds(task_, task_.goal, state)) return 0;
        if (!values_.read(state, task_.word_count())) return least_cost_;
        for (std::size_t i = 0; i < patterns_.size(); ++i) {
            const auto& pattern = patterns_[i];
            if (!pattern.is_used) continue;
            states_[i] = values_.abstract(pattern.index);
            if (pattern.has_dead && pattern.dead[states_[i]] != 0) return infinity;
        }
        double best = least_cost_;
        for (std::size_t i = 0; i < sums_.size(); ++i) {
            double sum = 0;
            for (auto table : sums_[i]) sum += tables_[table].values[states_[tables_[table].projection]];
            best = std::max(best, sum);
        }
        return best;
    }

    bool is_admissible() const override { return true; }

    const std::vector<std::vector<Word>>& samples() const { return samples_; }  // the first is the initial state
    std::vector<Indices> patterns() const {
        std::vector<Indices> result;
        for (const auto& pattern : patterns_)
            if (pattern.is_used) result.push_back(pattern.index.variables);
        return result;
    }

private:
    // A projection, as far as it is needed to look values up.
    struct Pattern {
        PatternIndex index;
        std::vector<std::uint8_t> dead;  // of each abstract state
        bool has_dead = false;
        bool is_used = false;
    };

    const Task& task_;
    double least_cost_;
    Variables variables_;
    StateValues values_;
    std::vector<Pattern> patterns_;
    std::vector<Tables::Table> tables_;
    Ranges sums_;
    std::vector<std::vector<Word>> samples_;
    Indices states_;  // of each projection; scratch
};

}  // namespace gpaplan
