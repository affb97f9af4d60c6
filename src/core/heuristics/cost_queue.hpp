// Priority queues of facts by cost, and the two kinds of numbers that costs are computed with.
//
// If all operator costs are small multiples of one unit (unit costs, small integers), they are counted in it: 32-bit
// integers and buckets, one per cost; the few costs beyond the last bucket go to a heap. Otherwise they are doubles in
// a binary heap. Both queues keep their memory between evaluations, and keep outdated entries: whoever pops one
// compares it with the fact's present cost. No cost exceeds `CostRange::largest`, so that infinity means "unreachable"
// only.
#pragma once

#include <type_traits>

#include "heuristics/relaxation.hpp"

namespace gpaplan {

template <typename Cost>
class HeapQueue {
public:
    bool empty() const { return heap_.empty(); }
    void clear() { heap_.clear(); }
    void push(Cost cost, FactId fact) {
        heap_.emplace_back(cost, fact);
        std::ranges::push_heap(heap_, std::greater{});
    }
    std::pair<Cost, FactId> pop() {
        std::ranges::pop_heap(heap_, std::greater{});
        const auto entry = heap_.back();
        heap_.pop_back();
        return entry;
    }

private:
    std::vector<std::pair<Cost, FactId>> heap_;
};

class BucketQueue {
public:
    BucketQueue() : buckets_(bucket_count) {}

    bool empty() const { return size_ == 0; }
    void clear() {
        if (size_ > 0)
            for (; lowest_ < bucket_count && lowest_ <= highest_; ++lowest_) buckets_[lowest_].clear();
        far_.clear();
        size_ = 0;
        lowest_ = bucket_count;
        highest_ = 0;
    }
    void push(std::uint32_t cost, FactId fact) {
        ++size_;
        if (cost >= bucket_count) {
            far_.push(cost, fact);
            return;
        }
        buckets_[cost].push_back(fact);
        lowest_ = std::min(lowest_, cost);
        highest_ = std::max(highest_, cost);
    }
    std::pair<std::uint32_t, FactId> pop() {
        --size_;
        while (lowest_ < bucket_count && buckets_[lowest_].empty()) ++lowest_;
        if (lowest_ == bucket_count) return far_.pop();
        const auto fact = buckets_[lowest_].back();
        buckets_[lowest_].pop_back();
        return {lowest_, fact};
    }

private:
    static constexpr std::uint32_t bucket_count = 1024;  // costs, in units; dearer ones go to the heap

    std::vector<std::vector<FactId>> buckets_;
    HeapQueue<std::uint32_t> far_;
    std::uint32_t lowest_ = bucket_count;
    std::uint32_t highest_ = 0;
    std::size_t size_ = 0;
};

template <typename Cost>
struct CostRange;

template <>
struct CostRange<std::uint32_t> {
    using Queue = BucketQueue;
    static constexpr std::uint32_t largest = 1U << 30U;
    static constexpr std::uint32_t infinity = std::numeric_limits<std::uint32_t>::max();
    static std::uint32_t reduce(std::uint32_t cost, std::uint32_t by) { return cost - by; }
};

template <>
struct CostRange<double> {
    using Queue = HeapQueue<double>;
    static constexpr double largest = 1e300;
    static constexpr double infinity = std::numeric_limits<double>::infinity();
    // What rounding leaves over is nothing.
    static double reduce(double cost, double by) { return cost - by > 1e-9 * by ? cost - by : 0; }
};

// The costs of a relaxation's operators as numbers of one kind, and the way back.
template <typename Cost>
std::vector<Cost> operator_costs(const Relaxation& relaxation) {
    std::vector<Cost> costs;
    costs.reserve(relaxation.groups.size());
    const double scale = std::is_integral_v<Cost> ? relaxation.unit : 1;
    const double rounding = std::is_integral_v<Cost> ? 0.5 : 0;
    for (auto group : relaxation.groups)
        costs.push_back(static_cast<Cost>(
            std::min(relaxation.group_costs[group] / scale + rounding, static_cast<double>(CostRange<Cost>::largest))));
    return costs;
}

template <typename Cost>
double in_units_of_the_task(const Relaxation& relaxation, Cost cost) {
    if (cost == CostRange<Cost>::infinity) return std::numeric_limits<double>::infinity();
    return std::is_integral_v<Cost> ? std::min(cost * relaxation.unit, std::numeric_limits<double>::max()) : cost;
}

}  // namespace gpaplan
