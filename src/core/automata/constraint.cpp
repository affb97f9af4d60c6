#include "automata/constraint.hpp"

#include <utility>

namespace gpaplan {

bool EdgeSet::add(AbstractId source, std::uint32_t schema, IndexSpan roles, AbstractId target) {
    key_.assign(1, source);
    key_.insert(key_.end(), roles.begin(), roles.end());
    const auto [edge, is_new] = edges_.insert(schema, key_);
    if (is_new) targets_.emplace_back();
    auto& targets = targets_[edge];
    const auto place = std::ranges::lower_bound(targets, target);
    if (place != targets.end() && *place == target) return false;
    targets.insert(place, target);
    return true;
}

const Indices* EdgeSet::find(AbstractId source, std::uint32_t schema, IndexSpan roles) const {
    key_.assign(1, source);
    key_.insert(key_.end(), roles.begin(), roles.end());
    const auto edge = edges_.find(schema, key_);
    return edge == no_id ? nullptr : &targets_[edge];
}

Constraint::Constraint(const Task& task, Abstraction& abstraction, const EdgeSet& edges, bool lenient)
    : task_(task), abstraction_(abstraction), edges_(edges), lenient_(lenient), column_(abstraction) {}

void Constraint::enter(StateId state, const Word* bits) {
    (void)state;
    relenting_ = std::exchange(relent_next_, false);
    source_ = abstraction_.evaluate(bits);
    object_roles_ = abstraction_.roles();
}

bool Constraint::keeps_action(ActionId action) {
    outcomes_.clear();
    if (relenting_) return true;
    roles_.clear();
    for (auto object : task_.action_arguments[action]) roles_.push_back(object_roles_[object]);
    targets_ = edges_.find(source_, task_.action_schemas[action], roles_);
    return targets_ != nullptr;
}

bool Constraint::keeps_outcome(StateId known, const Word* bits) {
    outcomes_.push_back(known != no_id ? column_(known, bits) : abstraction_.evaluate(bits));
    return relenting_ || std::ranges::binary_search(*targets_, outcomes_.back());
}

}  // namespace gpaplan
