// From a policy that a solver is satisfied with to one that is proven optimal.
//
// With an admissible heuristic all values are lower bounds of the optimal costs, and the exact cost of the greedy
// policy is an upper bound. Solvers stop at residuals of epsilon, which says little of the distance between the two:
// small residuals add up over the steps of a long way, and epsilon may be large beside the costs. `close_gap` goes on
// with improved LAO* at an epsilon that is small beside the costs of the policy's actions, and with exact solutions of
// what the policy reaches (envelope.hpp), until the two meet up to a share of `Search::precision`, or until nothing is
// left to gain: where costs span more digits than a double has, the gap may stay open.
#pragma once

#include "solvers/search.hpp"

namespace gpaplan {

// The greedy policy must be closed, as solvers leave it. Throws Stopped at a limit.
void close_gap(Search& search);

}  // namespace gpaplan
