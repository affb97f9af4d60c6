#include "base/stop.hpp"

namespace gpaplan {

Stop::Stop(double seconds, std::uint64_t memory_bytes, std::uint64_t max_states, std::function<bool()> interrupted)
    : deadline_(deadline_in(seconds)),
      memory_bytes_(memory_bytes),
      max_states_(max_states),
      interrupted_(std::move(interrupted)) {}

Stop::Clock::time_point Stop::deadline_in(double seconds) {
    constexpr double longest = 1e9;
    if (!(seconds < longest)) return Clock::time_point::max();
    return Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

void Stop::expect(std::uint64_t bytes) {
    const auto most = whole_ != nullptr ? whole_->memory_bytes_ : memory_bytes_;
    if (most == std::numeric_limits<std::uint64_t>::max() || resident_memory() + bytes <= most) return;
    if (whole_ != nullptr) whole_->reason_ = StopReason::memory;
    throw Stopped(reason_ = StopReason::memory);
}

StopReason Stop::check() {
    if (reason_ != StopReason::none) return reason_;
    if (asked_to_end_.load(std::memory_order_relaxed)) return reason_ = StopReason::interrupt;
    if (strikes() && looks_left_-- == 0) return reason_ = StopReason::time;
    if (whole_ != nullptr && whole_->check() != StopReason::none) return reason_ = whole_->reason_;
    if (whole_ != nullptr && deadline_ == Clock::time_point::max()) return reason_;
    const auto now = Clock::now();
    if (now >= deadline_) return reason_ = StopReason::time;
    if (whole_ != nullptr || now < next_look_) return reason_;
    next_look_ = now + std::chrono::milliseconds(20);
    if (resident_memory() > memory_bytes_) return reason_ = StopReason::memory;
    if (interrupted_ && interrupted_()) return reason_ = StopReason::interrupt;
    return reason_;
}

}  // namespace gpaplan
