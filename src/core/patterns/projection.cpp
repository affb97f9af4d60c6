#include "patterns/projection.hpp"

#include "base/interner.hpp"
#include "base/marks.hpp"
#include "patterns/projected_state.hpp"
#include "variables/effect_places.hpp"

namespace gpaplan {

namespace {

// The variables of a condition's atoms.
void gather_variables(const Task& task, const Variables& variables, std::uint32_t condition, Indices& result) {
    for_each_literal(task, condition,
                     [&](Literal literal) { result.push_back(variables.variable_of[atom_of(literal)]); });
}

class Projector {
public:
    Projector(const ProjectedTask& task, Indices pattern, std::uint64_t max_transitions, Stop& stop)
        : task_(task), stop_(stop), max_transitions_(max_transitions) {
        result_.variables = std::move(pattern);
        Rank size = 1;
        for (auto variable : result_.variables) {
            result_.radix.push_back(size);
            size *= task.variables.domain_size(variable);
        }
        result_.kinds.assign(size, Projection::Kind::impossible);
    }

    std::optional<Projection> run() {
        find_labels();
        ProjectedState state(task_, result_.variables);
        find_kinds(state);
        visit_states(state, [&](Rank rank) {
            result_.first.push_back(static_cast<std::uint32_t>(result_.transitions.size()));
            if (result_.kinds[rank] == Projection::Kind::plain) expand(rank, state);
            return result_.transitions.size() <= max_transitions_;
        });
        if (result_.transitions.size() > max_transitions_) return {};
        result_.first.push_back(static_cast<std::uint32_t>(result_.transitions.size()));
        result_.transitions.push_back({no_id, no_id, static_cast<std::uint32_t>(result_.successors.size())});
        result_.branches = result_.successors.size() + 1 > result_.transitions.size();
        find_dead_ends();
        return std::move(result_);
    }

private:
    // Actions that look the same.
    struct Label {
        std::vector<Indices> allowed;  // of each slot: the values with which they are applicable; all if empty
        std::uint32_t precondition = true_condition;  // to be looked at besides, if it has disjunctions
        bool is_plain = true;
        Distribution outcomes;     // if they are plain
        std::uint32_t effect = 0;  // if they are not
    };

    template <typename Visit>
    void visit_states(ProjectedState& state, Visit visit) {
        std::ranges::fill(state.values, 0);
        for (Rank rank = 0; rank < result_.size(); ++rank) {
            stop_.poll();
            if (!visit(rank)) return;
            for (std::uint32_t slot = 0; slot < state.values.size(); ++slot) {
                if (++state.values[slot] < task_.variables.domain_size(result_.variables[slot])) break;
                state.values[slot] = 0;
            }
        }
    }

    void find_kinds(ProjectedState& state) {
        using Kind = Projection::Kind;
        visit_states(state, [&](Rank rank) {
            if (state.is_impossible()) return true;
            const bool is_goal = state.truth(task_.task.goal) != ProjectedState::Truth::no;
            result_.kinds[rank] = is_goal ? Kind::goal : Kind::plain;
            if (is_goal && goal_ == no_id) goal_ = rank;
            return true;
        });
    }

    void find_labels() {
        const ProjectedState view(task_, result_.variables);
        offsets_.assign(1, 0);
        for (auto variable : result_.variables)
            offsets_.push_back(offsets_.back() + task_.variables.domain_size(variable));
        Indices actions;
        for (auto variable : result_.variables) detail::append(actions, task_.changers[variable]);
        sort_unique(actions);
        ListInterner distinct;
        std::vector<Indices> members;
        for (auto action : actions) {
            stop_.poll();
            if (!encode(view, action)) continue;
            const auto known = distinct.size();
            const auto id = distinct.intern(code_);
            if (id == known) {
                members.emplace_back();
                labels_.push_back(label_of(view, action));
            }
            members[id].push_back(action);
        }
        for (const auto& list : members) result_.actions.add(list);
        arrange();
    }

    // Writes down all that the projection sees of an action. Returns whether it is applicable anywhere.
    bool encode(const ProjectedState& view, ActionId action) {
        const auto& task = task_.task;
        const auto effect = task.effects[action];
        const auto precondition = task.preconditions[action];
        if (!find_allowed(view, precondition)) return false;
        code_.clear();
        for (std::uint32_t i = 0; i < is_allowed_.size(); ++i) {
            if (i % 32 == 0) code_.push_back(0);
            code_.back() |= std::uint32_t{is_allowed_[i]} << (i % 32);
        }
        if (!is_plain(task, effect)) {
            code_.insert(code_.end(), {1, precondition, effect});
            return true;
        }
        const bool has_disjunctions = !task.condition_disjunctions[precondition].empty();
        code_.insert(code_.end(), {0, has_disjunctions ? precondition : true_condition});
        const auto write = [&](std::uint32_t part) {
            for (auto atom : task.adds[part])
                if (view.slot_of(atom) != no_id) code_.push_back(2 * atom);
            for (auto atom : task.deletes[part])
                if (view.slot_of(atom) != no_id) code_.push_back(2 * atom + 1);
        };
        write(effect);
        for (auto factor : task.factors[effect]) {
            const auto outcomes = task.outcomes[factor];
            for (std::size_t k = 0; k < outcomes.size(); k += 2) {
                code_.insert(code_.end(), {no_id, outcomes[k]});
                write(outcomes[k + 1]);
            }
        }
        return true;
    }

    // The values of each slot with which a precondition may hold; returns whether there are any.
    bool find_allowed(const ProjectedState& view, std::uint32_t precondition) {
        const auto& variables = task_.variables;
        is_allowed_.assign(offsets_.back(), 1);
        for (auto literal : task_.task.literals[precondition]) {
            const auto atom = atom_of(literal);
            const auto slot = view.slot_of(atom);
            if (is_negated(literal)) {
                if (slot != no_id) is_allowed_[offsets_[slot] + view.value_of(atom)] = 0;
                continue;
            }
            if (slot != no_id) {
                const auto needed = offsets_[slot] + view.value_of(atom);
                for (auto i = offsets_[slot]; i < offsets_[slot + 1]; ++i)
                    if (i != needed) is_allowed_[i] = 0;
            }
            for (auto group : variables.groups_of[atom]) {
                for (auto other : variables.mutex.atoms[group]) {
                    const auto there = view.slot_of(other);
                    if (other != atom && there != no_id) is_allowed_[offsets_[there] + view.value_of(other)] = 0;
                }
            }
        }
        for (std::size_t slot = 0; slot + 1 < offsets_.size(); ++slot)
            if (std::find(is_allowed_.begin() + offsets_[slot], is_allowed_.begin() + offsets_[slot + 1], 1) ==
                is_allowed_.begin() + offsets_[slot + 1])
                return false;
        return true;
    }

    // Of the action that was written down last.
    Label label_of(const ProjectedState& view, ActionId action) const {
        const auto& task = task_.task;
        Label label;
        label.allowed.resize(result_.variables.size());
        for (std::size_t slot = 0; slot < label.allowed.size(); ++slot) {
            auto& values = label.allowed[slot];
            for (auto i = offsets_[slot]; i < offsets_[slot + 1]; ++i)
                if (is_allowed_[i] != 0) values.push_back(i - offsets_[slot]);
            if (values.size() == offsets_[slot + 1] - offsets_[slot]) values.clear();
        }
        const auto precondition = task.preconditions[action];
        auto outcomes = is_plain(task, task.effects[action]) ? view.distribution(task.effects[action]) : std::nullopt;
        label.is_plain = outcomes.has_value();
        if (!label.is_plain || !task.condition_disjunctions[precondition].empty()) label.precondition = precondition;
        if (label.is_plain)
            label.outcomes = std::move(*outcomes);
        else
            label.effect = task.effects[action];
        return label;
    }

    // Each label stands where its most selective variable has one of the values that it needs.
    void arrange() {
        const auto slots = result_.variables.size();
        by_value_.resize(slots);
        for (std::size_t slot = 0; slot < slots; ++slot)
            by_value_[slot].resize(task_.variables.domain_size(result_.variables[slot]));
        for (LabelId label = 0; label < labels_.size(); ++label) {
            std::uint32_t best = no_id;
            for (std::uint32_t slot = 0; slot < slots; ++slot) {
                const auto count = labels_[label].allowed[slot].size();
                if (count > 0 && (best == no_id || count < labels_[label].allowed[best].size())) best = slot;
            }
            if (best == no_id) {
                anywhere_.push_back(label);
                continue;
            }
            for (auto value : labels_[label].allowed[best]) by_value_[best][value].push_back(label);
        }
    }

    void expand(Rank rank, ProjectedState& state) {
        for (auto label : anywhere_) apply(rank, state, label);
        for (std::uint32_t slot = 0; slot < state.values.size(); ++slot)
            for (auto label : by_value_[slot][state.values[slot]]) apply(rank, state, label);
    }

    void apply(Rank rank, ProjectedState& state, LabelId id) {
        stop_.poll();
        const auto& label = labels_[id];
        for (std::uint32_t slot = 0; slot < state.values.size(); ++slot)
            if (!label.allowed[slot].empty() && !std::ranges::binary_search(label.allowed[slot], state.values[slot]))
                return;
        if (label.precondition != true_condition) {
            state.assume({});
            if (state.truth(label.precondition) == ProjectedState::Truth::no) return;
        }
        if (label.is_plain) {
            add_transition(rank, state, id, label.outcomes);
            return;
        }
        state.assume(task_.task.literals[label.precondition]);
        const auto outcomes = state.distribution(label.effect);
        state.assume({});
        if (outcomes) {
            add_transition(rank, state, id, *outcomes);
        } else if (goal_ != no_id) {
            result_.transitions.push_back({rank, id, static_cast<std::uint32_t>(result_.successors.size())});
            result_.successors.push_back(goal_);
            result_.probabilities.push_back(1);
        }
    }

    // Where nothing changes, or no state looks like an outcome, there is no transition.
    void add_transition(Rank rank, const ProjectedState& state, LabelId label, const Distribution& outcomes) {
        const auto begin = result_.successors.size();
        for (const auto& change : outcomes) {
            Rank next = 0;
            const bool exists = state.apply(change, after_);
            if (exists)
                for (std::uint32_t slot = 0; slot < after_.size(); ++slot) next += result_.radix[slot] * after_[slot];
            if (!exists || result_.kinds[next] == Projection::Kind::impossible) {
                result_.successors.resize(begin);
                result_.probabilities.resize(begin);
                return;
            }
            if (next == rank) continue;
            const auto same = std::find(result_.successors.begin() + static_cast<std::ptrdiff_t>(begin),
                                        result_.successors.end(), next);
            if (same != result_.successors.end()) {
                result_.probabilities[static_cast<std::size_t>(same - result_.successors.begin())] +=
                    change.probability;
                continue;
            }
            result_.successors.push_back(next);
            result_.probabilities.push_back(change.probability);
        }
        if (result_.successors.size() > begin)
            result_.transitions.push_back({rank, label, static_cast<std::uint32_t>(begin)});
    }

    void find_dead_ends() {
        Ranges lists;
        for (std::size_t i = 0; i + 1 < result_.transitions.size(); ++i) {
            stop_.poll();
            const auto& transition = result_.transitions[i];
            for (auto k = transition.begin; k < result_.transitions[i + 1].begin; ++k)
                lists.values.push_back(result_.successors[k]);
            lists.close();
        }
        result_.into = invert(lists, result_.size());
        std::vector<std::uint8_t> is_out(lists.size(), 0);  // of each transition: it may lead to a state without a way
        result_.hopeless = without_way(is_out);
        result_.improper = result_.hopeless;
        for (bool changed = true; changed;) {
            changed = false;
            for (std::size_t i = 0; i < lists.size(); ++i) {
                stop_.poll();
                if (is_out[i] != 0) continue;
                if (std::ranges::any_of(lists[i], [&](auto next) { return result_.improper[next] != 0; })) {
                    is_out[i] = 1;
                    changed = true;
                }
            }
            if (changed) result_.improper = without_way(is_out);
        }
    }

    // The states from which no way leads to a goal along the transitions that are left.
    std::vector<std::uint8_t> without_way(const std::vector<std::uint8_t>& is_out) {
        std::vector<std::uint8_t> result(result_.size(), 1);
        Indices open;
        for (Rank rank = 0; rank < result_.size(); ++rank) {
            if (result_.kinds[rank] != Projection::Kind::goal) continue;
            result[rank] = 0;
            open.push_back(rank);
        }
        while (!open.empty()) {
            const auto rank = open.back();
            open.pop_back();
            for (auto transition : result_.into[rank]) {
                stop_.poll();
                const auto from = result_.transitions[transition].from;
                if (is_out[transition] != 0 || result[from] == 0) continue;
                result[from] = 0;
                open.push_back(from);
            }
        }
        return result;
    }

    const ProjectedTask& task_;
    Stop& stop_;
    std::uint64_t max_transitions_;
    Projection result_;
    Rank goal_ = no_id;
    std::vector<Label> labels_;
    Indices offsets_;                       // of each slot in `is_allowed_`; one more at the end
    std::vector<std::uint8_t> is_allowed_;  // of each value of each slot, for one action
    Indices code_;
    std::vector<std::vector<Indices>> by_value_;  // of each slot, of each value: labels
    Indices anywhere_;
    Indices after_;
};

}  // namespace

ProjectedTask::ProjectedTask(const Task& task, Stop& stop) : task(task), variables(find_variables(task, stop)) {
    Ranges changed;   // of each action: variables
    Ranges involved;  // likewise, with those that it looks at
    Indices list;
    Indices looked_at;
    for (ActionId action = 0; action < task.action_count(); ++action) {
        costs.push_back(std::max(0.0, expected_cost_bounds(task, task.effects[action]).lower));
        list.clear();
        looked_at.clear();
        gather_variables(task, variables, task.preconditions[action], looked_at);
        for_each_place(task, action, [&](const EffectPlace& place) {
            stop.poll();
            for (auto atom : task.adds[place.effect]) list.push_back(variables.variable_of[atom]);
            for (auto atom : task.deletes[place.effect]) list.push_back(variables.variable_of[atom]);
            for (auto literal : place.known) looked_at.push_back(variables.variable_of[atom_of(literal)]);
        });
        sort_unique(list);
        looked_at.insert(looked_at.end(), list.begin(), list.end());
        sort_unique(looked_at);
        changed.add(list);
        involved.add(looked_at);
    }
    changers = invert(changed, variables.size());
    Marks met;
    for (std::uint32_t variable = 0; variable < variables.size(); ++variable) {
        met.clear();
        met.insert(variable, variables.size());
        list.clear();
        for (auto action : changers[variable]) {
            stop.poll(1 + involved[action].size());
            for (auto other : involved[action])
                if (met.insert(other, variables.size())) list.push_back(other);
        }
        std::ranges::sort(list);
        conditions.add(list);
    }
    gather_variables(task, variables, task.goal, goal_variables);
    sort_unique(goal_variables);
}

double ProjectedTask::number_of_states(const Indices& pattern) const {
    double size = 1;
    for (auto variable : pattern) size *= variables.domain_size(variable);
    return size;
}

std::optional<Projection> project(const ProjectedTask& task, Indices pattern, std::uint64_t max_transitions,
                                  Stop& stop) {
    return Projector(task, std::move(pattern), max_transitions, stop).run();
}

}  // namespace gpaplan
