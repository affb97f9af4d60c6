// The relevant part of a task: atoms, conditions, effects and actions numbered anew.

#include <algorithm>
#include <map>
#include <utility>

#include "base/ids.hpp"
#include "grounding/relevance.hpp"

namespace gpaplan {

namespace {

// An effect as a tree, in the numbers of the part, so that two of them compare.
struct EffectTree {
    struct Conditional;
    struct Outcome;
    using Factor = std::vector<Outcome>;

    Indices adds;
    Indices deletes;
    std::vector<Conditional> conditionals;
    std::vector<Factor> factors;
    double cost = 0;

    bool is_empty() const;
    bool operator==(const EffectTree& other) const;
    void join(EffectTree other);
};
struct EffectTree::Conditional {
    std::uint32_t condition;
    EffectTree effect;
    bool operator==(const Conditional&) const = default;
};
struct EffectTree::Outcome {
    double probability;
    EffectTree effect;
    bool operator==(const Outcome&) const = default;
};

bool EffectTree::operator==(const EffectTree&) const = default;

bool EffectTree::is_empty() const { return *this == EffectTree{}; }

// Both at once.
void EffectTree::join(EffectTree other) {
    adds.insert(adds.end(), other.adds.begin(), other.adds.end());
    deletes.insert(deletes.end(), other.deletes.begin(), other.deletes.end());
    for (auto& each : other.conditionals) conditionals.push_back(std::move(each));
    for (auto& each : other.factors) factors.push_back(std::move(each));
    cost += other.cost;
}

class RelevantPart {
public:
    RelevantPart(const Task& whole, const Relevance& relevance, Stop& stop)
        : whole_(whole), relevance_(relevance), stop_(stop) {}

    Task make() {
        number_atoms();
        conditions_.assign(whole_.literals.size(), no_id);
        keep(true_condition);
        part_.goal = keep(whole_.goal);
        write(EffectTree{}, true);
        for (ActionId action = 0; action < whole_.action_count(); ++action) {
            stop_.poll();
            const auto arguments = whole_.action_arguments[action];
            if (!relevance_.actions[action]) {
                part_.dropped_schemas.push_back(whole_.action_schemas[action]);
                part_.dropped_action_arguments.add(arguments);
                continue;
            }
            part_.action_schemas.push_back(whole_.action_schemas[action]);
            part_.action_arguments.add(arguments);
            part_.preconditions.push_back(keep(whole_.preconditions[action]));
            part_.effects.push_back(write(read(whole_.effects[action])));
        }
        return std::move(part_);
    }

private:
    void number_atoms() {
        atoms_.assign(whole_.atom_count(), no_id);
        part_.static_predicates = whole_.static_predicates;
        part_.static_arguments = whole_.static_arguments;
        for (AtomId atom = 0; atom < whole_.atom_count(); ++atom) {
            const bool kept = relevance_.atoms[atom];
            if (kept) atoms_[atom] = part_.atom_count();
            (kept ? part_.atom_predicates : part_.dropped_predicates).push_back(whole_.atom_predicates[atom]);
            (kept ? part_.atom_arguments : part_.dropped_arguments).add(whole_.atom_arguments[atom]);
        }
        part_.initial_atoms = kept(whole_.initial_atoms);
    }

    Indices kept(IndexSpan atoms) const {
        Indices result;
        for (auto atom : atoms)
            if (atoms_[atom] != no_id) result.push_back(atoms_[atom]);
        return result;
    }

    // All atoms of a condition that is kept are relevant, so different ones stay different.
    std::uint32_t keep(std::uint32_t condition) {
        if (conditions_[condition] != no_id) return conditions_[condition];
        Indices literals;
        for (auto literal : whole_.literals[condition])
            literals.push_back(make_literal(atoms_[atom_of(literal)], is_negated(literal)));
        Indices disjunctions;
        for (auto disjunction : whole_.condition_disjunctions[condition]) {
            Indices options;
            for (auto option : whole_.disjunctions[disjunction]) options.push_back(keep(option));
            sort_unique(options);
            disjunctions.push_back(static_cast<std::uint32_t>(part_.disjunctions.size()));
            part_.disjunctions.add(options);
        }
        part_.literals.add(literals);
        part_.condition_disjunctions.add(disjunctions);
        return conditions_[condition] = static_cast<std::uint32_t>(part_.literals.size() - 1);
    }

    EffectTree read(std::uint32_t effect) {
        stop_.poll();
        EffectTree tree{kept(whole_.adds[effect]), kept(whole_.deletes[effect]), {}, {}, whole_.effect_costs[effect]};
        const auto conditionals = whole_.conditionals[effect];
        for (std::size_t k = 0; k < conditionals.size(); k += 2) {
            auto inner = read(conditionals[k + 1]);
            if (!inner.is_empty()) tree.conditionals.push_back({keep(conditionals[k]), std::move(inner)});
        }
        for (auto factor : whole_.factors[effect]) {
            auto outcomes = read_factor(whole_.outcomes[factor]);
            if (outcomes.size() == 1)  // nothing is left to chance
                tree.join(std::move(outcomes[0].effect));
            else
                tree.factors.push_back(std::move(outcomes));
        }
        return tree;
    }

    EffectTree::Factor read_factor(IndexSpan outcomes) {
        EffectTree::Factor result;
        for (std::size_t k = 0; k < outcomes.size(); k += 2) {
            const double probability = whole_.probabilities[outcomes[k]];
            auto effect = read(outcomes[k + 1]);
            const auto same = std::ranges::find(result, effect, &EffectTree::Outcome::effect);
            if (same != result.end())
                same->probability += probability;
            else
                result.push_back({probability, std::move(effect)});
        }
        return result;
    }

    // An effect comes after those that it refers to; the first one of all is the empty one.
    std::uint32_t write(EffectTree tree, bool is_first = false) {
        if (tree.is_empty() && !is_first) return empty_effect;
        Indices conditionals;
        for (auto& each : tree.conditionals) {
            conditionals.push_back(each.condition);
            conditionals.push_back(write(std::move(each.effect)));
        }
        Indices factors;
        for (auto& factor : tree.factors) {
            Indices outcomes;
            for (auto& outcome : factor) {
                outcomes.push_back(number(outcome.probability));
                outcomes.push_back(write(std::move(outcome.effect)));
            }
            factors.push_back(static_cast<std::uint32_t>(part_.outcomes.size()));
            part_.outcomes.add(outcomes);
        }
        sort_unique(tree.adds);
        sort_unique(tree.deletes);
        std::erase_if(tree.deletes, [&](auto atom) { return std::ranges::binary_search(tree.adds, atom); });
        part_.adds.add(tree.adds);
        part_.deletes.add(tree.deletes);
        part_.conditionals.add(conditionals);
        part_.factors.add(factors);
        part_.effect_costs.push_back(tree.cost);
        return static_cast<std::uint32_t>(part_.effect_costs.size() - 1);
    }

    std::uint32_t number(double value) {
        const auto [place, is_new] =
            numbers_.try_emplace(value, static_cast<std::uint32_t>(part_.probabilities.size()));
        if (is_new) part_.probabilities.push_back(value);
        return place->second;
    }

    const Task& whole_;
    const Relevance& relevance_;
    Stop& stop_;
    Task part_;
    Indices atoms_;       // of each atom: its number in the part, no_id if it is not relevant
    Indices conditions_;  // likewise
    std::map<double, std::uint32_t> numbers_;
};

}  // namespace

Task relevant_part(Task task, Stop& stop) {
    const auto relevance = find_relevance(task, stop);
    if (relevance.is_whole()) return task;
    return RelevantPart(task, relevance, stop).make();
}

}  // namespace gpaplan
