// From which of many initial states a rule list reaches the goal with probability one, in the space of what it keeps.
//
//   random choice   one of the kept actions is drawn in each state. The goal is reached if it can be reached from every
//                   state that can be reached: a *trap* is a state from which it cannot.
//   any choice      an adversary takes one of them, and can avoid the goal for good in the largest set of states
//                   without goal in each of which nothing is kept, or some action that never leaves the set; a *loop*
//                   is a state of it. Traps are among them.
//
// A start fails if such a state can be reached from it. Chances themselves do not matter.
#pragma once

#include "policies/goal_graph.hpp"
#include "proofs/models.hpp"

namespace gpaplan {

class KeptGraph {
public:
    // Adds all models to a space of which nothing is expanded, as starts, then everything that is kept from there.
    // Throws Stopped.
    KeptGraph(StateSpace& space, Models& starts, Stop& stop);

    std::uint32_t start_count() const { return starts_; }  // they come first, behind the task's own initial state
    std::uint32_t size() const { return space_.size() - 1; }

    // The states of each kind, as a flag for each state.
    using Flags = std::vector<std::uint8_t>;
    Flags traps() const;
    Flags loops() const;
    Flags leading_to(const Flags& bad) const;

    // The shortest way from a state to one of those flagged: pairs of an action and the state after it.
    std::vector<std::pair<ActionId, StateId>> way_to(StateId from, const Flags& bad) const;

private:
    static std::uint32_t explored(StateSpace& space, Models& starts, Stop& stop);

    StateSpace& space_;
    std::uint32_t starts_;
    GoalGraph graph_;
};

}  // namespace gpaplan
