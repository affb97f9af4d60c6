// Topological value iteration (Dai and Goldsmith 2007) over the reachable space.
//
// Everything reachable is expanded; states from which no policy reaches the goal with probability one get infinite
// value, unless there is a dead-end cost. Then the strongly connected components are solved in reverse topological
// order, each by Gauss-Seidel sweeps from the states near the goal, until no backup changes a value by more than
// epsilon.
//
// A first sweep gives each state the value that it would have if the outcomes that lead farther away led back to it.
// Such values are no lower bounds. But if none exceeds its backup by more than r, and no action costs less than c, then
// V·c/(c + r) does not exceed the optimal value: that is what Search::estimate reports. The heuristic is not used.
#pragma once

#include "solvers/search.hpp"

namespace gpaplan {

void run_value_iteration(Search& search);

}  // namespace gpaplan
