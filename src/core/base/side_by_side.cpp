#include "base/side_by_side.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace gpaplan {

std::size_t processor_count() { return std::max(1U, std::thread::hardware_concurrency()); }

namespace {

// A number of pieces of work, and the threads that do them.
class Crew {
public:
    Crew(std::size_t count, Stop& stop, const std::function<void(std::size_t, Stop&)>& work)
        : count_(count), stop_(stop), work_(work), errors_(count), stops_(std::min(count, processor_count())) {}

    void run() {
        start();
        wait();
        for (auto& thread : threads_) thread.join();
        if (stop_.reason() != StopReason::none) throw Stopped(stop_.reason());
        for (const auto& error : errors_)
            if (error) std::rethrow_exception(error);
    }

private:
    // As many threads as can be had; if that is none, the work is done by this one.
    void start() {
        threads_.reserve(stops_.size());
        try {
            for (auto& each : stops_) threads_.emplace_back([this, &each] { work_off(each); });
        } catch (const std::system_error&) {
            if (threads_.empty())
                for (std::size_t i = next_++; i < count_; i = next_++) work_(i, stop_);
        }
    }

    void work_off(Stop& stop) {
        for (std::size_t i = next_++; i < count_; i = next_++) {
            try {
                work_(i, stop);
            } catch (...) {
                errors_[i] = std::current_exception();
            }
        }
        const std::lock_guard lock(mutex_);
        ++ended_;
        all_ended_.notify_one();
    }

    void wait() {
        constexpr std::chrono::milliseconds between_looks{5};
        std::unique_lock lock(mutex_);
        while (!all_ended_.wait_for(lock, between_looks, [this] { return ended_ == threads_.size(); })) {
            lock.unlock();
            if (stop_.check() != StopReason::none) {
                next_ = count_;
                for (auto& each : stops_) each.interrupt();
            }
            lock.lock();
        }
    }

    std::size_t count_;
    Stop& stop_;
    const std::function<void(std::size_t, Stop&)>& work_;
    std::atomic<std::size_t> next_ = 0;
    std::vector<std::exception_ptr> errors_;
    std::vector<Stop> stops_;
    std::vector<std::thread> threads_;
    std::mutex mutex_;
    std::condition_variable all_ended_;
    std::size_t ended_ = 0;
};

}  // namespace

void side_by_side(std::size_t count, Stop& stop, const std::function<void(std::size_t, Stop&)>& work) {
    if (count == 1 || processor_count() == 1) {
        for (std::size_t i = 0; i < count; ++i) work(i, stop);
        return;
    }
    Crew(count, stop, work).run();
}

}  // namespace gpaplan
