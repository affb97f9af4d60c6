#include "heuristics/exploration.hpp"
#include "heuristics/relaxation_heuristics.hpp"

namespace gpaplan {

namespace {

template <typename Cost, Combination combination>
class ExplorationHeuristic final : public Heuristic {
public:
    explicit ExplorationHeuristic(Relaxation relaxation)
        : relaxation_(std::move(relaxation)), exploration_(relaxation_) {}

    double evaluate(const Word* state) override {
        return in_units_of_the_task(relaxation_, exploration_.explore(state, this->stop()));
    }
    bool is_admissible() const override { return combination == Combination::maximum; }
    std::uint64_t evaluation_cost() const override { return cost_of_exploration(relaxation_); }

private:
    Relaxation relaxation_;
    Exploration<Cost, combination> exploration_;
};

template <typename Cost>
using MaxHeuristic = ExplorationHeuristic<Cost, Combination::maximum>;

template <typename Cost>
using AdditiveHeuristic = ExplorationHeuristic<Cost, Combination::sum>;

}  // namespace

std::unique_ptr<Heuristic> make_max_heuristic(Relaxation relaxation) {
    return make_by_costs<MaxHeuristic>(std::move(relaxation));
}

std::unique_ptr<Heuristic> make_additive_heuristic(Relaxation relaxation) {
    return make_by_costs<AdditiveHeuristic>(std::move(relaxation));
}

}  // namespace gpaplan
