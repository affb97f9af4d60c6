// Which patterns to take.
//
// First those of one variable that the goal looks at, and of such a variable with one more that its actions look at.
// Of the latter those are kept that say more, in one of some sample states, than their variables do one by one. Each
// pattern is then extended by the variable that raises its estimates of the samples the most, as long as one does and
// it stays small enough (hill climbing). Sample states are met by random walks from the initial state.
//
// All of it is counted in states and transitions of projections and not in time, so that the same patterns are taken on
// every machine.
#pragma once

#include "patterns/abstract_values.hpp"

namespace gpaplan {

// Of pattern databases; the defaults are those of Python (solving/heuristics.py).
struct PatternOptions {
    std::uint32_t max_variables;  // of a pattern
    std::uint64_t max_states;     // of a projection
    std::uint64_t max_work;       // transitions that may be looked at, in all, to choose patterns
    std::uint32_t max_orders;     // of cost partitions
    double give_up;               // the dead-end cost, infinite if there is none
};

// A sample state: its abstract state in each projection.
using Sample = Indices;

struct Collection {
    std::vector<Projection> projections;
    std::vector<AbstractValues> values;     // with the task's costs
    std::vector<std::vector<Word>> states;  // the samples; the first is the initial state
    std::vector<Sample> samples;            // in all projections
    std::uint64_t work = 0;
};

Collection collect_patterns(const ProjectedTask& task, const PatternOptions& options, Stop& stop);

}  // namespace gpaplan
