#include "policies/goal_probability.hpp"

#include <algorithm>
#include <cmath>

#include "base/components.hpp"

namespace gpaplan {

namespace {

constexpr double tolerance = 1e-13;  // of value iteration
constexpr double tie = 1e-10;        // within which actions count as equally good

class GoalProbability {
public:
    GoalProbability(StateSpace& space, Stop& stop) : space_(space), stop_(stop) {}

    PolicyColumn run() {
        for (StateId state = 0; state < space_.size(); ++state) {
            if ((state & 0xffU) == 0) check_stop();
            const auto block = space_.expand(state);
            for (const auto transition : block)
                for (const auto& outcome : transition.outcomes)
                    if (outcome.successor != state) graph_.values.push_back(outcome.successor);
            graph_.close();
        }
        reverse_ = reversed(graph_);
        find_reaching();
        iterate();
        return attaining_policy();
    }

private:
    void check_stop() {
        if (stop_.check() != StopReason::none) throw Stopped(stop_.reason());
    }

    // States from which the goal can be reached at all, nearest first.
    void find_reaching() {
        std::vector<std::uint8_t> reaches(space_.size(), 0);
        values_.assign(space_.size(), 0);
        for (StateId state = 0; state < space_.size(); ++state) {
            if (!space_.is_goal(state)) continue;
            values_[state] = 1;
            reaches[state] = 1;
            goals_.push_back(state);
        }
        order_ = goals_;
        for (std::size_t i = 0; i < order_.size(); ++i) {
            for (auto from : reverse_[order_[i]]) {
                if (reaches[from] != 0) continue;
                reaches[from] = 1;
                order_.push_back(from);
            }
        }
    }

    double probability(StateId state, const Transition& transition) const {
        double sum = 0;
        double stay = 0;
        for (const auto& outcome : transition.outcomes) {
            const double p = space_.numbers()[outcome.probability];
            if (outcome.successor == state)
                stay = p;
            else
                sum += p * values_[outcome.successor];
        }
        return stay < 1 ? std::min(1.0, sum / (1 - stay)) : 0;
    }

    double back_up(StateId state) {
        double best = values_[state];
        for (const auto transition : space_.expand(state)) best = std::max(best, probability(state, transition));
        const double change = best - values_[state];
        values_[state] = best;
        return change;
    }

    void iterate() {
        const auto components = strongly_connected_components(graph_, stop_);
        // Within a component the states nearest to the goal come first, as in `order_`.
        std::vector<Indices> members(components.size());
        for (auto state : order_)
            if (!space_.is_goal(state)) members[components.component_of[state]].push_back(state);
        for (const auto& states : members) {
            double largest = states.empty() ? 0 : 1;
            while (largest > tolerance) {
                check_stop();
                largest = 0;
                for (auto state : states) largest = std::max(largest, back_up(state));
                if (states.size() == 1) break;
            }
        }
    }

    PolicyColumn attaining_policy() {
        PolicyColumn policy(space_.size(), no_id);
        std::vector<std::uint8_t> done(space_.size(), 0);
        Indices queue = goals_;
        for (auto goal : goals_) done[goal] = 1;
        for (std::size_t i = 0; i < queue.size(); ++i) {
            for (auto state : reverse_[queue[i]]) {
                if (done[state] != 0) continue;
                for (const auto transition : space_.expand(state)) {
                    if (probability(state, transition) < values_[state] - tie) continue;
                    const bool progress =
                        std::ranges::any_of(transition.outcomes, [&](const auto& o) { return done[o.successor] != 0; });
                    if (!progress) continue;
                    policy[state] = transition.action;
                    done[state] = 1;
                    queue.push_back(state);
                    break;
                }
            }
        }
        for (StateId state = 0; state < space_.size(); ++state)
            if (done[state] == 0) policy[state] = give_up;
        return policy;
    }

    StateSpace& space_;
    Stop& stop_;
    Ranges graph_;
    Ranges reverse_;
    std::vector<double> values_;
    Indices goals_;
    Indices order_;
};

}  // namespace

PolicyColumn maximise_goal_probability(StateSpace& space, Stop& stop) { return GoalProbability(space, stop).run(); }

}  // namespace gpaplan
