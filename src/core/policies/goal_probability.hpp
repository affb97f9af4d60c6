// The maximal probability of reaching the goal, for tasks without a proper policy.
//
// Everything reachable is expanded. States that cannot reach the goal have probability 0, and value iteration from
// below, one strongly connected component after the other, finds the others' probabilities. A policy is then read off
// that attains them: among the actions of maximal probability one that can lead to a state from which the goal is
// already being approached, so that no set of states is entered for ever while probability is left. Where the goal is
// out of reach the policy gives up. Its exact goal probability is for `evaluate_policy` to say.
#pragma once

#include "policies/policy.hpp"

namespace gpaplan {

PolicyColumn maximise_goal_probability(StateSpace& space, Stop& stop);

}  // namespace gpaplan
