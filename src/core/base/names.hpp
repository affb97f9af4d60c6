// The names of an enum's values, in their order: what users write and read. They stand next to the enum and nowhere
// else; the bindings hand them to Python.
#pragma once

#include <array>
#include <cstddef>

namespace gpaplan {

template <typename Enum>
inline constexpr std::array<const char*, 0> names;  // specialised for each enum that has them

template <typename Enum>
const char* name_of(Enum value) {
    return names<Enum>[static_cast<std::size_t>(value)];
}

}  // namespace gpaplan
