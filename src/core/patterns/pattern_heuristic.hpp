// Pattern databases: estimates from the exact values of projections, looked up.
//
// The estimate of a state is that of the best sum of tables (cost_partitioning.hpp), and at least the cost of the
// cheapest action. Where a projection has no proper policy, or with a dead-end cost no path to the goal, neither
// has the task, and the estimate is infinite. A state that has two atoms of a mutex group is none that can be reached;
// nothing but the cheapest action is known of it.
#pragma once

#include "heuristics/heuristic.hpp"
#include "patterns/cost_partitioning.hpp"
#include "patterns/state_values.hpp"

namespace gpaplan {

class PatternHeuristic final : public Heuristic {
public:
    // The task must outlive the heuristic. `stop` is for the making alone, which throws Stopped.
    PatternHeuristic(const Task& task, const PatternOptions& options, Stop& stop);

    double evaluate(const Word* state) override;
    bool is_admissible() const override { return true; }

    const std::vector<std::vector<Word>>& samples() const { return samples_; }  // the first is the initial state
    std::vector<Indices> patterns() const;

private:
    // A projection, as far as it is needed to look values up.
    struct Pattern {
        Indices variables;
        Indices radix;
        std::vector<std::uint8_t> dead;  // of each rank
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
    Indices ranks_;  // scratch
};

}  // namespace gpaplan
