// The lifted task: what the Python front end hands to the grounder.
//
// Names are gone: objects, predicates, functions and numbers are indices. Formulas are in negation normal form and,
// like effects, written as a prefix code of integers, which `decode` turns into trees. A term is an object (>= 0) or
// the variable v, written ~v. The variables of a schema are its parameters, then every quantified variable, each with a
// number of its own; a variable ranges over one of `domains`.
//
//   formula   atom p t…  | not_atom p t… | equal t t | not_equal t t | conjunction n f… | disjunction n f…
//             | forall v f | exists v f
//   effect    add p t… | remove p t… | conjunction n e… | forall v e | when f e | probabilistic n (number e)…
//             | cost number | cost_function function sign t…
#pragma once

#include "base/names.hpp"
#include "base/stop.hpp"
#include "task/task.hpp"

namespace gpaplan {

using Code = std::vector<std::int32_t>;

struct LiftedSchema {
    std::uint32_t parameter_count = 0;
    Indices variable_domains;
    Code precondition;
    Code effect;
};

struct LiftedTask {
    std::uint32_t object_count = 0;
    Indices predicate_arities;
    Indices function_arities;
    std::vector<Indices> domains;        // ascending object lists
    std::vector<Indices> initial_atoms;  // predicate, arguments…
    std::vector<double> numbers;
    std::vector<Indices> function_values;  // function, arguments…, number
    std::vector<LiftedSchema> schemas;
    Indices goal_variable_domains;
    Code goal;
    double action_cost = 1.0;  // added to each action: 1 for unit cost, 0 where the effects carry the costs
};

// Formulas, and then effects; conjunctions and `forall` are both.
enum class LiftedKind : std::uint8_t {
    atom,
    not_atom,
    equal,
    not_equal,
    conjunction,
    disjunction,
    forall,
    exists,
    add,
    remove,
    when,
    probabilistic,
    cost,
    cost_function
};
template <>
inline constexpr std::array names<LiftedKind>{"ATOM",        "NOT_ATOM",      "EQUAL",  "NOT_EQUAL",    "CONJUNCTION",
                                              "DISJUNCTION", "FORALL",        "EXISTS", "ADD",          "REMOVE",
                                              "WHEN",        "PROBABILISTIC", "COST",   "COST_FUNCTION"};

struct LiftedNode {
    LiftedKind kind = LiftedKind::conjunction;
    std::uint32_t symbol = 0;  // predicate, variable of a quantifier, number or function
    std::int32_t sign = 1;     // of a function's value
    std::vector<std::int32_t> terms;
    Indices numbers;                   // of `probabilistic`, one a child
    std::vector<LiftedNode> children;  // of `when`, the condition and the effect
};

LiftedNode decode(const Code& code, const LiftedTask& task);

// The ground task (grounder.cpp says how); with `relevance` only the part that the goal can depend on (relevance.hpp),
// and the names of the rest. Throws TaskTooLarge, MissingValue, or Stopped.
Task ground(const LiftedTask& lifted, std::uint64_t max_actions, bool relevance, Stop& stop);

}  // namespace gpaplan
