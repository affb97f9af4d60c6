// Grounding: from a lifted task to the ground task.
//
// First relaxed reachability finds the atoms and actions that can ever matter (reachability.hpp). Atoms of predicates
// that no effect mentions are static; the other reached atoms become the bits of a state. Then preconditions and
// effects are instantiated and simplified: what is static or unreachable is decided here and never looked at again. The
// result depends on declaration order alone.
#pragma once

#include "base/stop.hpp"
#include "grounding/lifted.hpp"

namespace gpaplan {

// With `relevance` only the part that the goal can depend on (relevance.hpp), and the names of the rest. Throws
// TaskTooLarge, MissingValue, or Stopped.
Task ground(const LiftedTask& lifted, std::uint64_t max_actions, bool relevance, Stop& stop);

}  // namespace gpaplan
