// Labeled SSiPP, short-sighted probabilistic planning (Trevizan and Veloso 2012).
//
// The small task within a few steps of the state at hand is solved (look_ahead.hpp), and its policy is followed until
// it leaves what was looked at; there the next small task begins. A trial ends in a solved state, and then its states
// are checked and labelled from the last to the first, as in LRTDP. The larger the small tasks, the fewer of them it
// takes: with one step it is LRTDP, with very many it is policy iteration on all there is.
#include "solvers/solvers.hpp"

#include "solvers/lrtdp.hpp"

namespace gpaplan {

void run_ssipp(Search& search, const Horizon& horizon) {
    Labelling labelling(search);
    LookAhead look_ahead(search, horizon);
    // Follows the policy until it leaves the small task, or for as many steps as that has states: a chain may be slow.
    // Returns where it is then, no_id in a dead end.
    const auto follow = [&](StateId state) {
        std::size_t steps = 4 + 4 * look_ahead.size();
        do {
            search.trial().trajectory.push_back(state);
            if (search.is_dead_end(state) || !search.has_greedy(state)) return StateId{no_id};
            state = search.sample_successor(state);
        } while (--steps > 0 && !search.is_end(state) && look_ahead.holds(state));
        return state;
    };
    const auto walk = [&](StateId state) {
        while (!search.is_end(state)) {
            if (!look_ahead.from(state)) break;  // the state itself turned out to be a dead end
            state = follow(state);
            if (state == no_id || search.check_convergence()) break;
        }
    };
    while (!search.is_end(search.root()))
        make_trial(search, walk, [&](StateId visited) { return labelling.check(visited); });
    search.close_policy();
}

}  // namespace gpaplan
