// The constraint that a generalized policy automaton puts on a task.
//
// An action is kept in a state if there is an edge for the state's and the action's abstraction, and every outcome's
// abstraction is among the edge's targets; in the constrained task no other action exists. Abstractions are computed
// only for states that the search expands and for the outcomes of actions that have an edge, once for each state.
//
// That is the strict match. A constraint may have relaxed ones, tried in a state one after the other until an action is
// kept: they compare at a coarser abstraction level (abstraction.hpp), or take an outcome that is a goal for granted.
// Each match keeps what those before it keep, and perhaps more. After the last, if it is lenient, all actions are kept.
#pragma once

#include "automata/edge_set.hpp"
#include "spaces/state_space.hpp"

namespace gpaplan {

// How far the match of a state with an automaton is relaxed; by default not at all.
struct RelaxedMatch {
    std::uint32_t level = 0;  // of the abstraction
    bool accepts_goals = false;
};

class Constraint : public TransitionFilter {
public:
    // All of them must outlive the constraint. There is at least one match.
    Constraint(const Task& task, Abstraction& abstraction, const EdgeSet& edges, std::vector<RelaxedMatch> matches,
               bool lenient = false);

    void enter(StateId state, const Word* bits) override;
    bool keeps_action(ActionId action) override;
    bool keeps_outcome(StateId known, const Word* bits) override;
    void meet(std::size_t place, StateId state) override { column_.set(state, outcomes_[place]); }
    bool relents() override;
    void forget_states() override {
        column_.clear();
        match_of_ = {};
    }

    std::uint64_t work() const override { return cost_of_abstraction * abstractions_; }

    // By which match each expanded state was matched, by index; as many as there are if by none.
    std::uint32_t match_of(StateId state) const { return state < match_of_.size() ? match_of_[state] : 0; }

private:
    static constexpr std::uint64_t cost_of_abstraction = 8;  // in backups

    // An abstraction level: the edges, and the coarse ids that are known.
    struct Level {
        EdgeSet edges;
        Indices ids;  // of each abstract state, no_id where it was never asked for
    };

    AbstractId coarse(AbstractId state);
    bool keeps_everything() const { return match_ == matches_.size(); }

    const Task& task_;
    Abstraction& abstraction_;
    std::vector<RelaxedMatch> matches_;
    std::vector<Level> levels_;  // by number
    bool lenient_;
    AbstractColumn column_;

    std::uint32_t match_ = 0;       // in the state entered; as many as there are: everything is kept
    std::uint32_t next_match_ = 0;  // in the state that is entered next
    Column<std::uint8_t> match_of_;
    StateId entered_ = no_id;
    AbstractId source_ = no_id;  // the abstraction of the state entered, at the level of the match
    const Indices* targets_ = nullptr;
    Indices outcomes_;  // the abstractions of the outcomes asked about
    std::uint64_t abstractions_ = 0;
};

}  // namespace gpaplan
