// Trials: following a policy by chance, without building transitions.
//
// A trial starts in the initial state and ends at a goal, where the policy says nothing or gives up, in a state without
// applicable actions, or at the horizon. The outcome of an action is drawn factor by factor, so nothing is enumerated
// and nothing is interned: memory is constant, but for the trials whose steps are kept.
#pragma once

#include "base/random.hpp"
#include "policies/policy.hpp"

namespace gpaplan {

enum class TrialEnd : std::uint8_t {
    goal,
    horizon,
    gave_up,    // the policy gave up and paid the dead-end cost
    undefined,  // the policy has no action for the state, or one that is not applicable there
    dead_end,   // the state has no applicable action
};
template <>
inline constexpr std::array names<TrialEnd>{"goal", "horizon", "give-up", "undefined", "dead-end"};

// In a space up to symmetry a step leads from a representative to a state that is not made one yet.
struct TrialStep {
    ActionId action = no_id;
    double cost = 0;
    Indices added;    // the atoms that became true
    Indices deleted;  // the atoms that became false
};

struct Trial {
    double cost = 0;
    std::uint32_t steps = 0;
    TrialEnd end = TrialEnd::horizon;
    std::vector<TrialStep> path;  // empty unless it was asked for
};

// How many trials, how far, by which seed. The steps of the first `kept` of them are kept.
struct TrialPlan {
    std::uint32_t trials = 1;
    std::uint32_t horizon = 1;
    std::uint64_t seed = 0;
    std::uint32_t kept = 0;
    double dead_end_cost = 0;  // of giving up
};

// Which action to take in a packed state that is no goal, `give_up`, or `no_id` to end the trial.
using Chooser = std::function<ActionId(const Word* state, Random& random)>;

// Trials of whoever chooses; fewer than asked for if `stop` said so. With a symmetry they go from representative to
// representative: a trial in the task itself passes through states that are equal to these up to symmetry, with the
// same probabilities and costs.
std::vector<Trial> run_trials(const Task& task, const SuccessorGenerator& successors, const Chooser& choose,
                              const TrialPlan& plan, Stop& stop,
                              const std::shared_ptr<const Symmetry>& symmetry = nullptr);

// Of the policy that draws each applicable action with equal probability.
std::vector<Trial> run_random_trials(const Task& task, const TrialPlan& plan, Stop& stop);

// Of a policy; it is undefined in states that the space has not met.
std::vector<Trial> run_policy_trials(const StateSpace& space, const PolicyFunction& policy, const TrialPlan& plan,
                                     Stop& stop);

}  // namespace gpaplan
