// Mutex groups: sets of atoms of which no reachable state has two.
//
// They are found as instances of lifted invariants, checked on the ground task. An *invariant* says how groups are made
// from names: a few predicates, each with the places of the invariant's parameters among its arguments and at most one
// more place, which is counted. Each choice of objects for the parameters is a group: with the parameter b, on(b,*),
// on-table(b) and holding(b) say where block b is. An invariant starts with one predicate; where an action adds an atom
// to a group without taking one away, it is tried again with a predicate that the action does take away.
//
// A group is kept if the initial state has at most one of its atoms, and every action keeps it so: whoever adds an atom
// of the group needs one of its atoms and deletes it, or is known to leave none of the others. That is looked at in the
// ground actions, where conditional and universal effects, nested chances and negative preconditions are all plain:
// each addition is seen together with the literals that hold if it happens, the deletes that happen with it and the
// outcomes that were drawn. Two atoms of a group must not be added together: their outcomes or conditions exclude each
// other. Since the argument starts from any state with at most one atom of each group, it holds not only of the states
// that can be reached from the initial one, but of whatever can be reached from any such state.
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
