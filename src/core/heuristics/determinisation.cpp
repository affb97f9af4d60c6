#include "heuristics/relaxation.hpp"

#include <initializer_list>
#include <iterator>

namespace gpaplan {

namespace {

class Determiniser {
public:
    Determiniser(const Task& task, Stop& stop) : task_(task), stop_(stop) {}

    Relaxation determinise() {
        result_.group_begin = {0};
        number_facts();
        add_auxiliary_operators();
        for (ActionId action = 0; action < task_.action_count(); ++action) {
            const double change = change_probability_bound(task_, action);
            if (change == 0) continue;
            const double least = std::max(0.0, expected_cost_bounds(task_, task_.effects[action]).lower);
            const double cost = std::min(least / change, std::numeric_limits<double>::max());
            if (is_plain(task_, task_.effects[action]))
                add_plain(action, cost);
            else
                add_general(action, cost);
        }
        return std::move(result_);
    }

private:
    // An operator of a general action.
    struct DeleteFreeOperator {
        Indices preconditions;
        Indices adds;
        auto operator<=>(const DeleteFreeOperator&) const = default;
    };

    void number_facts() {
        FactId next = task_.atom_count();
        result_.always = next++;
        result_.negative_facts.assign(task_.atom_count(), no_id);
        for (auto literal : task_.literals.values)
            if (is_negated(literal)) result_.negative_facts[atom_of(literal)] = 0;
        for (auto& fact : result_.negative_facts)
            if (fact != no_id) fact = next++;
        first_disjunction_ = next;
        result_.fact_count = next + static_cast<std::uint32_t>(task_.disjunctions.size());
    }

    void add_auxiliary_operators() {
        gather_condition(task_.goal, preconditions_);
        add_operator(preconditions_, {});
        for (std::uint32_t i = 0; i < task_.disjunctions.size(); ++i) {
            const FactId fact = first_disjunction_ + i;
            for (auto option : task_.disjunctions[i]) {
                preconditions_.clear();
                gather_condition(option, preconditions_);
                add_operator(preconditions_, {&fact, 1});
            }
        }
        close_group(0);
    }

    void add_plain(ActionId action, double cost) {
        preconditions_.clear();
        gather_condition(task_.preconditions[action], preconditions_);
        const auto effect = task_.effects[action];
        const auto factors = task_.factors[effect];
        const auto outcomes = factors.empty() ? IndexSpan() : task_.outcomes[factors[0]];
        const auto count = std::max<std::size_t>(1, outcomes.size() / 2);
        if (outcome_adds_.size() < count) outcome_adds_.resize(count);
        for (std::size_t k = 0; k < count; ++k) {
            outcome_adds_[k].clear();
            gather_effects({effect, factors.empty() ? empty_effect : outcomes[2 * k + 1]}, outcome_adds_[k]);
        }
        add_outcomes({outcome_adds_.data(), count}, cost);
    }

    // One operator for each outcome but those that reach no more than another one does.
    void add_outcomes(std::span<Indices> outcomes, double cost) {
        constexpr std::size_t most_compared =
            16;  // outcomes, the largest: comparing all takes the square of their number
        if (outcomes.size() > 1)
            std::ranges::stable_sort(outcomes, std::greater{}, [](const Indices& adds) { return adds.size(); });
        for (std::size_t k = 0; k < outcomes.size(); ++k) {
            const auto before = outcomes.first(std::min(k, most_compared));
            if (std::ranges::any_of(before,
                                    [&](const Indices& adds) { return std::ranges::includes(adds, outcomes[k]); }))
                continue;
            add_operator(preconditions_, outcomes[k]);
            close_group(cost);
        }
    }

    void add_general(ActionId action, double cost) {
        rules_.clear();
        preconditions_.clear();
        gather_condition(task_.preconditions[action], preconditions_);
        add_rules(task_.effects[action], Indices(preconditions_));
        std::ranges::sort(rules_);
        for (std::size_t i = 0, end = 0; i < rules_.size(); i = end) {
            auto& adds = rules_[i].adds;
            for (end = i + 1; end < rules_.size() && rules_[end].preconditions == rules_[i].preconditions; ++end)
                append(adds, rules_[end].adds);
            sort_unique(adds);
            add_operator(rules_[i].preconditions, adds);
        }
        close_group(cost);
    }

    void add_rules(std::uint32_t effect, const Indices& preconditions) {
        DeleteFreeOperator rule{preconditions, {}};
        gather_effects({effect}, rule.adds);
        if (!rule.adds.empty()) rules_.push_back(std::move(rule));
        for_each_inner(task_, effect, [&](std::uint32_t condition, std::uint32_t inner) {
            Indices both = preconditions;
            gather_condition(condition, both);
            add_rules(inner, both);
        });
    }

    // Adds an operator to the group that is open. One that adds nothing new is none, but for the goal.
    void add_operator(IndexSpan preconditions, IndexSpan adds) {
        stop_.poll(1 + preconditions.size() / 16);
        const auto before = result_.adds.values.size();
        std::ranges::set_difference(adds, preconditions, std::back_inserter(result_.adds.values));
        if (result_.adds.values.size() == before && result_.operator_count() != Relaxation::goal) return;
        result_.adds.close();
        auto& values = result_.preconditions.values;
        append(values, preconditions);
        if (preconditions.empty()) values.push_back(result_.always);
        result_.preconditions.close();
        result_.groups.push_back(static_cast<std::uint32_t>(result_.group_costs.size()));
    }

    // The operators added since the last group are one, unless there are none.
    void close_group(double cost) {
        const auto first = result_.group_begin.back();
        if (result_.operator_count() == first) return;
        result_.group_costs.push_back(cost);
        result_.group_begin.push_back(result_.operator_count());
    }

    void gather_condition(std::uint32_t condition, Indices& facts) const {
        for (auto literal : task_.literals[condition])
            facts.push_back(is_negated(literal) ? result_.negative_facts[atom_of(literal)] : atom_of(literal));
        for (auto disjunction : task_.condition_disjunctions[condition])
            facts.push_back(first_disjunction_ + disjunction);
        sort_unique(facts);
    }

    // What effects that happen together reach; an atom that is added and deleted holds afterwards.
    void gather_effects(std::initializer_list<std::uint32_t> effects, Indices& facts) const {
        for (auto effect : effects) append(facts, task_.adds[effect]);
        sort_unique(facts);
        const auto added = facts.size();
        for (auto effect : effects)
            for (auto atom : task_.deletes[effect])
                if (result_.negative_facts[atom] != no_id &&
                    !std::binary_search(facts.data(), facts.data() + added, atom))
                    facts.push_back(result_.negative_facts[atom]);
        sort_unique(facts);
    }

    const Task& task_;
    Stop& stop_;
    Relaxation result_;
    FactId first_disjunction_ = 0;

    // Scratch.
    Indices preconditions_;
    std::vector<Indices> outcome_adds_;
    std::vector<DeleteFreeOperator> rules_;
};

// The facts that are reached from the initial state, by counting the preconditions that each operator lacks.
std::vector<bool> reach(const Task& task, const Relaxation& relaxation) {
    std::vector<bool> reached(relaxation.fact_count, false);
    std::vector<bool> holds(task.atom_count(), false);
    for (auto atom : task.initial_atoms) holds[atom] = true;
    Indices queue;
    const auto add = [&](FactId fact) {
        if (reached[fact]) return;
        reached[fact] = true;
        queue.push_back(fact);
    };
    add(relaxation.always);
    for (AtomId atom = 0; atom < task.atom_count(); ++atom) {
        if (holds[atom]) add(atom);
        if (!holds[atom] && relaxation.negative_facts[atom] != no_id) add(relaxation.negative_facts[atom]);
    }
    const auto precondition_of = invert(relaxation.preconditions, relaxation.fact_count);
    Indices lacking;
    for (OperatorId op = 0; op < relaxation.operator_count(); ++op)
        lacking.push_back(static_cast<std::uint32_t>(relaxation.preconditions[op].size()));
    for (std::size_t i = 0; i < queue.size(); ++i)
        for (auto op : precondition_of[queue[i]])
            if (--lacking[op] == 0)
                for (auto fact : relaxation.adds[op]) add(fact);
    return reached;
}

}  // namespace

Relaxation determinise(const Task& task, Stop& stop) { return Determiniser(task, stop).determinise(); }

FixedAtoms find_fixed_atoms(const Task& task, Stop& stop) {
    const auto relaxation = determinise(task, stop);
    const auto reached = reach(task, relaxation);
    FixedAtoms result;
    for (AtomId atom = 0; atom < task.atom_count(); ++atom) {
        const auto negative = relaxation.negative_facts[atom];
        if (!reached[atom]) result.never_true.push_back(atom);
        if (negative != no_id && !reached[negative]) result.never_false.push_back(atom);
    }
    return result;
}

}  // namespace gpaplan
