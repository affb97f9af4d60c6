// Relations between roles: for how many tuples of objects with given roles a predicate of two and more arguments holds.
//
// A relation, that is a predicate with the roles of its arguments, has an id that it keeps for good, whatever state it
// was first met in. What holds in one state is a count for each relation; only those that are counted are looked at.
#pragma once

#include "automata/roles.hpp"

namespace gpaplan {

class Relations {
public:
    // `ignored` are predicates that are left out.
    Relations(const Task& task, std::uint32_t object_count, const Indices& ignored);

    // Counts all relations of a state anew.
    void count(const Word* state, const ObjectRoles& roles);

    // Brings the counts up to date after atoms have changed and objects have moved, in two steps: what is affected
    // leaves under the old roles (`before`), and after the objects were moved it enters under the new ones. Returns
    // false, and does nothing, if counting anew is less work.
    bool leave(const Word* before, const ObjectRoles& roles, const Indices& changed, const std::vector<Moved>& moved);
    void enter(const Word* state, const ObjectRoles& roles) { count_affected(state, roles, true); }

    // The relations that hold for some tuple, ascending by id, and for how many.
    const Indices& counted();
    std::uint64_t count_of(std::uint32_t relation) const { return counts_[relation]; }

    // The id of a predicate (first) with roles, and back.
    std::uint32_t size() const { return names_.size(); }
    std::uint32_t intern(IndexSpan predicate_and_roles);
    IndexSpan operator[](std::uint32_t relation) const { return names_[relation]; }

private:
    void count_atom(std::uint32_t predicate, IndexSpan arguments, const ObjectRoles& roles, bool more);
    void count_affected(const Word* state, const ObjectRoles& roles, bool more);

    const Task& task_;
    std::uint32_t phantom_;
    std::vector<Word> fluent_;  // the fluent atoms that count
    Indices fixed_;             // the static atoms that count
    Ranges fluent_of_;          // of each object: fluent atoms
    Ranges fixed_of_;           // of each object: static atoms, numbered after the fluent ones
    ListInterner names_;

    std::vector<std::uint64_t> counts_;  // of each relation
    Indices counted_;                    // relations with a count, and perhaps others; each once
    std::vector<std::uint8_t> is_counted_;

    Indices key_;
    Indices affected_;  // atoms, static ones after the fluent ones
    Indices marks_;     // of each such atom: the last round that it was affected in
    std::uint32_t round_ = 0;
};

}  // namespace gpaplan
