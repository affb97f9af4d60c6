// The abstraction by a rule list: of a state it sees which rule decides, of an action whether it is kept.
//
// With n rules a state has the id of the deciding rule, n if no rule fits, and n + 1 if it is a goal; an action has
// that of the deciding rule if it fits it, else n. So an automaton whose edges take rule i from state i to every state
// keeps exactly the actions that the list keeps.
#pragma once

#include "automata/abstraction.hpp"
#include "concepts/rules.hpp"
#include "spaces/successors.hpp"

namespace gpaplan {

class RuleAbstraction : public Abstraction {
public:
    // The task must outlive it. Throws Stopped.
    RuleAbstraction(const Task& task, Expressions expressions, const std::vector<Rule>& rules, Stop& stop)
        : task_(task), evaluator_(task, std::move(expressions)), rules_(evaluator_, rules), successors_(task, stop) {}

    AbstractId enter(const Word* state) override {
        const auto id = this->state(state);
        kept_.clear();
        entered_ = id;
        if (id < rules_.size()) rules_.keep(id, applicable_, kept_);
        return id;
    }
    AbstractId action(ActionId action) override {
        return std::ranges::binary_search(kept_, action) ? entered_ : rules_.size();
    }
    AbstractId state(const Word* state) override {
        if (holds(task_, task_.goal, state)) return rules_.size() + 1;
        applicable_.clear();
        successors_.applicable(state, applicable_);
        evaluator_.enter(state);
        const auto rule = rules_.decide(applicable_);
        return rule == no_id ? rules_.size() : rule;
    }
    std::uint32_t state_count() const override { return rules_.size() + 2; }
    std::uint32_t action_count() const override { return rules_.size() + 1; }

    // The actions that are kept in the state entered.
    const Indices& kept() const { return kept_; }

private:
    const Task& task_;
    Evaluator evaluator_;
    RuleList rules_;
    SuccessorGenerator successors_;
    Indices applicable_;  // in the state looked at last
    AbstractId entered_ = no_id;
    Indices kept_;  // in the state entered
};

}  // namespace gpaplan
