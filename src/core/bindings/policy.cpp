// Policies: exact evaluation and trials.

#include "bindings/bindings.hpp"
#include "policies/goal_graph.hpp"
#include "policies/rollout.hpp"

namespace gpaplan {

namespace {

using StepTuple = std::tuple<ActionId, double, Indices, Indices>;
using TrialTuple = std::tuple<double, std::uint32_t, const char*, std::vector<StepTuple>>;

std::vector<TrialTuple> as_tuples(std::vector<Trial> trials) {
    std::vector<TrialTuple> result;
    for (auto& trial : trials) {
        std::vector<StepTuple> path;
        for (auto& [action, cost, added, deleted] : trial.path) {
            path.emplace_back(action, cost, std::move(added), std::move(deleted));
        }
        result.emplace_back(trial.cost, trial.steps, name_of(trial.end), std::move(path));
    }
    return result;
}

using ValueTuple = std::tuple<double, double, bool>;

std::vector<ValueTuple> state_values(StateSpace& space, const PolicyColumn& policy, const Indices& states,
                                     TaskHeuristic& heuristic, double dead_end_cost, Stop& stop) {
    if (&space.task() != heuristic.task.get()) throw nb::value_error("the heuristic is that of another task");
    for (const auto state : states) check_index(state, space.size());
    const StopScope scope(*heuristic.heuristic, &stop);
    std::vector<ValueTuple> result;
    for (const auto& [prospect, exact] :
         evaluate_states(space, by_column(policy), states, *heuristic.heuristic, dead_end_cost, stop))
        result.emplace_back(prospect.cost, prospect.goal, exact);
    return result;
}

void bind_goal_probability(nb::module_& module) {
    module.def("maximise_goal_probability", &maximise_goal_probability, "space"_a, "stop"_a, ReleaseGil(),
               "A policy that reaches the goal with the largest probability there is.");
    module.def(
        "find_dead_ends",
        [](StateSpace& space, Stop& stop) {
            const GoalGraph graph(space, nullptr, stop);
            Indices dead_ends;
            std::size_t improper = 0;
            for (StateId state = 0; state < space.size(); ++state) {
                if (!graph.is_reaching(state)) dead_ends.push_back(state);
                if (!graph.is_certain(state)) ++improper;
            }
            return std::tuple(dead_ends, improper, graph.goals().size());
        },
        "space"_a, "stop"_a, ReleaseGil(),
        "The dead ends of a space, and how many states are improper, and how many are goals.");
}

}  // namespace

void bind_policy(nb::module_& module) {
    bind_goal_probability(module);
    module.attr("NO_ACTION") = no_id;
    module.attr("GIVE_UP") = give_up;
    nb::class_<PolicyReport>(module, "PolicyReport", "What is true of a policy (src/core/policies/policy.hpp).")
        .def_ro("closed", &PolicyReport::closed)
        .def_ro("first_open", &PolicyReport::first_open,
                "A reachable state where it is undefined, NO_ACTION if closed.")
        .def_ro("proper", &PolicyReport::proper)
        .def_ro("goal_probability", &PolicyReport::goal_probability)
        .def_ro("cost", &PolicyReport::cost)
        .def_ro("states", &PolicyReport::states, "The number of states reachable under the policy, goals included.")
        .def_ro("reachable", &PolicyReport::reachable, "These states, in breadth-first order.");
    module.def(
        "evaluate_policy",
        [](StateSpace& space, const PolicyColumn& policy, double dead_end_cost, Stop& stop) {
            return evaluate_policy(space, by_column(policy), dead_end_cost, stop);
        },
        "space"_a, "policy"_a, "dead_end_cost"_a, "stop"_a, ReleaseGil(),
        "The exact goal probability and expected cost of a policy: for each state an action, NO_ACTION or GIVE_UP.");
    module.def("evaluate_states", &state_values, "space"_a, "policy"_a, "states"_a, "heuristic"_a, "dead_end_cost"_a,
               "stop"_a, ReleaseGil(),
               "(expected cost, goal probability, whether they are exact) of a policy from each of these states.");
    module.def(
        "largest_residual",
        [](StateSpace& space, const Indices& states, const std::vector<double>& values, double dead_end_cost) {
            return largest_residual(space, states, [&](StateId state) { return values.at(state); }, dead_end_cost);
        },
        "space"_a, "states"_a, "values"_a, "dead_end_cost"_a, ReleaseGil(),
        "The largest difference between a state's value and its Bellman backup.");
    module.def(
        "run_random_trials",
        [](const Task& task, std::uint32_t trials, std::uint32_t horizon, std::uint64_t seed, Stop& stop,
           std::uint32_t kept) { return as_tuples(run_random_trials(task, {trials, horizon, seed, kept}, stop)); },
        nb::kw_only(), "task"_a, "trials"_a, "horizon"_a, "seed"_a, "stop"_a, "kept"_a = 0, ReleaseGil(),
        "(cost, steps, what ended it, path) of each trial; paths of the first `kept` trials only.");
    module.def(
        "run_policy_trials",
        [](const StateSpace& space, const Indices& policy, std::uint32_t trials, std::uint32_t horizon,
           std::uint64_t seed, double dead_end_cost, Stop& stop, std::uint32_t kept) {
            const TrialPlan plan{trials, horizon, seed, kept, dead_end_cost};
            return as_tuples(run_policy_trials(space, by_column(policy), plan, stop));
        },
        nb::kw_only(), "space"_a, "policy"_a, "trials"_a, "horizon"_a, "seed"_a, "dead_end_cost"_a, "stop"_a,
        "kept"_a = 0, ReleaseGil(), "The same of each trial of a policy.");
}

}  // namespace gpaplan
