#include "solvers/ssipp.hpp"

#include "solvers/labelling.hpp"
#include "solvers/look_ahead.hpp"
#include "solvers/trail.hpp"

namespace gpaplan {

namespace {

class Ssipp {
public:
    Ssipp(Search& search, const SsippOptions& options)
        : search_(search), trail_(search, false), labelling_(search), look_ahead_(search, options.horizon) {}

    void trial() {
        if (!trail_.is_checked()) walk();
        trail_.check_backwards([&](StateId visited) { return labelling_.check(visited); });
    }

private:
    void walk() {
        for (auto state = trail_.start(); !search_.is_end(state);) {
            if (!look_ahead_.from(state)) break;  // the state itself turned out to be a dead end
            state = follow(state);
            if (state == no_id || search_.take_stock()) break;
        }
    }

    // Follows the policy until it leaves the small task, or for as many steps as that has states: a chain may be slow.
    // Returns where it is then, no_id in a dead end.
    StateId follow(StateId state) {
        std::size_t steps = 4 + 4 * look_ahead_.size();
        do {
            trail_.push(state);
            if (search_.is_dead_end(state) || !search_.has_greedy(state)) return no_id;
            state = search_.sample_successor(state);
        } while (--steps > 0 && !search_.is_end(state) && look_ahead_.holds(state));
        return state;
    }

    Search& search_;
    Trail trail_;
    Labelling labelling_;
    LookAhead look_ahead_;
};

}  // namespace

std::uint64_t run_ssipp(Search& search, const SsippOptions& options) {
    Ssipp ssipp(search, options);
    std::uint64_t trials = 0;
    while (!search.is_end(search.root()) && trials < options.max_trials) {
        ssipp.trial();
        ++trials;
    }
    search.close_policy();
    return trials;
}

}  // namespace gpaplan
