#include "task/task.hpp"

#include <string>

namespace gpaplan {

namespace {

void require(bool holds, const char* field, std::size_t index) {
    if (!holds)
        throw InternalError("ground task: " + std::string(field) + " is wrong at index " + std::to_string(index));
}

void validate_below(const Indices& values, std::size_t limit, const char* field) {
    for (std::size_t i = 0; i < values.size(); ++i) require(values[i] < limit, field, i);
}

// Conditions and effects refer only to ones with lower indices, so that reading them always ends.
void validate_conditions(const Task& task) {
    const std::size_t count = task.literals.size();
    require(count > 0 && task.literals[0].empty() && task.condition_disjunctions[0].empty(), "conditions", 0);
    validate_below(task.literals.values, 2 * std::size_t{task.atom_count()}, "literals");
    validate_below(task.condition_disjunctions.values, task.disjunctions.size(), "condition_disjunctions");
    validate_below(task.disjunctions.values, count, "disjunctions");
    for (std::size_t i = 0; i < count; ++i)
        for (auto disjunction : task.condition_disjunctions[i])
            for (auto condition : task.disjunctions[disjunction]) require(condition < i, "disjunctions", i);
}

void validate_effects(const Task& task) {
    const std::size_t count = task.effect_costs.size();
    require(count > 0 && task.adds[0].empty() && task.deletes[0].empty(), "effects", 0);
    validate_below(task.adds.values, task.atom_count(), "adds");
    validate_below(task.deletes.values, task.atom_count(), "deletes");
    validate_below(task.factors.values, task.outcomes.size(), "factors");
    for (std::size_t i = 0; i < task.probabilities.size(); ++i) require(task.probabilities[i] > 0, "probabilities", i);
    for (std::size_t i = 0; i < count; ++i) {
        const auto conditionals = task.conditionals[i];
        require(conditionals.size() % 2 == 0, "conditionals", i);
        for (const auto [condition, inner] : pairs(conditionals))
            require(condition < task.literals.size() && inner < i, "conditionals", i);
        for (auto factor : task.factors[i]) {
            const auto outcomes = task.outcomes[factor];
            require(!outcomes.empty() && outcomes.size() % 2 == 0, "outcomes", factor);
            for (const auto [number, inner] : pairs(outcomes))
                require(number < task.probabilities.size() && inner < i, "outcomes", factor);
        }
    }
}

}  // namespace

bool holds(const Task& task, std::uint32_t condition, const Word* state) {
    for (auto literal : task.literals[condition])
        if (test_bit(state, atom_of(literal)) == is_negated(literal)) return false;
    for (auto disjunction : task.condition_disjunctions[condition]) {
        const auto options = task.disjunctions[disjunction];
        if (std::ranges::none_of(options, [&](auto option) { return holds(task, option, state); })) return false;
    }
    return true;
}

void validate(const Task& task) {
    const std::size_t atoms = task.atom_count();
    const std::size_t actions = task.action_count();
    const std::size_t effects = task.effect_costs.size();
    const auto has = [](const auto& lists, std::size_t count, const char* field) {
        require(lists.size() == count, field, std::min(lists.size(), count));
    };
    has(task.atom_arguments, atoms, "atom_arguments");
    has(task.static_arguments, task.static_predicates.size(), "static_arguments");
    has(task.condition_disjunctions, task.literals.size(), "condition_disjunctions");
    for (const auto* lists : {&task.adds, &task.deletes, &task.conditionals, &task.factors})
        has(*lists, effects, "effects");
    has(task.action_arguments, actions, "action_arguments");
    has(task.dropped_arguments, task.dropped_predicates.size(), "dropped_arguments");
    has(task.dropped_action_arguments, task.dropped_schemas.size(), "dropped_action_arguments");
    has(task.preconditions, actions, "preconditions");
    has(task.effects, actions, "effects");
    validate_below(task.preconditions, task.literals.size(), "preconditions");
    validate_below(task.effects, effects, "effects");
    validate_below(task.initial_atoms, atoms, "initial_atoms");
    require(task.goal < task.literals.size(), "goal", 0);
    validate_conditions(task);
    validate_effects(task);
}

bool is_plain(const Task& task, std::uint32_t effect) {
    if (!task.conditionals[effect].empty() || task.factors[effect].size() > 1) return false;
    for (auto factor : task.factors[effect])
        for (const auto [number, inner] : pairs(task.outcomes[factor]))
            if (!task.conditionals[inner].empty() || !task.factors[inner].empty()) return false;
    return true;
}

std::uint64_t outcome_bound(const Task& task, std::uint32_t effect) {
    constexpr std::uint64_t most = std::uint64_t{1} << 63U;
    const auto times = [](std::uint64_t a, std::uint64_t b) { return b != 0 && a > most / b ? most : a * b; };
    std::uint64_t bound = 1;
    for (auto factor : task.factors[effect]) {
        std::uint64_t sum = 0;
        for (const auto [number, inner] : pairs(task.outcomes[factor]))
            sum = std::min(most, sum + outcome_bound(task, inner));
        bound = times(bound, sum);
    }
    for (const auto [condition, inner] : pairs(task.conditionals[effect]))
        bound = times(bound, outcome_bound(task, inner));
    return bound;
}

CostBounds expected_cost_bounds(const Task& task, std::uint32_t effect) {
    CostBounds bounds{task.effect_costs[effect], task.effect_costs[effect]};
    for (auto factor : task.factors[effect]) {
        for (const auto [number, inner] : pairs(task.outcomes[factor])) {
            const auto of_inner = expected_cost_bounds(task, inner);
            bounds.lower += task.probabilities[number] * of_inner.lower;
            bounds.upper += task.probabilities[number] * of_inner.upper;
        }
    }
    for (const auto [condition, inner] : pairs(task.conditionals[effect])) {
        const auto of_inner = expected_cost_bounds(task, inner);
        bounds.lower += std::min(0.0, of_inner.lower);
        bounds.upper += std::max(0.0, of_inner.upper);
    }
    return bounds;
}

namespace {

// Whether what an effect adds and deletes by itself holds already, and does not hold, wherever the condition does.
bool is_met(const Task& task, std::uint32_t condition, std::uint32_t effect) {
    const auto literals = task.literals[condition];
    const auto is_asked_for = [&](AtomId atom, bool negated) {
        return std::ranges::binary_search(literals, make_literal(atom, negated));
    };
    return std::ranges::all_of(task.adds[effect], [&](auto atom) { return is_asked_for(atom, false); }) &&
           std::ranges::all_of(task.deletes[effect], [&](auto atom) { return is_asked_for(atom, true); });
}

// Factors and conditional effects are drawn independently of each other: changes add up to no more than a + b - ab.
double change_bound(const Task& task, std::uint32_t condition, std::uint32_t effect) {
    if (!is_met(task, condition, effect)) return 1;
    double bound = 0;
    const auto unite = [&](double other) { bound = std::min(1.0, bound + (1 - bound) * other); };
    for (auto factor : task.factors[effect]) {
        double sum = 0;
        for (const auto [number, inner] : pairs(task.outcomes[factor]))
            sum += task.probabilities[number] * change_bound(task, condition, inner);
        unite(sum);
    }
    for (const auto [when, inner] : pairs(task.conditionals[effect])) unite(change_bound(task, condition, inner));
    return bound;
}

}  // namespace

double change_probability_bound(const Task& task, ActionId action) {
    return change_bound(task, task.preconditions[action], task.effects[action]);
}

double cheapest_action(const Task& task) {
    double least = infinity;
    for (auto effect : task.effects) least = std::min(least, expected_cost_bounds(task, effect).lower);
    return least;
}

}  // namespace gpaplan
