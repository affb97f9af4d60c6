// All models of a set of clauses: the initial states, static facts or goals that conditions allow.
//
// Atoms are 0 … n-1, a literal is 2·atom for "holds" and 2·atom+1 for "does not hold" as everywhere. Models come in a
// fixed order, found by depth-first search with unit propagation.
//
//     Models(3, {{0, 2}, {1, 3}}).each([](const Word* model) { … });   // one of the atoms 0 and 1; 2 is free
#pragma once

#include "base/stop.hpp"
#include "task/task.hpp"

namespace gpaplan {

class Models {
public:
    Models(std::uint32_t atoms, const std::vector<Indices>& clauses);

    // Visits every model, a set of atoms; throws Stopped.
    void each(const std::function<void(const Word*)>& visit, Stop& stop);

private:
    bool assign(Literal literal);
    bool propagate(std::size_t from);
    void undo(std::size_t to);

    std::uint32_t atoms_;
    Ranges clauses_;
    Ranges occurrences_;               // of each literal: the clauses that it is in
    Indices open_;                     // of each clause: its literals that are not false
    Indices satisfied_;                // of each clause: its literals that are true
    std::vector<std::int8_t> values_;  // of each atom: -1 if it has none
    Indices trail_;                    // the literals made true, in order
    std::vector<Word> model_;
};

}  // namespace gpaplan
