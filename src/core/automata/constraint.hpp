// The constraint that a generalized policy automaton puts on a task.
//
// The automaton is a set of hyperedges (abstract state, abstract action) -> set of abstract states. An action is kept
// in a state if there is an edge for the state's and the action's abstraction, and every outcome's abstraction is among
// the edge's targets; in the constrained task no other action exists. Abstractions are computed only for states that
// the search expands and for the outcomes of actions that have an edge, once for each state.
//
// A lenient constraint says nothing in a state where it would keep no action: there, all are kept.
#pragma once

#include "automata/abstraction.hpp"
#include "base/atom_table.hpp"
#include "spaces/state_space.hpp"

namespace gpaplan {

// Hyperedges over the ids of one Abstraction.
class EdgeSet {
public:
    // Adds a target to the edge of a source and an abstract action; returns whether that is new.
    bool add(AbstractId source, std::uint32_t schema, IndexSpan roles, AbstractId target);

    // The targets of an edge, or null if there is no such edge.
    const Indices* find(AbstractId source, std::uint32_t schema, IndexSpan roles) const;

    std::uint32_t size() const { return edges_.size(); }

private:
    AtomTable edges_;  // schema, source and roles
    std::vector<Indices> targets_;
    mutable Indices key_;
};

// The abstraction of the states of a space, cached by state.
class AbstractColumn {
public:
    explicit AbstractColumn(Abstraction& abstraction) : abstraction_(abstraction) {}

    AbstractId operator()(StateId state, const Word* bits) {
        if (state >= ids_.size()) ids_.resize(std::max<std::size_t>(state + 1, 2 * ids_.size()), no_id);
        if (ids_[state] == no_id) ids_[state] = abstraction_.evaluate(bits);
        return ids_[state];
    }
    void set(StateId state, AbstractId id) {
        if (state >= ids_.size()) ids_.resize(std::max<std::size_t>(state + 1, 2 * ids_.size()), no_id);
        ids_[state] = id;
    }

private:
    Abstraction& abstraction_;
    Indices ids_;
};

class Constraint : public TransitionFilter {
public:
    // All three must outlive the constraint.
    Constraint(const Task& task, Abstraction& abstraction, const EdgeSet& edges, bool lenient = false);

    void enter(StateId state, const Word* bits) override;
    bool keeps_action(ActionId action) override;
    bool keeps_outcome(StateId known, const Word* bits) override;
    void meet(std::size_t place, StateId state) override { column_.set(state, outcomes_[place]); }
    bool relents() override { return relent_next_ = lenient_ && !relenting_; }

private:
    const Task& task_;
    Abstraction& abstraction_;
    const EdgeSet& edges_;
    bool lenient_;
    bool relenting_ = false;    // in the state entered
    bool relent_next_ = false;  // in the state that is entered next
    AbstractColumn column_;
    AbstractId source_ = no_id;
    Indices object_roles_;  // in the state entered
    Indices roles_;
    const Indices* targets_ = nullptr;
    Indices outcomes_;  // the abstractions of the outcomes asked about
};

}  // namespace gpaplan
