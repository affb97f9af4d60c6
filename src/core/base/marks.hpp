// A set of small numbers, such as states met in a walk, that is emptied at once: each has the number of the round in
// which it was put in last, and a new round has none. Two bytes for each number; once in 65,535 rounds all are cleared.
#pragma once

#include <limits>

#include "base/column.hpp"

namespace gpaplan {

class Marks {
public:
    void clear() {
        if (round_ == std::numeric_limits<std::uint16_t>::max()) {
            rounds_.assign(rounds_.size(), 0);
            round_ = 0;
        }
        ++round_;
    }

    bool contains(std::uint32_t i) const { return i < rounds_.size() && rounds_[i] == round_; }

    // `size` is more than any number that is known so far. Returns whether the number is new in the set.
    bool insert(std::uint32_t i, std::size_t size) {
        if (i >= rounds_.size()) rounds_.resize(size, 0);
        if (rounds_[i] == round_) return false;
        rounds_[i] = round_;
        return true;
    }

private:
    Column<std::uint16_t> rounds_;  // 0: none
    std::uint16_t round_ = 1;
};

}  // namespace gpaplan
