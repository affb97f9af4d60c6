// The product of two 64-bit numbers in full, which C++ has no type for.
#pragma once

#include <cstdint>

namespace gpaplan {

struct Product {
    std::uint64_t low;
    std::uint64_t high;
};

// With 64-bit arithmetic only.
constexpr Product multiply_by_halves(std::uint64_t a, std::uint64_t b) {
    constexpr std::uint64_t half = 0xffffffffU;
    const std::uint64_t low = (a & half) * (b & half);
    const std::uint64_t left = (a >> 32U) * (b & half) + (low >> 32U);
    const std::uint64_t right = (a & half) * (b >> 32U) + (left & half);
    return {(right << 32U) | (low & half), (a >> 32U) * (b >> 32U) + (left >> 32U) + (right >> 32U)};
}
static_assert(multiply_by_halves(~0ULL, ~0ULL).low == 1 && multiply_by_halves(~0ULL, ~0ULL).high == ~1ULL);
static_assert(multiply_by_halves(0x123456789abcdef0U, 0xfedcba9876543210U).low == 0x236d88fe5618cf00U);
static_assert(multiply_by_halves(0x123456789abcdef0U, 0xfedcba9876543210U).high == 0x121fa00ad77d7422U);

inline Product multiply(std::uint64_t a, std::uint64_t b) {
#if defined(__SIZEOF_INT128__)
    const auto product = static_cast<unsigned __int128>(a) * b;
    return {static_cast<std::uint64_t>(product), static_cast<std::uint64_t>(product >> 64U)};
#else
    return multiply_by_halves(a, b);
#endif
}

}  // namespace gpaplan
