// Trials in which a rule list says which actions are kept, and one of these is drawn.
#pragma once

#include "automata/rule_abstraction.hpp"
#include "policies/rollout.hpp"

namespace gpaplan {

// A trial ends as undefined where no action is kept. Fewer trials than asked if `stop` said so.
std::vector<Trial> run_kept_trials(const Task& task, RuleAbstraction& rules, const TrialPlan& plan, Stop& stop);

}  // namespace gpaplan
