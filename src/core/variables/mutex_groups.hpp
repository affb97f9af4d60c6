// Mutex groups: sets of atoms of which no reachable state has two.
//
// They are instances of lifted invariants, checked on the ground task. An *invariant* is a few predicates, each with
// the places of the invariant's parameters among its arguments and at most one more place, which is counted: with the
// parameter b, on(b,*), on-table(b) and holding(b) say where block b is. It starts with one predicate; where an action
// adds an atom to a group without taking one away, it is tried again with a predicate that the action takes away.
//
// A group is kept if the initial state has at most one of its atoms and every ground action keeps it so: whoever adds
// an atom needs another one and deletes it, or is known to leave none; two that are added together must exclude each
// other by outcome or condition. So it holds of whatever can be reached from any state with at most one atom of each.
#pragma once

#include "base/stop.hpp"
#include "task/task.hpp"

namespace gpaplan {

struct MutexGroups {
    Ranges atoms;                          // of each group, ascending; at least two
    Ranges objects;                        // of each group: those that its invariant's parameters stand for
    Indices invariants;                    // of each group: the number of its invariant, ascending
    std::vector<std::uint8_t> always_one;  // of each group: whether every reachable state has exactly one of its atoms

    std::size_t size() const { return atoms.size(); }
};

// Throws Stopped if `stop` says so.
MutexGroups find_mutex_groups(const Task& task, Stop& stop);

}  // namespace gpaplan
