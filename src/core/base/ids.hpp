// Ids: what is numbered, is numbered densely from 0. And the number that no cost exceeds.
#pragma once

#include <cstdint>
#include <limits>

namespace gpaplan {

using ActionId = std::uint32_t;
using AtomId = std::uint32_t;
using StateId = std::uint32_t;

constexpr std::uint32_t no_id = 0xffffffffU;

constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace gpaplan
