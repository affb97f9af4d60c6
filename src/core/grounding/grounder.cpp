// Grounding: from a lifted task to the ground task.
//
// First relaxed reachability finds the atoms and actions that can ever matter (reachability.hpp). Atoms of predicates
// that no effect mentions are static; the other reached atoms become the bits of a state. Then preconditions and
// effects are instantiated and simplified: what is static or unreachable is decided here and never looked at again. The
// result depends on declaration order alone.

#include <map>
#include <numeric>

#include "grounding/reachability.hpp"
#include "grounding/relevance.hpp"
#include "task/writer.hpp"

namespace gpaplan {

namespace {

class Grounder {
public:
    Grounder(const LiftedTask& lifted, std::uint64_t max_actions, Stop& stop)
        : lifted_(lifted), max_actions_(max_actions), stop_(stop) {}

    Task run(bool relevance) {
        for (const auto& schema : lifted_.schemas)
            schemas_.push_back({decode(schema.precondition, lifted_), decode(schema.effect, lifted_), &schema});
        reached_ = reach(lifted_, schemas_, max_actions_, stop_);
        number_atoms();
        for (const auto& value : lifted_.function_values)
            values_[Indices(value.begin(), value.end() - 1)] = lifted_.numbers[value.back()];
        find_goal();
        for (std::uint32_t s = 0; s < schemas_.size(); ++s) {
            sort_actions(reached_.actions[s], schemas_[s].schema->parameter_count);
            for (std::uint64_t i = 0; i < reached_.action_counts[s]; ++i) ground_action(s, arguments(s, i));
            reached_.actions[s] = {};
        }
        if (relevance)
            if (const auto found = find_relevance(task_, stop_); !found.is_whole()) drop_all_but(found);
        return std::move(task_);
    }

private:
    // --- atoms ---

    void number_atoms() {
        const auto& atoms = reached_.atoms;
        Indices fluent(atoms.size() - reached_.static_count);
        Indices fixed(reached_.static_count);
        std::iota(fixed.begin(), fixed.end(), 0U);
        std::iota(fluent.begin(), fluent.end(), reached_.static_count);
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

    IndexSpan arguments(std::uint32_t s, std::uint64_t i) const {
        const auto count = schemas_[s].schema->parameter_count;
        return IndexSpan(reached_.actions[s]).subspan(i * count, count);
    }

    void bind_action(std::uint32_t s, IndexSpan arguments) {
        stop_.poll();
        binding_.assign(schemas_[s].schema->variable_domains.size(), no_id);
        std::ranges::copy(arguments, binding_.begin());
    }

    // Binds the variable of a quantifier to one object after the other.
    template <typename Visit>
    void for_each_object(const LiftedNode& quantifier, const Indices& domains, Visit visit) {
        for (auto object : lifted_.domains[domains[quantifier.symbol]]) {
            binding_[quantifier.symbol] = object;
            visit();
        }
    }

    std::uint32_t find(std::uint32_t predicate, const std::vector<std::int32_t>& terms) {
        write_atom(predicate, terms, binding_, key_);
        return reached_.atoms.find(key_);
    }

    // --- conditions ---

    // Adds a formula to a conjunction.
    void conjoin(const LiftedNode& formula, const Indices& domains, Conjunction& result) {
        stop_.poll();
        if (result.is_impossible) return;
        switch (formula.kind) {
            case LiftedKind::atom:
            case LiftedKind::not_atom:
                return conjoin_atom(formula, result);
            case LiftedKind::equal:
            case LiftedKind::not_equal:
                if ((object_of(formula.terms[0], binding_) == object_of(formula.terms[1], binding_)) !=
                    (formula.kind == LiftedKind::equal))
                    result.is_impossible = true;
                return;
            case LiftedKind::conjunction:
                for (const auto& child : formula.children) conjoin(child, domains, result);
                return;
            case LiftedKind::forall:
                return for_each_object(formula, domains, [&] { conjoin(formula.children[0], domains, result); });
            case LiftedKind::disjunction:
            case LiftedKind::exists:
                return conjoin_disjunction(formula, domains, result);
            default:
                throw InternalError("lifted task: an effect is no formula");
        }
    }

    void conjoin_atom(const LiftedNode& formula, Conjunction& result) {
        const bool negated = formula.kind == LiftedKind::not_atom;
        const auto id = find(formula.symbol, formula.terms);
        if (id != no_id && bit_[id] != no_id)
            result.literals.push_back(make_literal(bit_[id], negated));
        else if ((id != no_id) == negated)
            result.is_impossible = true;
    }

    void conjoin_disjunction(const LiftedNode& formula, const Indices& domains, Conjunction& result) {
        std::vector<Conjunction> options;
        const auto add_option = [&](const LiftedNode& child) {
            if (!options.empty() && options.back().is_true()) return;
            conjoin(child, domains, options.emplace_back());
            options.back().normalize();
        };
        if (formula.kind == LiftedKind::exists) {
            for_each_object(formula, domains, [&] { add_option(formula.children[0]); });
        } else {
            for (const auto& child : formula.children) add_option(child);
        }
        writer_.add_disjunction(result, options);
    }

    void find_goal() {
        Conjunction goal;
        binding_.assign(lifted_.goal_variable_domains.size(), no_id);
        conjoin(decode(lifted_.goal, lifted_), lifted_.goal_variable_domains, goal);
        task_.goal = writer_.condition(goal);
    }

    // --- effects ---

    void build(std::uint32_t s, const LiftedNode& effect, EffectParts& result) {
        stop_.poll();
        const auto& domains = schemas_[s].schema->variable_domains;
        switch (effect.kind) {
            case LiftedKind::add:
            case LiftedKind::remove: {
                const auto id = find(effect.symbol, effect.terms);
                if (id != no_id && bit_[id] != no_id)
                    (effect.kind == LiftedKind::add ? result.adds : result.deletes).push_back(bit_[id]);
                return;
            }
            case LiftedKind::conjunction:
                for (const auto& child : effect.children) build(s, child, result);
                return;
            case LiftedKind::forall:
                return for_each_object(effect, domains, [&] { build(s, effect.children[0], result); });
            case LiftedKind::when:
                return build_when(s, effect, result);
            case LiftedKind::probabilistic:
                return build_factor(s, effect, result);
            case LiftedKind::cost:
                result.cost += lifted_.numbers[effect.symbol];
                return;
            case LiftedKind::cost_function:
                result.cost += effect.sign * function_value(s, effect);
                return;
            default:
                throw InternalError("lifted task: a formula is no effect");
        }
    }

    void build_when(std::uint32_t s, const LiftedNode& effect, EffectParts& result) {
        Conjunction condition;
        conjoin(effect.children[0], schemas_[s].schema->variable_domains, condition);
        condition.normalize();
        if (condition.is_impossible) return;
        if (condition.is_true()) return build(s, effect.children[1], result);
        EffectParts inner;
        build(s, effect.children[1], inner);
        const auto id = writer_.effect(inner);
        if (id == empty_effect) return;
        result.conditionals.push_back(writer_.condition(condition));
        result.conditionals.push_back(id);
    }

    void build_factor(std::uint32_t s, const LiftedNode& effect, EffectParts& result) {
        // The front end sees to it that the probability of a single outcome is one.
        if (effect.children.size() == 1) return build(s, effect.children[0], result);
        std::vector<std::pair<double, std::uint32_t>> outcomes;
        for (std::size_t i = 0; i < effect.children.size(); ++i) {
            EffectParts inner;
            build(s, effect.children[i], inner);
            outcomes.emplace_back(lifted_.numbers[effect.numbers[i]], writer_.effect(inner));
        }
        if (std::ranges::all_of(outcomes, [](const auto& each) { return each.second == empty_effect; })) return;
        result.factors.push_back(writer_.factor(outcomes));
    }

    double function_value(std::uint32_t s, const LiftedNode& effect) {
        Indices key{effect.symbol};
        for (auto term : effect.terms) key.push_back(object_of(term, binding_));
        const auto found = values_.find(key);
        if (found != values_.end()) return found->second;
        throw MissingValue(effect.symbol, Indices(key.begin() + 1, key.end()), s);
    }

    // --- actions ---

    void ground_action(std::uint32_t s, IndexSpan arguments) {
        bind_action(s, arguments);
        precondition_.clear();
        conjoin(schemas_[s].precondition, schemas_[s].schema->variable_domains, precondition_);
        precondition_.normalize();
        if (precondition_.is_impossible) return;
        effect_.clear();
        effect_.cost = lifted_.action_cost;
        build(s, schemas_[s].effect, effect_);
        task_.action_schemas.push_back(s);
        task_.action_arguments.add(arguments);
        task_.preconditions.push_back(writer_.condition(precondition_));
        task_.effects.push_back(writer_.effect(effect_));
    }

    // Grounds everything once more, but for what is not relevant, whose names are kept. No condition that is kept
    // mentions an atom that is not.
    void drop_all_but(const Relevance& relevance) {
        const Task whole = std::exchange(writer_, {}).task;
        task_.static_predicates = whole.static_predicates;
        task_.static_arguments = whole.static_arguments;
        Indices bits;  // of each atom
        for (AtomId atom = 0; atom < whole.atom_count(); ++atom) {
            const bool kept = relevance.atoms[atom];
            bits.push_back(kept ? task_.atom_count() : no_id);
            (kept ? task_.atom_predicates : task_.dropped_predicates).push_back(whole.atom_predicates[atom]);
            (kept ? task_.atom_arguments : task_.dropped_arguments).add(whole.atom_arguments[atom]);
        }
        for (auto& bit : bit_)
            if (bit != no_id) bit = bits[bit];
        for (auto atom : whole.initial_atoms)
            if (bits[atom] != no_id) task_.initial_atoms.push_back(bits[atom]);
        find_goal();
        for (ActionId action = 0; action < whole.action_count(); ++action) {
            if (relevance.actions[action]) {
                ground_action(whole.action_schemas[action], whole.action_arguments[action]);
            } else {
                task_.dropped_schemas.push_back(whole.action_schemas[action]);
                task_.dropped_action_arguments.add(whole.action_arguments[action]);
            }
        }
    }

    // Sorts argument tuples, stored one after the other.
    void sort_actions(Indices& tuples, std::size_t width) {
        if (width == 0) return;
        const auto tuple = [&](std::size_t i) { return IndexSpan(tuples).subspan(i * width, width); };
        const auto before = [&](auto a, auto b) { return std::ranges::lexicographical_compare(tuple(a), tuple(b)); };
        Indices order(tuples.size() / width);
        std::iota(order.begin(), order.end(), 0U);
        std::ranges::sort(order, polled(stop_, before));
        Indices sorted;
        for (auto i : order) append(sorted, tuple(i));
        tuples = std::move(sorted);
    }

    const LiftedTask& lifted_;
    std::uint64_t max_actions_;
    Stop& stop_;
    std::vector<DecodedSchema> schemas_;
    Reached reached_;
    TaskWriter writer_;
    Task& task_ = writer_.task;
    Indices bit_;  // of each reached atom: its bit in a state, no_id if it is static
    std::map<Indices, double> values_;
    Binding binding_;

    // Scratch.
    Indices key_;
    Conjunction precondition_;
    EffectParts effect_;
};

}  // namespace

Task ground(const LiftedTask& lifted, std::uint64_t max_actions, bool relevance, Stop& stop) {
    return Grounder(lifted, max_actions, stop).run(relevance);
}

}  // namespace gpaplan
