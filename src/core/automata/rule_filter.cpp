#include "automata/rule_filter.hpp"

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

RuleFilter::RuleFilter(const Task& task, Expressions expressions, const std::vector<std::vector<Rule>>& lists,
                       Indices levels, bool lenient)
    : MatchingFilter(levels.size(), lenient),
      task_(task),
      evaluator_(task, std::move(expressions)),
      levels_(std::move(levels)) {
    for (const auto& list : lists) {
        lists_.emplace_back(evaluator_, list);
        for (const auto& rule : list) {
            if (rule.schema >= has_rules_.size()) has_rules_.resize(rule.schema + std::size_t{1}, 0);
            has_rules_[rule.schema] = 1;
        }
    }
}

void RuleFilter::decide(const Word* bits, IndexSpan actions) {
    evaluator_.enter(bits);
    deciding_.clear();
    kept_.clear();
    for (auto& list : lists_) {
        const auto rule = list.decide(actions);
        deciding_.push_back(rule);
        if (rule != no_id) list.keep(rule, actions, kept_);
    }
    if (lists_.size() > 1) sort_unique(kept_);
}

void RuleFilter::compare(const Word* bits, IndexSpan actions) {
    ++comparisons_;
    if (keeps_everything()) return;
    if (levels_[match()] == 0)
        decide(bits, actions);
    else
        evaluator_.enter(bits);
}

bool RuleFilter::keeps_action(ActionId action) {
    if (keeps_everything()) return true;
    const auto level = levels_[match()];
    if (level == 0) return std::ranges::binary_search(kept_, action);
    if (level == 1) return fitting(action, false) != no_id;
    const auto schema = task_.action_schemas[action];
    return schema < has_rules_.size() && has_rules_[schema] != 0;
}

std::uint32_t RuleFilter::fitting(ActionId action, bool if_deciding) {
    std::uint32_t first = 0;
    for (std::size_t i = 0; i < lists_.size(); ++i) {
        auto& list = lists_[i];
        for (std::uint32_t rule = 0; rule < list.size(); ++rule)
            if ((!if_deciding || rule == deciding_[i]) && list.fits(rule, action)) return first + rule;
        first += list.size();
    }
    return no_id;
}

}  // namespace gpaplan
