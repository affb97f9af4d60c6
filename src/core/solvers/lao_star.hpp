// LAO* and improved LAO* (Hansen and Zilberstein 2001).
//
// LAO* grows the best partial solution graph (what the greedy policy reaches from the initial state): it expands a tip
// of it, updates the values of the tip's ancestors in the graph by value iteration, and goes on until the graph has no
// tip that is not a goal; then value iteration on the graph either converges or brings up new tips. The improved
// version does not stop for each tip: it walks the graph depth first, expanding tips on the way and backing up each
// state once when it leaves it, and repeats that until the graph is closed and converged.
//
// With a weight, the estimates of states that were not expanded count so many times as much as the costs of actions
// (weighted LAO*, same paper): what is expanded looks cheaper than what is not, so that the search stays with what it
// has begun, and meets far fewer states before a policy is closed. The policy costs at most the weight times the
// optimum if the heuristic is admissible. Walks are then not stopped at tips: a path to the goal takes one walk. Where
// a tip turns out dearer than it looked, a short best-first search looks for an exit from the local minimum.
#pragma once

#include "solvers/search.hpp"

namespace gpaplan {

void run_lao_star(Search& search);
void run_improved_lao_star(Search& search);
void run_weighted_lao_star(Search& search);  // with the weight of the search

// From a policy that a solver is satisfied with, which is closed, to one that is proven optimal.
//
// With an admissible heuristic all values are lower bounds of the optimal costs, and the exact cost of the greedy
// policy is an upper bound. Solvers stop at residuals of epsilon, which says little of the distance between the two:
// small residuals add up over the steps of a long way, and epsilon may be large beside the costs. `close_gap` goes on
// with improved LAO* at an epsilon that is small beside the costs of the policy's actions, and with exact solutions of
// what the policy reaches (envelope.hpp), until the two meet up to a share of `Search::precision`, or until nothing is
// left to gain: where costs span more digits than a double has, the gap may stay open.
void close_gap(Search& search);

}  // namespace gpaplan
