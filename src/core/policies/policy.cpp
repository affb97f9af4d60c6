#include "policies/policy.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "policies/markov_chain.hpp"

namespace gpaplan {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// The states that a policy reaches, in breadth-first order, and the Markov chain that it makes of them. Goals, states
// where it gives up and states where it is undefined are absorbing.
class PolicyGraph {
public:
    PolicyGraph(StateSpace& space, const PolicyFunction& policy, double dead_end_cost, Stop& stop)
        : space_(space), policy_(policy), dead_end_cost_(dead_end_cost) {
        place_of(space.initial());
        for (std::size_t at = 0; at < states_.size(); ++at) {
            if ((at & 0xffU) == 0 && stop.check() != StopReason::none) throw Stopped(stop.reason());
            add(states_[at]);
            chain_.successors.close();
        }
    }

    const MarkovChain& chain() const { return chain_; }
    std::vector<StateId>& states() { return states_; }
    StateId first_open() const { return first_open_; }
    bool gives_up() const { return gives_up_; }

private:
    void add(StateId state) {
        if (space_.is_goal(state)) {
            chain_.visits.push_back({1, 0});
            return;
        }
        const auto action = policy_(state);
        if (action == give_up) {
            gives_up_ = true;
            chain_.visits.push_back({0, dead_end_cost_});
        } else if (const auto transition = find(state, action)) {
            add_steps(*transition);
        } else {
            if (first_open_ == no_id) first_open_ = state;
            chain_.visits.push_back({0, infinity});
        }
    }

    // The transition by an action; nothing if the action is not applicable in the state.
    std::optional<Transition> find(StateId state, ActionId action) {
        if (action >= space_.task().action_count()) return std::nullopt;
        for (const auto transition : space_.expand(state))
            if (transition.action == action) return transition;
        return std::nullopt;
    }

    void add_steps(const Transition& transition) {
        chain_.visits.push_back({0, space_.numbers()[transition.cost]});
        for (const auto& outcome : transition.outcomes) {
            const double probability = space_.numbers()[outcome.probability];
            if (!(probability > 0)) continue;
            chain_.successors.values.push_back(place_of(outcome.successor));
            chain_.probabilities.push_back(probability);
        }
    }

    // The place of a state in breadth-first order, given to it if it is new.
    std::uint32_t place_of(StateId state) {
        if (state >= places_.size()) places_.resize(state + 1, no_id);
        if (places_[state] == no_id) {
            places_[state] = static_cast<std::uint32_t>(states_.size());
            states_.push_back(state);
        }
        return places_[state];
    }

    StateSpace& space_;
    const PolicyFunction& policy_;
    double dead_end_cost_;
    MarkovChain chain_;
    std::vector<StateId> states_;
    Indices places_;  // column
    StateId first_open_ = no_id;
    bool gives_up_ = false;
};

}  // namespace

PolicyReport evaluate_policy(StateSpace& space, const PolicyFunction& policy, double dead_end_cost, Stop& stop) {
    PolicyGraph graph(space, policy, dead_end_cost, stop);
    const auto solution = solve_chain(graph.chain(), stop);
    PolicyReport report;
    report.first_open = graph.first_open();
    report.closed = report.first_open == no_id;
    report.proper = report.closed && !graph.gives_up() && !solution.has_trap;
    report.goal_probability = report.proper ? 1.0 : std::min(1.0, solution.prospects[0].goal);
    report.cost = solution.prospects[0].cost;
    report.states = static_cast<std::uint32_t>(graph.states().size());
    report.reachable = std::move(graph.states());
    return report;
}

double largest_residual(StateSpace& space, const std::vector<StateId>& states,
                        const std::function<double(StateId)>& values, double dead_end_cost) {
    const auto value = [&](StateId state) { return space.is_goal(state) ? 0.0 : values(state); };
    double largest = 0;
    for (const auto state : states) {
        if (space.is_goal(state) || !space.is_expanded(state)) continue;
        double least = dead_end_cost;
        for (const auto transition : space.expand(state)) {
            double cost = space.numbers()[transition.cost];
            for (const auto& outcome : transition.outcomes) {
                const double probability = space.numbers()[outcome.probability];
                if (probability > 0) cost += probability * value(outcome.successor);
            }
            least = std::min(least, cost);
        }
        if (value(state) != least) largest = std::max(largest, std::abs(value(state) - least));
    }
    return largest;
}

}  // namespace gpaplan
