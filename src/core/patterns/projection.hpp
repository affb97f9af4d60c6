// A projection: the task seen through a few of its variables (the pattern), an SSP of its own.
//
// An abstract state gives a value to each variable of the pattern; its rank is a number in mixed radix. Whatever an
// action can do in a concrete state, the projection can do in the abstract one with its values:
//
//   - A precondition about other variables counts as true, unless a value of the pattern excludes it by a mutex group.
//   - Outcomes keep their probabilities, and those that look the same are merged: values are probability-aware.
//   - An effect with a condition that cannot be decided, or with very many outcomes, is replaced by a jump to a goal.
//   - An abstract state is a goal unless the goal is known to be false. An action costs no more than in any state.
//
// So the optimal values are admissible and consistent in all states with at most one atom of each mutex group, which
// all reachable ones are. Actions that look alike share a label, which costs as much as the cheapest of them. Costs are
// no part of a projection, for they are partitioned between several (cost_partitioning.hpp).
#pragma once

#include <optional>

#include "variables/variables.hpp"

namespace gpaplan {

using Rank = std::uint32_t;
using LabelId = std::uint32_t;

// What all projections of a task share.
struct ProjectedTask {
    ProjectedTask(const Task& task, Stop& stop);  // throws Stopped

    const Task& task;
    Variables variables;
    std::vector<double> costs;  // of each action: no more than it costs anywhere
    Ranges changers;            // of each variable: the actions that may change it
    Ranges conditions;          // of each variable: other variables that its changers look at or change
    Indices goal_variables;     // that the goal looks at, ascending

    double number_of_states(const Indices& pattern) const;
};

struct Projection {
    struct Transition {
        Rank from;
        LabelId label;
        std::uint32_t begin;  // its outcomes; its end is the begin of the next one
    };
    enum class Kind : std::uint8_t { impossible, plain, goal };

    Indices variables;                    // the pattern, ascending
    Indices radix;                        // of each of them: what its value is multiplied with
    std::vector<Kind> kinds;              // of each rank
    std::vector<std::uint8_t> hopeless;   // of each rank: no way to a goal
    std::vector<std::uint8_t> improper;   // of each rank: no policy reaches a goal with probability one
    Ranges actions;                       // of each label
    std::vector<Transition> transitions;  // by `from`, and one more at the end; none from goals
    std::vector<Rank> successors;         // of all transitions, none equal to `from`
    std::vector<double> probabilities;    // likewise; what is missing to 1 leads back to `from`
    Indices first;                        // of each rank: its first transition; one more at the end
    Ranges into;                          // of each rank: the transitions with it as a successor
    bool branches = false;                // whether any transition has several successors

    Rank size() const { return static_cast<Rank>(kinds.size()); }
    std::uint64_t work() const { return kinds.size() + actions.values.size() + 2 * transitions.size(); }
};

// A packed state as values of variables, and as ranks of projections.
class StateValues {
public:
    // The variables must outlive this.
    explicit StateValues(const Variables& variables)
        : variables_(&variables), values_(variables.size(), 0), marks_(variables.mutex.size(), 0) {}

    // Returns whether the state has at most one atom of each mutex group, and of each variable one where it must.
    // If not, nothing is known of it: it is none that can be reached.
    bool read(const Word* state, std::uint32_t word_count) {
        ++round_;
        for (std::uint32_t variable = 0; variable < values_.size(); ++variable)
            values_[variable] = variables_->none(variable);
        bool is_possible = true;
        for_each_bit(state, word_count, [&](AtomId atom) {
            values_[variables_->variable_of[atom]] = variables_->value_of[atom];
            for (auto group : variables_->groups_of[atom]) {
                is_possible = is_possible && marks_[group] != round_;
                marks_[group] = round_;
            }
        });
        if (!is_possible) return false;
        for (std::uint32_t variable = 0; variable < values_.size(); ++variable)
            if (values_[variable] >= variables_->domain_size(variable)) return false;
        return true;
    }

    Rank rank(const Indices& pattern, const Indices& radix) const {
        Rank rank = 0;
        for (std::size_t slot = 0; slot < pattern.size(); ++slot) rank += radix[slot] * values_[pattern[slot]];
        return rank;
    }

private:
    const Variables* variables_;
    Indices values_;                    // of each variable
    std::vector<std::uint64_t> marks_;  // of each group: the last state that had an atom of it
    std::uint64_t round_ = 0;
};

// Nothing if it has more than so many transitions.
std::optional<Projection> project(const ProjectedTask& task, Indices pattern, std::uint64_t max_transitions,
                                  Stop& stop);

}  // namespace gpaplan
