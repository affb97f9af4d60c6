// Estimates from several projections together.
//
// A *table* has an estimate for each rank of a projection; a *sum* is a set of tables whose estimates may be added up;
// the estimate of a state is that of its best sum. Three ways to have sums:
//
//   maximum     each projection by itself, with the task's costs
//   canonical   projections no two of which are changed by the same action need no share of each other's costs
//               (Haslum et al. 2007): the maximal sets of such projections
//   saturated   costs are shared out (Seipp, Keller and Helmert 2020): the first projection of an order takes of the
//               cost of each action what its values need, the next one works with the rest. Expectations make no
//               difference: if each h_i(s) is at most c_i(a) + Σ p h_i(s') and the c_i add up to c at the most, the
//               same is true of the sum of the h_i. The price of giving up is shared out like the cost of an action.
//
// Several orders are made, each for the needs of one of the sample states, and kept if it raises the estimate of one.
#pragma once

#include "patterns/abstract_values.hpp"
#include "patterns/projection.hpp"

namespace gpaplan {

enum class PatternCombination : std::uint8_t { maximum, canonical, saturated };
template <>
inline constexpr std::array names<PatternCombination>{"maximum", "canonical", "saturated"};

struct Tables {
    struct Table {
        std::uint32_t projection;
        std::vector<float> values;  // of each rank, rounded down
    };
    std::vector<Table> tables;
    Ranges sums;  // of tables
};

// A sample state: its rank in each projection.
using Sample = std::vector<Rank>;

struct PartitionOptions {
    PatternCombination combination = PatternCombination::saturated;
    std::uint32_t max_orders = 16;
    std::uint64_t max_work = 0;  // transitions that may be looked at
    double give_up = 0;
};

// `full` has the values of each projection with the task's costs.
Tables combine(const ProjectedTask& task, const std::vector<Projection>& projections,
               const std::vector<AbstractValues>& full, const std::vector<Sample>& samples,
               const PartitionOptions& options, Stop& stop);

}  // namespace gpaplan
