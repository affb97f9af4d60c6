// What bounds solvers, and when a mechanism of theirs is worth its time.
//
// None is tuned to a domain: docs/decisions/0047-mechanisms-that-earn-their-place.md has what a quarter and four times
// of those about convergence do, and 0048 what other numbers for local minima do.
#pragma once

#include <cstdint>

namespace gpaplan::solver_constants {

// Leaving local minima, in weighted LAO*: searches that find no exit may take so many steps in all, and one more for
// each so many states expanded.
constexpr std::uint64_t steps_in_vain = 100;  // expansions
constexpr std::uint64_t states_of_step = 8;   // states

// Checks for traps and slow convergence: so many backups apart, and for each state expanded this many more, at first;
// twice as many after a check that finds nothing.
constexpr std::uint64_t least_backups = 10'000;
constexpr std::uint64_t backups_of_state = 4;
constexpr std::uint32_t slow_growth = 100;     // one state in so many is new since the last check: then it is slow
constexpr std::uint32_t sweeps_for_traps = 8;  // over all states, before lists of predecessors are made

// Policy iteration.
constexpr std::uint32_t sweeps_of_component = 64;     // of value iteration, before the equations are solved
constexpr std::uint32_t most_rounds = 100;            // before there is no bound
constexpr std::size_t most_explored_states = 20'000;  // in which the best policy is looked for at the end
constexpr double least_gain = 1e-12;                  // share of the cost of an action: less is rounding
constexpr double negligible = 1e-3;                   // share of the precision of a proof that rounding may take

}  // namespace gpaplan::solver_constants
