#include "policies/rollout.hpp"

#include "spaces/outcomes.hpp"
#include "spaces/successors.hpp"

namespace gpaplan {

namespace {

// Runs trials, in a space up to symmetry from representative to representative: a trial of the policy in the task
// itself passes through states that are equal to these up to renaming, with the same probabilities and costs.
// `choose(state, random)` says which action to take in a packed state that is no goal, `give_up`, or `no_id` to end the
// trial.
class Runner {
public:
    Runner(const Task& task, const std::shared_ptr<const Symmetry>& symmetry, const TrialPlan& plan,
           double dead_end_cost, Stop& stop)
        : task_(task),
          canonicaliser_(symmetry == nullptr ? nullptr : std::make_unique<Canonicaliser>(symmetry)),
          outcomes_(task, numbers_, 1, stop),
          initial_(task.word_count(), 0),
          next_(task.word_count()),
          random_(plan.seed),
          plan_(plan),
          dead_end_cost_(dead_end_cost),
          stop_(stop) {
        for (auto atom : task.initial_atoms) set_bit(initial_.data(), atom);
        if (canonicaliser_ != nullptr) canonicaliser_->canonicalise(initial_.data());
    }

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
        state_ = initial_;
        while (true) {
            if ((steps_++ & 0xffU) == 0 && stop_.check() != StopReason::none) return false;
            trial.end = holds(task_, task_.goal, state_.data()) ? TrialEnd::goal : TrialEnd::horizon;
            if (trial.end == TrialEnd::goal || trial.steps == plan_.horizon) return true;
            const ActionId action = choose(state_.data(), random_);
            if (action == give_up) {
                trial.cost += dead_end_cost_;
                trial.end = TrialEnd::gave_up;
                return true;
            }
            if (action == no_id) {
                trial.end = explain(state_.data());
                return true;
            }
            const double cost = outcomes_.sample(action, state_.data(), random_, next_.data());
            if (is_kept) trial.path.push_back({action, cost, differing(next_, state_), differing(state_, next_)});
            trial.cost += cost;
            state_.swap(next_);
            if (canonicaliser_ != nullptr && state_ != next_) canonicaliser_->canonicalise(state_.data());
            ++trial.steps;
        }
    }

    // The atoms that hold in one packed state and not in another.
    static Indices differing(const std::vector<Word>& state, const std::vector<Word>& other) {
        std::vector<Word> words(state);
        for (std::size_t i = 0; i < words.size(); ++i) words[i] &= ~other[i];
        return bits_set(words.data(), static_cast<std::uint32_t>(words.size()));
    }

    const Task& task_;
    std::unique_ptr<Canonicaliser> canonicaliser_;
    NumberPool numbers_;
    OutcomeGenerator outcomes_;
    std::vector<Word> initial_;
    std::vector<Word> state_;
    std::vector<Word> next_;
    Random random_;
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
