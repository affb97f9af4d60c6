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

namespace gpaplan {

struct Failure {
    std::uint32_t count;  // starts that fail,
    StateId first;        // the first of them,
    Indices actions;      // a shortest way from there to a trap or a loop,
    StateId last;         // and where it ends
};

struct Judgement {
    std::uint32_t starts;
    std::uint32_t states;
    std::optional<Failure> random, any;
};

// Adds all models of clauses to a space of which nothing is expanded, as starts, then everything that is kept from
// there, and judges it. Throws Stopped.
Judgement check_starts(StateSpace& space, const std::vector<Indices>& clauses, Stop& stop);

// Visits all models of clauses (models.cpp), each a set of the atoms 0 … n-1: the initial states, static facts or goals
// that conditions allow. A literal is 2·atom for "holds" and 2·atom+1 for "does not hold" as everywhere. Throws
// Stopped.
//
//     each_model(3, {{0, 2}, {1, 3}}, stop, [](const Word* model) { … });   // one of the atoms 0 and 1; 2 is free
void each_model(std::uint32_t atoms, const std::vector<Indices>& clauses, Stop& stop,
                const std::function<void(const Word*)>& visit);

}  // namespace gpaplan
