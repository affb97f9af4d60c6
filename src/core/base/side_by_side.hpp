// Two or more pieces of work at the same time, on threads of their own.
//
// What is done must not depend on how many threads there are: whoever uses this gives each piece its own memory to
// write, and puts the results together in the order of the pieces. Limits are looked at by the calling thread alone,
// since looking may mean asking Python; the others are told by their own `Stop`.
#pragma once

#include <cstddef>
#include <functional>

#include "base/stop.hpp"

namespace gpaplan {

// The processors that may be used.
std::size_t processor_count();

// Calls `work(i, stop)` for each i below `count`, in any order, and returns when all have ended. Throws what the first
// of them, by number, has thrown. A `work` polls the stop that it is given: it throws Stopped there if `stop` says so.
void side_by_side(std::size_t count, Stop& stop, const std::function<void(std::size_t, Stop&)>& work);

}  // namespace gpaplan
