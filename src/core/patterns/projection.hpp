// A projection: the task seen through a few of its variables (the pattern), an SSP of its own.
//
// It is the space of a task whose atoms are those of the variables. An abstract state gives a value to each of them;
// its rank is a number in mixed radix. Whatever an action can do in a concrete state, it can do in the abstract one:
//
//   - A precondition about other variables counts as true, unless a value of the pattern excludes it by a mutex group.
//   - Outcomes keep their probabilities, and those that look the same are merged: values are probability-aware.
//   - An effect with a condition that cannot be decided is replaced by a jump to a goal.
//   - An abstract state is a goal unless the goal is known to be false. An action costs no more than in any state.
//
// So the optimal values are admissible and consistent in all states with at most one atom of each mutex group, which
// all reachable ones are. Actions that look alike share a label, which costs as much as the cheapest of them. Costs are
// no part of a projection, for they are partitioned between several (cost_partitioning.hpp).
#pragma once

#include <memory>
#include <optional>

#include "variables/variables.hpp"

namespace gpaplan {

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

// The abstract states of a pattern by the values of its variables.
struct PatternIndex {
    Indices variables;  // the pattern, ascending
    Indices radix;      // of each of them: what its value is multiplied with; the sum is a state's rank
    Indices states;     // of each rank: the abstract state, that of the jump if no state has these values
};

struct Projection {
    struct Transition {
        StateId from;
        LabelId label;
    };
    static constexpr StateId jump = 0;  // a goal, in which nothing is known of any variable

    PatternIndex index;
    std::vector<std::uint8_t> is_goal;    // of each abstract state
    std::vector<std::uint8_t> hopeless;   // likewise: no way to a goal
    std::vector<std::uint8_t> improper;   // likewise: no policy reaches a goal with probability one
    Ranges actions;                       // of each label
    std::vector<Transition> transitions;  // by `from`; none from goals
    Ranges successors;                    // of each transition, none equal to `from`
    std::vector<double> probabilities;    // of these; what is missing to 1 leads back to `from`
    Indices first;                        // of each abstract state: its first transition; one more at the end
    Ranges into;                          // of each abstract state: the transitions with it as a successor
    bool branches = false;                // whether any transition has several successors

    StateId size() const { return static_cast<StateId>(is_goal.size()); }
    std::uint64_t work() const { return index.states.size() + actions.values.size() + 2 * transitions.size(); }
};

// A packed state as values of variables, and as abstract states.
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

    StateId abstract(const PatternIndex& index) const {
        std::uint32_t rank = 0;
        for (std::size_t slot = 0; slot < index.radix.size(); ++slot)
            rank += index.radix[slot] * values_[index.variables[slot]];
        return index.states[rank];
    }

private:
    const Variables* variables_;
    Indices values_;                    // of each variable
    std::vector<std::uint64_t> marks_;  // of each group: the last state that had an atom of it
    std::uint64_t round_ = 0;
};

// The task that is left if only the variables of a pattern are seen: what a projection is the space of.
struct PatternTask {
    static constexpr AtomId jumped = 0;  // a goal by itself; then come the atoms of one variable after the other

    std::shared_ptr<const Task> task;
    Ranges actions;  // of each of its actions: those of the task that look like it
};
PatternTask see_task(const ProjectedTask& task, const Indices& pattern, Stop& stop);  // throws Stopped

// Nothing if it has more than so many transitions, or an action of it very many outcomes.
std::optional<Projection> project(const ProjectedTask& task, Indices pattern, std::uint64_t max_transitions,
                                  Stop& stop);

}  // namespace gpaplan
