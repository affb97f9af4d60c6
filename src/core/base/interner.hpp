// Interned sequences of integers: equal ones get the same id, and ids are dense, from 0 in order of first meeting.
//
// Whatever else is known of a packed state, an atom or a role is a column indexed by its id. A sequence was new if its
// id is the number of those that were known before. There is one hash table, of nothing but ids, at most seven eighths
// full; the upper bits of a slot, which ids leave free, hold a part of the hash, so that next to no sequence is looked
// at but the one that is looked for. It stands over `Rows` (sets of bits in the same number of words each) or `Lists`.
//
//     ListInterner atoms;                     // predicate, arguments
//     atoms.intern(Indices{3, 14, 15});       // 0
//     atoms.find(Indices{3, 15, 14});         // no_id
#pragma once

#include "base/bits.hpp"
#include "base/column.hpp"
#include "base/errors.hpp"
#include "base/hash.hpp"

namespace gpaplan {

class Rows {
public:
    using Key = const Word*;

    explicit Rows(std::uint32_t width) : width_(width) {}

    Key operator[](std::uint32_t id) const { return words_.data() + std::size_t{id} * width_; }
    void append(Key row) { words_.append(row, width_); }
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

    const Sequences& sequences() const { return sequences_; }

    // The id of a sequence, no_id if it has none.
    std::uint32_t find(const Key& key) const { return look_up(key, sequences_.hash(key)).id; }

    // The id of a sequence, given to it if it is new.
    std::uint32_t intern(const Key& key) {
        const auto hash = sequences_.hash(key);
        const auto found = look_up(key, hash);
        if (found.id != no_id) return found.id;
        if (size_ == no_id) throw TaskTooLarge("more than 4,294,967,295 states or lists");
        sequences_.append(key);
        slots_[found.slot] = tag(hash) | size_++;
        if (is_full(size_)) grow();
        return size_ - 1;
    }

    // What the hash table will take in addition when the next new sequence makes it grow, 0 if it will not.
    std::uint64_t next_growth() const { return is_full(std::size_t{size_} + 1) ? table_bytes() : 0; }

    std::uint64_t table_bytes() const { return sizeof(std::uint32_t) * slots_.size(); }
    std::uint64_t bytes() const { return sequences_.bytes() + sizeof(std::uint32_t) * slots_.capacity(); }

private:
    struct Found {
        std::size_t slot;  // that holds it, or the empty one where it belongs
        std::uint32_t id;  // no_id if there is none
    };

    std::size_t mask() const { return slots_.size() - 1; }
    bool is_full(std::size_t count) const { return 8 * count > 7 * slots_.size(); }

    // The lower bits of a slot are an id, which is never as large as they allow; the others are a part of the hash.
    std::uint32_t id_bits() const { return static_cast<std::uint32_t>(mask()); }
    std::uint32_t tag(std::uint64_t hash) const { return static_cast<std::uint32_t>(hash >> 32U) & ~id_bits(); }

    Found look_up(const Key& key, std::uint64_t hash) const {
        const auto wanted = tag(hash);
        for (auto at = hash & mask();; at = (at + 1) & mask()) {
            if (slots_[at] == no_id) return {at, no_id};
            const auto id = slots_[at] ^ wanted;
            if (id <= id_bits() && sequences_.equal(sequences_[id], key)) return {at, id};
        }
    }
    void grow() {
        slots_.assign(2 * slots_.size(), no_id);
        for (std::uint32_t id = 0; id < size_; ++id) {
            const auto hash = sequences_.hash(sequences_[id]);
            auto at = hash & mask();
            while (slots_[at] != no_id) at = (at + 1) & mask();
            slots_[at] = tag(hash) | id;
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

private:
    ListInterner keys_;
    std::vector<Indices> lists_;
};

}  // namespace gpaplan
