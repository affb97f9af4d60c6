#include "automata/concept_abstraction.hpp"

#include <algorithm>

namespace gpaplan {

ConceptAbstraction::Look::Look(const Task& task, const Expressions& expressions,
                               const std::vector<std::vector<Rule>>& rules)
    : evaluator(task, expressions) {
    for (const auto& list : rules) lists.emplace_back(evaluator, list);
}

ConceptAbstraction::ConceptAbstraction(const Task& task, const Expressions& expressions,
                                       const std::vector<std::vector<Rule>>& lists, Stop& stop)
    : task_(task),
      successors_(task, stop),
      lists_(static_cast<std::uint32_t>(lists.size())),
      entered_(std::make_unique<Look>(task, expressions, lists)),
      looked_at_(std::make_unique<Look>(task, expressions, lists)) {
    for (const auto& list : lists) {
        rule_count_ += static_cast<std::uint32_t>(list.size());
        for (const auto& rule : list) schemas_.push_back(rule.schema);
    }
    std::ranges::sort(schemas_);
    schemas_.erase(std::ranges::unique(schemas_).begin(), schemas_.end());
}

AbstractId ConceptAbstraction::enter(const Word* state) { return decide(*entered_, state); }

AbstractId ConceptAbstraction::state(const Word* state) { return decide(*looked_at_, state); }

AbstractId ConceptAbstraction::decide(Look& look, const Word* state) {
    look.evaluator.enter(state);
    look.deciding.assign(look.lists.size(), no_id);
    if (holds(task_, task_.goal, state)) return no_rule() + 1;
    applicable_.clear();
    successors_.applicable(state, applicable_);
    for (std::size_t i = 0; i < look.lists.size(); ++i) look.deciding[i] = look.lists[i].decide(applicable_);
    if (lists_ == 1) return std::min(look.deciding[0], no_rule());
    return std::ranges::any_of(look.deciding, [](auto rule) { return rule != no_id; }) ? 0 : no_rule();
}

AbstractId ConceptAbstraction::action(ActionId action) {
    std::uint32_t first = 0;
    auto other = no_id;
    for (std::size_t i = 0; i < entered_->lists.size(); ++i) {
        auto& list = entered_->lists[i];
        const auto deciding = entered_->deciding[i];
        if (deciding != no_id && list.fits(deciding, action)) return first + deciding;
        for (std::uint32_t rule = 0; rule < list.size() && other == no_id; ++rule)
            if (list.fits(rule, action)) other = first + rule;
        first += list.size();
    }
    if (other != no_id) return rule_count_ + other;
    const auto schema = std::ranges::lower_bound(schemas_, task_.action_schemas[action]);
    const bool is_named = schema != schemas_.end() && *schema == task_.action_schemas[action];
    return 2 * rule_count_ + static_cast<std::uint32_t>((is_named ? schema : schemas_.end()) - schemas_.begin());
}

AbstractId ConceptAbstraction::coarsened(AbstractId state, std::uint32_t degree) {
    if (degree == 0 || (degree == 1 && state == no_rule() + 3)) return state;
    return 0;
}

}  // namespace gpaplan
