// Labeled real-time dynamic programming (Bonet and Geffner 2003).
//
// Trials follow the greedy policy from the initial state, backing up each state met, until a solved state. Then, from
// the last state of the trial back to the first, states are checked and labelled solved if they are. The run ends when
// the initial state is solved.
//
// The trajectory of a trial belongs to the search. If a run is stopped in the middle of a trial, the next one goes on
// there: a search that is made in many short turns then does what it would have done in one. Were each turn to begin at
// the root, only states near it would be backed up, and what is far from it never learned of.
#pragma once

#include "base/marks.hpp"
#include "solvers/search.hpp"

namespace gpaplan {

// A trial, or what is left of one that was stopped: `walk(state)` adds states to the trajectory, from that one on, and
// `check(state)` says of the last of them, then of the one before, and so on, whether it is labelled now.
template <typename Walk, typename Check>
void make_trial(Search& search, Walk walk, Check check) {
    auto& [trajectory, is_checked] = search.trial();
    if (!is_checked) {
        const auto start = trajectory.empty() ? search.root() : trajectory.back();
        if (!trajectory.empty()) trajectory.pop_back();
        walk(start);
    }
    is_checked = true;
    while (!trajectory.empty() && check(trajectory.back())) trajectory.pop_back();
    trajectory.clear();
    is_checked = false;
}

// Labels for states below which nothing is left to do. `check` searches the greedy graph below a state, down to what is
// solved: if every residual in it is at most epsilon, the states are labelled solved, else they are backed up. With an
// admissible heuristic the value of a solved state is optimal up to epsilon in each step.
class Labelling {
public:
    explicit Labelling(Search& search) : search_(search) {}

    bool check(StateId root);  // returns whether it is solved now

private:
    void push(StateId state);

    Search& search_;
    std::vector<StateId> open_;
    std::vector<StateId> closed_;
    Marks met_;  // in the check that is under way
};

}  // namespace gpaplan
