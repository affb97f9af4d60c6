// The trajectory of a trial, from the initial state on, and where the next trial starts.
//
// The published trials all start at the initial state. If many trajectories are equally good, making one of them dearer
// changes nothing for the states before it. The next trial walks the same long trajectory again, only to leave it near
// its end. With `resume` a trial goes back only as far as values change, and leaves it there: what is kept of the
// trajectory is the beginning of a trial from the initial state that happens to be drawn again. It also goes back at
// most as many steps as there were backups since it last did, so that on a long trajectory on which every value
// changes, going back is no dearer than going forward was. Labels are given by the same checks as ever, so what they
// promise is the same. Where trajectories are not equally good, resuming clings to the worse ones, and meets far more
// states.
//
// The trajectory itself belongs to the search. If a run is stopped in the middle of a trial, the next one goes on
// there: a search that is made in many short turns then does what it would have done in one. Were each turn to begin at
// the root, only states near it would be backed up, and what is far from it never learned of.
#pragma once

#include <cmath>
#include <vector>

#include "solvers/search.hpp"

namespace gpaplan {

class Trail {
public:
    Trail(Search& search, bool resume) : search_(search), resume_(resume), states_(search.trial().trajectory) {}

    void push(StateId state) { states_.push_back(state); }

    // Whether a run was stopped when the trial had come to its end, and was being checked.
    bool is_checked() const { return search_.trial().is_checked; }

    // Where the next trial starts, or the one that was stopped goes on.
    StateId start() {
        if (states_.empty()) return search_.root();
        const auto state = states_.back();
        states_.pop_back();
        return state;
    }

    // From the last state to the first: `check(state)` says whether it is labelled now, and may change its value. At
    // the first one that is not, goes back to the last state whose value does not change with it.
    template <typename Check>
    void check_backwards(Check check) {
        search_.trial().is_checked = true;
        for (; !states_.empty(); states_.pop_back()) {
            const double before = search_.value(states_.back());
            if (check(states_.back())) continue;
            if (resume_)
                retreat(std::abs(search_.value(states_.back()) - before));
            else
                states_.clear();
            break;
        }
        search_.trial().is_checked = false;
    }

private:
    void retreat(double change) {
        auto steps = search_.backup_count() - last_retreat_;
        for (; steps > 0 && change > search_.epsilon(); --steps) {
            states_.pop_back();
            if (states_.empty()) break;
            // A check may have labelled it meanwhile, and what is labelled is not touched: a backup might turn to
            // another action, of the same value, whose outcomes are not labelled.
            if (!search_.is_solved(states_.back())) change = search_.backup(states_.back());
        }
        last_retreat_ = search_.backup_count();
    }

    Search& search_;
    bool resume_;
    std::uint64_t last_retreat_ = 0;  // the number of backups at its end
    std::vector<StateId>& states_;    // of the trial
};

}  // namespace gpaplan
