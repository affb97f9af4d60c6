// Heuristics: estimates of the expected cost from a state to the goal.
//
// A heuristic works on packed states and knows nothing of who asks; results are cached by the caller, in its column of
// values. All built-in ones are computed on the all-outcomes determinisation of the task (relaxation.hpp): an action
// may choose its outcome, and its cost is self-loop-normalised. Infinity means that the goal cannot be reached
// even so, and is returned in no other case.
#pragma once

#include <memory>
#include <string_view>

#include "base/stop.hpp"
#include "task/task.hpp"

namespace gpaplan {

class Heuristic {
public:
    virtual ~Heuristic() = default;

    // 0 for goal states.
    virtual double evaluate(const Word* state) = 0;

    // Whether the estimate never exceeds the optimal expected cost.
    virtual bool is_admissible() const = 0;

    // Limits to look at within an evaluation; none of them if null. Evaluating then throws Stopped.
    virtual void set_stop(Stop* stop) { stop_ = stop; }

    // How long the last evaluation took, roughly, in backups of a state: searches that take turns count it. The same
    // on every machine.
    virtual std::uint64_t evaluation_cost() const { return 16; }

    // How often an admissible heuristic has come to know more. Estimates from before are still bounds, but low ones.
    virtual std::uint32_t revision() const { return 0; }
    // What it has come to know of a state with the last revision; may be less than the estimate.
    virtual double reconsider(const Word* state) { return evaluate(state); }

protected:
    Stop* stop() const { return stop_; }
    void poll(std::uint64_t steps) const {
        if (stop_ != nullptr) stop_->poll(steps);
    }

private:
    Stop* stop_ = nullptr;
};

enum class HeuristicKind : std::uint8_t { blind, hmax, hadd, ff, lmcut };
template <>
inline constexpr std::array names<HeuristicKind>{"blind", "hmax", "hadd", "ff", "lmcut"};

// The task must outlive the heuristic. `stop` is for the making alone, which throws Stopped.
std::unique_ptr<Heuristic> make_heuristic(HeuristicKind kind, const Task& task, Stop& stop);

}  // namespace gpaplan
