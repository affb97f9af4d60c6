// When to stop: a deadline, a bound on the memory of the process, a number of states, and a user's interrupt, polled by
// everything long.
//
// Long loops call `Stop::check` every few thousand steps; it reads the clock and, at most every 20 ms, the process's
// memory and the interrupt hook. The hook is the only way in which the core may reach back into Python.
// The number of states is for searches, which know how many they have expanded: unlike the others it does not depend on
// the machine.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <stdexcept>

#include "base/names.hpp"

namespace gpaplan {

enum class StopReason : std::uint8_t { none, time, memory, interrupt, states, work };
template <>
inline constexpr std::array names<StopReason>{"", "time", "memory", "interrupt", "states", "work"};

// The resident memory of this process in bytes; 0 where it cannot be read.
std::uint64_t resident_memory();

class Stop {
public:
    using Clock = std::chrono::steady_clock;

    Stop() = default;
    Stop(double seconds, std::uint64_t memory_bytes, std::uint64_t max_states, std::function<bool()> interrupted);
    // A part of the work under another's limits: stops with it, or after so many states or so much work, which the
    // other does not note.
    Stop(Stop& whole, std::uint64_t max_states, std::uint64_t max_work)
        : whole_(&whole), max_states_(max_states), max_work_(max_work) {}

    // Sticky: once a reason is found it stays.
    StopReason check();
    StopReason reason() const { return reason_; }

    // The same for a search that has expanded so many states, and has done so much work, in units of its own.
    StopReason check(std::uint64_t expanded, std::uint64_t work = 0) {
        if (whole_ != nullptr && whole_->check(expanded, work) != StopReason::none) return reason_ = whole_->reason_;
        if (expanded > max_states_ && reason_ == StopReason::none) reason_ = StopReason::states;
        if (work > max_work_ && reason_ == StopReason::none) reason_ = StopReason::work;
        return check();
    }

    // Throws Stopped if so many more bytes would pass the limit: for arrays that grow by leaps.
    void expect(std::uint64_t bytes);

private:
    Stop* whole_ = nullptr;
    Clock::time_point deadline_ = Clock::time_point::max();
    Clock::time_point next_look_ = Clock::time_point::min();
    std::uint64_t memory_bytes_ = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t max_states_ = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t max_work_ = std::numeric_limits<std::uint64_t>::max();
    std::function<bool()> interrupted_;
    StopReason reason_ = StopReason::none;
};

// Thrown by work that has nothing to show for when it is stopped half-way, such as grounding.
struct Stopped : std::runtime_error {
    explicit Stopped(StopReason reason) : std::runtime_error("stopped"), reason(reason) {}
    StopReason reason;
};

}  // namespace gpaplan
