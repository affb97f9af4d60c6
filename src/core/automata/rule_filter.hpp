// The filter of rule lists, each of which decides for itself: what one keeps is kept.
//
// At level 0 the first rule of a list that fits an action of the state decides, and the actions that fit it are kept.
// At level 1 any rule keeps what fits it, whether or not another one comes before it, and at level 2 the actions of all
// schemas that rules are about are kept. What may come of an action does not matter to rules.
#pragma once

#include "automata/matching_filter.hpp"
#include "concepts/evaluator.hpp"

namespace gpaplan {

// A schema and literals, all of which must hold.
struct Rule {
    std::uint32_t schema;
    std::vector<NodeLiteral> literals;
};

// Which applicable actions of a state to take: the first rule that fits some action decides, and the actions that fit
// it are kept. Literals about the state alone are looked at first.
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

class RuleFilter : public MatchingFilter {
public:
    // A level for each match. The task must outlive it.
    RuleFilter(const Task& task, Expressions expressions, const std::vector<std::vector<Rule>>& lists, Indices levels,
               bool lenient);

    bool keeps_action(ActionId action) override;
    std::uint64_t work() const override { return cost_of_comparison * comparisons_; }

    // For those who ask about states without a space: enters a state, finds which rule of each list decides, by its
    // number in the list, and the actions that these rules keep, ascending.
    void decide(const Word* bits, IndexSpan actions);
    const Indices& deciding() const { return deciding_; }  // no_id where none does
    const Indices& kept() const { return kept_; }
    // The first rule that an action fits in the state entered, of those that decide or of all, by its number among
    // those of all lists; no_id if there is none.
    std::uint32_t fitting(ActionId action, bool if_deciding);

private:
    void compare(const Word* bits, IndexSpan actions) override;

    const Task& task_;
    Evaluator evaluator_;
    std::vector<RuleList> lists_;
    std::vector<std::uint8_t> has_rules_;  // of each schema
    Indices levels_;
    std::uint64_t comparisons_ = 0;
    Indices deciding_, kept_;  // in the state entered
};

}  // namespace gpaplan
