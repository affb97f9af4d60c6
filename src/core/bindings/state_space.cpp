// The state space.

#include <nanobind/stl/function.h>

#include <map>

#include "automata/matching_filter.hpp"
#include "bindings/bindings.hpp"
#include "symmetry/representative.hpp"

namespace gpaplan {

namespace {

using OutcomePairs = std::vector<std::pair<double, StateId>>;
using TransitionTuple = std::tuple<ActionId, double, OutcomePairs>;

std::vector<TransitionTuple> transitions(StateSpace& space, StateId state) {
    std::vector<TransitionTuple> result;
    for (const auto transition : space.expand(state)) {
        OutcomePairs outcomes;
        for (const auto& outcome : transition.outcomes)
            outcomes.emplace_back(space.numbers()[outcome.probability], outcome.successor);
        result.emplace_back(transition.action, space.numbers()[transition.cost], std::move(outcomes));
    }
    return result;
}

// The transitions of some states as text, a state each. `form` says how one reads, by its action, its cost and its
// probabilities, and is asked once of those that have these in common. There, \1 stands for the state, and \2 for the
// successor of each outcome; these come in ascending order.
std::vector<std::string> written(StateSpace& space, StateId first, StateId end,
                                 const std::function<std::string(ActionId, double, const std::vector<double>&)>& form) {
    if (first < end) check_index(end - 1, space.size());
    std::map<Indices, std::string> forms;
    std::vector<std::string> result(first < end ? end - first : 0);
    for (auto state = first; state < end; ++state) {
        for (const auto transition : space.expand(state)) {
            std::vector<Outcome> outcomes(transition.outcomes.begin(), transition.outcomes.end());
            std::ranges::sort(outcomes, std::less{}, &Outcome::successor);
            Indices kind{transition.action, transition.cost};
            for (const auto& outcome : outcomes) kind.push_back(outcome.probability);
            auto found = forms.find(kind);
            if (found == forms.end()) {
                std::vector<double> probabilities;
                for (const auto& outcome : outcomes) probabilities.push_back(space.numbers()[outcome.probability]);
                const auto text = form(transition.action, space.numbers()[transition.cost], probabilities);
                found = forms.emplace(std::move(kind), text).first;
            }
            auto next = outcomes.begin();
            for (const char letter : found->second) {
                if (letter == '\1')
                    result[state - first] += std::to_string(state);
                else if (letter == '\2')
                    result[state - first] += std::to_string((next++)->successor);
                else
                    result[state - first] += letter;
            }
        }
    }
    return result;
}

// The ids of the states of another space of the same task.
Indices intern_all(StateSpace& space, const StateSpace& other) {
    if (&space.task() != &other.task()) throw nb::value_error("the spaces are not of one task");
    const nb::gil_scoped_release release;
    Indices result;
    result.reserve(other.size());
    for (StateId state = 0; state < other.size(); ++state) result.push_back(space.intern(other.bits(state)));
    return result;
}

// The action of a representative that stands for an action up to symmetry.
ActionId first_action(StateSpace& space, StateId state, ActionId action) {
    const auto* bits = bits_of(space, state);
    check_index(action, space.task().action_count());
    auto* canonicaliser = space.canonicaliser();
    if (canonicaliser == nullptr) return action;
    canonicaliser->enter(bits);
    return canonicaliser->first_action(action);
}

}  // namespace

void bind_state_space(nb::module_& module) {
    nb::class_<StateSpace>(module, "StateSpace", "The states of a task met so far, and their transitions.")
        .def(
            "__init__",
            [](StateSpace* self, const std::shared_ptr<Task>& task, std::uint64_t max_outcomes,
               const std::shared_ptr<Symmetry>& symmetry, MatchingFilter* filter, Stop* stop) {
                GivenStop limits{stop};
                new (self) StateSpace(task, max_outcomes, symmetry, limits, filter);
            },
            "task"_a, "max_outcomes"_a, "symmetry"_a.none() = nb::none(), "filter"_a.none() = nb::none(),
            "stop"_a.none() = nb::none(), nb::keep_alive<1, 5>(), ReleaseGil(),
            "`stop` holds while the space is made, and no longer.")
        .def_prop_ro("initial", &StateSpace::initial)
        .def("__len__", &StateSpace::size)
        .def("is_goal", of_state<StateSpace>(&StateSpace::is_goal))
        .def("is_expanded", of_state<StateSpace>(&StateSpace::is_expanded))
        .def(
            "applicable",
            [](const StateSpace& space, StateId state) { return space.successors().applicable(bits_of(space, state)); },
            "The applicable actions, in ascending order; of a goal state too.")
        .def(
            "is_applicable",
            [](const StateSpace& space, StateId state, ActionId action) {
                check_index(action, space.task().action_count());
                return holds(space.task(), space.task().preconditions[action], bits_of(space, state));
            },
            "state"_a, "action"_a)
        .def("transitions", of_state<StateSpace>(&transitions),
             "(action, expected cost, [(probability, successor)]) of each applicable action.")
        .def("written", &written, "first"_a, "end"_a, "form"_a,
             "The transitions of these states as text, by the form for an action, a cost and probabilities.")
        .def("action_count",
             of_state<StateSpace>([](StateSpace& space, StateId state) { return space.expand(state).size(); }),
             "state"_a, "The number of transitions of a state; none for goals.")
        .def(
            "successors",
            [](StateSpace& space, StateId state, ActionId action) {
                check_index(state, space.size());
                const auto transition = space.transition(state, action);
                return transition ? transition->outcomes.successors() : IndexSpan();
            },
            "state"_a, "action"_a, "What can come of an action; nothing if it is not applicable.")
        .def(
            "atoms",
            [](const StateSpace& space, StateId state) { return to_atoms(space.task(), bits_of(space, state)); },
            "The fluent atoms that hold in a state.")
        .def(
            "intern",
            [](StateSpace& space, const Indices& atoms) { return space.intern(to_bits(space.task(), atoms).data()); },
            "The id of the state in which exactly these fluent atoms hold.")
        .def(
            "intern_representative",
            [](StateSpace& space, const Indices& atoms) {
                return space.intern_representative(to_bits(space.task(), atoms).data());
            },
            "The same of a state that is known to be a representative.")
        .def("intern_all", &intern_all, "other"_a, "The ids that the states of another space have in this one.")
        .def("first_action", &first_action, "state"_a, "action"_a,
             "Of the actions that are equal to this one up to symmetry in a state, the one that is tried.")
        .def_prop_ro("symmetry", [](const StateSpace& space) { return space.symmetry(); })
        .def("explore", &StateSpace::explore, "max_states"_a, "stop"_a, ReleaseGil())
        .def(
            "forget_states",
            [](StateSpace& space, const Indices& kept) {
                for (auto state : kept) check_index(state, space.size());
                return space.forget_states(kept);
            },
            "kept"_a = Indices{},
            "Forget all states but the initial one and some others, and give the new ids of these.")
        .def_prop_ro("expanded_count", &StateSpace::expanded_count)
        .def_prop_ro("pair_count", &StateSpace::pair_count)
        .def_prop_ro("widest_outcome", &StateSpace::widest_outcome)
        .def_prop_ro("transition_bytes", &StateSpace::transition_bytes)
        .def_prop_ro("state_bytes", &StateSpace::state_bytes);
}

}  // namespace gpaplan
