#include "concepts/rules.hpp"

namespace gpaplan {

RuleList::RuleList(Evaluator& evaluator, const std::vector<Rule>& rules)
    : evaluator_(evaluator), task_(evaluator.task()) {
    for (const auto& rule : rules) {
        const auto [first, last] = std::ranges::equal_range(task_.action_schemas, rule.schema);
        const auto begin = static_cast<ActionId>(first - task_.action_schemas.begin());
        Parts parts{begin, static_cast<ActionId>(last - task_.action_schemas.begin()), {}, {}};
        const auto arity = first == last ? 0 : task_.action_arguments[begin].size();
        for (auto literal : rule.literals) {
            if ((literal >> 1U) >= evaluator.node_count()) throw InternalError("rules: no such literal");
            const auto& node = evaluator.node(literal >> 1U);
            if (sort_of(node.kind) != Sort::literal) throw InternalError("rules: not a literal");
            const auto parameters = parameter_count(node.kind);
            for (std::uint32_t i = 0; first != last && i < parameters; ++i)
                if (node.operands[i] >= arity) throw InternalError("rules: no such parameter");
            (parameters == 0 ? parts.of_state : parts.of_action).push_back(literal);
        }
        rules_.push_back(std::move(parts));
    }
}

bool RuleList::may_decide(std::uint32_t rule) {
    return std::ranges::all_of(rules_[rule].of_state, [&](auto literal) { return evaluator_.holds(literal, {}); });
}

std::uint32_t RuleList::decide(IndexSpan applicable) {
    for (std::uint32_t rule = 0; rule < size(); ++rule) {
        const auto candidates = of_schema(rules_[rule], applicable);
        if (candidates.empty() || !may_decide(rule)) continue;
        if (std::ranges::any_of(candidates, [&](auto action) { return fits(rules_[rule], action); })) return rule;
    }
    return no_id;
}

bool RuleList::fits(std::uint32_t rule, ActionId action) {
    const auto& parts = rules_[rule];
    return action >= parts.begin && action < parts.end && may_decide(rule) && fits(parts, action);
}

void RuleList::keep(std::uint32_t rule, IndexSpan applicable, Indices& kept) {
    for (auto action : of_schema(rules_[rule], applicable))
        if (fits(rules_[rule], action)) kept.push_back(action);
}

// Actions are numbered by schema.
IndexSpan RuleList::of_schema(const Parts& rule, IndexSpan applicable) const {
    const auto first = std::ranges::lower_bound(applicable, rule.begin);
    const auto last = std::lower_bound(first, applicable.end(), rule.end);
    return {first, last};
}

bool RuleList::fits(const Parts& rule, ActionId action) {
    const auto arguments = task_.action_arguments[action];
    return std::ranges::all_of(rule.of_action, [&](auto literal) { return evaluator_.holds(literal, arguments); });
}

}  // namespace gpaplan
