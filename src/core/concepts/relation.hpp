// A set of pairs of objects, as rows of bits: row x has the successors of x.
//
// It knows which rows are not empty, so that clearing and walking through it cost as much as there are of these.
#pragma once

#include <algorithm>
#include <vector>

#include "base/bits.hpp"

namespace gpaplan {

class Relation {
public:
    explicit Relation(std::uint32_t object_count = 0)
        : width_((object_count + 63) / 64), rows_(std::size_t{object_count} * width_, 0), sources_(width_, 0) {}

    std::uint32_t width() const { return width_; }  // of a row, in words
    const Word* operator[](std::uint32_t x) const { return rows_.data() + std::size_t{x} * width_; }
    bool has(std::uint32_t x, std::uint32_t y) const { return test_bit((*this)[x], y); }

    // The objects that have successors.
    const Word* sources() const { return sources_.data(); }
    template <typename Visit>
    void for_each_source(Visit visit) const {
        for_each_bit(sources_.data(), width_, visit);
    }

    // A row that is going to have pairs, for writing.
    Word* row(std::uint32_t x) {
        set_bit(sources_.data(), x);
        return rows_.data() + std::size_t{x} * width_;
    }
    void add(std::uint32_t x, std::uint32_t y) { set_bit(row(x), y); }

    void clear() {
        for_each_source([&](std::uint32_t x) { std::fill_n(rows_.data() + std::size_t{x} * width_, width_, Word{0}); });
        std::ranges::fill(sources_, Word{0});
    }

    // Become another relation, or what is made of others. None of them may be this one.
    void assign(const Relation& other);
    void assign_inverse(const Relation& other);
    void assign_closure(const Relation& other, bool reflexive, std::uint32_t object_count);
    void assign_common(const Relation& first, const Relation& second);
    void assign_difference(const Relation& first, const Relation& second);

private:
    std::uint32_t width_;
    std::vector<Word> rows_;
    std::vector<Word> sources_;
};

}  // namespace gpaplan
