// The states of a space as a graph, and what the graph alone says about the goal, whatever the probabilities are:
//
//   reaching   the states from which the goal can be reached at all; all others are dead ends
//   certain    the states from which some policy reaches it with probability one: the greatest fixed point of those
//              that safe actions, all of whose outcomes are certain, lead to the goal
//
// Everything that was met is expanded, but for states where the heuristic, if there is one, says that the goal is out
// of reach; or else the part that is expanded already is taken for all there is. Linear in the transitions, but for the
// rounds of the fixed point, which are few.
#pragma once

#include "heuristics/heuristic.hpp"
#include "spaces/state_space.hpp"

namespace gpaplan {

class GoalGraph {
public:
    // Throws Stopped if `stop` says so. The heuristic may be null; it must be infinite at dead ends only.
    GoalGraph(StateSpace& space, Heuristic* heuristic, Stop& stop);
    // Of the states that are expanded.
    GoalGraph(StateSpace& space, Stop& stop);

    const Ranges& successors() const { return successors_; }      // without the state itself
    const Ranges& predecessors() const { return predecessors_; }  // the same turned round
    const Indices& goals() const { return goals_; }
    const Indices& reaching() const { return reaching_; }  // the goals, and then the nearest first
    bool is_certain(StateId state) const { return certain_[state] != 0; }
    bool is_reaching(StateId state) const { return reaches_[state] != 0; }

    // Whether all that can come of an action is certain.
    bool is_safe(const Transition& transition) const;
    // Of each state of the space: whether it is one of these.
    std::vector<std::uint8_t> membership(IndexSpan states) const;
    // The first transition of a state that is allowed and may lead to one of a set.
    template <typename IsAllowed>
    std::optional<Transition> find_step(StateId state, const std::vector<std::uint8_t>& to, IsAllowed is_allowed) {
        for (const auto each : space_.expand(state))
            if (is_allowed(each) &&
                std::ranges::any_of(each.outcomes.successors(), [&](auto next) { return to[next] != 0; }))
                return each;
        return std::nullopt;
    }

private:
    template <typename IsInner>
    void find(IsInner is_inner);
    void find_certain();

    StateSpace& space_;
    Stop& stop_;
    Ranges successors_;
    Ranges predecessors_;
    Indices goals_;
    Indices reaching_;
    std::vector<std::uint8_t> reaches_;
    std::vector<std::uint8_t> certain_;
};

}  // namespace gpaplan
