// Labels for states below which nothing is left to do (Bonet and Geffner 2003).
//
// `check` searches the greedy graph below a state, down to what is solved: if every residual in it is at most epsilon,
// the states are labelled solved, else they are backed up. With an admissible heuristic the value of a solved state is
// optimal up to epsilon in each step.
#pragma once

#include "base/marks.hpp"
#include "solvers/search.hpp"

namespace gpaplan {

class Labelling {
public:
    explicit Labelling(Search& search) : search_(search) {}

    bool check(StateId root);  // returns whether it is solved now

private:
    void back_up_if_needed(StateId state);
    void note_change(StateId state) { changed_.insert(state, search_.space().size()); }
    void push(StateId state);

    Search& search_;
    std::vector<StateId> open_;
    std::vector<StateId> closed_;
    Marks met_;      // in the check that is under way
    Marks changed_;  // found or made to have another value in it
};

}  // namespace gpaplan
