// Rule lists: which applicable actions of a state to take.
//
// A rule is a schema and literals, all of which must hold. In a state the first rule that fits some applicable action
// decides, and the actions that fit it are kept. Literals about the state alone are looked at first.
#pragma once

#include "concepts/evaluator.hpp"

namespace gpaplan {

struct Rule {
    std::uint32_t schema;
    std::vector<NodeLiteral> literals;
};

class RuleList {
public:
    // The evaluator must outlive it, and its nodes must have the literals of the rules.
    RuleList(Evaluator& evaluator, const std::vector<Rule>& rules);

    std::uint32_t size() const { return static_cast<std::uint32_t>(rules_.size()); }

    // Whether a rule can decide in a state, as far as the state alone says; the state is entered.
    bool may_decide(std::uint32_t rule);
    // The rule that decides in the state entered, given its applicable actions in ascending order; no_id if none does.
    std::uint32_t decide(IndexSpan applicable);
    // Whether an action fits a rule, in the state entered.
    bool fits(std::uint32_t rule, ActionId action);
    // The actions that fit a rule which may decide, appended to a list.
    void keep(std::uint32_t rule, IndexSpan applicable, Indices& kept);

private:
    struct Parts {
        ActionId begin, end;  // the actions of its schema
        std::vector<NodeLiteral> of_state;
        std::vector<NodeLiteral> of_action;
    };
    IndexSpan of_schema(const Parts& rule, IndexSpan applicable) const;
    bool fits(const Parts& rule, ActionId action);

    Evaluator& evaluator_;
    const Task& task_;
    std::vector<Parts> rules_;
};

}  // namespace gpaplan
