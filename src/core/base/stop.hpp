// When to stop: a deadline, a bound on the memory of the process, a number of states, and a user's interrupt, polled by
// everything long.
//
// Long loops call `Stop::check` every few thousand steps; it reads the clock and, at most every 20 ms, the process's
// memory and the interrupt hook. The hook is the only way in which the core may reach back into Python. The number of
// states is for searches, which know how many they have expanded: unlike the others it does not depend on the machine.
#pragma once

#include <atomic>
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

// Thrown by work that has nothing to show for when it is stopped half-way, such as grounding.
struct Stopped : std::runtime_error {
    explicit Stopped(StopReason reason) : std::runtime_error("stopped"), name(name_of(reason)) {}
    const char* name;  // of the reason
};

class Stop {
public:
    using Clock = std::chrono::steady_clock;

    Stop() = default;
    Stop(double seconds, std::uint64_t memory_bytes, std::uint64_t max_states, std::function<bool()> interrupted);
    // A part of the work under another's limits: stops with it, or after so many states, so much work or so much time,
    // which the other does not note.
    Stop(Stop& whole, std::uint64_t max_states, std::uint64_t max_work, double seconds)
        : whole_(&whole), deadline_(deadline_in(seconds)), max_states_(max_states), max_work_(max_work) {}

    // The same as an interrupt by the user. The one call that another thread may make.
    void interrupt() { asked_to_end_.store(true, std::memory_order_relaxed); }

    // For tests: as if the time limit came at the look after so many; searches then look before each backup.
    void strike_after(std::uint64_t looks) { looks_left_ = looks; }
    std::uint64_t look_mask() const {
        if (strikes()) return 0;
        return whole_ != nullptr ? whole_->look_mask() : ~std::uint64_t{0};
    }

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

    // For work that has nothing to show when it is stopped half-way: looks at the limits and throws Stopped.
    void look() {
        if (check() != StopReason::none) throw Stopped(reason_);
    }
    // The same for small steps: called once for each small step, or with a number of them, it looks now and then.
    void poll(std::uint64_t steps = 1) {
        if ((steps_ += steps) < steps_between_looks) return;
        steps_ = 0;
        look();
    }

    // Throws Stopped if so many more bytes would pass the limit: for arrays that grow by leaps.
    void expect(std::uint64_t bytes);

private:
    static Clock::time_point deadline_in(double seconds);
    bool strikes() const { return looks_left_ != no_strike; }

    static constexpr std::uint64_t no_strike = std::numeric_limits<std::uint64_t>::max();
    static constexpr std::uint64_t steps_between_looks = 4096;

    Stop* whole_ = nullptr;
    Clock::time_point deadline_ = Clock::time_point::max();
    Clock::time_point next_look_ = Clock::time_point::min();
    std::uint64_t memory_bytes_ = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t max_states_ = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t max_work_ = std::numeric_limits<std::uint64_t>::max();
    std::function<bool()> interrupted_;
    std::atomic<bool> asked_to_end_ = false;
    StopReason reason_ = StopReason::none;
    std::uint64_t steps_ = 0;  // since the last look
    std::uint64_t looks_left_ = no_strike;
};

// How much memory this process holds, in bytes; 0 where the system does not say.
std::uint64_t resident_memory();

// An order that polls: sorting by it can be stopped.
template <typename Less>
auto polled(Stop& stop, Less less) {
    return [&stop, less](const auto& a, const auto& b) {
        stop.poll();
        return less(a, b);
    };
}

}  // namespace gpaplan
