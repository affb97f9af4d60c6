#include "patterns/collection.hpp"

#include "base/interner.hpp"
#include "patterns/constants.hpp"
#include "spaces/successors.hpp"
#include "spaces/world.hpp"
#include "variables/effect_places.hpp"

namespace gpaplan {

namespace {

class Collector {
public:
    Collector(const ProjectedTask& task, const PatternOptions& options, Stop& stop)
        : task_(task), options_(options), stop_(stop), values_(task.variables), single_(task.variables.size(), no_id) {}

    Collection run() {
        walk();
        for (auto variable : task_.goal_variables) {
            single_[variable] = static_cast<std::uint32_t>(result_.projections.size());
            if (!add({variable})) single_[variable] = no_id;
        }
        if (options_.max_variables > 1) add_pairs();
        for (std::uint32_t i = 0; i < result_.projections.size() && result_.work < options_.max_work; ++i) climb(i);
        return std::move(result_);
    }

private:
    void walk() {
        const SuccessorGenerator successors(task_.task, stop_);
        World world(task_.task, 1);
        states_.push_back(world.state());
        while (states_.size() < pattern_constants::samples) {
            world.reset();
            for (auto steps = world.random().below(pattern_constants::walk_length); steps > 0; --steps) {
                stop_.poll();
                const auto applicable = successors.applicable(world.state().data());
                if (applicable.empty() || world.is_goal()) break;
                world.step(world.random().one_of(applicable, no_id));
            }
            states_.push_back(world.state());
        }
        std::erase_if(states_, [&](const auto& state) {
            return &state != states_.data() && !values_.read(state.data(), task_.task.word_count());
        });
        result_.samples.resize(states_.size());
    }

    // Returns whether there is such a projection, which is then the last one.
    bool add(Indices pattern) {
        if (task_.number_of_states(pattern) > static_cast<double>(options_.max_states)) return false;
        if (const auto known = seen_.size(); seen_.intern(pattern) != known) return false;
        if (result_.work > options_.max_work) return false;
        const auto max_transitions = pattern_constants::transitions_of_a_state * options_.max_states;
        auto projection = project(task_, std::move(pattern), max_transitions, stop_);
        if (!projection) {
            result_.work += max_transitions;
            return false;
        }
        result_.values.push_back(solve(*projection, label_costs(*projection, task_.costs), options_.give_up, stop_));
        result_.work += projection->work() + result_.values.back().work;
        for (std::size_t s = 0; s < states_.size(); ++s) {
            values_.read(states_[s].data(), task_.task.word_count());
            result_.samples[s].push_back(values_.abstract(projection->index));
        }
        result_.projections.push_back(std::move(*projection));
        return true;
    }

    // Takes out the projection that so many others follow.
    void drop(std::ptrdiff_t following) {
        const auto erase = [&](auto& list) { list.erase(list.end() - 1 - following); };
        erase(result_.projections);
        erase(result_.values);
        for (auto& sample : result_.samples) erase(sample);
    }

    double estimate(std::uint32_t projection, std::size_t sample) const {
        return result_.values[projection].of[result_.samples[sample][projection]];
    }

    void add_pairs() {
        for (auto variable : task_.goal_variables) {
            if (single_[variable] == no_id) continue;
            for (auto other : task_.conditions[variable]) {
                if (!add({std::min(variable, other), std::max(variable, other)})) continue;
                if (!(gain_of_last(variable, other) > pattern_constants::smallest_gain)) drop(0);
            }
        }
    }

    // What the last projection says more than its two variables one by one, over the samples.
    double gain_of_last(std::uint32_t variable, std::uint32_t other) {
        const auto last = static_cast<std::uint32_t>(result_.projections.size() - 1);
        double gain = 0;
        for (std::size_t s = 0; s < states_.size(); ++s) {
            double apart = estimate(single_[variable], s);
            if (single_[other] != no_id) apart += estimate(single_[other], s);
            const double together = estimate(last, s);
            if (together == apart) continue;
            gain += together == infinity ? 1 : std::max(0.0, together - apart);
        }
        return gain;
    }

    // Tries all extensions of a pattern by one variable, and keeps the best if it says more: what three variables have
    // to say together need not show in two of them.
    void climb(std::uint32_t from) {
        const auto pattern = result_.projections[from].index.variables;
        if (pattern.size() < 2 || pattern.size() >= options_.max_variables) return;
        Indices candidates;
        for (auto variable : pattern) append(candidates, task_.conditions[variable]);
        sort_unique(candidates);
        double best = sum_of_estimates(from);
        bool has_best = false;
        for (auto variable : candidates) {
            if (std::ranges::find(pattern, variable) != pattern.end()) continue;
            auto extension = pattern;
            extension.push_back(variable);
            std::ranges::sort(extension);
            if (!add(std::move(extension))) continue;
            const auto sum = sum_of_estimates(static_cast<std::uint32_t>(result_.projections.size() - 1));
            const bool is_better = sum > best * (1 + pattern_constants::smallest_gain);
            if (!is_better || has_best) drop(is_better ? 1 : 0);  // the last one, or the best before it
            if (is_better) best = sum;
            has_best = has_best || is_better;
        }
    }

    // Over the samples; a dead end counts as much as everything else together.
    double sum_of_estimates(std::uint32_t projection) const {
        double sum = 0;
        double dead = 0;
        for (std::size_t s = 0; s < states_.size(); ++s) {
            const double value = estimate(projection, s);
            (value < infinity ? sum : dead) += value < infinity ? value : 1;
        }
        return sum * (1 + dead);
    }

    const ProjectedTask& task_;
    const PatternOptions& options_;
    Stop& stop_;
    StateValues values_;
    Collection result_;
    std::vector<std::vector<Word>>& states_ = result_.states;
    Indices single_;  // of each variable: the projection to it alone
    ListInterner seen_;
};

}  // namespace

Collection collect_patterns(const ProjectedTask& task, const PatternOptions& options, Stop& stop) {
    return Collector(task, options, stop).run();
}

}  // namespace gpaplan
