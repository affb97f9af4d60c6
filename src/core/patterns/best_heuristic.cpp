#include "patterns/best_heuristic.hpp"

#include <algorithm>
#include <limits>

namespace gpaplan {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::size_t most_samples = 32;
constexpr std::uint64_t most_work = 1'000'000;  // for estimates of samples: a tenth of a second (bench/work.py)
constexpr double worth_while = 0.05;            // the share by which LM-cut must raise the sum of all estimates

}  // namespace

BestHeuristic::BestHeuristic(const Task& task, const PatternOptions& options, Stop& stop)
    : patterns_(std::make_unique<PatternHeuristic>(task, options, stop)),
      landmarks_(make_heuristic(HeuristicKind::lmcut, task, stop)) {
    samples_ = patterns_->samples();
    const auto& samples = samples_;
    auto& found = comparison_;
    found.states = static_cast<std::uint32_t>(std::min(samples.size(), most_samples));
    landmarks_->set_stop(&stop);
    std::uint64_t work = 0;
    for (std::uint32_t i = 0; i < found.states; ++i) {
        const double looked_up = patterns_->evaluate(samples[i].data());
        const double computed = landmarks_->evaluate(samples[i].data());
        if ((work += landmarks_->evaluation_cost()) > most_work) found.states = i + 1;
        if (looked_up > computed + 1e-6) ++found.higher;
        if (looked_up == infinity) continue;
        if (computed == infinity) {
            ++found.dead_ends;
        } else {
            found.patterns += looked_up;
            found.larger += std::max(looked_up, computed);
        }
    }
    landmarks_->set_stop(nullptr);
    if (found.higher == 0) {
        choice_ = BestChoice::lmcut;
        patterns_.reset();
    } else if (found.dead_ends == 0 && found.larger <= (1 + worth_while) * found.patterns) {
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
