#include "heuristics/heuristic.hpp"

#include "heuristics/relaxation_heuristics.hpp"
#include "heuristics/relaxed_exploration.hpp"

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

template <typename Cost, Combination combination>
class ExplorationHeuristic final : public Heuristic {
public:
    explicit ExplorationHeuristic(Relaxation relaxation)
        : relaxation_(std::move(relaxation)), exploration_(relaxation_) {}

    double evaluate(const Word* state) override {
        return in_units_of_the_task(relaxation_, exploration_.explore(state, this->stop()));
    }
    bool is_admissible() const override { return combination == Combination::maximum; }
    std::uint64_t evaluation_cost() const override { return cost_of_steps(exploration_.steps()); }

private:
    Relaxation relaxation_;
    RelaxedExploration<Cost, combination> exploration_;
};

template <typename Cost>
using MaxHeuristic = ExplorationHeuristic<Cost, Combination::maximum>;
template <typename Cost>
using AdditiveHeuristic = ExplorationHeuristic<Cost, Combination::sum>;

}  // namespace

std::unique_ptr<Heuristic> make_heuristic(HeuristicKind kind, const Task& task, Stop& stop) {
    switch (kind) {
        case HeuristicKind::blind:
            return std::make_unique<Blind>(task);
        case HeuristicKind::hmax:
            return make_by_costs<MaxHeuristic>(relax(task, stop));
        case HeuristicKind::hadd:
            return make_by_costs<AdditiveHeuristic>(relax(task, stop));
        case HeuristicKind::ff:
            return make_relaxed_plan_heuristic(relax(task, stop));
        case HeuristicKind::lmcut:
            return make_landmark_cut_heuristic(relax(task, stop));
    }
    throw InternalError("unknown kind of heuristic");
}

}  // namespace gpaplan
