// Traps (end components without a goal): sets of states that cannot be left by actions that may be taken.
//
// A state escapes if it has a path to a goal, or to a state that is not expanded. What leads to what is known forwards
// only, and lists of predecessors take more memory than most of what a search keeps. But states are met on the way to
// the goal, so a sweep from the last state to the first finds nearly all of them, each when its first successor that
// escapes is seen; a few sweeps mostly find the rest. Lists of predecessors are made if that does not suffice, and for
// the states that are left alone.
#pragma once

#include "spaces/state_space.hpp"

namespace gpaplan {

// Of each state whether it escapes. All actions may be taken, or only those that surely avoid infinite values. Throws
// Stopped.
std::vector<std::uint8_t> find_escapes(StateSpace& space, const Column<double>& values, bool all_actions, Stop& stop);

}  // namespace gpaplan
