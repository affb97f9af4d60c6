// Values of one search as the heuristic of another.
//
// Bootstrap: what the constrained task taught is where the full one starts. A state that the earlier search gave a
// finite value keeps it; every other state, those of infinite value included, gets the estimate of the heuristic below.
// Values of a constrained task may exceed the optimal ones of the full task, so this heuristic is not admissible.
//
// RepresentativeValues: each state has the value of its representative up to symmetry. The optimal actions of a plain
// state can then be told without a search: one backup gives their values.
#pragma once

#include "solvers/search.hpp"

namespace gpaplan {

class Bootstrap : public Heuristic {
public:
    // Both must outlive the heuristic.
    Bootstrap(Search& earlier, Heuristic& below) : earlier_(earlier), below_(below) {}

    double evaluate(const Word* state) override {
        const auto id = earlier_.space().find(state);
        const auto& values = earlier_.values();
        if (id < values.size() && earlier_.space().is_expanded(id) && values[id] >= 0 && values[id] < infinity)
            return values[id] / earlier_.weight();
        return below_.evaluate(state);
    }
    bool is_admissible() const override { return false; }
    void set_stop(Stop* stop) override { below_.set_stop(stop); }
    std::uint64_t evaluation_cost() const override { return below_.evaluation_cost(); }

private:
    Search& earlier_;
    Heuristic& below_;
};

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
