#include <tuple>

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
        shared_.clear();
        open_.assign(1, Relaxation::goal);
        while (!open_.empty()) {
            const auto op = open_.back();
            open_.pop_back();
            if (operator_marks_[op] == round_) continue;
            operator_marks_[op] = round_;
            this->poll(1 + relaxation_.bundles.alone[op].size());
            if (is_alone(op))
                sum += costs_[op];
            else
                shared_.emplace_back(relaxation_.groups[op], exploration_.operator_cost(op), op);
            for (auto fact : relaxation_.bundles.alone[op]) support(fact);
            for (auto bundle : relaxation_.bundles.of_operator[op]) {
                if (bundle_marks_[bundle] == round_) continue;
                bundle_marks_[bundle] = round_;
                for (auto fact : relaxation_.bundles.facts[bundle]) support(fact);
            }
        }
        return std::min(CostRange<Cost>::largest, sum + cost_of_shared());
    }

    void support(FactId fact) {
        if (fact_marks_[fact] == round_ || exploration_.cost(fact) == 0) return;
        fact_marks_[fact] = round_;
        open_.push_back(exploration_.supporter(fact));
    }

    bool is_alone(OperatorId op) const {
        const auto group = relaxation_.groups[op];
        return relaxation_.group_begin[group + 1] - relaxation_.group_begin[group] == 1;
    }

    // Operators of one group whose preconditions are reached at the same cost are one application of their action.
    Cost cost_of_shared() {
        Cost sum = 0;
        std::ranges::sort(shared_);
        for (std::size_t i = 0; i < shared_.size(); ++i) {
            const auto& [group, level, op] = shared_[i];
            if (i == 0 || std::get<0>(shared_[i - 1]) != group || std::get<1>(shared_[i - 1]) != level)
                sum += costs_[op];
        }
        return sum;
    }

    Relaxation relaxation_;
    RelaxedExploration<Cost, Combination::sum> exploration_;
    std::vector<Cost> costs_;                    // of the operators
    std::vector<std::uint64_t> fact_marks_;      // the last evaluation in which the fact was met
    std::vector<std::uint64_t> bundle_marks_;    // the last evaluation in which the bundle was met
    std::vector<std::uint64_t> operator_marks_;  // the last evaluation in which the operator was in the plan
    std::uint64_t round_ = 0;
    Indices open_;
    std::vector<std::tuple<std::uint32_t, Cost, OperatorId>> shared_;  // the plan's operators that share their groups
};

}  // namespace

std::unique_ptr<Heuristic> make_relaxed_plan_heuristic(Relaxation relaxation) {
    return make_by_costs<RelaxedPlan>(std::move(relaxation));
}

}  // namespace gpaplan
