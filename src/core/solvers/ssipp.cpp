#include "solvers/ssipp.hpp"

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
