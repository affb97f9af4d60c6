#include "solvers/lrtdp.hpp"

#include <algorithm>

#include "solvers/trail.hpp"

namespace gpaplan {

namespace {

class Lrtdp {
public:
    Lrtdp(Search& search, bool resume) : search_(search), trail_(search, resume) {}

    void trial() {
        auto state = trail_.start();
        while (!is_solved(state)) {
            trail_.push(state);
            if (search_.is_goal(state)) break;
            search_.backup(state);
            if (search_.is_dead_end(state)) break;
            state = search_.sample_successor(state);
            if (search_.take_stock()) break;  // a trial may be as long as a chain is slow
        }
        trail_.check_backwards([&](StateId visited) { return check_solved(visited); });
    }

    bool is_solved(StateId state) const { return search_.is_solved(state); }

private:
    bool check_solved(StateId root) {
        bool solved = true;
        ++mark_;
        open_.clear();
        closed_.clear();
        if (!is_solved(root)) push(root);
        while (!open_.empty()) {
            const auto state = open_.back();
            open_.pop_back();
            closed_.push_back(state);
            if (search_.residual(state) > search_.epsilon()) {
                solved = false;
                note_change(state);
                continue;
            }
            if (search_.is_dead_end(state)) continue;
            for (const auto& outcome : search_.greedy_outcomes(state))
                if (!is_solved(outcome.successor)) push(outcome.successor);
        }
        if (solved) {
            for (auto state : closed_) search_.set_solved(state);
        } else {
            for (; !closed_.empty(); closed_.pop_back()) back_up_if_needed(closed_.back());
            search_.take_stock();
        }
        return solved;
    }

    // Where the residual was small and no outcome of the greedy action has changed since, a backup would change nothing
    // that matters, and is left out.
    void back_up_if_needed(StateId state) {
        const auto changed = [&](StateId other) { return other < changes_.size() && changes_[other] == mark_; };
        const auto outcomes = search_.greedy_outcomes(state);
        if (!changed(state) && std::ranges::none_of(outcomes, changed, &Outcome::successor)) return;
        if (search_.backup(state) > 0) note_change(state);
    }

    void note_change(StateId state) {
        if (state >= changes_.size()) changes_.resize(search_.space().size(), 0);
        changes_[state] = mark_;
    }

    void push(StateId state) {
        if (state >= marks_.size()) marks_.resize(search_.space().size(), 0);
        if (marks_[state] == mark_) return;
        marks_[state] = mark_;
        open_.push_back(state);
    }

    Search& search_;
    Trail trail_;
    std::vector<StateId> open_;
    std::vector<StateId> closed_;
    Column<std::uint32_t> marks_;    // column: the number of the last check that met the state
    Column<std::uint32_t> changes_;  // column: the number of the last check that found or made a change
    std::uint32_t mark_ = 0;
};

}  // namespace

std::uint64_t run_lrtdp(Search& search, const LrtdpOptions& options) {
    Lrtdp lrtdp(search, options.resume);
    std::uint64_t trials = 0;
    while (!lrtdp.is_solved(search.space().initial()) && trials < options.max_trials) {
        lrtdp.trial();
        ++trials;
    }
    search.close_policy();
    return trials;
}

}  // namespace gpaplan
