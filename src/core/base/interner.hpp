// Interned sequences of integers: equal ones get the same id, and ids are dense, from 0 in order of first meeting.
//
// Packed states, ground atoms, roles, abstract states, keys of joins: what is met again and again is stored once and is
// its id from then on, and whatever else is known of it is a column indexed by the id. A sequence was new if its id is
// the number of those that were known before.
//
// There is one hash table, of nothing but ids, at most two thirds full: 6 to 12 bytes for each sequence. It stands over
// one of two ways to store them. `Rows` are sets of bits in the same number of words each, in a Column, for there may
// be a great many. `Lists` are of any length.
//
//     ListInterner atoms;                     // predicate, arguments
//     atoms.intern(Indices{3, 14, 15});       // 0
//     atoms.find(Indices{3, 15, 14});         // no_id
//     WordInterner states(task.word_count());
//     states.intern(bits);                    // 0, and states[0] is a copy of the bits
#pragma once

#include <algorithm>
#include <cstring>

#include "base/bits.hpp"
#include "base/column.hpp"
#include "base/errors.hpp"
#include "base/hash.hpp"
#include "base/ids.hpp"
#include "base/ranges.hpp"

namespace gpaplan {

class Rows {
public:
    using Key = const Word*;

    explicit Rows(std::uint32_t width) : width_(width) {}

    Key operator[](std::uint32_t id) const { return words_.data() + std::size_t{id} * width_; }
    void append(Key row) { words_.append(row, width_); }
    void clear() { words_.resize(0, 0); }
    std::uint64_t bytes() const { return sizeof(Word) * words_.capacity(); }

    std::uint64_t hash(Key row) const { return hash_sequence(row, row + width_); }
    bool equal(Key a, Key b) const {
        if (width_ == 1) return *a == *b;
        return std::memcmp(a, b, sizeof(Word) * width_) == 0;
    }

private:
    std::size_t width_;  // in words
    Column<Word> words_;
};

class Lists {
public:
    using Key = IndexSpan;

    Key operator[](std::uint32_t id) const { return lists_[id]; }
    void append(Key list) {
        if (list.size() > no_id - lists_.values.size()) throw TaskTooLarge("more than 4,294,967,295 numbers in lists");
        lists_.add(list);
    }
    void clear() {
        lists_.values.clear();
        lists_.begin.resize(1);
    }
    std::uint64_t bytes() const { return sizeof(std::uint32_t) * (lists_.values.capacity() + lists_.begin.capacity()); }

    std::uint64_t hash(Key list) const { return hash_sequence(list.data(), list.data() + list.size()); }
    bool equal(Key a, Key b) const { return std::ranges::equal(a, b); }

private:
    Ranges lists_;
};

// A key must not point into the interner that it is given to.
template <typename Sequences>
class Interner {
public:
    using Key = typename Sequences::Key;

    template <typename... Shape>
    explicit Interner(Shape... shape) : sequences_(shape...), slots_(64, no_id) {}

    std::uint32_t size() const { return size_; }
    Key operator[](std::uint32_t id) const { return sequences_[id]; }

    // The id of a sequence, no_id if it has none.
    std::uint32_t find(Key key) const { return slots_[slot(key)]; }

    // The id of a sequence, given to it if it is new.
    std::uint32_t intern(Key key) {
        const auto at = slot(key);
        if (slots_[at] != no_id) return slots_[at];
        if (size_ == no_id) throw TaskTooLarge("more than 4,294,967,295 states or lists");
        sequences_.append(key);
        slots_[at] = size_++;
        if (is_full(size_)) grow();
        return size_ - 1;
    }

    // Forgets everything, in the time that it took to intern what is there.
    void clear() {
        if (slots_.size() <= 64 * std::size_t{size_}) {
            slots_.assign(slots_.size(), no_id);
        } else {
            for (std::uint32_t id = 0; id < size_; ++id) {
                auto at = sequences_.hash(sequences_[id]) & mask();
                while (slots_[at] != id) at = (at + 1) & mask();
                slots_[at] = no_id;
            }
        }
        sequences_.clear();
        size_ = 0;
    }

    // What the hash table will take in addition when the next new sequence makes it grow, 0 if it will not.
    std::uint64_t next_growth() const {
        return is_full(std::size_t{size_} + 1) ? sizeof(std::uint32_t) * slots_.size() : 0;
    }

    std::uint64_t bytes() const { return sequences_.bytes() + sizeof(std::uint32_t) * slots_.capacity(); }

private:
    std::size_t mask() const { return slots_.size() - 1; }
    bool is_full(std::size_t count) const { return 3 * count > 2 * slots_.size(); }

    // The slot that holds a sequence, or the empty one where it belongs.
    std::size_t slot(Key key) const {
        auto at = sequences_.hash(key) & mask();
        while (slots_[at] != no_id && !sequences_.equal(sequences_[slots_[at]], key)) at = (at + 1) & mask();
        return at;
    }
    void grow() {
        slots_.assign(2 * slots_.size(), no_id);
        for (std::uint32_t id = 0; id < size_; ++id) {
            auto at = sequences_.hash(sequences_[id]) & mask();
            while (slots_[at] != no_id) at = (at + 1) & mask();
            slots_[at] = id;
        }
    }

    Sequences sequences_;
    std::uint32_t size_ = 0;
    Column<std::uint32_t> slots_;
};

using WordInterner = Interner<Rows>;
using ListInterner = Interner<Lists>;

// A list of indices for each key.
class KeyedLists {
public:
    // The list of a key, empty if the key is new.
    Indices& operator[](IndexSpan key) {
        const auto id = keys_.intern(key);
        if (id == lists_.size()) lists_.emplace_back();
        return lists_[id];
    }

    // The list of a key, null if it has none.
    const Indices* find(IndexSpan key) const {
        const auto id = keys_.find(key);
        return id == no_id ? nullptr : &lists_[id];
    }

    std::vector<Indices>& lists() { return lists_; }

private:
    ListInterner keys_;
    std::vector<Indices> lists_;
};

}  // namespace gpaplan
