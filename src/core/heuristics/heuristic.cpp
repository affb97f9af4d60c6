#include "heuristics/heuristic.hpp"

#include <algorithm>

#include "heuristics/relaxation_heuristics.hpp"

namespace gpaplan {

namespace {

// The cost of the cheapest action, where one is needed.
class Blind final : public Heuristic {
public:
    explicit Blind(const Task& task)
        : task_(task), least_cost_(task.effects.empty() ? 0 : std::max(0.0, cheapest_action(task))) {}
    double evaluate(const Word* state) override { return holds(task_, task_.goal, state) ? 0 : least_cost_; }
    bool is_admissible() const override { return true; }

private:
    const Task& task_;
    double least_cost_;
};

}  // namespace

std::unique_ptr<Heuristic> make_heuristic(HeuristicKind kind, const Task& task, Stop& stop) {
    switch (kind) {
        case HeuristicKind::blind:
            return std::make_unique<Blind>(task);
        case HeuristicKind::hmax:
            return make_max_heuristic(relax(task, Outcomes::united, stop));
        case HeuristicKind::hadd:
            return make_additive_heuristic(relax(task, Outcomes::united, stop));
        case HeuristicKind::ff:
            return make_relaxed_plan_heuristic(relax(task, Outcomes::apart, stop));
        case HeuristicKind::lmcut:
            return make_landmark_cut_heuristic(relax(task, Outcomes::apart, stop));
    }
    throw InternalError("unknown kind of heuristic");
}

}  // namespace gpaplan
