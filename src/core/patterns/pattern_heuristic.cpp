#include "patterns/pattern_heuristic.hpp"

#include <algorithm>

namespace gpaplan {

PatternHeuristic::PatternHeuristic(const Task& task, const PatternOptions& options, Stop& stop)
    : task_(task),
      least_cost_(task.effects.empty() ? 0 : std::max(0.0, cheapest_action(task))),
      variables_(),
      values_(variables_) {
    const ProjectedTask projected(task, stop);
    auto collection = collect_patterns(projected, options, stop);
    auto tables = combine(projected, collection, options, stop);
    samples_ = std::move(collection.states);
    variables_ = projected.variables;
    values_ = StateValues(variables_);
    tables_ = std::move(tables.tables);
    sums_ = std::move(tables.sums);
    const bool may_give_up = options.give_up < infinity;
    for (auto& projection : collection.projections) {
        Pattern pattern{std::move(projection.variables), std::move(projection.radix), {}};
        pattern.dead = std::move(may_give_up ? projection.hopeless : projection.improper);
        for (Rank rank = 0; rank < pattern.dead.size(); ++rank) {
            if (projection.kinds[rank] == Projection::Kind::impossible) pattern.dead[rank] = 0;
            pattern.has_dead = pattern.has_dead || pattern.dead[rank] != 0;
        }
        pattern.is_used = pattern.has_dead;
        if (!pattern.has_dead) pattern.dead = {};
        patterns_.push_back(std::move(pattern));
    }
    for (const auto& table : tables_) patterns_[table.projection].is_used = true;
    ranks_.resize(patterns_.size());
}

double PatternHeuristic::evaluate(const Word* state) {
    if (holds(task_, task_.goal, state)) return 0;
    if (!values_.read(state, task_.word_count())) return least_cost_;
    for (std::size_t i = 0; i < patterns_.size(); ++i) {
        const auto& pattern = patterns_[i];
        if (!pattern.is_used) continue;
        ranks_[i] = values_.rank(pattern.variables, pattern.radix);
        if (pattern.has_dead && pattern.dead[ranks_[i]] != 0) return infinity;
    }
    double best = least_cost_;
    for (std::size_t i = 0; i < sums_.size(); ++i) {
        double sum = 0;
        for (auto table : sums_[i]) sum += tables_[table].values[ranks_[tables_[table].projection]];
        best = std::max(best, sum);
    }
    return best;
}

std::vector<Indices> PatternHeuristic::patterns() const {
    std::vector<Indices> result;
    for (const auto& pattern : patterns_)
        if (pattern.is_used) result.push_back(pattern.variables);
    return result;
}

}  // namespace gpaplan
