#include "automata/rule_filter.hpp"

namespace gpaplan {

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
    if (lists_.size() < 2) return;
    std::ranges::sort(kept_);
    kept_.erase(std::ranges::unique(kept_).begin(), kept_.end());
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
