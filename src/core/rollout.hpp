// Trials: following a policy by chance, without building transitions.
//
// A trial starts in the initial state and ends at a goal, in a state without applicable actions, or at the horizon. The
// outcome of an action is drawn factor by factor, so nothing is enumerated and nothing is interned: memory is constant.
#pragma once

#include <vector>

#include "stop.hpp"
#include "task.hpp"

namespace gpaplan {

struct Trial {
    double cost = 0;
    std::uint32_t steps = 0;
    bool reached_goal = false;
};

// Trials of the policy that draws each applicable action with equal probability. Fewer than asked if `stop` said so.
std::vector<Trial> run_random_trials(const Task& task, std::uint32_t trials, std::uint32_t horizon, std::uint64_t seed,
                                     Stop& stop);

}  // namespace gpaplan
