#include "patterns/staged_heuristic.hpp"

#include <algorithm>
#include <limits>

namespace gpaplan {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double worth_while = 0.02;  // the share by which larger tables must raise the estimates of the samples

}  // namespace

StagedHeuristic::StagedHeuristic(const Task& task, const PatternOptions& options, bool with_landmarks, Stop& stop)
    : task_(task), options_(options), with_landmarks_(with_landmarks) {
    while (last_stage_ + 1 < stages.size() && stages[last_stage_].max_work < options.collection.max_work) ++last_stage_;
    current_ = make(0, stop);
    set_price();
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

// If it is stopped, the tables that there are stay, and the next estimate tries again. Larger tables take longer to
// look up, too: if they say hardly more of the sample states, those that there are stay.
void StagedHeuristic::enter(std::size_t stage) {
    Stop no_limits;
    auto& limits = stop() != nullptr ? *stop() : no_limits;
    auto larger = make(stage, limits);
    larger->set_stop(stop());
    const bool is_better = says_more(*larger);
    stage_ = stage;
    if (!is_better) return;
    current_ = std::move(larger);
    set_price();
}

bool StagedHeuristic::says_more(Heuristic& other) const {
    double now = 0;
    double then = 0;
    for (const auto& state : samples_) {
        const double before = current_->evaluate(state.data());
        const double after = other.evaluate(state.data());
        if (before == infinity) continue;
        if (after == infinity) return true;
        now += before;
        then += std::max(before, after);
    }
    return then > (1 + worth_while) * now;
}

std::unique_ptr<Heuristic> StagedHeuristic::make(std::size_t stage, Stop& stop) {
    if (with_landmarks_) {
        auto made = std::make_unique<BestHeuristic>(task_, options_of(stage), stop);
        if (samples_.empty()) samples_ = made->samples();
        return made;
    }
    auto made = std::make_unique<PatternHeuristic>(task_, options_of(stage), stop);
    if (samples_.empty()) samples_ = made->samples();
    return made;
}

void StagedHeuristic::set_price() {
    const auto by_landmarks = std::min<std::size_t>(1 + task_.action_count() / actions_for_price, highest_price);
    price_ = choice() == BestChoice::patterns ? 1 : by_landmarks;
}

std::vector<Indices> StagedHeuristic::patterns() const {
    const auto* patterns = dynamic_cast<const PatternHeuristic*>(current_.get());
    return patterns == nullptr ? std::vector<Indices>() : patterns->patterns();
}

Comparison StagedHeuristic::comparison() const {
    const auto* best = dynamic_cast<const BestHeuristic*>(current_.get());
    return best == nullptr ? Comparison() : best->comparison();
}

BestChoice StagedHeuristic::choice() const {
    const auto* best = dynamic_cast<const BestHeuristic*>(current_.get());
    return best == nullptr ? BestChoice::patterns : best->choice();
}

}  // namespace gpaplan
