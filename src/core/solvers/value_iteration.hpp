// Topological value iteration (Dai and Goldsmith 2007) over the reachable space.
//
// Everything reachable is expanded. A search backwards from the goals finds the states that cannot reach one; without a
// dead-end cost, they and the states from which no policy reaches the goal with probability one get infinite value.
// Then the strongly connected components are solved in reverse topological order, each by Gauss-Seidel sweeps from the
// states near the goal to those far away, until no backup changes a value by more than epsilon.
//
// A first sweep gives each state the value that it would have if the outcomes that lead farther away led back to the
// state. So values are nearly right from the start, whereas from 0 they would have to climb, cost by cost. The price is
// that they are no lower bounds. But if no value exceeds its backup by more than r, and no action costs less than c,
// then V·c/(c + r) does not exceed its own backup, and thus not the optimal value: that is what Search::estimate
// reports. The heuristic is not used.
#pragma once

#include "solvers/search.hpp"

namespace gpaplan {

void run_value_iteration(Search& search);

}  // namespace gpaplan
