// The maximal probability of reaching the goal, for tasks without a proper policy, and how it is missed.
//
// Everything is expanded from which the goal may be reached. The graph alone tells the states with the probabilities 0
// and 1 (goal_graph.hpp). For the others a few sweeps of value iteration from below give a policy to start from; policy
// iteration, with the equations of each policy solved exactly (markov_chain.hpp), makes it optimal: when no action is
// better than a state's value, then the values are a fixed point of the optimality equations, hence not below the least
// one, which is the maximal probability; and they are attained. Where the goal is out of reach the policy gives up.
#pragma once

#include <optional>
#include <utility>

#include "policies/policy.hpp"

namespace gpaplan {

// Throws Stopped if `stop` says so.
PolicyColumn maximise_goal_probability(StateSpace& space, Stop& stop);

// How a policy is most likely to come to a state where it gives up; above, these are the dead ends.
struct Miss {
    std::vector<std::pair<StateId, ActionId>> trajectory;  // from the initial state; after the last action it gives up
    StateId end = no_id;                                   // where that leads
    double probability = 0;                                // with which that action leads to such states
};

// Nothing if the policy never gives up. Throws Stopped if `stop` says so.
std::optional<Miss> find_likeliest_miss(StateSpace& space, const PolicyColumn& policy, Stop& stop);

}  // namespace gpaplan
