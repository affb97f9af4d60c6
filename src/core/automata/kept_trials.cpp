#include "automata/kept_trials.hpp"

#include "spaces/successors.hpp"

namespace gpaplan {

std::vector<Trial> run_kept_trials(const Task& task, Abstraction& abstraction, const TrialPlan& plan, Stop& stop) {
    const SuccessorGenerator successors(task, stop);
    Indices actions;
    const auto choose = [&](const Word* state, Random& random) {
        actions.clear();
        successors.applicable(state, actions);
        const auto source = abstraction.enter(state);
        std::erase_if(actions, [&](ActionId action) { return abstraction.action(action) != source; });
        return actions.empty() ? no_id : actions[random.below(static_cast<std::uint32_t>(actions.size()))];
    };
    return run_trials(task, choose, plan, stop);
}

}  // namespace gpaplan
