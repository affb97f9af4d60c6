// The states of a space as a graph, and what the graph alone says about the goal, whatever the probabilities are:
//
//   reaching   the states from which the goal can be reached at all; all others are dead ends
//   certain    the states from which some policy reaches it with probability one
//
// A state is certain if safe actions, all of whose outcomes are certain, lead from it to the goal. That is a greatest
// fixed point: starting from the states that reach the goal, those without a safe action are taken away one after the
// other, and so are those that safe actions do not lead to the goal, until nothing changes.
//
// Everything that was met is expanded, but for states where the heuristic, if there is one, says that the goal is out
// of reach; or else the part that is expanded already is taken for all there is, and the goal is out of reach in every
// other state. Linear in the transitions, but for the rounds of the fixed point, which are few.
#pragma once

#include <vector>

#include "base/stop.hpp"
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

private:
    void add_successors(StateId state, bool is_inner);
    void find_states();
    void find_reaching();
    void find_certain();
    void drop(Indices& dropped);
    bool has_safe_action(StateId state);
    Indices led_astray();

    StateSpace& space_;
    Stop& stop_;
    Indices own_;  // scratch
    Ranges successors_;
    Ranges predecessors_;
    Indices goals_;
    Indices reaching_;
    std::vector<std::uint8_t> reaches_;
    std::vector<std::uint8_t> certain_;
};

// The dead ends of a state space: how many there are, and how one comes to the first of them.
struct DeadEnds {
    std::uint32_t goals = 0;      // states where the goal holds
    std::uint32_t dead_ends = 0;  // states from which the goal cannot be reached
    std::uint32_t improper = 0;   // states from which no policy reaches it with probability one, dead ends included
    bool initial = false;         // whether the initial state is a dead end

    // The first action, in the order in which states were met, that leads from a state that is no dead end into one;
    // no_id if there is none.
    StateId state = no_id;
    ActionId action = no_id;
    StateId dead_end = no_id;
    double probability = 0;  // of all its outcomes that are dead ends
};

// Everything that was met is expanded. Throws Stopped if `stop` says so.
DeadEnds find_dead_ends(StateSpace& space, Stop& stop);

}  // namespace gpaplan
