#include "patterns/staged_heuristic.hpp"

#include <algorithm>

namespace gpaplan {

StagedHeuristic::StagedHeuristic(const Task& task, const PatternOptions& options, bool with_landmarks, Stop& stop)
    : task_(task), options_(options), with_landmarks_(with_landmarks) {
    while (last_stage_ + 1 < stages.size() && stages[last_stage_].max_work < options.collection.max_work) ++last_stage_;
    make(0, stop);
}

PatternOptions StagedHeuristic::options_of(std::size_t stage) const {
    auto result = options_;
    if (stage == last_stage_) return result;
    const auto& most = stages[stage];
    result.collection.max_variables = std::min(result.collection.max_variables, most.max_variables);
    result.collection.max_work = std::min(result.collection.max_work, most.max_work);
    result.partition.max_work = std::min(result.partition.max_work, 4 * most.max_work);
    result.partition.max_orders = std::min(result.partition.max_orders, most.max_orders);
    return result;
}

// If it is stopped, the tables that there are stay, and the next estimate tries again.
void StagedHeuristic::enter(std::size_t stage) {
    Stop no_limits;
    make(stage, stop() != nullptr ? *stop() : no_limits);
    current_->set_stop(stop());
}

void StagedHeuristic::make(std::size_t stage, Stop& stop) {
    if (with_landmarks_)
        current_ = std::make_unique<BestHeuristic>(task_, options_of(stage), stop);
    else
        current_ = std::make_unique<PatternHeuristic>(task_, options_of(stage), stop);
    stage_ = stage;
    const auto by_landmarks = std::min<std::size_t>(1 + task_.action_count() / actions_for_price, highest_price);
    price_ = choice() == BestChoice::patterns ? 1 : by_landmarks;
}

std::vector<Indices> StagedHeuristic::patterns() const {
    const auto* patterns = dynamic_cast<const PatternHeuristic*>(current_.get());
    return patterns == nullptr ? std::vector<Indices>() : patterns->patterns();
}

BestChoice StagedHeuristic::choice() const {
    const auto* best = dynamic_cast<const BestHeuristic*>(current_.get());
    return best == nullptr ? BestChoice::patterns : best->choice();
}

}  // namespace gpaplan
