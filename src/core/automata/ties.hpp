// Which optimal actions a policy takes where several are equally good.
//
// From the initial state on, the states that the chosen actions reach are backed up until their values are right; then
// the choice among the actions within `tolerance` of the best is
//   first       the one with the lowest index
//   harmonize   one whose abstract transitions are edges already, of the automaton given or of the choices made so far;
//   else
//               the one that adds the fewest, and among these the one with the lowest index
//   all         all of them
// Values must be lower bounds (an admissible heuristic) for the choices to be optimal.
#pragma once

#include "automata/edge_set.hpp"
#include "solvers/search.hpp"

namespace gpaplan {

enum class Ties : std::uint8_t { first, harmonize, all };
template <>
inline constexpr std::array names<Ties>{"first", "harmonize", "all"};

using TieChoice = std::pair<StateId, ActionId>;

// Throws Stopped at a limit. `edges` is not changed.
std::vector<TieChoice> choose_optimal_actions(Search& search, Ties ties, double tolerance, Abstraction& abstraction,
                                              const EdgeSet& edges);

}  // namespace gpaplan
