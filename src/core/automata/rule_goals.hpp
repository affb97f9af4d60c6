// Regrets of actions for one who reaches one goal after the other: what simple rules are learned from.
//
// An optimal policy carries several parcels at a time, and to say which is hard. One that reaches some goal, then
// another, costs a little more, and a few rules say it. A state is *serial* if all goals can be reached from it for
// sure without giving up one that is met. There each unmet goal is an aim, no goal that is met being given up on the
// way; elsewhere it is any serial state.
#pragma once

#include "spaces/state_space.hpp"

namespace gpaplan {

// Of each applicable action of each state, in the order of its transitions: what it costs to take it and then to go on
// to an aim as cheaply as can be, above the least, for the aim for which this is least. `met` has the goals that are
// met in each state, as bits; `values` the optimal values, `dead_end` or more where the goal is out of reach: an action
// that may lead there has an infinite regret, and these states have none at all. What gives up a goal, or leaves the
// serial states, costs `penalty` more. Throws Stopped if `stop` says so.
std::vector<std::vector<double>> serial_regrets(StateSpace& space, const std::vector<std::uint64_t>& met,
                                                const std::vector<double>& values, double dead_end, double penalty,
                                                Stop& stop);

}  // namespace gpaplan
