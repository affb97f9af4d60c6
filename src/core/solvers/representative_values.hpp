// Values of a search up to symmetry as a heuristic for the states themselves: each has the value of its representative.
//
// With it the optimal actions of a plain state can be told without a search: one backup gives their values.
#pragma once

#include "heuristics/heuristic.hpp"
#include "solvers/search.hpp"

namespace gpaplan {

class RepresentativeValues : public Heuristic {
public:
    // The search must outlive the heuristic.
    explicit RepresentativeValues(Search& search) : search_(search) {}

    double evaluate(const Word* state) override { return search_.value(search_.space().intern(state)); }
    bool is_admissible() const override { return false; }

private:
    Search& search_;
};

}  // namespace gpaplan
