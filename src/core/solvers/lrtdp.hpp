// Labeled real-time dynamic programming (Bonet and Geffner 2003).
//
// Trials follow the greedy policy from the initial state, backing up each state met, until a solved state. Then, from
// the last state of the trial back to the first, states are checked and labelled solved if they are (labelling.hpp).
// The run ends when the initial state is solved.
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
