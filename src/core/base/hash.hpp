// One multiply-and-fold hash for everything that is hashed: atoms, join keys, packed states.
#pragma once

#include <cstdint>

namespace gpaplan {

inline std::uint64_t hash_step(std::uint64_t hash, std::uint64_t value) {
    const auto product = static_cast<unsigned __int128>(hash ^ value) * 0xd6e8feb86659fd93U;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64U);
}

inline std::uint64_t hash_finish(std::uint64_t hash) { return hash_step(hash, 0xa0761d6478bd642fU); }

}  // namespace gpaplan
