#include "automata/constraint.hpp"

#include <utility>

namespace gpaplan {

Constraint::Constraint(const Task& task, Abstraction& abstraction, const EdgeSet& edges,
                       std::vector<RelaxedMatch> matches, bool lenient)
    : MatchingFilter(matches.size(), lenient),
      task_(task),
      abstraction_(abstraction),
      matches_(std::move(matches)),
      column_(abstraction) {
    for (const auto& match : matches_) {
        if (match.level > abstraction.coarsest()) throw InternalError("constraint: no such level");
        if (levels_.size() <= match.level) levels_.resize(match.level + std::size_t{1});
        auto& kept = levels_[match.level].edges;
        if (kept.size() == 0) kept = match.level == 0 ? edges : edges.coarsened(abstraction, match.level);
    }
}

void Constraint::compare(const Word* bits, IndexSpan /*actions*/) {
    ++abstractions_;
    const auto id = abstraction_.enter(bits);
    source_ = keeps_everything() ? id : coarse(id);
}

bool Constraint::keeps_action(ActionId action) {
    outcomes_.clear();
    if (keeps_everything()) return true;
    const auto& edges = levels_[matches_[match()].level].edges;
    targets_ = edges.leaves(source_) ? edges.find(source_, abstraction_.action(action)) : nullptr;
    return targets_ != nullptr;
}

bool Constraint::keeps_outcome(StateId known, const Word* bits) {
    if (known == no_id) ++abstractions_;
    outcomes_.push_back(known != no_id ? column_(known, bits) : abstraction_.state(bits));
    if (keeps_everything() || std::ranges::binary_search(*targets_, coarse(outcomes_.back()))) return true;
    return matches_[match()].accepts_goals && holds(task_, task_.goal, bits);
}

AbstractId Constraint::coarse(AbstractId state) {
    const auto level = matches_[match()].level;
    if (level == 0) return state;
    auto& ids = levels_[level].ids;
    if (state >= ids.size()) ids.resize(std::max<std::size_t>(state + std::size_t{1}, 2 * ids.size()), no_id);
    if (ids[state] == no_id) ids[state] = abstraction_.coarsened(state, level);
    return ids[state];
}

}  // namespace gpaplan
