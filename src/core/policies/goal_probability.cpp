#include "policies/goal_probability.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>

#include "base/components.hpp"
#include "policies/goal_graph.hpp"
#include "policies/markov_chain.hpp"

namespace gpaplan {

namespace {

constexpr double tolerance = 1e-13;          // of value iteration
constexpr double tie = 1e-10;                // within which actions count as equally good to start with
constexpr double gain = 1e-13;               // the share of a value by which an action must be better to be taken
constexpr std::uint32_t most_sweeps = 1000;  // over a component, before equations are solved

class GoalProbability {
public:
    GoalProbability(StateSpace& space, Stop& stop)
        : space_(space),
          stop_(stop),
          heuristic_(make_heuristic(HeuristicKind::hmax, space.task(), stop)),
          graph_(space, heuristic_.get(), stop) {}

    PolicyColumn run() {
        start();
        iterate();
        choose_policy();
        double before = 0;
        for (double sum = evaluate(); sum > before && improve();) before = std::exchange(sum, evaluate());
        return std::move(policy_);
    }

private:
    void start() {
        values_.assign(space_.size(), 0);
        for (auto state : graph_.reaching()) {
            if (graph_.is_certain(state))
                values_[state] = 1;
            else
                open_.push_back(state);
        }
    }

    double probability(StateId state, const Transition& transition) const {
        double sum = 0;
        double leaving = 0;
        for (const auto& outcome : transition.outcomes) {
            if (outcome.successor == state) continue;
            const double p = space_.numbers()[outcome.probability];
            leaving += p;
            sum += p * values_[outcome.successor];
        }
        return leaving > 0 ? std::min(1.0, sum / leaving) : 0;
    }

    double back_up(StateId state) {
        double best = values_[state];
        for (const auto transition : space_.expand(state)) best = std::max(best, probability(state, transition));
        const double change = best - values_[state];
        values_[state] = best;
        return change;
    }

    void iterate() {
        const auto components = strongly_connected_components(graph_.successors(), stop_);
        std::vector<Indices> members(components.size());  // the states nearest to the goal first
        for (auto state : open_) members[components.component_of[state]].push_back(state);
        for (const auto& states : members) {
            double largest = states.empty() ? 0 : 1;
            for (std::uint32_t sweep = 0; sweep < most_sweeps && largest > tolerance; ++sweep) {
                stop_.look();
                largest = 0;
                for (auto state : states) largest = std::max(largest, back_up(state));
                if (states.size() == 1) break;
            }
        }
    }

    // Whether an action is as good as any, as far as is known; a certain state must not leave the certain ones.
    bool is_best(StateId state, const Transition& transition) const {
        return graph_.is_certain(state) ? graph_.is_safe(transition)
                                        : probability(state, transition) >= values_[state] - tie;
    }

    // Among the best actions one that can lead to a state from which the goal is already being approached, so that no
    // set of states is entered for ever while probability is left. Value iteration from below has given each state
    // but those beyond its sweeps a value that some action attains; the others take any way to the goal.
    void choose_policy() {
        policy_.assign(space_.size(), no_id);
        Indices queue = graph_.goals();
        std::vector<std::uint8_t> done(space_.size(), 0);
        for (auto goal : queue) done[goal] = 1;
        const auto approach = [&](const auto& allowed) {
            for (std::size_t i = 0; i < queue.size(); ++i) {
                if ((i & 0xfffU) == 0) stop_.look();
                for (auto state : graph_.predecessors()[queue[i]]) {
                    if (done[state] != 0) continue;
                    for (const auto transition : space_.expand(state)) {
                        if (!allowed(state, transition) || !leads_to(done, transition)) continue;
                        policy_[state] = transition.action;
                        done[state] = 1;
                        queue.push_back(state);
                        break;
                    }
                }
            }
        };
        approach([&](StateId state, const Transition& transition) { return is_best(state, transition); });
        approach([](StateId, const Transition&) { return true; });
        for (StateId state = 0; state < space_.size(); ++state)
            if (done[state] == 0) policy_[state] = give_up;
    }

    bool leads_to(const std::vector<std::uint8_t>& done, const Transition& transition) const {
        return std::ranges::any_of(transition.outcomes, [&](const auto& outcome) {
            return done[outcome.successor] != 0 && space_.numbers()[outcome.probability] > 0;
        });
    }

    // The exact values of the policy; returns their sum.
    double evaluate() {
        MarkovChain chain;
        Indices places(space_.size(), no_id);
        const auto goal = static_cast<std::uint32_t>(open_.size());
        for (std::uint32_t i = 0; i < goal; ++i) places[open_[i]] = i;
        for (auto state : open_) {
            for (const auto transition : space_.expand(state)) {
                if (transition.action != policy_[state]) continue;
                for (const auto& outcome : transition.outcomes) {
                    const double p = space_.numbers()[outcome.probability];
                    if (!(p > 0)) continue;
                    const bool is_open = places[outcome.successor] != no_id;
                    const auto end = goal + (graph_.is_certain(outcome.successor) ? 0 : 1);
                    chain.successors.values.push_back(is_open ? places[outcome.successor] : end);
                    chain.probabilities.push_back(p);
                }
                break;
            }
            chain.successors.close();
            chain.visits.push_back({});
        }
        chain.successors.close();
        chain.successors.close();
        chain.visits.insert(chain.visits.end(), {{1, 0}, {0, 0}});
        const auto solution = solve_chain(chain, stop_);
        double sum = 0;
        for (std::uint32_t i = 0; i < goal; ++i) sum += values_[open_[i]] = std::min(1.0, solution.prospects[i].goal);
        return sum;
    }

    // Takes the best action wherever it is better than the policy's; returns whether there is such a state. Where no
    // action is strictly better the policy stays as it is, and so it goes on approaching the goal.
    bool improve() {
        bool improved = false;
        for (auto state : open_) {
            double best = values_[state] * (1 + gain);
            for (const auto transition : space_.expand(state)) {
                const double value = probability(state, transition);
                if (!(value > best)) continue;
                best = value;
                policy_[state] = transition.action;
                improved = true;
            }
        }
        return improved;
    }

    StateSpace& space_;
    Stop& stop_;
    std::unique_ptr<Heuristic> heuristic_;
    GoalGraph graph_;
    Indices open_;  // the states whose probability is neither 0 nor 1, nearest to the goal first
    std::vector<double> values_;
    PolicyColumn policy_;
};

// Dijkstra's algorithm; the length of a step is the negative logarithm of its probability.
class MissFinder {
public:
    MissFinder(StateSpace& space, const PolicyColumn& policy, Stop& stop)
        : space_(space),
          policy_(policy),
          stop_(stop),
          lengths_(policy.size(), infinity),
          before_(policy.size(), no_id) {}

    std::optional<Miss> run() {
        reach(space_.initial(), 0, no_id);
        while (!queue_.empty()) {
            stop_.poll();
            std::ranges::pop_heap(queue_, std::greater{});
            const auto [length, state] = queue_.back();
            queue_.pop_back();
            if (length > lengths_[state]) continue;
            if (policy_[state] == give_up) return miss(state);
            for_each_outcome(state,
                             [&](StateId successor, double p) { reach(successor, length - std::log(p), state); });
        }
        return std::nullopt;
    }

private:
    void reach(StateId state, double length, StateId before) {
        if (length >= lengths_[state]) return;
        lengths_[state] = length;
        before_[state] = before;
        queue_.emplace_back(length, state);
        std::ranges::push_heap(queue_, std::greater{});
    }

    template <typename Visit>
    void for_each_outcome(StateId state, Visit visit) {
        for (const auto transition : space_.expand(state)) {
            if (transition.action != policy_[state]) continue;
            for (const auto& outcome : transition.outcomes)
                if (const double p = space_.numbers()[outcome.probability]; p > 0) visit(outcome.successor, p);
        }
    }

    Miss miss(StateId end) {
        Miss result{{}, end, 0};
        for (auto state = before_[end]; state != no_id; state = before_[state])
            result.trajectory.emplace_back(state, policy_[state]);
        std::ranges::reverse(result.trajectory);
        if (!result.trajectory.empty())
            for_each_outcome(result.trajectory.back().first, [&](StateId successor, double p) {
                if (policy_[successor] == give_up) result.probability += p;
            });
        return result;
    }

    StateSpace& space_;
    const PolicyColumn& policy_;
    Stop& stop_;
    std::vector<double> lengths_;  // of the likeliest trajectory to each state so far
    Indices before_;               // the state before it on that trajectory
    std::vector<std::pair<double, StateId>> queue_;
};

}  // namespace

PolicyColumn maximise_goal_probability(StateSpace& space, Stop& stop) { return GoalProbability(space, stop).run(); }

std::optional<Miss> find_likeliest_miss(StateSpace& space, const PolicyColumn& policy, Stop& stop) {
    return MissFinder(space, policy, stop).run();
}

}  // namespace gpaplan
