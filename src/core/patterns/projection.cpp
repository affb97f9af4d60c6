#include "patterns/projection.hpp"

#include "base/marks.hpp"
#include "patterns/constants.hpp"
#include "policies/goal_graph.hpp"
#include "variables/effect_places.hpp"

namespace gpaplan {

namespace {

// The variables of a condition's atoms.
void gather_variables(const Task& task, const Variables& variables, std::uint32_t condition, Indices& result) {
    for_each_literal(task, condition,
                     [&](Literal literal) { result.push_back(variables.variable_of[atom_of(literal)]); });
}

// Lets nothing lead to a state that has two atoms of a mutex group, or no atom of a variable that must have a value.
class PossibleStates final : public TransitionFilter {
public:
    PossibleStates(const ProjectedTask& task, const Indices& pattern) : group_count_(task.variables.mutex.size()) {
        groups_of_.add({});
        must_.push_back(0);
        for (auto variable : pattern) {
            const bool must = task.variables.may_be_none[variable] == 0;
            musts_ += must ? 1 : 0;
            for (auto atom : task.variables.atoms[variable]) {
                groups_of_.add(task.variables.groups_of[atom]);
                must_.push_back(must ? 1 : 0);
            }
        }
    }

    void enter(StateId /*state*/, const Word* /*bits*/, IndexSpan /*actions*/) override {}
    bool keeps_action(ActionId /*action*/) override { return true; }
    bool keeps_outcome(StateId known, const Word* bits) override {
        return known != no_id || test_bit(bits, PatternTask::jumped) || is_possible(bits);
    }

    bool is_possible(const Word* bits) {
        met_.clear();
        bool possible = true;
        std::uint32_t musts = 0;
        for_each_bit(bits, static_cast<std::uint32_t>((must_.size() + 63) / 64), [&](AtomId atom) {
            musts += must_[atom];
            for (auto group : groups_of_[atom]) possible = met_.insert(group, group_count_) && possible;
        });
        return possible && musts == musts_;
    }

private:
    std::size_t group_count_;
    Ranges groups_of_;  // of each atom
    Indices must_;      // of each atom: 1 if its variable must have a value
    std::uint32_t musts_ = 0;
    Marks met_;
};

class Projector {
public:
    Projector(const ProjectedTask& task, Indices pattern, Stop& stop)
        : variables_(task.variables),
          stop_(stop),
          seen_(see_task(task, pattern, stop)),
          possible_(task, pattern),
          space_(seen_.task, pattern_constants::most_outcomes, nullptr, stop, &possible_) {
        result_.index.variables = std::move(pattern);
        space_.set_stop(&stop);
    }

    std::optional<Projection> run(std::uint64_t max_transitions) {
        add_states();
        for (StateId state = 0; state < space_.size(); ++state) {
            if (!add_transitions(state)) return {};
            if (result_.transitions.size() > max_transitions) return {};
        }
        result_.first.push_back(static_cast<std::uint32_t>(result_.transitions.size()));
        result_.branches = result_.successors.values.size() > result_.transitions.size();
        const GoalGraph graph(space_, stop_);
        for (StateId state = 0; state < space_.size(); ++state) {
            result_.is_goal.push_back(space_.is_goal(state) ? 1 : 0);
            result_.hopeless.push_back(graph.is_reaching(state) ? 0 : 1);
            result_.improper.push_back(graph.is_certain(state) ? 0 : 1);
        }
        result_.into = invert(result_.successors, result_.size());
        result_.actions = std::move(seen_.actions);
        return std::move(result_);
    }

private:
    // All states of the pattern that are possible, by rank.
    void add_states() {
        auto& index = result_.index;
        std::uint32_t size = 1;
        for (auto variable : index.variables) {
            index.radix.push_back(size);
            size *= variables_.domain_size(variable);
        }
        std::vector<Word> bits(seen_.task->word_count());
        for (std::uint32_t rank = 0; rank < size; ++rank) {
            stop_.poll();
            std::ranges::fill(bits, 0);
            AtomId first = PatternTask::jumped + 1;
            for (std::size_t slot = 0; slot < index.radix.size(); ++slot) {
                const auto variable = index.variables[slot];
                const auto value = rank / index.radix[slot] % variables_.domain_size(variable);
                if (value < variables_.none(variable)) set_bit(bits.data(), first + value);
                first += variables_.none(variable);
            }
            index.states.push_back(possible_.is_possible(bits.data()) ? space_.intern(bits.data()) : Projection::jump);
        }
    }

    // Returns whether no action has too many outcomes.
    bool add_transitions(StateId state) {
        result_.first.push_back(static_cast<std::uint32_t>(result_.transitions.size()));
        try {
            for (const auto transition : space_.expand(state)) {
                const auto before = result_.successors.values.size();
                for (const auto& outcome : transition.outcomes) {
                    if (outcome.successor == state) continue;
                    result_.successors.values.push_back(outcome.successor);
                    result_.probabilities.push_back(space_.numbers()[outcome.probability]);
                }
                if (result_.successors.values.size() == before) continue;
                result_.successors.close();
                result_.transitions.push_back({state, transition.action});
            }
        } catch (const TooManyOutcomes&) {
            return false;
        }
        return true;
    }

    const Variables& variables_;
    Stop& stop_;
    PatternTask seen_;
    PossibleStates possible_;
    StateSpace space_;
    Projection result_;
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
        append(looked_at, list);
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
    return Projector(task, std::move(pattern), stop).run(max_transitions);
}

}  // namespace gpaplan
