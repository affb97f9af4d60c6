#include "grounding/relevance.hpp"

namespace gpaplan {

namespace {

class Fixpoint {
public:
    Fixpoint(const Task& task, Stop& stop) : task_(task), stop_(stop) {
        found_.atoms.assign(task.atom_count(), false);
        found_.actions.assign(task.action_count(), false);
    }

    Relevance run() {
        need(task_.goal);
        if (open_.empty())
            return {std::vector<bool>(task_.atom_count(), true), std::vector<bool>(task_.action_count(), true)};
        Ranges changed;  // of each action: the atoms that some part of its effect changes
        for (auto effect : task_.effects) {
            gather_changes(effect, changed.values);
            changed.close();
        }
        const auto changers = invert(changed, task_.atom_count());
        for (ActionId action = 0; action < task_.action_count(); ++action)
            if (!(expected_cost_bounds(task_, task_.effects[action]).lower > 0)) keep(action);
        while (!open_.empty()) {
            Indices actions;
            for (auto atom : std::exchange(open_, {})) append(actions, changers[atom]);
            sort_unique(actions);
            for (auto action : actions) keep(action);
        }
        return std::move(found_);
    }

private:
    void gather_changes(std::uint32_t effect, Indices& atoms) {
        stop_.poll();
        for (const auto* lists : {&task_.adds, &task_.deletes}) append(atoms, (*lists)[effect]);
        for_each_inner(task_, effect, [&](std::uint32_t, std::uint32_t inner) { gather_changes(inner, atoms); });
    }

    void need(std::uint32_t condition) {
        for_each_literal(task_, condition, [&](Literal literal) {
            if (found_.atoms[atom_of(literal)]) return;
            found_.atoms[atom_of(literal)] = true;
            open_.push_back(atom_of(literal));
        });
    }

    void keep(ActionId action) {
        found_.actions[action] = true;
        need(task_.preconditions[action]);
        need_for(task_.effects[action]);
    }

    // The conditions on which a change of a relevant atom, or a cost, depends; returns whether the effect has either.
    bool need_for(std::uint32_t effect) {
        stop_.poll();
        const auto is_relevant = [&](AtomId atom) { return bool{found_.atoms[atom]}; };
        bool matters = task_.effect_costs[effect] != 0 || std::ranges::any_of(task_.adds[effect], is_relevant) ||
                       std::ranges::any_of(task_.deletes[effect], is_relevant);
        for_each_inner(task_, effect, [&](std::uint32_t condition, std::uint32_t inner) {
            if (!need_for(inner)) return;
            need(condition);
            matters = true;
        });
        return matters;
    }

    const Task& task_;
    Stop& stop_;
    Relevance found_;
    Indices open_;  // relevant atoms whose changers have not been looked at
};

}  // namespace

bool Relevance::is_whole() const {
    return std::ranges::find(atoms, false) == atoms.end() && std::ranges::find(actions, false) == actions.end();
}

Relevance find_relevance(const Task& task, Stop& stop) { return Fixpoint(task, stop).run(); }

}  // namespace gpaplan
