#include "heuristics/relaxation_heuristics.hpp"
#include "heuristics/relaxed_exploration.hpp"

namespace gpaplan {

namespace {

template <typename Cost>
class RelaxedPlan final : public Heuristic {
public:
    explicit RelaxedPlan(Relaxation relaxation)
        : relaxation_(std::move(relaxation)),
          exploration_(relaxation_),
          costs_(operator_costs<Cost>(relaxation_)),
          fact_marks_(relaxation_.fact_count, 0),
          bundle_marks_(relaxation_.bundles.facts.size(), 0),
          operator_marks_(relaxation_.operator_count(), 0) {}

    double evaluate(const Word* state) override {
        const Cost cost = exploration_.explore(state, this->stop());
        if (cost == 0 || cost == CostRange<Cost>::infinity) return in_units_of_the_task(relaxation_, cost);
        return in_units_of_the_task(relaxation_, extract_plan());
    }
    bool is_admissible() const override { return false; }
    std::uint64_t evaluation_cost() const override { return cost_of_steps(exploration_.steps()); }

private:
    // The cost of the operators that support the goal, directly or not.
    Cost extract_plan() {
        ++round_;
        Cost sum = 0;
        open_.assign(1, Relaxation::goal);
        while (!open_.empty()) {
            const auto op = open_.back();
            open_.pop_back();
            if (operator_marks_[op] == round_) continue;
            operator_marks_[op] = round_;
            this->poll(1 + relaxation_.bundles.alone[op].size());
            sum = std::min(CostRange<Cost>::largest, sum + costs_[op]);
            for (auto fact : relaxation_.bundles.alone[op]) support(fact);
            for (auto bundle : relaxation_.bundles.of_operator[op]) {
                if (bundle_marks_[bundle] == round_) continue;
                bundle_marks_[bundle] = round_;
                for (auto fact : relaxation_.bundles.facts[bundle]) support(fact);
            }
        }
        return sum;
    }

    void support(FactId fact) {
        if (fact_marks_[fact] == round_ || exploration_.cost(fact) == 0) return;
        fact_marks_[fact] = round_;
        open_.push_back(exploration_.supporter(fact));
    }

    Relaxation relaxation_;
    RelaxedExploration<Cost, Combination::sum> exploration_;
    std::vector<Cost> costs_;                    // of the operators
    std::vector<std::uint64_t> fact_marks_;      // the last evaluation in which the fact was met
    std::vector<std::uint64_t> bundle_marks_;    // the last evaluation in which the bundle was met
    std::vector<std::uint64_t> operator_marks_;  // the last evaluation in which the operator was in the plan
    std::uint64_t round_ = 0;
    Indices open_;
};

}  // namespace

std::unique_ptr<Heuristic> make_relaxed_plan_heuristic(Relaxation relaxation) {
    return make_by_costs<RelaxedPlan>(std::move(relaxation));
}

}  // namespace gpaplan
