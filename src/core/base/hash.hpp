// One multiply-and-fold hash for everything that is hashed: atoms, join keys, packed states.
#pragma once

#include "base/multiply.hpp"

namespace gpaplan {

inline std::uint64_t hash_step(std::uint64_t hash, std::uint64_t value) {
    const auto product = multiply(hash ^ value, 0xd6e8feb86659fd93U);
    return product.low ^ product.high;
}

inline std::uint64_t hash_finish(std::uint64_t hash) { return hash_step(hash, 0xa0761d6478bd642fU); }

// Of two numbers. The first is mixed in before the second: a sum or difference of the two must not mean the same as
// others.
inline std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
    return hash_finish(hash_step(hash_step(0x9e3779b97f4a7c15U, a), b));
}

// Of a sequence of integers, its length included.
template <typename T>
std::uint64_t hash_sequence(const T* first, const T* last) {
    auto hash = 0x9e3779b97f4a7c15U ^ static_cast<std::uint64_t>(last - first);
    for (; first != last; ++first) hash = hash_step(hash, *first);
    return hash_finish(hash);
}

}  // namespace gpaplan
