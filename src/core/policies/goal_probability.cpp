// The maximal probability of reaching the goal, for tasks without a proper policy.
//
// Everything is expanded from which the goal may be reached. The graph alone tells the states with the probabilities 0
// and 1 (goal_graph.hpp). For the others policy iteration, with the equations of each policy solved exactly
// (markov_chain.hpp), makes one that approaches the goal optimal: when no action is better than a state's value, then
// the values are a fixed point of the optimality equations, hence not below the least one, which is the maximal
// probability; and they are attained. Where the goal is out of reach the policy gives up.
#include "policies/goal_graph.hpp"
#include "policies/policy.hpp"

namespace gpaplan {

namespace {

constexpr double gain = 1e-13;  // the share of a value by which an action must be better to be taken: rounding

class GoalProbability {
public:
    GoalProbability(StateSpace& space, Stop& stop)
        : space_(space),
          stop_(stop),
          heuristic_(make_heuristic(HeuristicKind::hmax, space.task(), stop)),
          graph_(space, heuristic_.get(), stop) {}

    PolicyColumn run() {
        values_.assign(space_.size(), 0);
        for (auto state : graph_.reaching()) {
            if (graph_.is_certain(state))
                values_[state] = 1;
            else
                open_.push_back(state);
        }
        choose_policy();
        double before = 0;
        for (double sum = evaluate(); sum > before && improve();) before = std::exchange(sum, evaluate());
        return std::move(policy_);
    }

private:
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

    // Of each state an action that may lead to one from which the goal is being approached, so that no set of states is
    // entered for ever while probability is left; a certain state must not leave the certain ones.
    void choose_policy() {
        policy_.assign(space_.size(), give_up);
        auto queue = graph_.goals();
        auto done = graph_.membership(queue);
        for (auto goal : queue) policy_[goal] = no_id;
        spread(graph_.predecessors(), queue, done, [&](StateId state) {
            stop_.poll();
            const auto step = graph_.find_step(
                state, done, [&](const auto& each) { return !graph_.is_certain(state) || graph_.is_safe(each); });
            if (step) policy_[state] = step->action;
            return step.has_value();
        });
    }

    // The exact values of the policy; returns their sum.
    double evaluate() {
        MarkovChain chain;
        Indices places(space_.size(), no_id);
        const auto goal = static_cast<std::uint32_t>(open_.size());
        for (std::uint32_t i = 0; i < goal; ++i) places[open_[i]] = i;
        for (auto state : open_) {
            const auto transition = space_.transition(state, policy_[state]);
            for (const auto& outcome : transition->outcomes) {
                const bool is_open = places[outcome.successor] != no_id;
                const auto end = goal + (graph_.is_certain(outcome.successor) ? 0 : 1);
                chain.successors.values.push_back(is_open ? places[outcome.successor] : end);
                chain.probabilities.push_back(space_.numbers()[outcome.probability]);
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
    Indices open_;                // the states whose probability is neither 0 nor 1, nearest to the goal first
    std::vector<double> values_;  // of the policy: the probability of the goal from each state
    PolicyColumn policy_;
};

}  // namespace

PolicyColumn maximise_goal_probability(StateSpace& space, Stop& stop) { return GoalProbability(space, stop).run(); }

}  // namespace gpaplan
