#include "automata/rule_abstraction.hpp"

#include <algorithm>

namespace gpaplan {

RuleAbstraction::RuleAbstraction(const Task& task, Expressions expressions, const std::vector<std::vector<Rule>>& lists,
                                 Stop& stop)
    : task_(task), evaluator_(task, std::move(expressions)), successors_(task, stop) {
    for (const auto& list : lists) {
        lists_.emplace_back(evaluator_, list);
        rule_count_ += lists_.back().size();
        for (const auto& rule : list) schemas_.push_back(rule.schema);
    }
    std::ranges::sort(schemas_);
    schemas_.erase(std::ranges::unique(schemas_).begin(), schemas_.end());
}

AbstractId RuleAbstraction::enter(const Word* state) {
    entered_.assign(state, state + task_.word_count());
    is_elsewhere_ = false;
    return decide(state, deciding_);
}

AbstractId RuleAbstraction::state(const Word* state) {
    is_elsewhere_ = true;
    return decide(state, looked_at_);
}

AbstractId RuleAbstraction::decide(const Word* state, Indices& deciding) {
    evaluator_.enter(state);
    deciding.assign(lists_.size(), no_id);
    if (holds(task_, task_.goal, state)) return no_rule() + 1;
    applicable_.clear();
    successors_.applicable(state, applicable_);
    for (std::size_t i = 0; i < lists_.size(); ++i) deciding[i] = lists_[i].decide(applicable_);
    if (lists_.size() == 1) return std::min(deciding[0], no_rule());
    return std::ranges::any_of(deciding, [](auto rule) { return rule != no_id; }) ? 0 : no_rule();
}

AbstractId RuleAbstraction::action(ActionId action) {
    if (is_elsewhere_) evaluator_.enter(entered_.data());
    is_elsewhere_ = false;
    std::uint32_t first = 0;
    auto other = no_id;
    for (std::size_t i = 0; i < lists_.size(); ++i) {
        auto& list = lists_[i];
        if (deciding_[i] != no_id && list.fits(deciding_[i], action)) return first + deciding_[i];
        for (std::uint32_t rule = 0; rule < list.size() && other == no_id; ++rule)
            if (list.fits(rule, action)) other = first + rule;
        first += list.size();
    }
    if (other != no_id) return rule_count_ + other;
    const auto schema = std::ranges::lower_bound(schemas_, task_.action_schemas[action]);
    const bool is_named = schema != schemas_.end() && *schema == task_.action_schemas[action];
    return 2 * rule_count_ + static_cast<std::uint32_t>((is_named ? schema : schemas_.end()) - schemas_.begin());
}

Indices RuleAbstraction::kept() {
    Indices kept;
    for (std::size_t i = 0; i < lists_.size(); ++i)
        if (deciding_[i] != no_id) lists_[i].keep(deciding_[i], applicable_, kept);
    std::ranges::sort(kept);
    kept.erase(std::ranges::unique(kept).begin(), kept.end());
    return kept;
}

}  // namespace gpaplan
