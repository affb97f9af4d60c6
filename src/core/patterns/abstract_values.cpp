#include "patterns/abstract_values.hpp"

#include "patterns/constants.hpp"

namespace gpaplan {

namespace {

class Solver {
public:
    Solver(const Projection& projection, std::span<const double> costs, double give_up, Stop& stop)
        : projection_(projection),
          costs_(costs),
          give_up_(give_up),
          stop_(stop),
          dead_(give_up < infinity ? projection.hopeless : projection.improper) {}

    AbstractValues run() {
        result_.of.assign(projection_.size(), give_up_);
        find_cheapest_ways();
        if (!projection_.branches) return std::move(result_);  // nothing was chosen: they are exact
        for (std::uint32_t sweeps = 0; sweeps < pattern_constants::most_sweeps && sweep();) ++sweeps;
        return std::move(result_);
    }

private:
    // Dijkstra's algorithm, backwards from the goals; `order_` has the states from the cheapest on. A transition is
    // tried until it leads elsewhere, and then it may choose where. Sweeps alone would not find that cost
    // where a circle of transitions costs nothing: each state of it waits for the others to rise.
    void find_cheapest_ways() {
        using Entry = std::pair<double, StateId>;
        std::vector<Entry> heap;
        auto& values = result_.of;
        for (StateId state = 0; state < projection_.size(); ++state) {
            if (projection_.is_goal[state] == 0) continue;
            values[state] = 0;
            heap.emplace_back(0, state);
        }
        std::vector<std::uint8_t> is_final(projection_.size(), 0);
        while (!heap.empty()) {
            const auto [cost, state] = heap.front();
            std::ranges::pop_heap(heap, std::greater{});
            heap.pop_back();
            if (is_final[state] != 0) continue;
            is_final[state] = 1;
            if (projection_.is_goal[state] == 0) order_.push_back(state);
            for (auto id : projection_.into[state]) {
                stop_.poll();
                ++result_.work;
                const auto& transition = projection_.transitions[id];
                if (dead_[transition.from] != 0) continue;
                const double next = cost + costs_[transition.label] / leaving(id);
                if (next >= values[transition.from]) continue;
                values[transition.from] = next;
                heap.emplace_back(next, transition.from);
                std::ranges::push_heap(heap, std::greater{});
            }
        }
        dirty_.assign(projection_.size(), 1);
    }

    // The probability that a transition leads anywhere else.
    double leaving(std::uint32_t id) const {
        double result = 0;
        for (auto k = projection_.successors.begin[id]; k < projection_.successors.begin[id + 1]; ++k)
            result += projection_.probabilities[k];
        return std::min(result, 1.0);
    }

    bool sweep() {
        bool changed = false;
        for (auto state : order_) {
            if (dirty_[state] == 0) continue;
            dirty_[state] = 0;
            const double old = result_.of[state];
            const double now = backup(state);
            if (!(now > old)) continue;
            result_.of[state] = now;
            if (now - old <= pattern_constants::smallest_rise * now) continue;
            changed = true;
            for (auto id : projection_.into[state]) dirty_[projection_.transitions[id].from] = 1;
        }
        return changed;
    }

    double backup(StateId state) {
        double best = give_up_;
        for (auto id = projection_.first[state]; id < projection_.first[state + 1]; ++id)
            best = std::min(best, action_value(id));
        return best;
    }

    double action_value(std::uint32_t id) {
        const auto& transition = projection_.transitions[id];
        stop_.poll();
        ++result_.work;
        double sum = costs_[transition.label];
        double leave = 0;
        for (auto k = projection_.successors.begin[id]; k < projection_.successors.begin[id + 1]; ++k) {
            const double probability = projection_.probabilities[k];
            sum += probability * result_.of[projection_.successors.values[k]];
            leave += probability;
        }
        return leave < 1 ? sum / leave : sum;
    }

    const Projection& projection_;
    std::span<const double> costs_;
    double give_up_;
    Stop& stop_;
    const std::vector<std::uint8_t>& dead_;
    AbstractValues result_;
    Indices order_;
    std::vector<std::uint8_t> dirty_;
};

}  // namespace

std::vector<double> label_costs(const Projection& projection, std::span<const double> action_costs) {
    std::vector<double> result(projection.actions.size(), infinity);
    for (LabelId label = 0; label < result.size(); ++label)
        for (auto action : projection.actions[label]) result[label] = std::min(result[label], action_costs[action]);
    return result;
}

AbstractValues solve(const Projection& projection, std::span<const double> costs, double give_up, Stop& stop) {
    return Solver(projection, costs, give_up, stop).run();
}

std::vector<double> saturate(const Projection& projection, const AbstractValues& values, bool may_give_up) {
    std::vector<double> result(projection.actions.size(), 0.0);
    const auto& dead = may_give_up ? projection.hopeless : projection.improper;
    for (std::size_t id = 0; id < projection.transitions.size(); ++id) {
        const auto& transition = projection.transitions[id];
        if (dead[transition.from] != 0 && !may_give_up) continue;
        double sum = 0;
        double leave = 0;
        for (auto k = projection.successors.begin[id]; k < projection.successors.begin[id + 1]; ++k) {
            sum += projection.probabilities[k] * values.of[projection.successors.values[k]];
            leave += projection.probabilities[k];
        }
        const double needed = leave * values.of[transition.from] - sum;
        if (needed > result[transition.label]) result[transition.label] = needed;
    }
    return result;
}

}  // namespace gpaplan
