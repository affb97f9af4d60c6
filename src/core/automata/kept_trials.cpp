#include "automata/kept_trials.hpp"

namespace gpaplan {

std::vector<Trial> run_kept_trials(const Task& task, RuleAbstraction& rules, const TrialPlan& plan, Stop& stop) {
    const auto choose = [&](const Word* state, Random& random) {
        rules.enter(state);
        const auto& kept = rules.kept();
        return kept.empty() ? no_id : kept[random.below(static_cast<std::uint32_t>(kept.size()))];
    };
    return run_trials(task, choose, plan, stop);
}

}  // namespace gpaplan
