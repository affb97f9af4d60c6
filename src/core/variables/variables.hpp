// Finite-domain variables: the fluent atoms of a task, arranged so that a state is a value for each variable.
//
// A variable is what a mutex group leaves when atoms that other variables have are taken out, or an atom that is in no
// group; its values are its atoms, and "none of them" unless that cannot be. Each atom is a value of exactly one
// variable. Invariants are chosen greedily by the number of atoms of their groups that are still free; so blocks have
// places, and not the hand a block.
//
// The variables serve the heuristics, and whoever reads. All groups stay known, as pairs of atoms that exclude each
// other: that a held block is not on the table is said by one variable, that only one block is held by a group.
#pragma once

#include "variables/mutex_groups.hpp"

namespace gpaplan {

struct Variables {
    Ranges atoms;                           // of each variable; value i is its atom i
    std::vector<std::uint8_t> may_be_none;  // of each variable: whether it has one more value, for "none of its atoms"
    Indices groups;                         // of each variable: the group that it comes from, no_id if from none
    Indices variable_of;                    // of each atom
    Indices value_of;                       // of each atom
    MutexGroups mutex;
    Ranges groups_of;  // of each atom: the groups that it is in

    std::size_t size() const { return atoms.size(); }
    std::uint32_t none(std::uint32_t variable) const { return static_cast<std::uint32_t>(atoms[variable].size()); }
    std::uint32_t domain_size(std::uint32_t variable) const { return none(variable) + may_be_none[variable]; }
    // Whether two different atoms never hold together.
    bool exclude(AtomId a, AtomId b) const;
};

// Throws Stopped if `stop` says so.
Variables find_variables(const Task& task, Stop& stop);

}  // namespace gpaplan
