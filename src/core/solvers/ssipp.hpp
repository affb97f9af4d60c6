// Labeled SSiPP, short-sighted probabilistic planning (Trevizan and Veloso 2012).
//
// The small task within a few steps of the state at hand is solved (look_ahead.hpp), and its policy is followed until
// it leaves what was looked at; there the next small task begins. A trial ends in a solved state, and then its states
// are checked and labelled from the last to the first, as in LRTDP. The larger the small tasks, the fewer of them it
// takes: with one step it is LRTDP, with very many it is policy iteration on all there is.
#pragma once

#include "solvers/look_ahead.hpp"

namespace gpaplan {

void run_ssipp(Search& search, const Horizon& horizon);

}  // namespace gpaplan
