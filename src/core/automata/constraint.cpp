#include "automata/constraint.hpp"

#include <utility>

namespace gpaplan {

Constraint::Constraint(const Task& task, Abstraction& abstraction, const EdgeSet& edges, std::vector<Matching> ways,
                       bool lenient)
    : task_(task), abstraction_(abstraction), ways_(std::move(ways)), lenient_(lenient), column_(abstraction) {
    if (ways_.empty()) throw InternalError("constraint: no way to match");
    for (const auto& way : ways_) {
        if (way.degree > abstraction.coarsest()) throw InternalError("constraint: no such look");
        if (looks_.size() <= way.degree) looks_.resize(way.degree + std::size_t{1});
        auto& look = looks_[way.degree];
        if (look.edges.size() == 0) look.edges = way.degree == 0 ? edges : edges.coarsened(abstraction, way.degree);
    }
}

void Constraint::enter(StateId state, const Word* bits) {
    entered_ = state;
    ++abstractions_;
    way_ = std::exchange(next_way_, 0);
    const auto id = abstraction_.enter(bits);
    source_ = keeps_everything() ? id : coarse(id);
    if (state >= way_of_.size()) way_of_.resize(std::max<std::size_t>(state + std::size_t{1}, 2 * way_of_.size()), 0);
    way_of_[state] = static_cast<std::uint8_t>(way_);
}

bool Constraint::keeps_action(ActionId action) {
    outcomes_.clear();
    if (keeps_everything()) return true;
    const auto& edges = looks_[ways_[way_].degree].edges;
    targets_ = edges.leaves(source_) ? edges.find(source_, abstraction_.action(action)) : nullptr;
    return targets_ != nullptr;
}

bool Constraint::keeps_outcome(StateId known, const Word* bits) {
    if (!abstraction_.sees_outcomes()) {
        outcomes_.push_back(no_id);
        return true;
    }
    if (known == no_id) ++abstractions_;
    outcomes_.push_back(known != no_id ? column_(known, bits) : abstraction_.state(bits));
    if (keeps_everything() || std::ranges::binary_search(*targets_, coarse(outcomes_.back()))) return true;
    return ways_[way_].accepts_goals && holds(task_, task_.goal, bits);
}

bool Constraint::relents() {
    if (keeps_everything()) return false;
    next_way_ = way_ + 1;
    if (next_way_ < ways_.size() || lenient_) return true;
    way_of_[entered_] = static_cast<std::uint8_t>(next_way_);
    next_way_ = 0;
    return false;
}

AbstractId Constraint::coarse(AbstractId state) {
    const auto degree = ways_[way_].degree;
    if (degree == 0) return state;
    auto& ids = looks_[degree].ids;
    if (state >= ids.size()) ids.resize(std::max<std::size_t>(state + std::size_t{1}, 2 * ids.size()), no_id);
    if (ids[state] == no_id) ids[state] = abstraction_.coarsened(state, degree);
    return ids[state];
}

}  // namespace gpaplan
