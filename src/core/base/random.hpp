// A small random number generator of our own (xoshiro256++ seeded by splitmix64), so that a seed means the same run
// with every compiler and library.
#pragma once

#include <array>
#include <bit>
#include <vector>

#include "base/multiply.hpp"

namespace gpaplan {

class Random {
public:
    explicit Random(std::uint64_t seed) {
        for (auto& word : state_) {
            seed += 0x9e3779b97f4a7c15U;
            auto z = seed;
            z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
            z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
            word = z ^ (z >> 31U);
        }
    }

    // All that it will draw follows from these; not all of them may be 0.
    using State = std::array<std::uint64_t, 4>;
    explicit Random(const State& state) : state_(state) {}
    const State& state() const { return state_; }

    std::uint64_t next() {
        const auto result = std::rotl(state_[0] + state_[3], 23) + state_[0];
        const auto shifted = state_[1] << 17U;
        state_[2] ^= state_[0];
        state_[3] ^= state_[1];
        state_[1] ^= state_[2];
        state_[0] ^= state_[3];
        state_[2] ^= shifted;
        state_[3] = std::rotl(state_[3], 45);
        return result;
    }

    // In [0, 1), with 53 random bits.
    double uniform() { return static_cast<double>(next() >> 11U) * 0x1.0p-53; }

    // In [0, bound), each equally likely up to 2^-64.
    std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(multiply(next(), bound).high); }

    // One of a list, each equally likely; `none` if it is empty.
    template <typename T>
    T one_of(const std::vector<T>& list, T none) {
        return list.empty() ? none : list[below(static_cast<std::uint32_t>(list.size()))];
    }

private:
    State state_{};
};

}  // namespace gpaplan
