// Traps (end components without a goal): sets of states that cannot be left by actions that may be taken.
//
// A state escapes if it has a path to a goal, or to a state that is not expanded. What leads to what is known forwards
// only, and lists of predecessors take more memory than most of what a search keeps. But states are met on the way to
// the goal, so a sweep from the last state to the first finds nearly all of them, each when its first successor that
// escapes is seen; a few sweeps mostly find the rest. Lists of predecessors are made if that does not suffice, and for
// the states that are left alone.
#pragma once

#include <vector>

#include "base/column.hpp"
#include "base/stop.hpp"
#include "spaces/state_space.hpp"

namespace gpaplan {

class Traps {
public:
    // All actions may be taken, or only those that surely avoid infinite values.
    Traps(StateSpace& space, const Column<double>& values, bool all_actions, Stop& stop)
        : space_(space), values_(values), all_actions_(all_actions), stop_(stop) {}

    // Of each state whether it escapes. Throws Stopped.
    std::vector<std::uint8_t> find_escapes();

private:
    bool is_inner(StateId state) const;
    bool may_take(const Transition& transition) const;
    bool leads_out(StateId state);
    bool sweep();
    void follow_predecessors();
    template <typename Visit>
    void for_each_edge(Visit visit);  // between states that do not escape so far

    StateSpace& space_;
    const Column<double>& values_;  // of all states
    bool all_actions_;
    Stop& stop_;
    std::vector<std::uint8_t> escapes_;
};

}  // namespace gpaplan
