// A task that is acted in: one state, which actions change by chance, step by step.
//
// A world knows nothing of policies, horizons or ends: who acts in it decides when to stop. It goes on in a goal state
// too. The same seed and the same actions give the same run. An outcome is drawn factor by factor: nothing is
// enumerated, so the number of joint outcomes does not matter.
#pragma once

#include "base/random.hpp"
#include "task/task.hpp"

namespace gpaplan {

class World {
public:
    World(const Task& task, std::uint64_t seed)
        : task_(task), random_(seed), state_(task.word_count(), 0), masks_(2 * task.word_count()) {
        reset();
    }

    // Back to the initial state; the random numbers go on.
    void reset() {
        std::ranges::fill(state_, 0);
        for (auto atom : task_.initial_atoms) set_bit(state_.data(), atom);
    }

    const std::vector<Word>& state() const { return state_; }
    void set_state(const std::vector<Word>& state) { state_ = state; }  // of as many words

    Random& random() { return random_; }
    const Random& random() const { return random_; }

    bool is_goal() const { return holds(task_, task_.goal, state_.data()); }
    bool is_applicable(ActionId action) const { return holds(task_, task_.preconditions[action], state_.data()); }

    // Takes an applicable action, and returns what it cost.
    double step(ActionId action);

private:
    double draw(std::uint32_t effect);

    const Task& task_;
    Random random_;
    std::vector<Word> state_;
    std::vector<Word> masks_;  // of adds and of deletes
    Indices factors_;          // still to be drawn
};

}  // namespace gpaplan
