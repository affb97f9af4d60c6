// Trials in which an abstraction says which actions are kept, and one of these is drawn.
//
// An action is kept in a state if its abstract id is that of the state: so it is where a rule decides about a state and
// fits the action. A trial ends as undefined where no action is kept.
#pragma once

#include "automata/abstraction.hpp"
#include "policies/rollout.hpp"

namespace gpaplan {

// Fewer trials than asked if `stop` said so; throws Stopped if it did before the first.
std::vector<Trial> run_kept_trials(const Task& task, Abstraction& abstraction, const TrialPlan& plan, Stop& stop);

}  // namespace gpaplan
