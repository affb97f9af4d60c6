// All models of a set of clauses: the initial states, static facts or goals that conditions allow.
//
// Atoms are 0 … n-1, a literal is 2·atom for "holds" and 2·atom+1 for "does not hold" as everywhere. Models come in a
// fixed order, found by depth-first search with unit propagation.
//
//     each_model(3, {{0, 2}, {1, 3}}, stop, [](const Word* model) { … });   // one of the atoms 0 and 1; 2 is free
#pragma once

#include "base/stop.hpp"
#include "task/task.hpp"

namespace gpaplan {

// Visits every model, a set of atoms; throws Stopped.
void each_model(std::uint32_t atoms, const std::vector<Indices>& clauses, Stop& stop,
                const std::function<void(const Word*)>& visit);

}  // namespace gpaplan
