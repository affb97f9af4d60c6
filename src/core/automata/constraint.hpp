// The constraint that a generalized policy automaton puts on a task.
//
// An action is kept in a state if there is an edge for the state's and the action's abstraction, and every outcome's
// abstraction is among the edge's targets; in the constrained task no other action exists. Abstractions are computed
// only for states that the search expands and for the outcomes of actions that have an edge, once for each state.
//
// That is the strict match. Relaxed ones compare at a coarser abstraction level (abstraction.hpp), or take an outcome
// that is a goal for granted.
#pragma once

#include "automata/edge_set.hpp"
#include "automata/matching_filter.hpp"

namespace gpaplan {

// How far the match of a state with an automaton is relaxed; by default not at all.
struct RelaxedMatch {
    std::uint32_t level = 0;  // of the abstraction
    bool accepts_goals = false;
};

class Constraint : public MatchingFilter {
public:
    // All of them must outlive the constraint. There is at least one match.
    Constraint(const Task& task, Abstraction& abstraction, const EdgeSet& edges, std::vector<RelaxedMatch> matches,
               bool lenient = false);

    bool keeps_action(ActionId action) override;
    bool keeps_outcome(StateId known, const Word* bits) override;
    void meet(std::size_t place, StateId state) override { column_.set(state, outcomes_[place]); }
    void forget_states() override {
        MatchingFilter::forget_states();
        column_.clear();
    }
    std::uint64_t work() const override { return cost_of_comparison * abstractions_; }

private:
    // An abstraction level: the edges, and the coarse ids that are known.
    struct Level {
        EdgeSet edges;
        Indices ids;  // of each abstract state, no_id where it was never asked for
    };

    void compare(const Word* bits, IndexSpan actions) override;
    AbstractId coarse(AbstractId state);

    const Task& task_;
    Abstraction& abstraction_;
    std::vector<RelaxedMatch> matches_;
    std::vector<Level> levels_;  // by number
    AbstractColumn column_;

    AbstractId source_ = no_id;  // the abstraction of the state entered, at the level of the match
    const Indices* targets_ = nullptr;
    Indices outcomes_;  // the abstractions of the outcomes asked about
    std::uint64_t abstractions_ = 0;
};

}  // namespace gpaplan
