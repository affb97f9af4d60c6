// The abstraction by rule lists: what is seen of an action is the rule that it fits.
//
// There are one or more lists, whose rules are numbered through, N in all. In a state the first rule of each list that
// fits an applicable action decides for that list (concepts/rules.hpp). The label of an action is
//
//     r              it fits rule r, which decides
//     N + r          it fits no deciding rule; r is the first other rule that it fits
//     2N + s         it fits no rule, but its schema is the s-th of those that rules are about
//     2N + S         none of these; S is the number of such schemas
//
// and that of a state is r where rule r decides, if there is one list, and 0 where some rule does, if there are more;
// then come three that say that no rule fits, that it is a goal, and, twice, `other`: abstract states that no state
// has but at coarser levels. Edges of deciding rules leave from the states where these decide, edges of the labels
// from N on from the first `other`, those from 2N on from the second. So strictly only deciding rules count; at
// level 1, by which all states but those of the second `other` are one, all rules; at level 2 all schemas of
// rules. What comes of an action does not matter to rules, so the outcomes of actions are not looked at.
#pragma once

#include "automata/abstraction.hpp"
#include "concepts/rules.hpp"
#include "spaces/successors.hpp"

namespace gpaplan {

class RuleAbstraction : public Abstraction {
public:
    // The task must outlive it. Throws Stopped.
    RuleAbstraction(const Task& task, Expressions expressions, const std::vector<std::vector<Rule>>& lists, Stop& stop);

    AbstractId enter(const Word* state) override;
    AbstractId action(ActionId action) override;
    AbstractId state(const Word* state) override;
    bool sees_outcomes() const override { return false; }

    std::uint32_t state_count() const override { return no_rule() + 4; }
    std::uint32_t action_count() const override {
        return 2 * rule_count_ + static_cast<std::uint32_t>(schemas_.size()) + 1;
    }
    std::uint32_t coarsest() const override { return 2; }
    AbstractId coarsened(AbstractId state, std::uint32_t level) override {
        return level == 0 || (level == 1 && state == no_rule() + 3) ? state : 0;
    }

    // The actions that deciding rules keep in the state entered, ascending; asked before another state is looked at.
    Indices kept();

private:
    AbstractId no_rule() const { return lists_.size() == 1 ? rule_count_ : 1; }
    AbstractId decide(const Word* state, Indices& deciding);

    const Task& task_;
    Evaluator evaluator_;
    SuccessorGenerator successors_;
    std::vector<RuleList> lists_;
    Indices schemas_;  // that rules are about, ascending
    std::uint32_t rule_count_ = 0;
    std::vector<Word> entered_;
    bool is_elsewhere_ = false;     // the evaluator is in another state than the one entered
    Indices deciding_, looked_at_;  // of each list, by its own numbers; no_id where none does
    Indices applicable_;            // in the state looked at last
};

}  // namespace gpaplan
