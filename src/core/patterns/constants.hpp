// What the making of pattern databases is bounded by, and when more of it is worth its time.
//
// None of them is tuned to a domain: docs/decisions/0047-mechanisms-that-earn-their-place.md has what happens when all
// of them are halved or doubled, and what each mechanism is good for.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gpaplan::pattern_constants {

// Sample states, in which patterns, orders and stages are compared. The first is the initial state.
constexpr std::size_t samples = 64;             // states
constexpr std::uint32_t walk_length = 60;       // steps of the random walks that meet them, at the most
constexpr double smallest_gain = 1e-6;          // share of an estimate, or cost: less is rounding
constexpr std::size_t most_compared = 32;       // of them: states in which LM-cut is evaluated,
constexpr std::uint64_t most_work = 1'000'000;  // and the work for that (bench/work.py): a tenth of a second

// Projections.
constexpr std::uint64_t transitions_of_a_state = 40;  // on average; a projection with more is not made
constexpr std::size_t most_outcomes = 128;            // of an action with several independent effects
constexpr double smallest_rise = 1e-8;                // share of a value: what rises by less is settled
constexpr std::uint32_t most_sweeps = 2000;           // over the states of a projection

// Cost partitions.
constexpr std::uint64_t work_for_orders = 4;  // times the work for patterns
constexpr double worth_an_order = 0.002;      // share by which it must raise the estimates of the samples

// Stages.
constexpr double worth_landmarks = 0.05;  // share by which LM-cut must raise their sum
// The work (bench/work.py) that tables take for each action of the task, …
constexpr std::uint64_t tables_of_action = 125;
constexpr std::uint64_t tables_of_goal = 6;  // … and for each pair of an action and an atom of the goal

}  // namespace gpaplan::pattern_constants
