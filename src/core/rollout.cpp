#include "rollout.hpp"

#include "outcomes.hpp"
#include "successors.hpp"

namespace gpaplan {

std::vector<Trial> run_random_trials(const Task& task, std::uint32_t trials, std::uint32_t horizon, std::uint64_t seed,
                                     Stop& stop) {
    const SuccessorGenerator successors(task);
    NumberPool numbers;
    OutcomeGenerator outcomes(task, numbers, 1);
    std::vector<Word> initial(task.word_count(), 0);
    for (auto atom : task.initial_atoms) set_bit(initial.data(), atom);
    std::vector<Trial> results;
    Random random(seed);
    Indices applicable;
    std::vector<Word> next(initial.size());
    for (std::uint32_t i = 0; i < trials; ++i) {
        auto state = initial;
        Trial trial;
        while (true) {
            trial.reached_goal = holds(task, task.goal, state.data());
            if (trial.reached_goal || trial.steps == horizon) break;
            if ((trial.steps & 0xffU) == 0 && stop.check() != StopReason::none) return results;
            applicable.clear();
            successors.applicable(state.data(), applicable);
            if (applicable.empty()) break;
            const auto action = applicable[random.below(static_cast<std::uint32_t>(applicable.size()))];
            trial.cost += outcomes.sample(action, state.data(), random, next.data());
            state.swap(next);
            ++trial.steps;
        }
        results.push_back(trial);
    }
    return results;
}

}  // namespace gpaplan
