// The constraint that a generalized policy automaton puts on a task.
//
// An action is kept in a state if there is an edge for the state's and the action's abstraction, and every outcome's
// abstraction is among the edge's targets; in the constrained task no other action exists. Abstractions are computed
// only for states that the search expands and for the outcomes of actions that have an edge, once for each state.
//
// A lenient constraint says nothing in a state where it would keep no action: there, all are kept.
#pragma once

#include "automata/edge_set.hpp"
#include "spaces/state_space.hpp"

namespace gpaplan {

class Constraint : public TransitionFilter {
public:
    // Both must outlive the constraint.
    Constraint(Abstraction& abstraction, const EdgeSet& edges, bool lenient = false)
        : abstraction_(abstraction), edges_(edges), lenient_(lenient), column_(abstraction) {}

    void enter(StateId state, const Word* bits) override;
    bool keeps_action(ActionId action) override;
    bool keeps_outcome(StateId known, const Word* bits) override;
    void meet(std::size_t place, StateId state) override { column_.set(state, outcomes_[place]); }
    bool relents() override { return relent_next_ = lenient_ && !relenting_; }

private:
    Abstraction& abstraction_;
    const EdgeSet& edges_;
    bool lenient_;
    bool relenting_ = false;    // in the state entered
    bool relent_next_ = false;  // in the state that is entered next
    AbstractColumn column_;
    AbstractId source_ = no_id;  // the abstraction of the state entered
    const Indices* targets_ = nullptr;
    Indices outcomes_;  // the abstractions of the outcomes asked about
};

}  // namespace gpaplan
