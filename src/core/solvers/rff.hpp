// Plans on the all-outcomes determinisation, and repairs where an outcome leads elsewhere (Kuter, Nau, Reisner and
// Goldman 2008; RFF by Teichteil-Königsbuch, Kuter and Infantes 2010): finds a proper policy fast, and not a cheap one.
//
// A plan from the initial state, by greedy best-first search, tells an action for each state on it. Outcomes of these
// actions that are off the plan are planned for in the same way, each to the goal or to a state that has an action
// already, until the policy is closed. A state from which no plan leads there is a dead end; actions that may lead to
// one are then avoided, and planning begins anew, with all that is known. The run ends when there is no dead end left
// to avoid: then every state of the policy has a way to the goal along it. With a dead-end cost an action that may lead
// to a dead end is taken where there is no other.
//
// The policy is the best of what was met (explored_policy.hpp). To make it better, all that the other actions of its
// states lead to is planned for too, and the best policy of what is met then is taken: a step of policy iteration, as
// planning is a policy as well.
#pragma once

#include "solvers/search.hpp"

namespace gpaplan {

void run_rff(Search& search);

// Once it has run: a better policy, where there is one that differs from it in one action at a time.
void improve_rff(Search& search);

}  // namespace gpaplan
