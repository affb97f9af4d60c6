#include "policies/policy.hpp"

#include <cmath>
#include <map>

namespace gpaplan {

namespace {

constexpr double below_one = 1 - std::numeric_limits<double>::epsilon() / 2;  // what is not certain has no chance of 1

// What it costs to go on where a policy is undefined.
using CostBeyond = std::function<double(StateId)>;

// The states that a policy reaches from given ones, which come first, in breadth-first order, and the Markov chain that
// it makes of them. Goals, states where it gives up and states where it is undefined are absorbing.
class PolicyGraph {
public:
    PolicyGraph(StateSpace& space, const PolicyFunction& policy, std::span<const StateId> from,
                const CostBeyond& beyond, double dead_end_cost, Stop& stop)
        : space_(space), policy_(policy), beyond_(beyond), dead_end_cost_(dead_end_cost) {
        for (const auto state : from) place_of(state);
        for (std::size_t at = 0; at < states_.size(); ++at) {
            if ((at & 0xffU) == 0) stop.look();
            add(states_[at]);
            chain_.successors.close();
        }
    }

    const MarkovChain& chain() const { return chain_; }
    std::vector<StateId>& states() { return states_; }
    StateId first_open() const { return first_open_; }
    bool gives_up() const { return gives_up_; }
    std::uint32_t place(StateId state) const { return places_[state]; }

    // Of each place, whether the policy leads from there to a state where it is undefined and an estimate, which is
    // less than the dead-end cost, stands for what is to come.
    std::vector<std::uint8_t> led_to_estimates() const {
        std::vector<std::uint8_t> found(states_.size(), 0);
        auto queue = estimates_;
        for (const auto place : queue) found[place] = 1;
        spread(invert(chain_.successors, states_.size()), queue, found, [](auto) { return true; });
        return found;
    }

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
        } else if (const auto transition = space_.transition(state, action)) {
            add_steps(*transition);
        } else {
            if (first_open_ == no_id) first_open_ = state;
            const double cost = beyond_(state);
            if (cost < dead_end_cost_) estimates_.push_back(places_[state]);
            chain_.visits.push_back({0, cost});
        }
    }

    void add_steps(const Transition& transition) {
        chain_.visits.push_back({0, space_.numbers()[transition.cost]});
        for (const auto& outcome : transition.outcomes) {
            chain_.successors.values.push_back(place_of(outcome.successor));
            chain_.probabilities.push_back(space_.numbers()[outcome.probability]);
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
    const CostBeyond& beyond_;
    double dead_end_cost_;
    MarkovChain chain_;
    std::vector<StateId> states_;
    Indices places_;     // column
    Indices estimates_;  // places
    StateId first_open_ = no_id;
    bool gives_up_ = false;
};

}  // namespace

PolicyReport evaluate_policy(StateSpace& space, const PolicyFunction& policy, double dead_end_cost, Stop& stop) {
    const StateId initial[] = {space.initial()};
    const CostBeyond beyond = [](StateId) { return infinity; };
    PolicyGraph graph(space, policy, initial, beyond, dead_end_cost, stop);
    const auto solution = solve_chain(graph.chain(), stop);
    PolicyReport report;
    report.first_open = graph.first_open();
    report.closed = report.first_open == no_id;
    report.proper = report.closed && !graph.gives_up() && !solution.has_trap;
    report.goal_probability = report.proper ? 1.0 : std::min(below_one, solution.prospects[0].goal);
    report.cost = solution.prospects[0].cost;
    report.states = static_cast<std::uint32_t>(graph.states().size());
    report.reachable = std::move(graph.states());
    return report;
}

std::vector<PolicyValue> evaluate_states(StateSpace& space, const PolicyFunction& policy,
                                         std::span<const StateId> states, Heuristic& heuristic, double dead_end_cost,
                                         Stop& stop) {
    const CostBeyond beyond = [&](StateId state) {
        stop.poll();
        return std::min(heuristic.evaluate(space.bits(state)), dead_end_cost);
    };
    const PolicyGraph graph(space, policy, states, beyond, dead_end_cost, stop);
    const auto solution = solve_chain(graph.chain(), stop);
    const auto led = graph.led_to_estimates();
    std::vector<PolicyValue> values;
    for (const auto state : states) {
        const auto place = graph.place(state);
        values.push_back({solution.prospects[place], led[place] == 0});
    }
    return values;
}

std::vector<Prospect> evaluate_choices(StateSpace& space, const std::vector<Indices>& kept, double dead_end_cost,
                                       Stop& stop) {
    MarkovChain chain;
    const auto given = std::min<std::size_t>(kept.size(), space.size());  // what is met only now has no action kept
    std::map<StateId, double> steps;
    for (StateId state = 0; state < space.size(); ++state) {
        stop.poll();
        steps.clear();
        double drawn = 0;
        double cost = 0;
        if (state < given && !space.is_goal(state)) {
            for (auto action : kept[state]) {
                const auto transition = space.transition(state, action);
                if (!transition) continue;
                ++drawn;
                cost += space.numbers()[transition->cost];
                for (const auto& outcome : transition->outcomes)
                    steps[outcome.successor] += space.numbers()[outcome.probability];
            }
        }
        for (const auto& [successor, p] : steps) {
            chain.successors.values.push_back(successor);
            chain.probabilities.push_back(p / drawn);
        }
        chain.successors.close();
        const bool is_goal = space.is_goal(state);
        chain.visits.push_back({is_goal ? 1.0 : 0.0, is_goal ? 0 : drawn > 0 ? cost / drawn : dead_end_cost});
    }
    return solve_chain(chain, stop).prospects;
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
            for (const auto& outcome : transition.outcomes)
                cost += space.numbers()[outcome.probability] * value(outcome.successor);
            least = std::min(least, cost);
        }
        if (value(state) != least) largest = std::max(largest, std::abs(value(state) - least));
    }
    return largest;
}

}  // namespace gpaplan
