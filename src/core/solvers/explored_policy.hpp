// The best policy for the part of a space that a search has explored, whatever state the search is in.
//
// Where it exists, it reaches the goal with probability one and never leaves what is expanded: so a search that is
// stopped has a closed policy to show as soon as it has met one. A first policy takes the greedy action where that
// leads to the goal within the certain states (goal_graph.hpp), and else any that does; policy iteration (envelope.hpp)
// then makes it the best one there is, unless it is too large for that. With a dead-end cost it gives up wherever it
// knows no way to the goal, and is always closed.
#pragma once

#include "solvers/search.hpp"

namespace gpaplan {

// Undefined at the root if nothing that is explored is a proper policy. Throws Stopped.
PolicyColumn find_explored_policy(Search& search, Stop& stop);

}  // namespace gpaplan
