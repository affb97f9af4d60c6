// Estimates from several projections together.
//
// A *table* has an estimate for each state of a projection; a *sum* is a set of tables whose estimates may be added up;
// the estimate of a state is that of its best sum. Sums come from saturated cost partitioning (Seipp, Keller and
// Helmert 2020): the first projection of a saturation order takes its saturated costs, what its values need; the next
// one takes the rest. Expectations make no difference: if each h_i(s) is at most c_i(a) + Σ p h_i(s') and the c_i add
// up to c at the most, the same is true of the sum of the h_i. The dead-end cost is partitioned like an action's.
//
// Several saturation orders are made, each for one of the sample states, and kept if it raises the estimate of one.
#pragma once

#include "patterns/collection.hpp"

namespace gpaplan {

struct Tables {
    struct Table {
        std::uint32_t projection;
        std::vector<float> values;  // of each abstract state, rounded down
    };
    std::vector<Table> tables;
    Ranges sums;  // of tables
};

Tables combine(const ProjectedTask& task, const Collection& collection, const PatternOptions& options, Stop& stop);

}  // namespace gpaplan
