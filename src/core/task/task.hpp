// The ground task: the flat, integer-indexed form in which a task crosses from the grounder to everything else.
//
// Everything is a range of indices into a few arrays, so a task is written and read field by field, compared byte by
// byte, and shared between threads without locks (nothing changes after grounding). A range is stored as its begin;
// its end is the begin of the next one, so each `*_begin` array has one entry more than there are ranges.
//
//   fluent atoms   0 … A-1, in order of (predicate, arguments); atom i is bit i of a state
//   literal        2·atom for "holds", 2·atom+1 for "does not hold"
//   condition      a conjunction of literals and of disjunctions; a disjunction is a list of conditions.
//                  Condition 0 is true. A false condition holds one empty disjunction.
//   effect         adds, deletes, a cost, conditional effects (condition, effect), and factors. Effect 0 is empty.
//   factor         one random choice: outcomes (probability, effect). Probabilities are positive and sum to one. The
//   factors of an
//                  effect are independent of each other; effects nest, so factors may stand inside outcomes.
//   action         schema, arguments, precondition (a condition), effect
//
// Applying an effect in a state s: all conditions are evaluated in s, each active factor draws one outcome, and with
// the union A of the active adds and D of the active deletes the successor is (s \ D) ∪ A.
//
// Example, Gripper's pick(ball1, rooma, left): precondition {ball-in, robot-in, free}, an effect with one factor:
// 0.8 {add held, delete ball-in, delete free}, 0.2 {}.
#pragma once

#include "base/bits.hpp"
#include "base/errors.hpp"

namespace gpaplan {

using Literal = std::uint32_t;
constexpr Literal make_literal(AtomId atom, bool negated) { return 2 * atom + (negated ? 1U : 0U); }
constexpr AtomId atom_of(Literal literal) { return literal >> 1U; }
constexpr bool is_negated(Literal literal) { return (literal & 1U) != 0; }

constexpr std::uint32_t true_condition = 0;
constexpr std::uint32_t empty_effect = 0;

struct Task {
    static constexpr std::uint32_t version = 2;

    // Atoms. `atom_predicates` and `atom_arguments` name the fluent atoms; the static ones hold in every state.
    Indices atom_predicates;
    Ranges atom_arguments;
    Indices static_predicates;
    Ranges static_arguments;

    // Conditions: condition i has literals[i] and the disjunctions whose ids are condition_disjunctions[i];
    // disjunction j holds if one of the conditions disjunctions[j] does.
    Ranges literals;
    Ranges condition_disjunctions;
    Ranges disjunctions;

    // Effects. Conditionals are pairs (condition, effect), factors ids of `outcomes` ranges of pairs (number, effect),
    // where a number is an index into `probabilities`.
    Ranges adds;
    Ranges deletes;
    Ranges conditionals;
    Ranges factors;
    Ranges outcomes;
    std::vector<double> effect_costs;
    std::vector<double> probabilities;

    Indices action_schemas;
    Ranges action_arguments;
    Indices preconditions;
    Indices effects;

    Indices initial_atoms;
    std::uint32_t goal = true_condition;

    // The names of what grounding has left out because the goal cannot depend on it (grounding/relevance.hpp).
    Indices dropped_predicates;
    Ranges dropped_arguments;
    Indices dropped_schemas;
    Ranges dropped_action_arguments;

    std::uint32_t atom_count() const { return static_cast<std::uint32_t>(atom_predicates.size()); }
    std::uint32_t action_count() const { return static_cast<std::uint32_t>(action_schemas.size()); }
    std::uint32_t word_count() const { return atom_count() == 0 ? 1 : (atom_count() + 63) / 64; }

    bool operator==(const Task&) const = default;
};

// Whether a condition holds in a state.
bool holds(const Task& task, std::uint32_t condition, const Word* state);

// Calls `visit` with each literal of a condition, also of those in its disjunctions.
template <typename Visit>
void for_each_literal(const Task& task, std::uint32_t condition, const Visit& visit) {
    for (auto literal : task.literals[condition]) visit(literal);
    for (auto disjunction : task.condition_disjunctions[condition])
        for (auto option : task.disjunctions[disjunction]) for_each_literal(task, option, visit);
}

// Calls `visit` with each effect that stands directly in an effect, and its condition, which is true for outcomes.
template <typename Visit>
void for_each_inner(const Task& task, std::uint32_t effect, const Visit& visit) {
    for (const auto [condition, inner] : pairs(task.conditionals[effect])) visit(condition, inner);
    for (auto factor : task.factors[effect])
        for (const auto [number, inner] : pairs(task.outcomes[factor])) visit(true_condition, inner);
}

// Throws InternalError, with the field and index, unless every index of the task is in range.
void validate(const Task& task);

// Whether an effect has no conditional effect and at most one factor, of outcomes that are plain adds and deletes.
bool is_plain(const Task& task, std::uint32_t effect);

// An upper bound of the number of joint outcomes of an effect in any state; saturates at 2^63.
std::uint64_t outcome_bound(const Task& task, std::uint32_t effect);

// Bounds of the expected cost of an effect over all states: no conditional effect that costs less, or more, is active.
struct CostBounds {
    double lower = 0;
    double upper = 0;
};
CostBounds expected_cost_bounds(const Task& task, std::uint32_t effect);

// An upper bound of the probability that an action changes the state that it is applied in, over all states in which it
// is applicable. Outcomes that change nothing there, whatever the state, do not count.
double change_probability_bound(const Task& task, ActionId action);

// A lower bound of the expected cost of every action in every state; infinite if there are no actions.
double cheapest_action(const Task& task);

}  // namespace gpaplan
