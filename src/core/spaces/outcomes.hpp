// What an action does in a state: all its joint outcomes with their probabilities.
//
// Conditions are evaluated first, in the state at hand, so factors that do nothing there never multiply the outcomes.
// Most actions are plain (no conditional effect, at most one factor of plain outcomes) and take a short path. Otherwise
// the outcomes of each factor are reduced to their distinct changes of this state before factors are combined, so many
// factors with the same change stay few. An action with more joint outcomes than the limit throws TooManyOutcomes;
// world.hpp draws one and has no limit.
#pragma once

#include "base/interner.hpp"
#include "base/stop.hpp"
#include "task/task.hpp"

namespace gpaplan {

// What an effect surely does in a state: sets its adds in `masks` and its deletes in the words behind these, appends
// the factors that are active to `factors`, and returns the cost.
double gather(const Task& task, std::uint32_t effect, const Word* state, Word* masks, Indices& factors);

// Interned doubles: probabilities and costs take few values, so transitions store 32-bit indices into this table.
class NumberPool {
public:
    NumberPool() { intern(1.0); }
    static constexpr std::uint32_t one = 0;
    double operator[](std::uint32_t index) const { return values_[index]; }
    const std::vector<double>& values() const { return values_; }
    std::uint32_t intern(double value);

private:
    std::vector<double> values_;
    WordInterner bits_{1U};  // of the values
};

// Outcomes of one action in one state; successor i is states[i·words …).
struct OutcomeList {
    Indices probabilities;  // indices into the pool
    std::vector<Word> states;
    std::uint32_t cost = NumberPool::one;  // expected cost, an index into the pool

    std::size_t size() const { return probabilities.size(); }
    void clear() {
        probabilities.clear();
        states.clear();
    }
};

class OutcomeGenerator {
public:
    // `stop` is for the making alone, which throws Stopped.
    OutcomeGenerator(const Task& task, NumberPool& pool, std::uint64_t max_outcomes, Stop& stop);

    // Limits to look at while outcomes are enumerated; none of them if null. Enumerating then throws Stopped.
    void set_stop(Stop* stop) { stop_ = stop; }

    // All joint outcomes; equal successors may occur more than once.
    void enumerate(ActionId action, const Word* state, OutcomeList& result);

private:
    enum class Kind : std::uint8_t { plain, general };

    // Distinct changes of a state with their probabilities: masks of adds and of deletes, 2·words words each.
    struct Changes {
        std::vector<double> probabilities;
        std::vector<double> costs;
        std::vector<Word> masks;
        std::size_t size() const { return probabilities.size(); }
    };

    void apply_plain(std::uint32_t effect, const Word* state, OutcomeList& result);
    void enumerate_general(ActionId action, const Word* state, OutcomeList& result);
    Changes changes_of(ActionId action, std::uint32_t effect, const Word* state) const;
    Changes combine(ActionId action, const Changes& left, const Changes& right) const;
    void merge_equal(Changes& changes, const Word* state) const;
    void poll(std::uint64_t steps) const {
        if (stop_ != nullptr) stop_->poll(steps);
    }

    const Task& task_;
    NumberPool& pool_;
    std::uint64_t max_outcomes_;
    Stop* stop_ = nullptr;
    std::uint32_t words_;
    std::vector<Kind> kinds_;  // of each action
    Indices costs_;            // of each action: its expected cost in the pool, no_id where it depends on the state
    Indices pool_index_;       // of each of the task's probabilities
};

}  // namespace gpaplan
