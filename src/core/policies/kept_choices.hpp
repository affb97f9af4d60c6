// What it is worth to draw, in each state, one of some kept actions, each with the same probability.
#pragma once

#include "policies/markov_chain.hpp"
#include "spaces/state_space.hpp"

namespace gpaplan {

// Of each state of the space, exactly. `kept` has the actions of each state; those that are not applicable do not
// count, and in a state with none, unless it is a goal, one gives up, at the dead-end cost. Throws Stopped if `stop`
// says so.
std::vector<Prospect> evaluate_choices(StateSpace& space, const std::vector<Indices>& kept, double dead_end_cost,
                                       Stop& stop);

}  // namespace gpaplan
