// The constraint that a generalized policy automaton puts on a task.
//
// An action is kept in a state if there is an edge for the state's and the action's abstraction, and every outcome's
// abstraction is among the edge's targets; in the constrained task no other action exists. Abstractions are computed
// only for states that the search expands and for the outcomes of actions that have an edge, once for each state.
//
// That is the strict way. A constraint may have more of them, tried in a state one after the other until an action is
// kept: ways that compare by a coarser look (abstraction.hpp), and ways that take an outcome that is a goal for
// granted. Each way keeps what those before it keep, and perhaps more. After the last, if it is lenient, all actions
// are kept.
#pragma once

#include "automata/edge_set.hpp"
#include "spaces/state_space.hpp"

namespace gpaplan {

// A way to match a state with an automaton.
struct Matching {
    std::uint32_t degree = 0;  // of the look
    bool accepts_goals = false;
};

class Constraint : public TransitionFilter {
public:
    // All of them must outlive the constraint. There is at least one way.
    Constraint(const Task& task, Abstraction& abstraction, const EdgeSet& edges, std::vector<Matching> ways,
               bool lenient = false);

    void enter(StateId state, const Word* bits) override;
    bool keeps_action(ActionId action) override;
    bool keeps_outcome(StateId known, const Word* bits) override;
    void meet(std::size_t place, StateId state) override { column_.set(state, outcomes_[place]); }
    bool relents() override;
    void forget_states() override {
        column_.clear();
        way_of_ = {};
    }

    std::uint64_t work() const override { return price_of_abstraction * abstractions_; }

    // In which way each expanded state was matched, by index; `ways` of them if in none.
    std::uint32_t way_of(StateId state) const { return state < way_of_.size() ? way_of_[state] : 0; }

private:
    static constexpr std::uint64_t price_of_abstraction = 8;  // in backups

    // A coarser look: the edges, and the coarse ids that are known.
    struct Look {
        EdgeSet edges;
        Indices ids;  // of each abstract state, no_id where it was never asked for
    };

    AbstractId coarse(AbstractId state);
    bool keeps_everything() const { return way_ == ways_.size(); }

    const Task& task_;
    Abstraction& abstraction_;
    std::vector<Matching> ways_;
    std::vector<Look> looks_;  // by degree
    bool lenient_;
    AbstractColumn column_;

    std::uint32_t way_ = 0;       // in the state entered; as many as there are: everything is kept
    std::uint32_t next_way_ = 0;  // in the state that is entered next
    Column<std::uint8_t> way_of_;
    StateId entered_ = no_id;
    AbstractId source_ = no_id;  // the abstraction of the state entered, by the look of the way
    const Indices* targets_ = nullptr;
    Indices outcomes_;  // the abstractions of the outcomes asked about
    std::uint64_t abstractions_ = 0;
};

}  // namespace gpaplan
