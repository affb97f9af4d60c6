#include "solvers/proof.hpp"

#include <algorithm>

#include "solvers/envelope.hpp"
#include "solvers/lao_star.hpp"

namespace gpaplan {

namespace {

// The least cost of an action of the greedy policy in one of these states.
double cheapest_step(Search& search, const std::vector<StateId>& states) {
    double least = search.dead_end_cost();
    for (auto state : states) least = std::min(least, search.greedy_cost(state));
    return least;
}

}  // namespace

void close_gap(Search& search) {
    Envelope envelope(search);
    std::vector<StateId> states;
    std::uint32_t expanded = no_id;
    double value = -1;
    for (double share = search.precision() / 4;; share /= 8) {
        envelope.collect(states);
        if (states.empty()) return;
        const bool solved = envelope.solve(states, search.is_admissible()) < Envelope::no_bound;
        if (solved && envelope.collect(states) &&
            std::ranges::all_of(states, [&](auto state) { return envelope.holds(state); }))
            return;
        const double now = search.value(search.root());
        if (expanded == search.space().expanded_count() && now == value) return;
        expanded = search.space().expanded_count();
        value = now;
        search.set_epsilon(std::min(search.epsilon(), share * cheapest_step(search, states)));
        run_improved_lao_star(search);
    }
}

}  // namespace gpaplan
