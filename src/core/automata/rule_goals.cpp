#include "automata/rule_goals.hpp"

#include <cmath>

namespace gpaplan {

namespace {

class SerialGoals {
public:
    SerialGoals(StateSpace& space, const std::vector<std::uint64_t>& met, const std::vector<double>& values,
                double dead_end, Stop& stop)
        : space_(space), met_(met), stop_(stop), live_(values.size()), serial_(values.size()) {
        if (met.size() != values.size() || values.size() != space.size())
            throw std::invalid_argument("each state has goals and a value");
        for (StateId state = 0; state < live_.size(); ++state) {
            serial_[state] = live_[state] = values[state] < dead_end;
            if (live_[state]) high_ = std::max(high_, 1000 * values[state]);
        }
        while (remove_states()) {
        }
    }

    std::vector<std::vector<double>> regrets(double penalty) {
        std::vector<std::vector<double>> result(live_.size());
        for (StateId state = 0; state < live_.size(); ++state)
            if (live_[state] && !space_.is_goal(state)) result[state].assign(space_.expand(state).size(), infinite);
        std::vector<double> costs(live_.size(), infinite);
        for (StateId state = 0; state < live_.size(); ++state)
            if (live_[state]) costs[state] = serial_[state] ? 0 : high_;
        add_regrets(costs, penalty, result);
        std::uint64_t all = 0;
        for (auto goals : met_) all |= goals;
        for (std::uint64_t left = all; left != 0; left &= left - 1) {
            auto to_goal = costs;  // of states that are not serial: to those that are
            for (StateId state = 0; state < live_.size(); ++state)
                if (serial_[state] && (met_[state] & left & -left) == 0 && !space_.is_goal(state))
                    to_goal[state] = high_;
            add_regrets(to_goal, penalty, result);
        }
        return result;
    }

private:
    static constexpr double infinite = std::numeric_limits<double>::infinity();

    // The least regrets so far, and those by the least costs to an aim, where there is a way: costs are nothing in it,
    // and elsewhere too high; they are improved.
    void add_regrets(std::vector<double>& costs, double penalty, std::vector<std::vector<double>>& result) {
        std::vector<StateId> states;
        for (StateId state = 0; state < costs.size(); ++state)
            if (costs[state] == high_) states.push_back(state);
        constexpr double tolerance = 1e-9;
        for (double change = 1; change > tolerance;) {
            change = 0;
            for (auto state : states) {
                stop_.poll();
                double best = costs[state];
                for (const auto transition : space_.expand(state))
                    if (!serial_[state] || keeps(state, transition)) best = std::min(best, cost(transition, costs));
                change = std::max(change, costs[state] - best);
                costs[state] = best;
            }
        }
        for (auto state : states) {
            if (costs[state] == high_) continue;
            auto least = result[state].begin();
            for (const auto transition : space_.expand(state)) {
                const bool is_kept = !serial_[state] || keeps(state, transition);
                const double regret = std::max(0.0, cost(transition, costs) - costs[state]) + (is_kept ? 0 : penalty);
                *least = std::min(*least, regret);
                ++least;
            }
        }
    }

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

    StateSpace& space_;
    const std::vector<std::uint64_t>& met_;
    Stop& stop_;
    std::vector<bool> live_, serial_;
    double high_ = 0;  // more than anything costs, but for what cannot be reached
};

}  // namespace

std::vector<std::vector<double>> serial_regrets(StateSpace& space, const std::vector<std::uint64_t>& met,
                                                const std::vector<double>& values, double dead_end, double penalty,
                                                Stop& stop) {
    return SerialGoals(space, met, values, dead_end, stop).regrets(penalty);
}

}  // namespace gpaplan
