#include "patterns/best_heuristic.hpp"

#include <algorithm>

namespace gpaplan {

namespace {

constexpr std::size_t most_samples = 32;
constexpr std::size_t few = 20;  // one in so many

}  // namespace

BestHeuristic::BestHeuristic(const Task& task, const PatternOptions& options, Stop& stop)
    : patterns_(std::make_unique<PatternHeuristic>(task, options, stop)),
      landmarks_(make_heuristic(HeuristicKind::lmcut, task, stop)) {
    const auto& samples = patterns_->samples();
    const auto count = std::min(samples.size(), most_samples);
    std::size_t larger = 0;   // estimates of pattern databases
    std::size_t smaller = 0;  // likewise
    landmarks_->set_stop(&stop);
    for (std::size_t i = 0; i < count; ++i) {
        const double looked_up = patterns_->evaluate(samples[i].data());
        const double computed = landmarks_->evaluate(samples[i].data());
        larger += looked_up > computed + 1e-6 ? 1 : 0;
        smaller += looked_up < computed - 1e-6 ? 1 : 0;
    }
    landmarks_->set_stop(nullptr);
    if (larger == 0) {
        choice_ = BestChoice::lmcut;
        patterns_.reset();
    } else if (few * smaller <= count) {
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
