#include "automata/rule_goals.hpp"

#include <cmath>
#include <map>

namespace gpaplan {

namespace {

class SerialGoals {
public:
    SerialGoals(StateSpace& space, const std::vector<std::uint64_t>& met, const std::vector<double>& values,
                double dead_end, Stop& stop)
        : space_(space), met_(met), values_(values), stop_(stop), live_(values.size()), serial_(values.size()) {
        if (met.size() != values.size() || values.size() != space.size())
            throw std::invalid_argument("each state has goals and a value");
        for (StateId state = 0; state < live_.size(); ++state) serial_[state] = live_[state] = values[state] < dead_end;
        while (remove_states()) {
        }
    }

    std::vector<std::vector<double>> regrets(double penalty) {
        std::vector<std::vector<double>> result(live_.size());
        std::map<std::uint64_t, std::vector<StateId>> classes;
        for (StateId state = 0; state < live_.size(); ++state)
            if (live_[state] && !space_.is_goal(state)) classes[serial_[state] ? met_[state] : any].push_back(state);
        for (const auto& [goals, states] : classes) {
            const auto costs = costs_to_aim(goals);
            for (auto state : states)
                for (const auto transition : space_.expand(state)) {
                    const double regret = cost(transition, costs) - costs[state];
                    const bool is_kept = goals == any || keeps(state, transition);
                    result[state].push_back(std::max(0.0, regret) + (is_kept ? 0 : penalty));
                }
        }
        return result;
    }

private:
    static constexpr std::uint64_t any = ~std::uint64_t{0};  // the aim is any serial state

    // Whether an action gives up no goal, and leads to serial states only.
    bool keeps(StateId state, const Transition& transition) const {
        return std::ranges::all_of(transition.outcomes, [&](const auto& outcome) {
            return serial_[outcome.successor] && (met_[state] & ~met_[outcome.successor]) == 0;
        });
    }

    // Of the states that still count as serial, remove those from which such actions do not lead to the goal.
    bool remove_states() {
        std::vector<bool> reaches(serial_.size());
        for (StateId state = 0; state < serial_.size(); ++state) reaches[state] = space_.is_goal(state);
        for (bool changed = true; changed;) {
            changed = false;
            for (StateId state = 0; state < serial_.size(); ++state) {
                if (!serial_[state] || reaches[state]) continue;
                stop_.poll();
                for (const auto transition : space_.expand(state)) {
                    const auto leads_on = [&](const auto& outcome) { return reaches[outcome.successor]; };
                    if (!std::ranges::any_of(transition.outcomes, leads_on) || !keeps(state, transition)) continue;
                    reaches[state] = changed = true;
                    break;
                }
            }
        }
        const bool removed = reaches != serial_;
        serial_ = std::move(reaches);
        return removed;
    }

    double cost(const Transition& transition, const std::vector<double>& costs) const {
        double sum = space_.numbers()[transition.cost];
        for (const auto& outcome : transition.outcomes)
            sum += space_.numbers()[outcome.probability] * costs[outcome.successor];
        return sum;
    }

    // The least cost, from each state, to the next aim of those in which these goals are met. Improved from a cost that
    // is too high: what is bound to keep goals may cost far more than the optimum.
    std::vector<double> costs_to_aim(std::uint64_t goals) {
        constexpr double tolerance = 1e-9;
        const auto is_aim = [&](StateId state) {
            return serial_[state] && (goals == any || (met_[state] != goals && (goals & ~met_[state]) == 0));
        };
        double high = 0;
        for (StateId state = 0; state < values_.size(); ++state)
            if (live_[state]) high = std::max(high, 1000 * values_[state]);
        std::vector<double> costs(values_.size(), high);
        for (StateId state = 0; state < costs.size(); ++state) {
            if (!live_[state]) costs[state] = std::numeric_limits<double>::infinity();
            if (is_aim(state) || space_.is_goal(state)) costs[state] = 0;
        }
        for (double change = 1; change > tolerance;) {
            change = 0;
            for (StateId state = 0; state < costs.size(); ++state) {
                if (!live_[state] || costs[state] == 0) continue;
                stop_.poll();
                const bool is_bound = serial_[state] && met_[state] == goals;
                double best = costs[state];
                for (const auto transition : space_.expand(state))
                    if (!is_bound || keeps(state, transition)) best = std::min(best, cost(transition, costs));
                change = std::max(change, costs[state] - best);
                costs[state] = best;
            }
        }
        return costs;
    }

    StateSpace& space_;
    const std::vector<std::uint64_t>& met_;
    const std::vector<double>& values_;
    Stop& stop_;
    std::vector<bool> live_, serial_;
};

}  // namespace

std::vector<std::vector<double>> serial_regrets(StateSpace& space, const std::vector<std::uint64_t>& met,
                                                const std::vector<double>& values, double dead_end, double penalty,
                                                Stop& stop) {
    return SerialGoals(space, met, values, dead_end, stop).regrets(penalty);
}

}  // namespace gpaplan
