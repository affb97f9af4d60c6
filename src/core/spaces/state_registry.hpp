// The registry of packed states.
//
// A state is a bitset of the task's fluent atoms in `word_count` 64-bit words. The registry interns states: equal
// states get the same StateId, ids are dense and count from 0 in order of first meeting, and everything else that is
// known of a state is a column indexed by its id. A registry holds 8·words bytes of bits and, at a load of at most 2/3,
// 6 to 12 bytes of hash table for each state.
#pragma once

#include <algorithm>
#include <cstring>

#include "base/bits.hpp"
#include "base/column.hpp"
#include "base/errors.hpp"
#include "base/hash.hpp"

namespace gpaplan {

class StateRegistry {
public:
    explicit StateRegistry(std::uint32_t words) : words_(words), slots_(1024, no_id) {}

    std::uint32_t size() const { return size_; }
    std::uint32_t words() const { return words_; }
    const Word* operator[](StateId id) const { return bits_.data() + std::size_t{id} * words_; }

    // The id of a state, no_id if it has none.
    StateId find(const Word* state) const { return slots_[slot(state)]; }

    // The id of a state, given to it if it is new. The pointer must not point into the registry.
    StateId intern(const Word* state) {
        const auto at = slot(state);
        if (slots_[at] != no_id) return slots_[at];
        if (size_ == no_id) throw TooManyStates("more than 4,294,967,295 states");
        slots_[at] = size_;
        bits_.append(state, words_);
        ++size_;
        if (3 * std::size_t{size_} > 2 * slots_.size()) grow();
        return size_ - 1;
    }

    // What the hash table will take in addition when the next new state makes it grow, 0 if it will not.
    std::uint64_t next_growth() const {
        return 3 * (std::size_t{size_} + 1) > 2 * slots_.size() ? 4 * slots_.size() : 0;
    }

    std::uint64_t bytes() const { return 8 * bits_.capacity() + 4 * slots_.capacity(); }

private:
    std::uint64_t hash(const Word* state) const {
        std::uint64_t hash = words_;
        for (std::uint32_t i = 0; i < words_; ++i) hash = hash_step(hash, state[i] + i);
        return hash_finish(hash);
    }
    // The slot that holds a state, or the empty one where it belongs.
    std::size_t slot(const Word* state) const {
        const auto mask = slots_.size() - 1;
        auto at = hash(state) & mask;
        while (slots_[at] != no_id && !equal((*this)[slots_[at]], state)) at = (at + 1) & mask;
        return at;
    }
    bool equal(const Word* a, const Word* b) const {
        if (words_ == 1) return *a == *b;
        return std::memcmp(a, b, 8 * std::size_t{words_}) == 0;
    }
    void grow() {
        slots_.assign(2 * slots_.size(), no_id);
        const auto mask = slots_.size() - 1;
        for (StateId id = 0; id < size_; ++id) {
            auto at = hash((*this)[id]) & mask;
            while (slots_[at] != no_id) at = (at + 1) & mask;
            slots_[at] = id;
        }
    }

    std::uint32_t words_;
    std::uint32_t size_ = 0;
    Column<Word> bits_;
    Column<std::uint32_t> slots_;
};

}  // namespace gpaplan
