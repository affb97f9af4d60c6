// What a rule list keeps, from many initial states at once, as a graph; and from which of them the goal is reached with
// probability one.
//
//   random choice   one of the kept actions is drawn in each state. The goal is reached if it can be reached from every
//                   state that can be reached: a *trap* is a state from which it cannot.
//   any choice      an adversary takes one of them, and can avoid the goal for good in the largest set of states
//                   without goal in each of which nothing is kept, or some action that never leaves the set; a *loop*
//                   is a state of it. Traps are among them.
//
// A start fails if such a state can be reached from it. Both sets and what reaches them are found in linear time. What
// has probability zero is no outcome. Chances themselves do not matter, and are forgotten.
#pragma once

#include "concepts/rules.hpp"
#include "proofs/models.hpp"
#include "spaces/outcomes.hpp"
#include "spaces/successors.hpp"

namespace gpaplan {

class KeptGraph {
public:
    // The task and the evaluator must outlive it.
    KeptGraph(const Task& task, Evaluator& evaluator, const std::vector<Rule>& rules, std::uint64_t max_outcomes,
              Stop& stop);

    // Adds all models as starts, then everything that is kept from there. Throws Stopped.
    void explore(Models& starts, Stop& stop);

    std::uint32_t size() const { return states_.size(); }
    std::uint32_t start_count() const { return starts_; }  // they are the first states
    const Word* bits(StateId state) const { return states_[state]; }
    bool is_goal(StateId state) const { return goals_[state] != 0; }
    bool is_stuck(StateId state) const { return !is_goal(state) && actions_[state].empty(); }

    // The states of each kind, as a flag for each state.
    using Flags = std::vector<std::uint8_t>;
    Flags traps() const;
    Flags loops() const;
    Flags leading_to(const Flags& bad) const;

    // The shortest way from a state to one of those flagged: pairs of an action and the state after it.
    std::vector<std::pair<ActionId, StateId>> way_to(StateId from, const Flags& bad) const;

private:
    void expand(StateId state);
    Flags closed_backwards(Indices reached) const;

    const Task& task_;
    Evaluator& evaluator_;
    RuleList rules_;
    SuccessorGenerator successors_;
    NumberPool numbers_;
    OutcomeGenerator outcomes_;
    WordInterner states_;
    std::vector<std::uint8_t> goals_;
    std::uint32_t starts_ = 0;
    Ranges actions_;               // of each state: numbers of its kept actions, which are counted through
    Indices kept_;                 // of each of these: the action
    Ranges results_;               // of each of these: the states that may come of it
    Indices owners_;               // of each of these: the state
    Ranges causes_;                // of each state: the kept actions that may lead there
    Indices applicable_, chosen_;  // scratch
    OutcomeList list_;
    std::vector<Word> current_;
};

}  // namespace gpaplan
