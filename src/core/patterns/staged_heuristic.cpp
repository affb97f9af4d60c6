#include "patterns/staged_heuristic.hpp"

#include <algorithm>
#include <limits>

namespace gpaplan {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double worth_while = 0.02;  // the share by which larger tables must raise the estimates of the samples
constexpr double enough_without_landmarks = 0.99;  // of the estimates of the samples

}  // namespace

StagedHeuristic::StagedHeuristic(const Task& task, const PatternOptions& options, bool with_landmarks, Stop& stop)
    : task_(task), options_(options), with_landmarks_(with_landmarks) {
    find_stages();
    current_ = make(0, stop);
    set_evaluation_cost();
}

void StagedHeuristic::find_stages() {
    for (const auto& each : all_stages)
        if (stages_.empty() || stages_.back().max_work < options_.collection.max_work) stages_.push_back(each);
}

PatternOptions StagedHeuristic::options_of(std::size_t stage) const {
    auto result = options_;
    const auto& most = stages_[stage];
    if (most.max_work >= options_.collection.max_work) return result;
    result.collection.max_variables = std::min(result.collection.max_variables, most.max_variables);
    result.collection.max_work = std::min(result.collection.max_work, most.max_work);
    result.partition.max_work = std::min(result.partition.max_work, 4 * most.max_work);
    result.partition.max_orders = std::min(result.partition.max_orders, most.max_orders);
    return result;
}

// If it is stopped, the tables that there are stay, and the next estimate tries again. Larger tables take longer to
// look up, too: if they say hardly more of the sample states, where the initial one counts as much as all others
// together, those that there are stay. But if they do without LM-cut it is enough that they say about as much.
void StagedHeuristic::enter(std::size_t stage) {
    Stop no_limits;
    auto& limits = stop() != nullptr ? *stop() : no_limits;
    auto larger = make(stage, limits);
    larger->set_stop(stop());
    const bool is_faster = choice() != BestChoice::patterns && choice_of(*larger) == BestChoice::patterns;
    const double factor = is_faster ? enough_without_landmarks : 1 + worth_while;
    const bool is_better = says_more(*larger, factor);
    stage_ = stage;
    if (!is_better) return;
    current_ = std::move(larger);
    ++revision_;
    set_evaluation_cost();
}

PatternHeuristic* StagedHeuristic::tables() const {
    if (auto* best = dynamic_cast<BestHeuristic*>(current_.get())) return best->patterns();
    return dynamic_cast<PatternHeuristic*>(current_.get());
}

double StagedHeuristic::reconsider(const Word* state) { return tables() == nullptr ? 0 : tables()->evaluate(state); }

bool StagedHeuristic::says_more(Heuristic& other, double factor) const {
    double now = 0;
    double then = 0;
    for (std::size_t i = 0; i < samples_.size(); ++i) {
        const double before = current_->evaluate(samples_[i].data());
        const double after = other.evaluate(samples_[i].data());
        if (before == infinity) continue;
        if (after == infinity) return true;
        const double weight = i == 0 ? static_cast<double>(samples_.size()) : 1;
        now += weight * before;
        then += weight * (factor > 1 ? std::max(before, after) : after);
    }
    return then > factor * now;
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

void StagedHeuristic::set_evaluation_cost() {
    const auto by_landmarks = std::min<std::size_t>(1 + task_.action_count() / actions_a_unit, highest_cost);
    evaluation_cost_ = choice() == BestChoice::patterns ? 1 : by_landmarks;
}

std::vector<Indices> StagedHeuristic::patterns() const {
    return tables() == nullptr ? std::vector<Indices>() : tables()->patterns();
}

Comparison StagedHeuristic::comparison() const {
    const auto* best = dynamic_cast<const BestHeuristic*>(current_.get());
    return best == nullptr ? Comparison() : best->comparison();
}

BestChoice StagedHeuristic::choice() const { return choice_of(*current_); }

BestChoice StagedHeuristic::choice_of(const Heuristic& made) {
    const auto* best = dynamic_cast<const BestHeuristic*>(&made);
    return best == nullptr ? BestChoice::patterns : best->choice();
}

}  // namespace gpaplan
