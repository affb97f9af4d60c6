// The maximal probability of reaching the goal, for tasks without a proper policy.
//
// Everything is expanded from which the goal may be reached. The graph alone tells the states with the probabilities 0
// and 1 (goal_graph.hpp). For the others policy iteration, with the equations of each policy solved exactly
// (markov_chain.hpp), makes one that approaches the goal optimal: when no action is better than a state's value, then
// the values are a fixed point of the optimality equations, hence not below the least one, which is the maximal
// probability; and they are attained. Where the goal is out of reach the policy gives up.
#pragma once

#include "policies/policy.hpp"

namespace gpaplan {

// Throws Stopped if `stop` says so.
PolicyColumn maximise_goal_probability(StateSpace& space, Stop& stop);

}  // namespace gpaplan
