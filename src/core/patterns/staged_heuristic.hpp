// Pattern databases that grow with the search, and the better of them and LM-cut.
//
// Many a search is over before full tables are made. So it begins with little ones, and makes larger ones when the work
// for them is a small part of what the estimates have taken already. Every stage is admissible; with a new one,
// searches look at their old values again.
//
// With landmarks, it begins with LM-cut alone, which takes nothing to make, until its estimates have taken about as
// long as the first tables will. Each stage is compared with LM-cut in some sample states. LM-cut is left out if it
// adds little there and knows no dead end that the tables do not, the tables if they say more in none; else the larger
// one is taken.
#pragma once

#include "patterns/constants.hpp"
#include "patterns/pattern_heuristic.hpp"

namespace gpaplan {

enum class BestChoice : std::uint8_t { patterns, lmcut, both };
template <>
inline constexpr std::array names<BestChoice>{"patterns", "lmcut", "both"};

// What tables and LM-cut say of some sample states, and what follows.
struct EstimateComparison {
    std::uint32_t states = 0;     // samples; none if there are no landmarks
    std::uint32_t dead_ends = 0;  // that LM-cut alone knows
    std::uint32_t higher = 0;     // samples of which tables say more
    double patterns = 0;          // sum of their estimates, where both are finite
    double larger = 0;            // sum of the larger ones
    BestChoice choice = BestChoice::patterns;
};

class StagedHeuristic final : public Heuristic {
public:
    // The task must outlive the heuristic. `stop` is for the making of the first tables, which throws Stopped.
    StagedHeuristic(const Task& task, const PatternOptions& options, Stop& stop) : task_(task), options_(options) {
        for (const auto& each : all_stages)
            if (options.staged && (stages_.empty() || stages_.back().max_work < options.max_work))
                stages_.push_back(each);
        if (!options.staged) stages_.push_back(all_stages.back());
        if (options.landmarks) landmarks_ = make_heuristic(HeuristicKind::lmcut, task, stop);
        if (options.landmarks && options.staged)
            comparison_.choice = BestChoice::lmcut;
        else
            enter(stop);
    }

    double evaluate(const Word* state) override {
        if (made_ < stages_.size() && work_ >= work_before(made_)) {
            Stop no_limits;
            enter(stop() != nullptr ? *stop() : no_limits);
        }
        const double looked_up = comparison_.choice == BestChoice::lmcut ? 0 : tables_->evaluate(state);
        const double computed = comparison_.choice == BestChoice::patterns ? 0 : landmarks_->evaluate(state);
        work_ += evaluation_cost();
        return std::max(looked_up, computed);
    }

    bool is_admissible() const override { return true; }
    void set_stop(Stop* stop) override {
        Heuristic::set_stop(stop);
        if (landmarks_) landmarks_->set_stop(stop);
    }

    std::uint64_t evaluation_cost() const override {
        return comparison_.choice == BestChoice::patterns ? tables_->evaluation_cost() : landmarks_->evaluation_cost();
    }
    std::uint32_t revision() const override { return revision_; }
    // By tables alone: LM-cut was known before.
    double reconsider(const Word* state) override {
        return comparison_.choice == BestChoice::lmcut ? 0 : tables_->evaluate(state);
    }

    // Of the tables at hand.
    std::vector<Indices> patterns() const {
        return comparison_.choice == BestChoice::lmcut ? std::vector<Indices>() : tables_->patterns();
    }
    const EstimateComparison& comparison() const { return comparison_; }

private:
    struct Stage {
        std::uint64_t work;           // that estimates have taken before it begins, beside what all tables take
        std::uint32_t max_variables;  // what it may take at the most
        std::uint64_t max_work;
        std::uint32_t max_orders;
    };
    static constexpr std::array<Stage, 3> all_stages{
        {{0, 2, 20'000, 4}, {400'000, 3, 100'000, 8}, {4'800'000, no_id, ~0ULL, no_id}}};

    std::uint64_t work_before(std::size_t stage) const {
        const auto goals = task_.literals[task_.goal].size();
        const auto of_action = pattern_constants::tables_of_action + pattern_constants::tables_of_goal * goals;
        return stages_[stage].work + of_action * task_.action_count();
    }

    std::unique_ptr<PatternHeuristic> make(std::size_t stage, Stop& stop) const {
        auto options = options_;
        const auto& most = stages_[stage];
        if (most.max_work < options.max_work) {
            options.max_variables = std::min(options.max_variables, most.max_variables);
            options.max_work = most.max_work;
            options.max_orders = std::min(options.max_orders, most.max_orders);
        }
        return std::make_unique<PatternHeuristic>(task_, options, stop);
    }

    EstimateComparison compare(PatternHeuristic& tables, Stop& stop) {
        EstimateComparison found;
        if (landmarks_ == nullptr) return found;
        landmarks_->set_stop(&stop);
        found.states = static_cast<std::uint32_t>(std::min(tables.samples().size(), pattern_constants::most_compared));
        std::uint64_t work = 0;
        for (std::uint32_t i = 0; i < found.states; ++i) {
            const auto* state = tables.samples()[i].data();
            const double looked_up = tables.evaluate(state);
            const double computed = landmarks_->evaluate(state);
            if ((work += landmarks_->evaluation_cost()) > pattern_constants::most_work) found.states = i + 1;
            if (looked_up > computed + pattern_constants::smallest_gain) ++found.higher;
            if (looked_up == infinity) continue;
            if (computed == infinity) {
                ++found.dead_ends;
            } else {
                found.patterns += looked_up;
                found.larger += std::max(looked_up, computed);
            }
        }
        landmarks_->set_stop(this->stop());
        if (found.higher == 0)
            found.choice = BestChoice::lmcut;
        else if (found.dead_ends > 0 || found.larger > (1 + pattern_constants::worth_landmarks) * found.patterns)
            found.choice = BestChoice::both;
        return found;
    }

    // Makes the next tables. If it is stopped, those that there are stay, and the next estimate tries again.
    void enter(Stop& limits) {
        auto larger = make(made_, limits);
        comparison_ = compare(*larger, limits);
        tables_ = std::move(larger);
        ++made_;
        if (work_ > 0) ++revision_;
    }

    const Task& task_;
    PatternOptions options_;
    std::vector<Stage> stages_;                 // those in which more is made than in the one before
    std::unique_ptr<PatternHeuristic> tables_;  // null if there are none so far
    std::unique_ptr<Heuristic> landmarks_;      // null if there are none
    EstimateComparison comparison_;
    std::size_t made_ = 0;    // how many stages
    std::uint64_t work_ = 0;  // for estimates
    std::uint32_t revision_ = 0;
};

}  // namespace gpaplan
