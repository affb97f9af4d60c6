// Labeled SSiPP, short-sighted probabilistic planning (Trevizan and Veloso 2012).
//
// From the state at hand only the states within `steps` actions are looked at, by every action; whatever lies beyond is
// taken for what its value says. The best policy of that small task is found exactly (envelope.hpp) and followed until
// it leaves what was looked at; there the next small task begins. A trial ends in a solved state, and then its states
// are checked and labelled from the last to the first, as in LRTDP. The larger the small tasks, the fewer of them it
// takes: with one step it is LRTDP, with very many it is policy iteration on all there is.
#pragma once

#include "solvers/search.hpp"

namespace gpaplan {

struct SsippOptions {
    std::uint32_t steps = 4;
    std::uint32_t max_states = 1000;  // of a small task; where there are more, it is more short-sighted
    std::uint64_t max_trials = ~std::uint64_t{0};
};

// Returns the number of trials.
std::uint64_t run_ssipp(Search& search, const SsippOptions& options);

}  // namespace gpaplan
