// Abstraction, and what generalized policy automata need of the core.

#include "automata/constraint.hpp"
#include "automata/ties.hpp"
#include "bindings/bindings.hpp"
#include "solvers/bootstrap.hpp"

namespace gpaplan {

namespace {

using RelationTuple = std::tuple<std::uint32_t, Indices, bool>;
using StateTuple = std::tuple<std::vector<Indices>, Indices, Indices, std::vector<RelationTuple>>;

Ranges to_ranges(const std::vector<Indices>& lists) {
    Ranges ranges;
    for (const auto& list : lists) {
        ranges.values.insert(ranges.values.end(), list.begin(), list.end());
        ranges.close();
    }
    return ranges;
}

StateTuple to_tuple(const AbstractState& state) {
    std::vector<RelationTuple> relations;
    for (const auto& relation : state.relations)
        relations.emplace_back(relation.predicate, relation.roles, relation.all);
    return {state.roles, state.counts, state.phantom, relations};
}

AbstractState from_tuple(const StateTuple& tuple) {
    AbstractState state;
    std::vector<RelationTuple> relations;
    std::tie(state.roles, state.counts, state.phantom, relations) = tuple;
    for (auto& [predicate, roles, all] : relations) state.relations.push_back({predicate, std::move(roles), all});
    return state;
}

// A state space under a constraint, which it owns.
class ConstrainedSpace : public StateSpace {
public:
    ConstrainedSpace(std::shared_ptr<const Task> task, std::uint64_t max_outcomes, Abstraction& abstraction,
                     const EdgeSet& edges, std::shared_ptr<const Symmetry> symmetry, bool lenient)
        : StateSpace(task, max_outcomes, std::move(symmetry), &constraint_),
          constraint_(*task, abstraction, edges, lenient) {}

private:
    Constraint constraint_;
};

// A constraint written in Python, for abstractions written in Python.
class PythonFilter : public TransitionFilter {
public:
    PythonFilter(nb::object enter, nb::object keeps_action, nb::object keeps_outcome, std::uint32_t atoms)
        : enter_(std::move(enter)),
          keeps_action_(std::move(keeps_action)),
          keeps_outcome_(std::move(keeps_outcome)),
          atoms_(atoms) {}

    void enter(StateId, const Word* bits) override {
        const nb::gil_scoped_acquire gil;
        enter_(held(bits));
    }
    bool keeps_action(ActionId action) override {
        const nb::gil_scoped_acquire gil;
        return nb::cast<bool>(keeps_action_(action));
    }
    bool keeps_outcome(StateId, const Word* bits) override {
        const nb::gil_scoped_acquire gil;
        return nb::cast<bool>(keeps_outcome_(held(bits)));
    }
    void meet(std::size_t, StateId) override {}

private:
    IdList held(const Word* bits) const {
        IdList result;
        for (AtomId atom = 0; atom < atoms_; ++atom)
            if (test_bit(bits, atom)) result.push_back(atom);
        return result;
    }

    nb::object enter_;
    nb::object keeps_action_;
    nb::object keeps_outcome_;
    std::uint32_t atoms_;
};

class PythonFilteredSpace : public StateSpace {
public:
    PythonFilteredSpace(std::shared_ptr<const Task> task, std::uint64_t max_outcomes, nb::object enter,
                        nb::object keeps_action, nb::object keeps_outcome, std::shared_ptr<const Symmetry> symmetry)
        : StateSpace(task, max_outcomes, std::move(symmetry), &filter_),
          filter_(std::move(enter), std::move(keeps_action), std::move(keeps_outcome), task->atom_count()) {}

private:
    PythonFilter filter_;
};

Ties ties_named(const std::string& name) {
    if (name == "first") return Ties::first;
    if (name == "harmonize") return Ties::harmonize;
    if (name == "all") return Ties::all;
    throw nb::value_error("ties are 'first', 'harmonize' or 'all'");
}

std::vector<std::pair<StateId, ActionId>> choose(Search& search, const std::string& ties, double tolerance,
                                                 Abstraction& abstraction, const EdgeSet& edges, Stop& stop) {
    const auto kind = ties_named(ties);
    std::vector<std::pair<StateId, ActionId>> result;
    const nb::gil_scoped_release release;
    search.set_stop(&stop);
    try {
        for (const auto& choice : choose_optimal_actions(search, kind, tolerance, abstraction, edges))
            result.emplace_back(choice.state, choice.action);
    } catch (...) {
        search.set_stop(nullptr);
        throw;
    }
    search.set_stop(nullptr);
    return result;
}

void bind_abstraction(nb::module_& module) {
    nb::class_<Abstraction>(module, "Abstraction", "Canonical abstraction (src/core/automata/abstraction.hpp).")
        .def(
            "__init__",
            [](Abstraction* self, const Task& task, std::uint32_t object_count, std::uint32_t feature_count,
               const std::vector<Indices>& of_object, const std::vector<Indices>& when_true, Indices when_false,
               Indices ignored) {
                Features features{object_count,         feature_count,         to_ranges(of_object),
                                  to_ranges(when_true), std::move(when_false), std::move(ignored)};
                new (self) Abstraction(task, std::move(features));
            },
            "task"_a, nb::kw_only(), "object_count"_a, "feature_count"_a, "of_object"_a, "when_true"_a, "when_false"_a,
            "ignored"_a = Indices{}, nb::keep_alive<1, 2>())
        .def(
            "evaluate",
            [](Abstraction& abstraction, const StateSpace& space, StateId state) {
                check_index(state, space.size());
                return abstraction.evaluate(space.bits(state));
            },
            "space"_a, "state"_a, "The id of the abstract state.")
        .def(
            "roles",
            [](Abstraction& abstraction, const StateSpace& space, StateId state) {
                check_index(state, space.size());
                abstraction.evaluate(space.bits(state));
                return abstraction.roles();
            },
            "space"_a, "state"_a, "The role of each object in a state, the phantom last.")
        .def("__len__", &Abstraction::size)
        .def("intern", [](Abstraction& self, const StateTuple& state) { return self.intern(from_tuple(state)); })
        .def("intern_role", &Abstraction::intern_role, "features"_a)
        .def("role_features",
             [](const Abstraction& self, RoleId role) {
                 check_index(role, self.role_count());
                 return self.role_features(role);
             })
        .def(
            "spell_out",
            [](const Abstraction& self, AbstractId id) {
                check_index(id, self.size());
                return to_tuple(self.spell_out(id));
            },
            "Roles, counts (1, or 2 for many), features of the phantom, and relations (predicate, roles, all).");
}

}  // namespace

void bind_automaton(nb::module_& module) {
    bind_abstraction(module);
    nb::class_<EdgeSet>(module, "EdgeSet", "Hyperedges over the ids of an abstraction.")
        .def(nb::init<>())
        .def(
            "add",
            [](EdgeSet& self, AbstractId source, std::uint32_t schema, const Indices& roles, AbstractId target) {
                return self.add(source, schema, roles, target);
            },
            "source"_a, "schema"_a, "roles"_a, "target"_a)
        .def("__len__", &EdgeSet::size);
    nb::class_<ConstrainedSpace, StateSpace>(module, "ConstrainedSpace", "A state space under an automaton.")
        .def(
            "__init__",
            [](ConstrainedSpace* self, const std::shared_ptr<Task>& task, std::uint64_t max_outcomes,
               Abstraction& abstraction, const EdgeSet& edges, const std::shared_ptr<Symmetry>& symmetry,
               bool lenient) {
                new (self) ConstrainedSpace(task, max_outcomes, abstraction, edges, symmetry, lenient);
            },
            "task"_a, "max_outcomes"_a, "abstraction"_a, "edges"_a, "symmetry"_a.none() = nb::none(),
            "lenient"_a = false, nb::keep_alive<1, 4>(), nb::keep_alive<1, 5>());
    nb::class_<PythonFilteredSpace, StateSpace>(module, "FilteredSpace", "A state space under a filter in Python.")
        .def(
            "__init__",
            [](PythonFilteredSpace* self, const std::shared_ptr<Task>& task, std::uint64_t max_outcomes,
               const nb::typed<nb::callable, void(IdList)>& enter,
               const nb::typed<nb::callable, bool(ActionId)>& keeps_action,
               const nb::typed<nb::callable, bool(IdList)>& keeps_outcome, const std::shared_ptr<Symmetry>& symmetry) {
                new (self) PythonFilteredSpace(task, max_outcomes, enter, keeps_action, keeps_outcome, symmetry);
            },
            "task"_a, "max_outcomes"_a, "enter"_a, "keeps_action"_a, "keeps_outcome"_a,
            "symmetry"_a.none() = nb::none());
    module.def("choose_optimal_actions", &choose, "search"_a, "ties"_a, "tolerance"_a, "abstraction"_a, "edges"_a,
               "stop"_a,
               "(state, action) of an optimal policy, ties broken as asked for (src/core/automata/ties.hpp).");
}

}  // namespace gpaplan
