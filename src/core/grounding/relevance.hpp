// Relevance: the part of a ground task that its goal can ever depend on.
//
// The atoms of the goal are relevant. So are all atoms of the precondition of an action that changes a relevant atom in
// some outcome, and those of each condition of such an action on which a change of a relevant atom, or a cost, depends;
// and so on, until nothing is added. What is relevant of a successor then depends on what is relevant of a state alone,
// and an action that changes nothing relevant only costs. So both can be left out, and the optimal value of every state
// stays what it is: actions cost more than nothing. One that may cost nothing or less counts as one that matters.
//
// A goal without atoms (there is none, it always holds, or never) says nothing of what matters: everything is kept.
#pragma once

#include "base/stop.hpp"
#include "task/task.hpp"

namespace gpaplan {

// What is relevant of each atom and of each action.
struct Relevance {
    std::vector<bool> atoms;
    std::vector<bool> actions;

    bool is_whole() const;
};

// Throws Stopped.
Relevance find_relevance(const Task& task, Stop& stop);

}  // namespace gpaplan
