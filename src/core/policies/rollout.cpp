#include "policies/rollout.hpp"

#include "spaces/successors.hpp"
#include "spaces/world.hpp"

namespace gpaplan {

namespace {

// Runs trials, in a space up to symmetry from representative to representative: a trial of the policy in the task
// itself passes through states that are equal to these up to symmetry, with the same probabilities and costs.
// `choose(state, random)` says which action to take in a packed state that is no goal, `give_up`, or `no_id` to end the
// trial.
class Runner {
public:
    Runner(const Task& task, const std::shared_ptr<const Symmetry>& symmetry, const TrialPlan& plan,
           double dead_end_cost, Stop& stop)
        : world_(task, plan.seed),
          canonicaliser_(symmetry == nullptr ? nullptr : std::make_unique<Canonicaliser>(symmetry)),
          plan_(plan),
          dead_end_cost_(dead_end_cost),
          stop_(stop) {}

    template <typename Choose, typename Explain>
    std::vector<Trial> run(Choose choose, Explain explain) {
        std::vector<Trial> results;
        Trial trial;
        while (results.size() < plan_.trials && run_one(trial, results.size() < plan_.kept, choose, explain)) {
            results.push_back(std::move(trial));
        }
        return results;
    }

private:
    // False if it was stopped on the way.
    template <typename Choose, typename Explain>
    bool run_one(Trial& trial, bool is_kept, Choose choose, Explain explain) {
        trial = {};
        world_.reset();
        while (true) {
            if ((steps_++ & 0xffU) == 0 && stop_.check() != StopReason::none) return false;
            if (canonicaliser_ != nullptr) to_representative();
            trial.end = world_.is_goal() ? TrialEnd::goal : TrialEnd::horizon;
            if (trial.end == TrialEnd::goal || trial.steps == plan_.horizon) return true;
            const ActionId action = choose(world_.state().data(), world_.random());
            if (action == give_up) {
                trial.cost += dead_end_cost_;
                trial.end = TrialEnd::gave_up;
                return true;
            }
            if (action == no_id) {
                trial.end = explain(world_.state().data());
                return true;
            }
            if (is_kept) before_ = world_.state();
            const double cost = world_.step(action);
            if (is_kept) {
                const auto& after = world_.state();
                trial.path.push_back({action, cost, differing(after, before_), differing(before_, after)});
            }
            trial.cost += cost;
            ++trial.steps;
        }
    }

    void to_representative() {
        if (world_.state() == representative_) return;  // nothing has changed
        representative_ = world_.state();
        canonicaliser_->canonicalise(representative_.data());
        world_.set_state(representative_);
    }

    // The atoms that hold in one packed state and not in another.
    static Indices differing(const std::vector<Word>& state, const std::vector<Word>& other) {
        std::vector<Word> words(state);
        for (std::size_t i = 0; i < words.size(); ++i) words[i] &= ~other[i];
        return bits_set(words.data(), static_cast<std::uint32_t>(words.size()));
    }

    World world_;
    std::unique_ptr<Canonicaliser> canonicaliser_;
    std::vector<Word> representative_;
    std::vector<Word> before_;
    TrialPlan plan_;
    double dead_end_cost_;
    Stop& stop_;
    std::uint64_t steps_ = 0;  // of all trials
};

}  // namespace

std::vector<Trial> run_random_trials(const Task& task, const TrialPlan& plan, Stop& stop) {
    const SuccessorGenerator successors(task, stop);
    Indices applicable;
    const auto choose = [&](const Word* state, Random& random) {
        applicable.clear();
        successors.applicable(state, applicable);
        return applicable.empty() ? no_id : applicable[random.below(static_cast<std::uint32_t>(applicable.size()))];
    };
    const auto explain = [](const Word*) { return TrialEnd::dead_end; };
    return Runner(task, nullptr, plan, 0, stop).run(choose, explain);
}

std::vector<Trial> run_trials(const Task& task, const Chooser& chooser, const TrialPlan& plan, Stop& stop) {
    const auto explain = [](const Word*) { return TrialEnd::undefined; };
    return Runner(task, nullptr, plan, 0, stop).run(chooser, explain);
}

std::vector<Trial> run_policy_trials(const StateSpace& space, const PolicyFunction& policy, const TrialPlan& plan,
                                     double dead_end_cost, Stop& stop) {
    const auto& task = space.task();
    const auto choose = [&](const Word* state, const Random&) {
        const auto id = space.find(state);
        const auto action = id == no_id ? no_id : policy(id);
        if (action == give_up) return action;
        const bool applicable = action < task.action_count() && holds(task, task.preconditions[action], state);
        return applicable ? action : no_id;
    };
    const auto explain = [&](const Word* state) {
        Indices applicable;
        space.successors().applicable(state, applicable);
        return applicable.empty() ? TrialEnd::dead_end : TrialEnd::undefined;
    };
    return Runner(task, space.symmetry(), plan, dead_end_cost, stop).run(choose, explain);
}

}  // namespace gpaplan
