// Lists of indices, and lists of such lists in one array.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <span>
#include <utility>
#include <vector>

namespace gpaplan {

using Indices = std::vector<std::uint32_t>;
using IndexSpan = std::span<const std::uint32_t>;

// The pairs that a list is made of.
inline auto pairs(IndexSpan list) {
    return std::views::iota(std::size_t{0}, list.size() / 2) |
           std::views::transform([list](std::size_t i) { return std::pair(list[2 * i], list[2 * i + 1]); });
}

inline void append(Indices& to, IndexSpan from) { to.insert(to.end(), from.begin(), from.end()); }

template <typename T>
void sort_unique(std::vector<T>& values) {
    std::ranges::sort(values);
    values.erase(std::unique(values.begin(), values.end()), values.end());
}

// The element of a column that grows with what is known, as if it had been filled with a value.
template <typename List, typename T>
auto& at_grown(List& list, std::size_t i, const T& fill) {
    if (i >= list.size()) list.resize(std::max(i + 1, 2 * list.size()), fill);
    return list[i];
}

// Sequence of ranges over one array: range i is values[begin[i], begin[i+1]).
struct Ranges {
    Indices begin{0};
    Indices values;

    std::size_t size() const { return begin.size() - 1; }
    IndexSpan operator[](std::size_t i) const { return {values.data() + begin[i], values.data() + begin[i + 1]}; }
    void close() { begin.push_back(static_cast<std::uint32_t>(values.size())); }
    void add(IndexSpan list) {
        append(values, list);
        close();
    }
    bool operator==(const Ranges&) const = default;
};

// For each of `count` values, the ranges that it occurs in, ascending.
inline Ranges invert(const Ranges& ranges, std::size_t count) {
    Ranges result;
    result.begin.assign(count + 1, 0);
    result.values.resize(ranges.values.size());
    for (auto value : ranges.values) ++result.begin[value];
    std::uint32_t end = 0;
    for (auto& begin : result.begin) begin = end += begin;
    for (std::size_t i = ranges.size(); i-- > 0;)
        for (auto value : ranges[i]) result.values[--result.begin[value]] = static_cast<std::uint32_t>(i);
    return result;
}

// Grows a set breadth first: neighbours of its members join it where `joins` says so. The queue has the members.
template <typename Joins>
void spread(const Ranges& neighbours, Indices& queue, std::vector<std::uint8_t>& is_member, Joins joins) {
    for (std::size_t i = 0; i < queue.size(); ++i) {
        for (auto next : neighbours[queue[i]]) {
            if (is_member[next] != 0 || !joins(next)) continue;
            is_member[next] = 1;
            queue.push_back(next);
        }
    }
}

}  // namespace gpaplan
