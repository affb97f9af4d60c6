#include "patterns/best_heuristic.hpp"

#include <algorithm>
#include <limits>

namespace gpaplan {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::size_t most_samples = 32;
constexpr double worth_while = 0.05;  // the share by which LM-cut must raise the sum of all estimates

}  // namespace

BestHeuristic::BestHeuristic(const Task& task, const PatternOptions& options, Stop& stop)
    : patterns_(std::make_unique<PatternHeuristic>(task, options, stop)),
      landmarks_(make_heuristic(HeuristicKind::lmcut, task, stop)) {
    const auto& samples = patterns_->samples();
    const auto count = std::min(samples.size(), most_samples);
    bool looked_up_is_larger = false;  // somewhere
    bool knows_more_dead_ends = false;
    double sum = 0;
    double raised = 0;
    landmarks_->set_stop(&stop);
    for (std::size_t i = 0; i < count; ++i) {
        const double looked_up = patterns_->evaluate(samples[i].data());
        const double computed = landmarks_->evaluate(samples[i].data());
        looked_up_is_larger |= looked_up > computed + 1e-6;
        if (looked_up == infinity) continue;
        if (computed == infinity) {
            knows_more_dead_ends = true;
        } else {
            sum += looked_up;
            raised += std::max(looked_up, computed);
        }
    }
    landmarks_->set_stop(nullptr);
    if (!looked_up_is_larger) {
        choice_ = BestChoice::lmcut;
        patterns_.reset();
    } else if (!knows_more_dead_ends && raised <= (1 + worth_while) * sum) {
        choice_ = BestChoice::patterns;
        landmarks_.reset();
    }
}

double BestHeuristic::evaluate(const Word* state) {
    const double looked_up = patterns_ ? patterns_->evaluate(state) : 0;
    return landmarks_ ? std::max(looked_up, landmarks_->evaluate(state)) : looked_up;
}

void BestHeuristic::set_stop(Stop* stop) {
    Heuristic::set_stop(stop);
    if (landmarks_) landmarks_->set_stop(stop);
}

}  // namespace gpaplan
