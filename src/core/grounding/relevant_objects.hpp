// Which objects a quantifier need look at when it is grounded.
//
// Most instances of a quantified formula or effect say nothing: `forall ?q (when (follows ?q ?p) …)` does something for
// the one ?q that follows, `forall ?o (not (obstructs ?o ?c))` asks for nothing of objects that can never obstruct ?c.
// Where an instance matters only if some atom with the variable can be reached, the reached atoms are indexed by their
// other arguments, once for each quantifier, and the objects are looked up. So the time of grounding is that of what
// comes out, not the number of objects for each action. In all other cases the whole domain of the variable is
// relevant.
//
// The answer may have objects too many, never too few: whoever asks still grounds each instance.
#pragma once

#include <unordered_map>

#include "grounding/reachability.hpp"

namespace gpaplan {

class RelevantObjects {
public:
    // All must outlive it. `reached` must be complete.
    RelevantObjects(const LiftedTask& task, const Reached& reached, Stop& stop)
        : task_(task), reached_(reached), stop_(stop) {}

    // Of a `forall` or `exists`, with the domains of all variables, and with the variables outside of it bound:
    // ascending.
    const Indices& of(const FormulaNode& quantifier, const Indices& variable_domains, const Binding& binding);
    const Indices& of(const EffectNode& quantifier, const Indices& variable_domains, const Binding& binding);

private:
    struct Table {
        bool is_restricted = false;
        std::vector<std::pair<std::size_t, std::int32_t>> bound;  // places of the atom's other terms, and these
        KeyedLists objects;                                       // by the values at these places
    };
    struct Pattern {
        std::uint32_t predicate;
        const std::vector<std::int32_t>* terms;
    };

    void fill(Table& table, const Pattern& pattern, std::uint32_t variable, const Indices& domain);
    const Indices& look_up(const Table& table, const Indices& domain, const Binding& binding);

    const LiftedTask& task_;
    const Reached& reached_;
    Stop& stop_;
    std::unordered_map<const void*, Table> tables_;  // of each quantifier
    Indices key_;                                    // scratch
    Indices nothing_;
};

}  // namespace gpaplan
