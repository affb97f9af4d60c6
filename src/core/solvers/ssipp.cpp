#include "solvers/ssipp.hpp"

#include "solvers/envelope.hpp"
#include "solvers/labelling.hpp"
#include "solvers/trail.hpp"

namespace gpaplan {

namespace {

class Ssipp {
public:
    Ssipp(Search& search, const SsippOptions& options)
        : search_(search), options_(options), trail_(search, false), labelling_(search), envelope_(search) {}

    void trial() {
        for (auto state = trail_.start(); !is_end(state);) {
            gather(state);
            if (states_.empty()) break;  // the state itself turned out to be a dead end
            if (envelope_.solve(states_, search_.is_admissible()) == Envelope::no_bound) back_up();
            state = follow(state);
            if (state == no_id || search_.take_stock()) break;
        }
        trail_.check_backwards([&](StateId visited) { return labelling_.check(visited); });
    }

private:
    bool is_end(StateId state) {
        return search_.is_solved(state) || search_.is_goal(state) || search_.is_dead_end(state);
    }

    // The states within some steps of this one that something is left to do in, breadth first.
    void gather(StateId root) {
        states_.clear();
        ++round_;
        std::vector<StateId> level{root};
        mark(root);
        for (std::uint32_t step = 0; step < options_.steps && states_.size() < options_.max_states; ++step) {
            std::vector<StateId> next;
            for (auto state : level) {
                if (!search_.has_greedy(state)) search_.backup(state);
                if (is_end(state) || !search_.has_greedy(state)) continue;
                states_.push_back(state);
                if (states_.size() == options_.max_states) break;
                for (const auto transition : search_.space().expand(state))
                    for (const auto& outcome : transition.outcomes)
                        if (mark(outcome.successor)) next.push_back(outcome.successor);
            }
            level = std::move(next);
        }
    }

    // Returns whether the state was not gathered yet in this round.
    bool mark(StateId state) {
        if (state >= rounds_.size()) rounds_.resize(search_.space().size(), 0);
        return std::exchange(rounds_[state], round_) != round_;
    }

    // There is no policy that surely leaves the small task: some of its states may be a trap.
    void back_up() {
        if (search_.mark_dead_ends()) return;
        for (auto it = states_.rbegin(); it != states_.rend(); ++it) search_.backup(*it);
    }

    // Follows the policy until it leaves the small task, or for as many steps as that has states: a chain may be slow.
    // Returns where it is then, no_id in a dead end.
    StateId follow(StateId state) {
        std::size_t steps = 4 + 4 * states_.size();
        const auto& solved = envelope_;
        do {
            trail_.push(state);
            if (search_.is_dead_end(state) || !search_.has_greedy(state)) return no_id;
            state = search_.sample_successor(state);
        } while (--steps > 0 && !is_end(state) && solved.holds({state}));
        return state;
    }

    Search& search_;
    const SsippOptions options_;
    Trail trail_;
    Labelling labelling_;
    Envelope envelope_;
    std::vector<StateId> states_;   // of the small task
    Column<std::uint32_t> rounds_;  // column: the last round that the state was gathered in
    std::uint32_t round_ = 0;
};

}  // namespace

std::uint64_t run_ssipp(Search& search, const SsippOptions& options) {
    Ssipp ssipp(search, options);
    std::uint64_t trials = 0;
    const auto initial = search.space().initial();
    while (!search.is_solved(initial) && !search.is_goal(initial) && !search.is_dead_end(initial) &&
           trials < options.max_trials) {
        ssipp.trial();
        ++trials;
    }
    search.close_policy();
    return trials;
}

}  // namespace gpaplan
