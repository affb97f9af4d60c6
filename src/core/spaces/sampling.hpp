// One outcome of an action in a state, drawn factor by factor: nothing is enumerated, so the number of joint outcomes
// does not matter.
#pragma once

#include "base/random.hpp"
#include "task/task.hpp"

namespace gpaplan {

// What an effect surely does in a state: sets its adds in `masks` and its deletes in the words behind these, appends
// the factors that are active to `factors`, and returns the cost.
double gather(const Task& task, std::uint32_t effect, const Word* state, Word* masks, Indices& factors);

class OutcomeSampler {
public:
    explicit OutcomeSampler(const Task& task) : task_(task), masks_(2 * task.word_count()) {}

    // Changes the state to one of the action's outcomes, and returns its cost. The action must be applicable.
    double apply(ActionId action, Word* state, Random& random);

private:
    double draw(std::uint32_t effect, const Word* state, Random& random);

    const Task& task_;
    std::vector<Word> masks_;  // of adds and of deletes
    Indices factors_;          // still to be drawn
};

}  // namespace gpaplan
