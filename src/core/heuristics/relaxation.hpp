// The delete relaxation of the all-outcomes determinisation: what the heuristics but the blind one are computed on.
//
// An action may choose its outcome, and a fact, once reached, stays. Facts are that an atom holds (fact i for atom i);
// that it does not, if it occurs negated in some condition; that a disjunction holds, which an auxiliary operator for
// each option reaches at no cost; and one that is always reached, for operators without preconditions.
//
// Operators have preconditions, adds and a cost group; one application of an action pays for all operators of a group.
// A plain action has an operator, with its own group, for each outcome that no other outcome covers. Any other action
// has one for each condition under which it has effects, all of one group; which outcomes exclude each other is
// forgotten, so this is a further relaxation.
//
// The cost of a group is self-loop-normalised: the action's expected cost in the state where that is least (and at
// least 0), divided by the probability q that it changes anything, or a bound of it. This makes a relaxed plan's cost
// a lower bound: V(s) = (c(s,a) + Σ p(s') V(s')) / q(s,a) >= c(a) / q + min V(s') over the outcomes other than s, and
// the minimum is what the determinised action may choose. It holds as long as each use of a group is counted once.
//
// Facts that are preconditions of the very same operators are a bundle, counted as one precondition: with "no packet is
// dropped" among the conditions of serving each of a thousand packets, that is one bundle instead of a million
// preconditions.
//
// A relaxation takes about 12 + 8·(preconditions + adds) bytes for each operator. It refers to nothing outside.
//
// Example, Gripper's pick(ball1, rooma, left): {ball-in, robot-in, free} -> {held}, cost 1 / 0.8. No condition asks for
// the deleted atoms to be false, and the outcome that changes nothing is dropped.
#pragma once

#include "base/stop.hpp"
#include "task/task.hpp"

namespace gpaplan {

using FactId = std::uint32_t;
using OperatorId = std::uint32_t;

struct Bundles {
    Ranges facts;        // of each bundle: two or more
    Indices of_fact;     // of each fact: its bundle, no_id if it is alone; empty if there are no bundles
    Ranges of_operator;  // of each operator: the bundles among its preconditions
    Ranges alone;        // of each operator: the other preconditions
};

struct Relaxation {
    // Its preconditions are the goal; it adds nothing.
    static constexpr OperatorId goal = 0;

    std::uint32_t fact_count = 0;
    Ranges preconditions;    // of each operator: facts, ascending, at least one
    Ranges adds;             // of each operator: facts, ascending, none of them among its preconditions
    Ranges precondition_of;  // of each fact: operators, ascending
    Bundles bundles;
    Indices groups;                   // of each operator; ascending, so that the operators of a group are neighbours
    Indices group_begin;              // the first operator of each group, and the number of operators
    std::vector<double> group_costs;  // group 0 is that of the goal and of the auxiliary operators and costs nothing

    // The largest number of which all group costs are small multiples; 0 if there is none.
    double unit = 0;

    // How states are read: the atoms whose truth, and whose falsity, is some operator's precondition.
    FactId always = 0;
    std::vector<Word> positive;
    std::vector<Word> negative;
    Indices negative_facts;  // of each atom; no_id if it never occurs negated

    std::uint32_t operator_count() const { return static_cast<std::uint32_t>(groups.size()); }

    // What there is to look at: preconditions and adds of all operators.
    std::uint64_t size() const { return preconditions.values.size() + adds.values.size(); }

    // Calls `visit` with each fact that is reached in the state and is some operator's precondition.
    template <typename Visit>
    void visit_facts(const Word* state, Visit visit) const {
        visit(always);
        for (std::uint32_t word = 0; word < positive.size(); ++word) {
            for_each_bit_of(state[word] & positive[word], word, visit);
            for_each_bit_of(~state[word] & negative[word], word, [&](AtomId atom) { visit(negative_facts[atom]); });
        }
    }
};

// The operators of the all-outcomes determinisation, without an index by fact; and a whole relaxation. Both throw
// Stopped.
Relaxation determinise(const Task& task, Stop& stop);
Relaxation relax(const Task& task, Stop& stop);

// Which atoms can change at all: those that the relaxation reaches from the initial state. What it reaches may be out
// of reach all the same.
struct FixedAtoms {
    Indices never_true;
    Indices never_false;  // only of atoms that occur negated in some condition of the task
};
FixedAtoms find_fixed_atoms(const Task& task, Stop& stop);  // throws Stopped

}  // namespace gpaplan
