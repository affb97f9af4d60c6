// Ids: what is numbered, is numbered densely from 0.
#pragma once

#include <cstdint>

namespace gpaplan {

using ActionId = std::uint32_t;
using AtomId = std::uint32_t;
using StateId = std::uint32_t;

constexpr std::uint32_t no_id = 0xffffffffU;

}  // namespace gpaplan
