// Relaxed exploration: the cost of reaching each fact of a relaxation, from the cheapest on, up to the goal.
//
// The cost of an operator's preconditions is their maximum (h-max) or their sum (h-add); a fact costs what the cheapest
// operator that adds it does. Dijkstra's algorithm finds this: a fact that is taken from the queue has its final cost,
// each operator counts the preconditions that are not final yet, a bundle as one, and the goal is an operator too.
// Facts that cost more than the goal are never looked at. An evaluation allocates nothing and looks at each
// precondition at most once.
#pragma once

#include "heuristics/cost_queue.hpp"
#include "heuristics/relaxation_heuristics.hpp"

namespace gpaplan {

enum class Combination : std::uint8_t { maximum, sum };

template <typename Cost, Combination combination>
class RelaxedExploration {
public:
    // The relaxation must outlive the exploration.
    explicit RelaxedExploration(const Relaxation& relaxation)
        : relaxation_(relaxation), fact_costs_(relaxation.fact_count), supporters_(relaxation.fact_count) {
        const auto costs = operator_costs<Cost>(relaxation);
        const auto& bundles = relaxation.bundles;
        const auto size = [](IndexSpan range) { return static_cast<std::uint32_t>(range.size()); };
        initial_.reserve(costs.size());
        for (OperatorId op = 0; op < costs.size(); ++op)
            initial_.push_back({size(bundles.alone[op]) + size(bundles.of_operator[op]), costs[op]});
        counters_.resize(initial_.size());
        for (std::size_t i = 0; i < bundles.facts.size(); ++i) initial_bundles_.push_back({size(bundles.facts[i]), 0});
        bundles_.resize(initial_bundles_.size());
    }

    // The cost of the goal in a state. Throws Stopped if there are limits and they say so.
    Cost explore(const Word* state, Stop* stop);

    std::uint64_t steps() const { return steps_; }

    // Of the facts that cost no more than the goal:
    Cost cost(FactId fact) const { return fact_costs_[fact]; }

    // Of the facts among them whose cost is not 0: the cheapest operator that adds it.
    OperatorId supporter(FactId fact) const { return supporters_[fact]; }

private:
    struct Counter {
        std::uint32_t unsatisfied;
        Cost cost;  // of the operator, and with `sum` of its preconditions so far; or of a bundle's facts so far
    };

    // A fact became final: whether a bundle, if it is in one, is now complete. The cost becomes that of the bundle;
    // with `maximum` the last fact is the dearest.
    bool complete_bundle(FactId fact, Cost& cost) {
        const auto bundle = relaxation_.bundles.of_fact[fact];
        if (bundle == no_id) return true;
        auto& counter = bundles_[bundle];
        if constexpr (combination == Combination::sum)
            cost = counter.cost = std::min(CostRange<Cost>::largest, counter.cost + cost);
        return --counter.unsatisfied == 0;
    }

    const Relaxation& relaxation_;
    std::vector<Cost> fact_costs_;
    Indices supporters_;
    std::vector<Counter> initial_;
    std::vector<Counter> counters_;
    std::vector<Counter> initial_bundles_;
    std::vector<Counter> bundles_;
    typename CostRange<Cost>::Queue queue_;
    std::uint64_t steps_ = 0;  // of the last evaluation
};

template <typename Cost, Combination combination>
Cost RelaxedExploration<Cost, combination>::explore(const Word* state, Stop* stop) {
    using Range = CostRange<Cost>;
    steps_ = 0;
    std::ranges::fill(fact_costs_, Range::infinity);
    std::ranges::copy(initial_, counters_.begin());
    std::ranges::copy(initial_bundles_, bundles_.begin());
    queue_.clear();
    Cost* const fact_costs = fact_costs_.data();
    Counter* const counters = counters_.data();
    const bool has_bundles = !bundles_.empty();
    relaxation_.visit_facts(state, [&](FactId fact) {
        fact_costs[fact] = 0;
        queue_.push(0, fact);
    });
    while (!queue_.empty()) {
        auto [cost, fact] = queue_.pop();
        if (fact_costs[fact] < cost) continue;
        const bool is_complete = !has_bundles || complete_bundle(fact, cost);
        const auto steps = steps_of_fact + (is_complete ? relaxation_.precondition_of[fact].size() : 0);
        steps_ += steps;
        if (stop != nullptr) stop->poll(steps);
        if (!is_complete) continue;
        for (auto op : relaxation_.precondition_of[fact]) {
            auto& counter = counters[op];
            if constexpr (combination == Combination::sum) counter.cost = std::min(Range::largest, counter.cost + cost);
            if (--counter.unsatisfied != 0) continue;
            const Cost reached =
                combination == Combination::sum ? counter.cost : std::min(Range::largest, counter.cost + cost);
            if (op == Relaxation::goal) return reached;
            for (auto added : relaxation_.adds[op]) {
                if (fact_costs[added] <= reached) continue;
                fact_costs[added] = reached;
                supporters_[added] = op;
                queue_.push(reached, added);
            }
        }
    }
    return Range::infinity;
}

}  // namespace gpaplan
