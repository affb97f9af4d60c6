// Trials.

#include "../rollout.hpp"

#include "bindings.hpp"

namespace gpaplan {

void bind_rollout(nb::module_& module) {
    module.def(
        "run_random_trials",
        [](const Task& task, std::uint32_t trials, std::uint32_t horizon, std::uint64_t seed, Stop& stop) {
            std::vector<Trial> results;
            {
                const nb::gil_scoped_release release;
                results = run_random_trials(task, trials, horizon, seed, stop);
            }
            std::vector<std::tuple<double, std::uint32_t, bool>> tuples;
            for (const auto& trial : results) tuples.emplace_back(trial.cost, trial.steps, trial.reached_goal);
            return tuples;
        },
        nb::kw_only(), "task"_a, "trials"_a, "horizon"_a, "seed"_a, "stop"_a,
        "(cost, steps, goal reached) of each trial of the uniformly random policy.");
}

}  // namespace gpaplan
