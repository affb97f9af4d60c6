// How much memory this process holds, for limits.
#pragma once

#include <cstdint>

namespace gpaplan {

// In bytes; 0 where the system does not say.
std::uint64_t resident_memory();

}  // namespace gpaplan
