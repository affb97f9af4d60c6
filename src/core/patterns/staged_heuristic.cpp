#include "patterns/staged_heuristic.hpp"

#include <algorithm>

#include "patterns/constants.hpp"

namespace gpaplan {

StagedHeuristic::StagedHeuristic(const Task& task, const PatternOptions& options, bool with_landmarks, bool staged,
                                 Stop& stop)
    : task_(task), options_(options) {
    for (const auto& each : all_stages)
        if (staged && (stages_.empty() || stages_.back().max_work < options.max_work)) stages_.push_back(each);
    if (!staged) stages_.push_back(all_stages.back());
    tables_ = make(0, stop);
    samples_ = tables_->samples();
    if (with_landmarks) landmarks_ = make_heuristic(HeuristicKind::lmcut, task, stop);
    comparison_ = compare(*tables_, stop);
    set_cost_in_estimates();
}

std::unique_ptr<PatternHeuristic> StagedHeuristic::make(std::size_t stage, Stop& stop) const {
    auto options = options_;
    const auto& most = stages_[stage];
    if (most.max_work < options.max_work) {
        options.max_variables = std::min(options.max_variables, most.max_variables);
        options.max_work = most.max_work;
        options.max_orders = std::min(options.max_orders, most.max_orders);
    }
    return std::make_unique<PatternHeuristic>(task_, options, stop);
}

Comparison StagedHeuristic::compare(PatternHeuristic& tables, Stop& stop) {
    Comparison found;
    if (landmarks_ == nullptr) return found;
    landmarks_->set_stop(&stop);
    found.states = static_cast<std::uint32_t>(std::min(tables.samples().size(), pattern_constants::most_compared));
    std::uint64_t work = 0;
    for (std::uint32_t i = 0; i < found.states; ++i) {
        const auto* state = tables.samples()[i].data();
        const double looked_up = tables.evaluate(state);
        const double computed = landmarks_->evaluate(state);
        if ((work += landmarks_->evaluation_cost()) > pattern_constants::most_work) found.states = i + 1;
        if (looked_up > computed + pattern_constants::smallest_gain) ++found.higher;
        if (looked_up == infinity) continue;
        if (computed == infinity) {
            ++found.dead_ends;
        } else {
            found.patterns += looked_up;
            found.larger += std::max(looked_up, computed);
        }
    }
    landmarks_->set_stop(this->stop());
    if (found.higher == 0)
        found.choice = BestChoice::lmcut;
    else if (found.dead_ends > 0 || found.larger > (1 + pattern_constants::worth_landmarks) * found.patterns)
        found.choice = BestChoice::both;
    return found;
}

double StagedHeuristic::estimate(PatternHeuristic& tables, BestChoice choice, const Word* state) {
    const double looked_up = choice == BestChoice::lmcut ? 0 : tables.evaluate(state);
    return choice == BestChoice::patterns ? looked_up : std::max(looked_up, landmarks_->evaluate(state));
}

// If it is stopped, the tables that there are stay, and the next estimate tries again. Larger tables take longer to
// look up, too: if they say hardly more of the sample states, where the initial one counts as much as all others
// together, those that there are stay. But if they do without LM-cut it is enough that they say about as much.
void StagedHeuristic::enter(std::size_t stage) {
    Stop no_limits;
    auto& limits = stop() != nullptr ? *stop() : no_limits;
    auto larger = make(stage, limits);
    const auto comparison = compare(*larger, limits);
    const bool is_faster = comparison_.choice != BestChoice::patterns && comparison.choice == BestChoice::patterns;
    const bool is_better =
        says_more(*larger, comparison.choice,
                  is_faster ? pattern_constants::enough_without : 1 + pattern_constants::worth_growing);
    stage_ = stage;
    if (!is_better) return;
    tables_ = std::move(larger);
    comparison_ = comparison;
    ++revision_;
    set_cost_in_estimates();
}

bool StagedHeuristic::says_more(PatternHeuristic& other, BestChoice choice, double factor) {
    double now = 0;
    double then = 0;
    for (std::size_t i = 0; i < samples_.size(); ++i) {
        const double before = estimate(*tables_, comparison_.choice, samples_[i].data());
        const double after = estimate(other, choice, samples_[i].data());
        if (before == infinity) continue;
        if (after == infinity) return true;
        const double weight = i == 0 ? static_cast<double>(samples_.size()) : 1;
        now += weight * before;
        then += weight * (factor > 1 ? std::max(before, after) : after);
    }
    return then > factor * now;
}

void StagedHeuristic::set_cost_in_estimates() {
    cost_in_estimates_ = comparison_.choice == BestChoice::patterns
                             ? 1
                             : std::min(1 + task_.action_count() / pattern_constants::actions_an_estimate,
                                        pattern_constants::most_estimates);
}

std::vector<Indices> StagedHeuristic::patterns() const {
    return comparison_.choice == BestChoice::lmcut ? std::vector<Indices>() : tables_->patterns();
}

}  // namespace gpaplan
