#include "patterns/abstract_values.hpp"

#include <algorithm>
#include <functional>

#include "policies/markov_chain.hpp"

namespace gpaplan {

namespace {

constexpr double smallest_rise = 1e-8;  // a share of the value
constexpr std::uint32_t most_sweeps = 2000;
constexpr std::uint32_t patience = 100;      // sweeps after which it is time for policy iteration,
constexpr std::size_t most_equations = 500;  // which takes time in the cube of the states at worst
constexpr std::uint32_t most_rounds = 100;
constexpr double margin =
    1e-8;  // by which costs of a policy are lowered, as a share, to be bounds in spite of rounding

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
        for (std::uint32_t sweeps = 0; sweeps < most_sweeps && sweep(); ++sweeps)
            if (sweeps == patience && order_.size() <= most_equations) iterate_policies();
        return std::move(result_);
    }

private:
    static constexpr std::uint32_t give_up_at = no_id;

    // Dijkstra's algorithm, backwards from the goals; `order_` has the states from the cheapest on. A transition is
    // tried until it leads elsewhere, and then it may choose where. Sweeps alone would not find the price of trying
    // where a circle of transitions costs nothing: each state of it waits for the others to rise.
    void find_cheapest_ways() {
        using Entry = std::pair<double, Rank>;
        std::vector<Entry> heap;
        auto& values = result_.of;
        for (Rank rank = 0; rank < projection_.size(); ++rank) {
            if (projection_.kinds[rank] != Projection::Kind::goal) continue;
            values[rank] = 0;
            heap.emplace_back(0, rank);
        }
        std::vector<std::uint8_t> is_final(projection_.size(), 0);
        while (!heap.empty()) {
            const auto [cost, rank] = heap.front();
            std::ranges::pop_heap(heap, std::greater{});
            heap.pop_back();
            if (is_final[rank] != 0) continue;
            is_final[rank] = 1;
            if (projection_.kinds[rank] == Projection::Kind::plain) order_.push_back(rank);
            for (auto id : projection_.into[rank]) {
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
        for (auto k = projection_.transitions[id].begin; k < projection_.transitions[id + 1].begin; ++k)
            result += projection_.probabilities[k];
        return std::min(result, 1.0);
    }

    bool sweep() {
        bool changed = false;
        for (auto rank : order_) {
            if (dirty_[rank] == 0) continue;
            dirty_[rank] = 0;
            const double old = result_.of[rank];
            const double now = backup(rank);
            if (!(now > old)) continue;
            result_.of[rank] = now;
            if (now - old <= smallest_rise * now) continue;
            changed = true;
            for (auto id : projection_.into[rank]) dirty_[projection_.transitions[id].from] = 1;
        }
        return changed;
    }

    double backup(Rank rank) {
        double best = give_up_;
        for (auto id = projection_.first[rank]; id < projection_.first[rank + 1]; ++id)
            best = std::min(best, action_value(id, result_.of));
        return best;
    }

    double action_value(std::uint32_t id, const std::vector<double>& values) {
        const auto& transition = projection_.transitions[id];
        const auto end = projection_.transitions[id + 1].begin;
        stop_.poll();
        ++result_.work;
        double sum = costs_[transition.label];
        double leave = 0;
        for (auto k = transition.begin; k < end; ++k) {
            const double probability = projection_.probabilities[k];
            sum += probability * values[projection_.successors[k]];
            leave += probability;
        }
        return leave < 1 ? sum / leave : sum;
    }

    // Where sweeps converge slowly, the equations of a policy do not: policy iteration from one that ends everywhere.
    void iterate_policies() {
        if (!choose_policy()) return;
        place_.assign(projection_.size(), no_id);
        for (std::uint32_t i = 0; i < order_.size(); ++i) place_[order_[i]] = i;
        for (std::uint32_t round = 0; round < most_rounds; ++round) {
            evaluate_policy();
            if (!improve_policy()) break;
        }
        keep_bounds();
    }

    // One that ends: gives up everywhere or, where that is not allowed, takes actions that may lead nearer to a goal
    // and never to where none ends.
    bool choose_policy() {
        policy_.assign(projection_.size(), give_up_at);
        if (give_up_ < infinity) return true;
        std::vector<std::uint8_t> ends(projection_.size(), 0);
        for (Rank rank = 0; rank < projection_.size(); ++rank)
            ends[rank] = projection_.kinds[rank] == Projection::Kind::goal ? 1 : 0;
        std::size_t left = order_.size();
        for (bool changed = true; changed && left > 0;) {
            changed = false;
            for (auto rank : order_) {
                if (ends[rank] != 0) continue;
                for (auto id = projection_.first[rank]; id < projection_.first[rank + 1] && ends[rank] == 0; ++id) {
                    bool is_safe = true;
                    bool may_end = false;
                    for (auto k = projection_.transitions[id].begin; k < projection_.transitions[id + 1].begin; ++k) {
                        is_safe = is_safe && result_.of[projection_.successors[k]] < infinity;
                        may_end = may_end || ends[projection_.successors[k]] != 0;
                    }
                    if (!is_safe || !may_end) continue;
                    policy_[rank] = id;
                    ends[rank] = 1;
                }
                if (ends[rank] == 0) continue;
                changed = true;
                --left;
            }
        }
        return left == 0;
    }

    void evaluate_policy() {
        MarkovChain chain;
        Indices absorbing;  // ranks that are none of the equations
        for (auto rank : order_) {
            if (policy_[rank] == give_up_at) {
                chain.visits.push_back({0, give_up_});
                chain.successors.close();
                continue;
            }
            const auto id = policy_[rank];
            const auto begin = projection_.transitions[id].begin;
            const auto end = projection_.transitions[id + 1].begin;
            double leave = 0;
            for (auto k = begin; k < end; ++k) leave += projection_.probabilities[k];
            chain.visits.push_back({0, costs_[projection_.transitions[id].label] / leave});
            for (auto k = begin; k < end; ++k) {
                const auto successor = projection_.successors[k];
                if (place_[successor] == no_id) {
                    place_[successor] = static_cast<std::uint32_t>(order_.size() + absorbing.size());
                    absorbing.push_back(successor);
                }
                chain.successors.values.push_back(place_[successor]);
                chain.probabilities.push_back(projection_.probabilities[k] / leave);
            }
            chain.successors.close();
        }
        for (auto rank : absorbing) {
            chain.visits.push_back({1, result_.of[rank]});
            chain.successors.close();
            place_[rank] = no_id;
        }
        const auto solution = solve_chain(chain, stop_);
        costs_of_policy_ = result_.of;
        for (std::size_t i = 0; i < order_.size(); ++i) costs_of_policy_[order_[i]] = solution.prospects[i].cost;
        result_.work += chain.successors.values.size();
    }

    bool improve_policy() {
        bool changed = false;
        for (auto rank : order_) {
            const double now = costs_of_policy_[rank];
            double best = now - 1e-12 * now;
            if (give_up_ < best) {
                best = give_up_;
                policy_[rank] = give_up_at;
                changed = true;
            }
            for (auto id = projection_.first[rank]; id < projection_.first[rank + 1]; ++id) {
                const double value = action_value(id, costs_of_policy_);
                if (!(value < best)) continue;
                best = value;
                policy_[rank] = id;
                changed = true;
            }
        }
        return changed;
    }

    // The costs of the policy, a little lower, and lowered further until none exceeds its own backup; if that takes
    // long, nothing is kept of them. The larger of two such bounds is one, too.
    void keep_bounds() {
        auto& bounds = costs_of_policy_;
        for (auto rank : order_) bounds[rank] *= 1 - margin;
        bool changed = true;
        for (std::uint32_t pass = 0; pass < patience && changed; ++pass) {
            changed = false;
            for (auto rank : order_) {
                double backed_up = give_up_;
                for (auto id = projection_.first[rank]; id < projection_.first[rank + 1]; ++id)
                    backed_up = std::min(backed_up, action_value(id, bounds));
                if (!(bounds[rank] > backed_up)) continue;
                bounds[rank] = backed_up;
                changed = true;
            }
        }
        if (changed) return;
        for (auto rank : order_) result_.of[rank] = std::max(result_.of[rank], bounds[rank]);
    }

    const Projection& projection_;
    std::span<const double> costs_;
    double give_up_;
    Stop& stop_;
    const std::vector<std::uint8_t>& dead_;
    AbstractValues result_;
    Indices order_;
    std::vector<std::uint8_t> dirty_;

    // Of policy iteration.
    Indices policy_;  // of each rank: a transition, or giving up
    Indices place_;   // of each rank: its equation
    std::vector<double> costs_of_policy_;
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
    for (std::size_t id = 0; id + 1 < projection.transitions.size(); ++id) {
        const auto& transition = projection.transitions[id];
        if (dead[transition.from] != 0 && !may_give_up) continue;
        double sum = 0;
        double leave = 0;
        for (auto k = transition.begin; k < projection.transitions[id + 1].begin; ++k) {
            sum += projection.probabilities[k] * values.of[projection.successors[k]];
            leave += projection.probabilities[k];
        }
        const double needed = leave * values.of[transition.from] - sum;
        if (needed > result[transition.label]) result[transition.label] = needed;
    }
    return result;
}

}  // namespace gpaplan
