#include "grounding/grounder.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>

#include "grounding/reachability.hpp"

namespace gpaplan {

namespace {

// A ground condition on its way into the task's pool.
struct GroundCondition {
    bool impossible = false;
    Indices literals;
    std::vector<Indices> disjunctions;  // of condition ids

    bool is_true() const { return !impossible && literals.empty() && disjunctions.empty(); }
    void clear() {
        impossible = false;
        literals.clear();
        disjunctions.clear();
    }
};

struct GroundEffect {
    Indices adds;
    Indices deletes;
    Indices conditionals;
    Indices factors;
    double cost = 0;

    bool is_empty() const {
        return adds.empty() && deletes.empty() && conditionals.empty() && factors.empty() && cost == 0;
    }
    void clear() {
        adds.clear();
        deletes.clear();
        conditionals.clear();
        factors.clear();
        cost = 0;
    }
};

class Grounder {
public:
    Grounder(const LiftedTask& lifted, std::uint64_t max_actions, Stop& stop)
        : lifted_(lifted), max_actions_(max_actions), stop_(stop) {}

    Task run() {
        decode();
        reached_ = reach(lifted_, schemas_, max_actions_, stop_);
        number_atoms();
        intern(precondition_);  // the empty ones
        add_effect(effect_);
        for (const auto& value : lifted_.function_values)
            values_[Indices(value.begin(), value.end() - 1)] = lifted_.numbers[value.back()];
        ground_goal();
        reserve();
        for (std::uint32_t s = 0; s < schemas_.size(); ++s) ground_schema(s);
        return std::move(task_);
    }

private:
    void decode() {
        for (const auto& schema : lifted_.schemas)
            schemas_.push_back(
                {decode_formula(schema.precondition, lifted_), decode_effect(schema.effect, lifted_), &schema});
    }

    // --- atoms ---

    void number_atoms() {
        const auto& atoms = reached_.atoms;
        std::vector<bool> deleted(atoms.size(), false);
        for (std::uint32_t s = 0; s < schemas_.size(); ++s) {
            for (std::uint64_t i = 0; i < reached_.action_counts[s]; ++i) {
                bind_action(s, i);
                mark_deleted(s, schemas_[s].effect, deleted);
            }
        }
        Indices fluent;
        Indices fixed(reached_.static_count);
        std::iota(fixed.begin(), fixed.end(), 0U);
        for (std::uint32_t id = reached_.static_count; id < atoms.size(); ++id)
            (id < reached_.initial_count && !deleted[id] ? fixed : fluent).push_back(id);
        const auto before = [&](std::uint32_t a, std::uint32_t b) {
            return std::ranges::lexicographical_compare(atoms[a], atoms[b]);
        };
        std::ranges::sort(fluent, polled(stop_, before));
        std::ranges::sort(fixed, polled(stop_, before));
        const auto name = [&](const Indices& ids, Indices& predicates, Ranges& arguments) {
            for (auto id : ids) {
                predicates.push_back(reached_.predicate(id));
                arguments.add(reached_.arguments(id));
            }
        };
        name(fluent, task_.atom_predicates, task_.atom_arguments);
        name(fixed, task_.static_predicates, task_.static_arguments);
        bit_.assign(atoms.size(), no_id);
        for (std::uint32_t i = 0; i < fluent.size(); ++i) {
            bit_[fluent[i]] = i;
            if (fluent[i] < reached_.initial_count) task_.initial_atoms.push_back(i);
        }
    }

    void bind_action(std::uint32_t s, std::uint64_t i) {
        stop_.poll();
        const auto& schema = *schemas_[s].schema;
        const auto count = schema.parameter_count;
        binding_.assign(schema.variable_domains.size(), no_id);
        std::copy_n(reached_.actions[s].begin() + static_cast<std::ptrdiff_t>(i * count), count, binding_.begin());
    }

    void mark_deleted(std::uint32_t s, const EffectNode& effect, std::vector<bool>& deleted) {
        stop_.poll();
        const auto& domains = schemas_[s].schema->variable_domains;
        if (effect.kind == EffectKind::remove) {
            const auto id = find(effect.symbol, effect.terms);
            if (id != no_id) deleted[id] = true;
        } else if (effect.kind == EffectKind::forall) {
            for (auto object : lifted_.domains[domains[effect.symbol]]) {
                binding_[effect.symbol] = object;
                mark_deleted(s, effect.children[0], deleted);
            }
        } else if (effect.kind != EffectKind::when ||
                   holds_relaxed(effect.condition, reached_, lifted_, domains, binding_, stop_)) {
            for (const auto& child : effect.children) mark_deleted(s, child, deleted);
        }
    }

    std::uint32_t find(std::uint32_t predicate, const std::vector<std::int32_t>& terms) {
        write_atom(predicate, terms, binding_, key_);
        return reached_.atoms.find(key_);
    }

    // --- conditions ---

    // Adds a formula to a conjunction.
    void conjoin(const FormulaNode& formula, const Indices& domains, GroundCondition& result) {
        stop_.poll();
        if (result.impossible) return;
        switch (formula.kind) {
            case FormulaKind::atom:
            case FormulaKind::not_atom:
                conjoin_atom(formula, result);
                return;
            case FormulaKind::equal:
            case FormulaKind::not_equal:
                if ((object_of(formula.terms[0], binding_) == object_of(formula.terms[1], binding_)) !=
                    (formula.kind == FormulaKind::equal))
                    result.impossible = true;
                return;
            case FormulaKind::conjunction:
                for (const auto& child : formula.children) conjoin(child, domains, result);
                return;
            case FormulaKind::forall:
                for (auto object : lifted_.domains[domains[formula.symbol]]) {
                    binding_[formula.symbol] = object;
                    conjoin(formula.children[0], domains, result);
                }
                return;
            case FormulaKind::disjunction:
            case FormulaKind::exists:
                conjoin_disjunction(formula, domains, result);
                return;
        }
    }

    void conjoin_atom(const FormulaNode& formula, GroundCondition& result) {
        const bool negated = formula.kind == FormulaKind::not_atom;
        const auto id = find(formula.symbol, formula.terms);
        if (id != no_id && bit_[id] != no_id)
            result.literals.push_back(make_literal(bit_[id], negated));
        else if ((id != no_id) == negated)
            result.impossible = true;
    }

    void conjoin_disjunction(const FormulaNode& formula, const Indices& domains, GroundCondition& result) {
        std::vector<GroundCondition> options;
        bool is_true = false;
        const auto add_option = [&](const FormulaNode& child) {
            GroundCondition option;
            conjoin(child, domains, option);
            normalize(option);
            is_true = is_true || option.is_true();
            if (!option.impossible) options.push_back(std::move(option));
        };
        if (formula.kind == FormulaKind::exists) {
            for (auto object : lifted_.domains[domains[formula.symbol]]) {
                binding_[formula.symbol] = object;
                if (!is_true) add_option(formula.children[0]);
            }
        } else {
            for (const auto& child : formula.children)
                if (!is_true) add_option(child);
        }
        if (is_true) return;
        if (options.empty()) {
            result.impossible = true;
        } else if (options.size() == 1) {
            auto& only = options[0];
            result.literals.insert(result.literals.end(), only.literals.begin(), only.literals.end());
            for (auto& disjunction : only.disjunctions) result.disjunctions.push_back(std::move(disjunction));
        } else {
            Indices ids;
            for (auto& option : options) ids.push_back(intern(option));
            sort_unique(ids);
            result.disjunctions.push_back(std::move(ids));
        }
    }

    static void normalize(GroundCondition& condition) {
        sort_unique(condition.literals);
        for (std::size_t i = 1; i < condition.literals.size(); ++i)
            if (atom_of(condition.literals[i - 1]) == atom_of(condition.literals[i])) condition.impossible = true;
        sort_unique(condition.disjunctions);
        if (condition.impossible) {
            condition.literals.clear();
            condition.disjunctions.assign(1, {});
        }
    }

    // Expects nothing of the condition; leaves it normalized.
    std::uint32_t intern(GroundCondition& condition) {
        normalize(condition);
        Indices disjunctions;
        for (const auto& disjunction : condition.disjunctions) {
            const auto id = disjunctions_.intern(disjunction);
            if (id == task_.disjunctions.size()) task_.disjunctions.add(disjunction);
            disjunctions.push_back(id);
        }
        key_ = condition.literals;
        key_.push_back(no_id);
        key_.insert(key_.end(), disjunctions.begin(), disjunctions.end());
        const auto id = conditions_.intern(key_);
        if (id == task_.literals.size()) {
            task_.literals.add(condition.literals);
            task_.condition_disjunctions.add(disjunctions);
        }
        return id;
    }

    void ground_goal() {
        binding_.assign(lifted_.goal_variable_domains.size(), no_id);
        GroundCondition goal;
        goal_ = decode_formula(lifted_.goal, lifted_);
        conjoin(goal_, lifted_.goal_variable_domains, goal);
        task_.goal = intern(goal);
    }

    // --- effects ---

    void build(std::uint32_t s, const EffectNode& effect, GroundEffect& result) {
        stop_.poll();
        const auto& domains = schemas_[s].schema->variable_domains;
        switch (effect.kind) {
            case EffectKind::add:
            case EffectKind::remove: {
                const auto id = find(effect.symbol, effect.terms);
                if (id != no_id && bit_[id] != no_id)
                    (effect.kind == EffectKind::add ? result.adds : result.deletes).push_back(bit_[id]);
                return;
            }
            case EffectKind::conjunction:
                for (const auto& child : effect.children) build(s, child, result);
                return;
            case EffectKind::forall:
                for (auto object : lifted_.domains[domains[effect.symbol]]) {
                    binding_[effect.symbol] = object;
                    build(s, effect.children[0], result);
                }
                return;
            case EffectKind::when:
                build_when(s, effect, result);
                return;
            case EffectKind::probabilistic:
                build_factor(s, effect, result);
                return;
            case EffectKind::cost:
                result.cost += lifted_.numbers[effect.symbol];
                return;
            case EffectKind::cost_function:
                result.cost += effect.sign * function_value(s, effect);
                return;
        }
    }

    void build_when(std::uint32_t s, const EffectNode& effect, GroundEffect& result) {
        GroundCondition condition;
        conjoin(effect.condition, schemas_[s].schema->variable_domains, condition);
        normalize(condition);
        if (condition.impossible) return;
        if (condition.is_true()) {
            build(s, effect.children[0], result);
            return;
        }
        GroundEffect inner;
        build(s, effect.children[0], inner);
        const auto id = add_effect(inner);
        if (id == empty_effect) return;
        result.conditionals.push_back(intern(condition));
        result.conditionals.push_back(id);
    }

    void build_factor(std::uint32_t s, const EffectNode& effect, GroundEffect& result) {
        if (effect.children.size() == 1) {  // the front end sees to it that its probability is one
            build(s, effect.children[0], result);
            return;
        }
        Indices outcomes;
        bool all_empty = true;
        for (std::size_t i = 0; i < effect.children.size(); ++i) {
            GroundEffect inner;
            build(s, effect.children[i], inner);
            const auto id = add_effect(inner);
            all_empty = all_empty && id == empty_effect;
            outcomes.push_back(number(lifted_.numbers[effect.numbers[i]]));
            outcomes.push_back(id);
        }
        if (all_empty) return;
        result.factors.push_back(static_cast<std::uint32_t>(task_.outcomes.size()));
        task_.outcomes.add(outcomes);
    }

    std::uint32_t number(double value) {
        const auto [place, is_new] =
            number_ids_.try_emplace(value, static_cast<std::uint32_t>(task_.probabilities.size()));
        if (is_new) task_.probabilities.push_back(value);
        return place->second;
    }

    double function_value(std::uint32_t s, const EffectNode& effect) {
        Indices key{effect.symbol};
        for (auto term : effect.terms) key.push_back(object_of(term, binding_));
        const auto found = values_.find(key);
        if (found != values_.end()) return found->second;
        throw MissingValue(effect.symbol, Indices(key.begin() + 1, key.end()), s);
    }

    std::uint32_t add_effect(GroundEffect& effect) {
        if (!task_.effect_costs.empty() && effect.is_empty()) return empty_effect;
        sort_unique(effect.adds);
        sort_unique(effect.deletes);
        std::erase_if(effect.deletes, [&](auto atom) { return std::ranges::binary_search(effect.adds, atom); });
        task_.adds.add(effect.adds);
        task_.deletes.add(effect.deletes);
        task_.conditionals.add(effect.conditionals);
        task_.factors.add(effect.factors);
        task_.effect_costs.push_back(effect.cost);
        return static_cast<std::uint32_t>(task_.effect_costs.size() - 1);
    }

    // --- actions ---

    void reserve() {
        std::size_t actions = 0;
        std::size_t arguments = 0;
        for (std::uint32_t s = 0; s < schemas_.size(); ++s) {
            actions += reached_.action_counts[s];
            arguments += reached_.actions[s].size();
        }
        for (auto* values : {&task_.action_schemas, &task_.preconditions, &task_.effects}) values->reserve(actions);
        task_.effect_costs.reserve(actions);
        for (auto* ranges : {&task_.action_arguments, &task_.adds, &task_.deletes, &task_.conditionals, &task_.factors})
            ranges->begin.reserve(actions);
        task_.action_arguments.values.reserve(arguments);
    }

    void ground_schema(std::uint32_t s) {
        const auto& schema = *schemas_[s].schema;
        const auto count = schema.parameter_count;
        sort_actions(reached_.actions[s], count);
        for (std::uint64_t i = 0; i < reached_.action_counts[s]; ++i) {
            bind_action(s, i);
            precondition_.clear();
            conjoin(schemas_[s].precondition, schema.variable_domains, precondition_);
            normalize(precondition_);
            if (precondition_.impossible) continue;
            effect_.clear();
            effect_.cost = lifted_.action_cost;
            build(s, schemas_[s].effect, effect_);
            task_.action_schemas.push_back(s);
            task_.action_arguments.add(IndexSpan(reached_.actions[s]).subspan(i * count, count));
            task_.preconditions.push_back(intern(precondition_));
            task_.effects.push_back(add_effect(effect_));
        }
        reached_.actions[s] = {};
    }

    // Sorts argument tuples, stored one after the other; as single integers where they fit into one.
    void sort_actions(Indices& tuples, std::uint32_t width) {
        if (width == 0) return;
        const auto bits = static_cast<unsigned>(std::bit_width(lifted_.object_count));
        const std::size_t count = tuples.size() / width;
        if (std::size_t{bits} * width <= 64) {
            std::vector<std::uint64_t> keys(count, 0);
            for (std::size_t i = 0; i < tuples.size(); ++i) keys[i / width] = keys[i / width] << bits | tuples[i];
            std::ranges::sort(keys, polled(stop_, std::ranges::less{}));
            for (std::size_t i = tuples.size(); i-- > 0;) {
                tuples[i] = static_cast<std::uint32_t>(keys[i / width] & ((std::uint64_t{1} << bits) - 1));
                keys[i / width] >>= bits;
            }
        } else {
            std::vector<Indices> sorted;
            for (std::size_t i = 0; i < count; ++i)
                sorted.emplace_back(tuples.begin() + static_cast<std::ptrdiff_t>(i * width),
                                    tuples.begin() + static_cast<std::ptrdiff_t>((i + 1) * width));
            std::ranges::sort(sorted, polled(stop_, std::ranges::less{}));
            tuples.clear();
            for (const auto& tuple : sorted) tuples.insert(tuples.end(), tuple.begin(), tuple.end());
        }
    }

    const LiftedTask& lifted_;
    std::uint64_t max_actions_;
    Stop& stop_;
    std::vector<DecodedSchema> schemas_;
    FormulaNode goal_;
    Reached reached_;
    Task task_;
    Indices bit_;                // of each reached atom: its bit in a state, no_id if it is static
    ListInterner conditions_;    // literals, no_id, disjunctions
    ListInterner disjunctions_;  // conditions
    std::map<Indices, double> values_;
    std::map<double, std::uint32_t> number_ids_;
    Binding binding_;

    // Scratch.
    Indices key_;
    GroundCondition precondition_;
    GroundEffect effect_;
};

}  // namespace

Task ground(const LiftedTask& lifted, std::uint64_t max_actions, Stop& stop) {
    return Grounder(lifted, max_actions, stop).run();
}

}  // namespace gpaplan
