#include "grounding/relevance.hpp"

namespace gpaplan {

namespace {

class Fixpoint {
public:
    Fixpoint(const Task& task, Stop& stop)
        : task_(task),
          stop_(stop),
          atoms_(task.atom_count(), false),
          conditions_(task.literals.size(), false),
          effects_(task.effect_costs.size(), false) {}

    Relevance run() {
        need(task_.goal);
        if (waiting_.empty()) return everything();
        place_effects();
        const auto adders = invert(task_.adds, task_.atom_count());
        const auto deleters = invert(task_.deletes, task_.atom_count());
        for (ActionId action = 0; action < task_.action_count(); ++action)
            if (!costs_something(action)) mark(task_.effects[action], action);
        while (!waiting_.empty()) {
            const auto atom = waiting_.back();
            waiting_.pop_back();
            for (const auto* changers : {&adders, &deleters})
                for (auto effect : (*changers)[atom]) mark(effect);
        }
        Relevance found{std::move(atoms_), std::vector<bool>(task_.action_count(), false)};
        for (ActionId action = 0; action < task_.action_count(); ++action)
            found.actions[action] = effects_[task_.effects[action]];
        return found;
    }

private:
    // Where an effect stands: in an action, or in another effect, perhaps under a condition.
    struct Place {
        std::uint32_t parent = no_id;
        std::uint32_t condition = true_condition;
        ActionId action = no_id;
    };

    Relevance everything() const {
        return {std::vector<bool>(task_.atom_count(), true), std::vector<bool>(task_.action_count(), true)};
    }

    void place_effects() {
        places_.resize(task_.effect_costs.size());
        costs_.assign(task_.effect_costs.size(), false);
        for (std::uint32_t effect = 1; effect < places_.size(); ++effect) {
            stop_.poll();
            costs_[effect] = task_.effect_costs[effect] != 0;
            const auto conditionals = task_.conditionals[effect];
            for (std::size_t k = 0; k < conditionals.size(); k += 2)
                place(conditionals[k + 1], effect, conditionals[k]);
            for (auto factor : task_.factors[effect]) {
                const auto outcomes = task_.outcomes[factor];
                for (std::size_t k = 1; k < outcomes.size(); k += 2) place(outcomes[k], effect, true_condition);
            }
        }
        for (ActionId action = 0; action < task_.action_count(); ++action)
            places_[task_.effects[action]].action = action;
    }

    void place(std::uint32_t effect, std::uint32_t parent, std::uint32_t condition) {
        if (effect == empty_effect) return;
        places_[effect] = {parent, condition, no_id};
        if (!costs_[effect]) return;
        costs_[parent] = true;
        parts_cost_ = true;
    }

    bool costs_something(ActionId action) const {
        const auto effect = task_.effects[action];
        return (parts_cost_ ? expected_cost_bounds(task_, effect).lower : task_.effect_costs[effect]) > 0;
    }

    void need(std::uint32_t condition) {
        if (conditions_[condition]) return;
        conditions_[condition] = true;
        stop_.poll();
        for (auto literal : task_.literals[condition]) {
            if (atoms_[atom_of(literal)]) continue;
            atoms_[atom_of(literal)] = true;
            waiting_.push_back(atom_of(literal));
        }
        for (auto disjunction : task_.condition_disjunctions[condition])
            for (auto option : task_.disjunctions[disjunction]) need(option);
    }

    // An effect matters, and so does all that it stands in.
    void mark(std::uint32_t effect) {
        while (!effects_[effect]) {
            stop_.poll();
            const auto& place = places_[effect];
            effects_[effect] = true;
            need(place.condition);
            if (place.parent == no_id) {
                need(task_.preconditions[place.action]);
                if (parts_cost_) need_for_costs(effect);
                return;
            }
            effect = place.parent;
        }
    }
    void mark(std::uint32_t root, ActionId action) {
        need(task_.preconditions[action]);
        mark(root);
        effects_[root] = true;  // the empty effect stands in no place of its own
    }

    // The conditions on which the costs of an effect depend.
    void need_for_costs(std::uint32_t effect) {
        const auto conditionals = task_.conditionals[effect];
        for (std::size_t k = 0; k < conditionals.size(); k += 2) {
            if (!costs_[conditionals[k + 1]]) continue;
            need(conditionals[k]);
            need_for_costs(conditionals[k + 1]);
        }
        for (auto factor : task_.factors[effect]) {
            const auto outcomes = task_.outcomes[factor];
            for (std::size_t k = 1; k < outcomes.size(); k += 2)
                if (costs_[outcomes[k]]) need_for_costs(outcomes[k]);
        }
    }

    const Task& task_;
    Stop& stop_;
    std::vector<bool> atoms_;
    std::vector<bool> conditions_;
    std::vector<bool> effects_;  // those that matter
    std::vector<bool> costs_;    // effects that cost something, or have a part that does
    bool parts_cost_ = false;    // whether any part of an effect does; else actions cost what they cost
    std::vector<Place> places_;
    Indices waiting_;  // relevant atoms whose changers have not been looked at
};

}  // namespace

bool Relevance::is_whole() const {
    return std::ranges::find(atoms, false) == atoms.end() && std::ranges::find(actions, false) == actions.end();
}

Relevance find_relevance(const Task& task, Stop& stop) { return Fixpoint(task, stop).run(); }

}  // namespace gpaplan
