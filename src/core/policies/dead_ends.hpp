// The dead ends of a state space: how many there are, and how one comes to the first of them.
#pragma once

#include "base/stop.hpp"
#include "spaces/state_space.hpp"

namespace gpaplan {

struct DeadEnds {
    std::uint32_t goals = 0;      // states where the goal holds
    std::uint32_t dead_ends = 0;  // states from which the goal cannot be reached
    std::uint32_t improper = 0;   // states from which no policy reaches it with probability one, dead ends included
    bool initial = false;         // whether the initial state is a dead end

    // The first action, in the order in which states were met, that leads from a state that is no dead end into one;
    // no_id if there is none.
    StateId state = no_id;
    ActionId action = no_id;
    StateId dead_end = no_id;
    double probability = 0;  // of all its outcomes that are dead ends
};

// Everything that was met is expanded. Throws Stopped if `stop` says so.
DeadEnds find_dead_ends(StateSpace& space, Stop& stop);

}  // namespace gpaplan
