// Relaxed reachability: which atoms and which actions can ever matter.
//
// Delete effects and negative conditions on fluents are ignored; everything else is kept, static conditions exactly.
// The rules are Horn clauses: one for each schema, with its unconditional adds as heads, and one for each add under a
// `when` or a `forall`. Matches of a rule's positive atoms are found by joins with hash indices, never by enumerating
// arguments, except for variables that no positive atom mentions. Each atom is taken once from a queue and joined, at
// every place that it fits, with the atoms taken before it (semi-naive evaluation): every match is found exactly once.
// Disjunctions and quantifiers are tested when a match is complete, and again when nothing else is left to do.
#pragma once

#include <string>

#include "base/interner.hpp"
#include "base/stop.hpp"
#include "grounding/lifted.hpp"

namespace gpaplan {

using Binding = std::vector<std::uint32_t>;  // object of each variable of a schema, no_id where unbound

// A lifted task with its formulas and effects decoded.
struct DecodedSchema {
    LiftedNode precondition;
    LiftedNode effect;
    const LiftedSchema* schema = nullptr;
};

struct Reached {
    ListInterner atoms;               // predicate, arguments; static ones first, then fluent ones as discovered
    std::uint32_t static_count = 0;   // atoms below this id are static
    std::uint32_t initial_count = 0;  // fluent atoms below this id are true initially
    std::vector<bool> is_fluent;      // of each predicate
    std::vector<Indices> actions;     // of each schema: arguments, one action after the other
    std::vector<std::uint64_t> action_counts;

    std::uint32_t predicate(std::uint32_t atom) const { return atoms[atom].front(); }
    IndexSpan arguments(std::uint32_t atom) const { return atoms[atom].subspan(1); }
};

// The object of a term under a binding.
inline std::uint32_t object_of(std::int32_t term, const Binding& binding) {
    return term >= 0 ? static_cast<std::uint32_t>(term) : binding[static_cast<std::size_t>(~term)];
}

// Writes the ground atom of a predicate and terms under a binding, as interners of atoms have it.
inline void write_atom(std::uint32_t predicate, const std::vector<std::int32_t>& terms, const Binding& binding,
                       Indices& atom) {
    atom.assign(1, predicate);
    for (auto term : terms) atom.push_back(object_of(term, binding));
}

// Throws TaskTooLarge when there are more than `max_actions` actions, Stopped when `stop` says so.
Reached reach(const LiftedTask& task, const std::vector<DecodedSchema>& schemas, std::uint64_t max_actions, Stop& stop);

}  // namespace gpaplan
