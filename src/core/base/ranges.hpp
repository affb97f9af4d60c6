// Lists of indices, and lists of such lists in one array.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gpaplan {

using Indices = std::vector<std::uint32_t>;
using IndexSpan = std::span<const std::uint32_t>;

inline void sort_unique(Indices& values) {
    std::ranges::sort(values);
    values.erase(std::unique(values.begin(), values.end()), values.end());
}

// Sequence of ranges over one array: range i is values[begin[i], begin[i+1]).
struct Ranges {
    Indices begin{0};
    Indices values;

    std::size_t size() const { return begin.size() - 1; }
    IndexSpan operator[](std::size_t i) const { return {values.data() + begin[i], values.data() + begin[i + 1]}; }
    void close() { begin.push_back(static_cast<std::uint32_t>(values.size())); }
    void add(IndexSpan list) {
        values.insert(values.end(), list.begin(), list.end());
        close();
    }
    bool operator==(const Ranges&) const = default;
};

}  // namespace gpaplan
