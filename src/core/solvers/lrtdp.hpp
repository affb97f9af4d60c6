// Labeled real-time dynamic programming (Bonet and Geffner 2003).
//
// Trials follow the greedy policy from the initial state, backing up each state met, until a solved state. Then, from
// the last state of the trial back to the first, `check_solved` searches the greedy graph below a state: if every
// residual in it is at most epsilon the states are labelled solved, else they are backed up. The run ends when the
// initial state is solved. With an admissible heuristic its value then is optimal up to epsilon in each step.
#pragma once

#include "solvers/search.hpp"

namespace gpaplan {

struct LrtdpOptions {
    std::uint64_t max_trials = ~std::uint64_t{0};
    bool resume = false;  // start trials where values stop changing (trail.hpp)
};

// Returns the number of trials.
std::uint64_t run_lrtdp(Search& search, const LrtdpOptions& options);

}  // namespace gpaplan
