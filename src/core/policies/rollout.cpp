#include "policies/rollout.hpp"

#include "spaces/world.hpp"
#include "symmetry/representative.hpp"

namespace gpaplan {

namespace {

// The atoms that hold in one packed state and not in another.
Indices differing(const std::vector<Word>& state, const std::vector<Word>& other) {
    std::vector<Word> words(state);
    for (std::size_t i = 0; i < words.size(); ++i) words[i] &= ~other[i];
    return bits_set(words.data(), static_cast<std::uint32_t>(words.size()));
}

}  // namespace

std::vector<Trial> run_trials(const Task& task, const SuccessorGenerator& successors, const Chooser& choose,
                              const TrialPlan& plan, Stop& stop, const std::shared_ptr<const Symmetry>& symmetry) {
    World world(task, plan.seed);
    const auto canonicaliser = symmetry == nullptr ? nullptr : std::make_unique<Canonicaliser>(symmetry);
    std::vector<Word> representative;
    std::vector<Word> before;
    std::vector<Trial> results;
    std::uint64_t looks = 0;
    while (results.size() < plan.trials) {
        Trial trial;
        world.reset();
        while (true) {
            if ((looks++ & 0xffU) == 0 && stop.check() != StopReason::none) return results;
            if (canonicaliser != nullptr && world.state() != representative) {
                representative = world.state();
                canonicaliser->canonicalise(representative.data());
                world.set_state(representative);
            }
            trial.end = world.is_goal() ? TrialEnd::goal : TrialEnd::horizon;
            if (trial.end == TrialEnd::goal || trial.steps == plan.horizon) break;
            const auto action = choose(world.state().data(), world.random());
            if (action == give_up) {
                trial.cost += plan.dead_end_cost;
                trial.end = TrialEnd::gave_up;
                break;
            }
            if (action == no_id) {
                const bool is_stuck = successors.applicable(world.state().data()).empty();
                trial.end = is_stuck ? TrialEnd::dead_end : TrialEnd::undefined;
                break;
            }
            const bool is_kept = results.size() < plan.kept;
            if (is_kept) before = world.state();
            const double cost = world.step(action);
            if (is_kept)
                trial.path.push_back(
                    {action, cost, differing(world.state(), before), differing(before, world.state())});
            trial.cost += cost;
            ++trial.steps;
        }
        results.push_back(std::move(trial));
    }
    return results;
}

std::vector<Trial> run_random_trials(const Task& task, const TrialPlan& plan, Stop& stop) {
    const SuccessorGenerator successors(task, stop);
    const auto choose = [&](const Word* state, Random& random) {
        return random.one_of(successors.applicable(state), no_id);
    };
    return run_trials(task, successors, choose, plan, stop);
}

std::vector<Trial> run_policy_trials(const StateSpace& space, const PolicyFunction& policy, const TrialPlan& plan,
                                     Stop& stop) {
    const auto& task = space.task();
    const auto choose = [&](const Word* state, const Random&) {
        const auto id = space.find(state);
        const auto action = id == no_id ? no_id : policy(id);
        if (action == give_up) return action;
        const bool applicable = action < task.action_count() && holds(task, task.preconditions[action], state);
        return applicable ? action : no_id;
    };
    return run_trials(task, space.successors(), choose, plan, stop, space.symmetry());
}

}  // namespace gpaplan
