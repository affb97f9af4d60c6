// Policies and what is true of them: the independent check of every solver's result.
//
// A policy is a column: for each state an action, `no_id` where it is undefined, or `give_up` where it pays the
// dead-end cost and stops. Nothing here uses a solver's values or labels except to report their residual.
#pragma once

#include "heuristics/heuristic.hpp"
#include "policies/markov_chain.hpp"
#include "spaces/state_space.hpp"

namespace gpaplan {

using PolicyColumn = std::vector<ActionId>;
constexpr ActionId give_up = no_id - 1;

// The same as a function, for those who have no column and no memory left to make one.
using PolicyFunction = std::function<ActionId(StateId)>;

// A column as a function; the column must outlive it.
inline PolicyFunction by_column(const PolicyColumn& policy) {
    return [&policy](StateId state) { return state < policy.size() ? policy[state] : no_id; };
}

struct PolicyReport {
    bool closed = false;  // every non-goal state reachable under the policy has an applicable action (or give_up)
    StateId first_open = no_id;      // a reachable state where it is undefined, no_id if closed
    bool proper = false;             // closed, and the goal is reached with probability 1 (give_up never reaches it)
    double goal_probability = 0;     // exact, from the initial state; undefined states count as never reaching the goal
    double cost = infinity;          // exact expected cost from the initial state; infinite if
                                     // neither the goal nor give_up is reached with probability 1
    std::uint32_t states = 0;        // reachable under the policy, goals included
    std::vector<StateId> reachable;  // these, in breadth-first order
};

// Expands the states that the policy reaches, as far as they are not. `dead_end_cost` is what give_up costs.
// An action that is not applicable where the policy takes it counts as undefined. Throws Stopped if `stop` says so.
PolicyReport evaluate_policy(StateSpace& space, const PolicyFunction& policy, double dead_end_cost, Stop& stop);

// A policy that reaches the goal with the largest probability there is. Throws Stopped if `stop` says so.
PolicyColumn maximise_goal_probability(StateSpace& space, Stop& stop);

// What is to come from a state under a policy that may be undefined in states that it leads to.
struct PolicyValue {
    Prospect prospect;
    bool exact = true;  // else it leads to such states, with estimates: the cost is a lower bound
};

// Of each of the given states. Where the policy is undefined, an admissible heuristic, or the dead-end cost if that is
// less, stands for the least cost that any policy can go on with; that it is the dead-end cost, or that the goal is out
// of reach, is certain. The chance of the goal is 0 there. Throws Stopped if `stop` says so.
std::vector<PolicyValue> evaluate_states(StateSpace& space, const PolicyFunction& policy,
                                         std::span<const StateId> states, Heuristic& heuristic, double dead_end_cost,
                                         Stop& stop);

// Of each state of the space: what it is worth to draw one of some kept actions, each with the same probability,
// exactly. `kept` has the actions of each state; those that are not applicable do not count, and in a state with none,
// unless it is a goal, one gives up, at the dead-end cost. Throws Stopped if `stop` says so.
std::vector<Prospect> evaluate_choices(StateSpace& space, const std::vector<Indices>& kept, double dead_end_cost,
                                       Stop& stop);

// The largest |V(s) - min(dead_end_cost, min over actions of cost + Σ p V(successor))| of those of the given states
// that are expanded and no goals; infinite values agree with each other. `values` is asked for these states and their
// successors; goals have the value 0 whatever it says.
double largest_residual(StateSpace& space, const std::vector<StateId>& states,
                        const std::function<double(StateId)>& values, double dead_end_cost);

}  // namespace gpaplan
