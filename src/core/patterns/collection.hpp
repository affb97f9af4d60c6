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

// Of pattern databases. A record of Python gives its fields, by name (PatternDatabases in solving/heuristics.py).
struct PatternOptions {
    std::uint32_t max_variables = 0;  // of a pattern
    std::uint64_t max_states = 0;     // of a projection
    std::uint64_t max_work = 0;       // transitions that may be looked at, in all, to choose patterns
    std::uint32_t max_orders = 0;     // of cost partitions
    bool landmarks = false;           // whether LM-cut is added
    bool staged = false;              // or else full tables are made at once
    double give_up = infinity;        // the dead-end cost, infinite if there is none; no field of the record

    void each_field(auto visit) {
        visit("variables", max_variables);
        visit("states", max_states);
        visit("work", max_work);
        visit("orders", max_orders);
        visit("landmarks", landmarks);
        visit("staged", staged);
    }
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
