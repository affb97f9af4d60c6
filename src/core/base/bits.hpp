// Sets of small numbers as bits of 64-bit words: packed states (bit i is fluent atom i), roles (bit i is feature i).
#pragma once

#include <bit>

#include "base/ranges.hpp"

namespace gpaplan {

using Word = std::uint64_t;

inline bool test_bit(const Word* words, std::uint32_t i) { return (words[i >> 6U] >> (i & 63U) & 1U) != 0; }
inline void set_bit(Word* words, std::uint32_t i) { words[i >> 6U] |= Word{1} << (i & 63U); }
inline void flip_bit(Word* words, std::uint32_t i) { words[i >> 6U] ^= Word{1} << (i & 63U); }
inline void clear_bit(Word* words, std::uint32_t i) { words[i >> 6U] &= ~(Word{1} << (i & 63U)); }

// Calls `visit` with each bit that is set in the word at place `w` of a set, in ascending order.
template <typename Visit>
void for_each_bit_of(Word word, std::size_t w, Visit visit) {
    for (; word != 0; word &= word - 1) visit(static_cast<std::uint32_t>(64 * w) + std::countr_zero(word));
}

// The same for all words of a set.
template <typename Visit>
void for_each_bit(const Word* words, std::uint32_t word_count, Visit visit) {
    for (std::uint32_t w = 0; w < word_count; ++w) for_each_bit_of(words[w], w, visit);
}

// The bits that are set, in ascending order.
inline Indices bits_set(const Word* words, std::uint32_t word_count) {
    Indices result;
    for_each_bit(words, word_count, [&](std::uint32_t i) { result.push_back(i); });
    return result;
}

}  // namespace gpaplan
