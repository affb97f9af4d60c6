// The state space: states met so far and, for those expanded, their transitions.
//
// A state is expanded at most once; its transitions are then kept as one block, read through `Block` (transitions.hpp):
// the applicable actions in ascending order, each with its expected cost and its outcomes, equal successors merged.
// Goal states are absorbing and have no transitions.
//
// A state is a bitset of the task's fluent atoms, interned in the registry: everything else that is known of a state is
// a column indexed by its id. `intern` is the one place where a state gets its id. In a space up to symmetry it
// replaces the state by its representative (representative.hpp), and nothing else needs to know: every state with an id
// is a representative, and of the actions of a state that lead to the same states up to symmetry only one is kept.
#pragma once

#include <optional>

#include "spaces/outcomes.hpp"
#include "spaces/successors.hpp"
#include "spaces/transitions.hpp"
#include "symmetry/symmetry.hpp"

namespace gpaplan {

class Canonicaliser;

// Decides which actions of a state are kept when it is expanded; the others are as if they were not applicable, and
// states that only they lead to are never met.
class TransitionFilter {
public:
    virtual ~TransitionFilter() = default;
    // The questions that follow are about this state, and about the actions that are tried there, ascending.
    virtual void enter(StateId state, const Word* bits, IndexSpan actions) = 0;
    virtual bool keeps_action(ActionId action) = 0;  // asked before its outcomes are generated
    // Asked of each outcome of the action just kept, until one is refused; `known` is no_id for a state not met so far.
    virtual bool keeps_outcome(StateId /*known*/, const Word* /*bits*/) { return true; }
    // The outcomes were all kept; the one asked about at the given place now has an id.
    virtual void meet(std::size_t /*place*/, StateId /*state*/) {}
    // No action was kept; returns whether to enter the state once more, and then keeps more of them.
    virtual bool relents() { return false; }
    // All states are forgotten; ids begin anew.
    virtual void forget_states() {}
    // How much it did so far, roughly in backups of a state (Heuristic::evaluation_cost).
    virtual std::uint64_t work() const { return 0; }
};

class StateSpace {
public:
    // The filter, if there is one, must outlive the space. With a symmetry, states are met up to symmetry. `stop` is
    // for the making alone, which throws Stopped.
    StateSpace(std::shared_ptr<const Task> task, std::uint64_t max_outcomes, std::shared_ptr<const Symmetry> symmetry,
               Stop& stop, TransitionFilter* filter = nullptr);
    StateSpace(const StateSpace&) = delete;  // parts of it refer to each other
    StateSpace& operator=(const StateSpace&) = delete;
    ~StateSpace();

    const Task& task() const { return *task_; }
    const NumberPool& numbers() const { return numbers_; }
    const SuccessorGenerator& successors() const { return successors_; }

    StateId initial() const { return initial_; }
    StateId intern(const Word* state);  // of the state's representative
    StateId intern_representative(const Word* state);
    StateId find(const Word* representative) const { return registry_.find(representative); }  // no_id if never met
    const std::shared_ptr<const Symmetry>& symmetry() const { return symmetry_; }              // null if there is none
    Canonicaliser* canonicaliser() { return canonicaliser_.get(); }                            // null if there is none
    std::uint32_t size() const { return registry_.size(); }
    const Word* bits(StateId state) const { return registry_[state]; }

    bool is_goal(StateId state) const { return (marks_[state] & goal_mark) != 0; }
    bool is_expanded(StateId state) const { return places_[state] != 0; }
    Block expand(StateId state) {
        if (!is_expanded(state)) build_block(state);
        return transitions_[std::uint64_t{marks_[state] & ~goal_mark} << 32U | places_[state]];
    }

    // The transition by an action; nothing if it is not applicable, or not kept. What is no action expands nothing.
    std::optional<Transition> transition(StateId state, ActionId action) {
        if (action >= task_->action_count()) return std::nullopt;
        for (const auto each : expand(state))
            if (each.action == action) return each;
        return std::nullopt;
    }

    std::uint32_t expanded_count() const { return expanded_; }
    // How much was done to expand them, roughly in backups of a state (bench/work.py).
    std::uint64_t work() const {
        const auto words = task_->word_count();
        const auto of_pair = symmetry_ == nullptr ? 2 + words / 2 : 16 + words / 8;
        return expanded_ + pairs_ * of_pair + (filter_ == nullptr ? 0 : filter_->work());
    }
    std::uint64_t pair_count() const { return pairs_; }       // applicable actions of the expanded states
    std::uint32_t widest_outcome() const { return widest_; }  // most outcomes of one action so far
    std::uint64_t transition_bytes() const { return transitions_.bytes(); }
    std::uint64_t state_bytes() const;  // of everything per state but transitions

    // Limits to look at while transitions are built; none of them if null. Expanding then throws Stopped.
    void set_stop(Stop* stop) {
        stop_ = stop;
        outcomes_.set_stop(stop);
    }

    // Expands all states that are known and whatever they lead to, until `max_states` are known or `stop` says so.
    // Returns whether the space is complete.
    bool explore(std::uint64_t max_states, Stop& stop);

    // Forgets all states but the initial one and those that are to be kept, and all transitions: for those who go on
    // for longer than there is memory. Ids begin anew, so that whatever refers to states is to be thrown away first.
    // Returns the new ids of those that are kept.
    Indices forget_states(IndexSpan kept);

private:
    static constexpr unsigned goal_mark = 0x80;

    StateId intern_initial();
    void merge_successors();
    void build_block(StateId state);
    void find_actions(StateId state);
    void write_block(StateId state);
    void canonicalise_outcomes();
    bool keeps_outcomes() const;

    std::shared_ptr<const Task> task_;
    std::shared_ptr<const Symmetry> symmetry_;
    std::unique_ptr<Canonicaliser> canonicaliser_;
    TransitionFilter* filter_;
    WordInterner registry_;  // the bits of each state
    SuccessorGenerator successors_;
    NumberPool numbers_;
    OutcomeGenerator outcomes_;
    StateId initial_ = 0;

    // Of each state the place of its block, in 39 bits; the lower 32 are 0 if it has none. The bit that is left says
    // whether it is a goal.
    Column<std::uint32_t> places_;
    Column<std::uint8_t> marks_;
    TransitionStore transitions_;

    std::uint32_t expanded_ = 0;
    std::uint32_t widest_ = 0;
    std::uint64_t pairs_ = 0;

    Stop* stop_ = nullptr;

    // Scratch of `expand`.
    std::vector<Word> current_;
    Indices applicable_;
    OutcomeList list_;
    std::vector<Outcome> merged_;
};

}  // namespace gpaplan
