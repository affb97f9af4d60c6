// The ground task, the grounder, and finite-domain variables.

#include <cmath>

#include "bindings/bindings.hpp"
#include "grounding/lifted.hpp"
#include "grounding/relevance.hpp"
#include "variables/variables.hpp"

namespace gpaplan {

namespace {

using SchemaTuple = std::tuple<std::uint32_t, Indices, Code, Code>;

template <typename Visit>
void visit_fields(Task& task, Visit visit) {
    visit("atom_predicates", task.atom_predicates);
    visit("atom_arguments", task.atom_arguments);
    visit("static_predicates", task.static_predicates);
    visit("static_arguments", task.static_arguments);
    visit("literals", task.literals);
    visit("condition_disjunctions", task.condition_disjunctions);
    visit("disjunctions", task.disjunctions);
    visit("adds", task.adds);
    visit("deletes", task.deletes);
    visit("conditionals", task.conditionals);
    visit("factors", task.factors);
    visit("outcomes", task.outcomes);
    visit("effect_costs", task.effect_costs);
    visit("probabilities", task.probabilities);
    visit("action_schemas", task.action_schemas);
    visit("action_arguments", task.action_arguments);
    visit("preconditions", task.preconditions);
    visit("effects", task.effects);
    visit("initial_atoms", task.initial_atoms);
    visit("dropped_predicates", task.dropped_predicates);
    visit("dropped_arguments", task.dropped_arguments);
    visit("dropped_schemas", task.dropped_schemas);
    visit("dropped_action_arguments", task.dropped_action_arguments);
    visit("goal", task.goal);
}

using FieldDict = nb::typed<nb::dict, nb::str, nb::any>;

FieldDict write_fields(Task& task) {
    nb::dict fields;
    fields["version"] = Task::version;
    visit_fields(task, [&](const char* name, const auto& value) { fields[name] = nb::cast(value); });
    return FieldDict(std::move(fields));
}

std::shared_ptr<Task> read_fields(const FieldDict& fields) {
    auto task = std::make_shared<Task>();
    try {
        const auto version = nb::cast<std::uint32_t>(fields["version"]);
        if (version != Task::version)
            throw InternalError("ground task: version " + std::to_string(version) + " is not the one known here");
        visit_fields(*task, [&](const char* name, auto& value) {
            value = nb::cast<std::remove_reference_t<decltype(value)>>(fields[name]);
        });
    } catch (const nb::cast_error&) {
        throw InternalError("ground task: a field has the wrong type");
    }
    validate(*task);
    return task;
}

std::shared_ptr<Task> ground_task(std::uint32_t object_count, Indices predicate_arities, Indices function_arities,
                                  std::vector<Indices> domains, std::vector<Indices> initial_atoms,
                                  std::vector<double> numbers, std::vector<Indices> function_values,
                                  const std::vector<SchemaTuple>& schemas, Indices goal_variable_domains, Code goal,
                                  double action_cost, bool relevance, std::uint64_t max_actions, Stop& stop) {
    LiftedTask lifted{object_count,
                      std::move(predicate_arities),
                      std::move(function_arities),
                      std::move(domains),
                      std::move(initial_atoms),
                      std::move(numbers),
                      std::move(function_values),
                      {},
                      std::move(goal_variable_domains),
                      std::move(goal),
                      action_cost};
    for (const auto& [parameters, variables, precondition, effect] : schemas)
        lifted.schemas.push_back({parameters, variables, precondition, effect});
    const nb::gil_scoped_release release;
    return std::make_shared<Task>(ground(lifted, max_actions, relevance, stop));
}

// The name of an atom or action: its predicate or schema, and its arguments.
using Name = std::pair<std::uint32_t, IndexSpan>;

auto name_at(Indices Task::* symbols, Ranges Task::* arguments) {
    return [=](const Task& task, std::uint32_t index) {
        check_index(index, (task.*symbols).size());
        return Name((task.*symbols)[index], (task.*arguments)[index]);
    };
}

auto names_of(Indices Task::* symbols, Ranges Task::* arguments) {
    return [=](const Task& task) {
        std::vector<Name> names;
        for (std::size_t i = 0; i < (task.*symbols).size(); ++i)
            names.emplace_back((task.*symbols)[i], (task.*arguments)[i]);
        return names;
    };
}

auto short_atoms(Indices Task::* predicates, Ranges Task::* arguments) {
    return [=](const Task& task) {
        std::vector<std::tuple<std::size_t, std::uint32_t, IndexSpan>> found;
        for (std::size_t i = 0; i < (task.*predicates).size(); ++i)
            if ((task.*arguments)[i].size() < 2) found.emplace_back(i, (task.*predicates)[i], (task.*arguments)[i]);
        return found;
    };
}

std::pair<Indices, Indices> find_irrelevant(const Task& task, Stop& stop) {
    const nb::gil_scoped_release release;
    const auto relevance = find_relevance(task, stop);
    const auto missing = [](const std::vector<bool>& kept) {
        Indices ids;
        for (std::uint32_t i = 0; i < kept.size(); ++i)
            if (!kept[i]) ids.push_back(i);
        return ids;
    };
    return {missing(relevance.atoms), missing(relevance.actions)};
}

std::vector<std::pair<ActionId, double>> wrong_costs(const Task& task) {
    std::vector<std::pair<ActionId, double>> result;
    for (ActionId action = 0; action < task.action_count(); ++action) {
        const auto bounds = expected_cost_bounds(task, task.effects[action]);
        if (!std::isfinite(bounds.lower))
            result.emplace_back(action, bounds.lower);
        else if (!(bounds.upper > 0))
            result.emplace_back(action, bounds.upper);
    }
    return result;
}

void bind_variables(nb::module_& module) {
    nb::class_<Variables>(module, "Variables", "Finite-domain variables of a task (src/core/variables/variables.hpp).")
        .def(
            "__init__",
            [](Variables* self, const Task& task, Stop* stop) {
                GivenStop limits{stop};
                new (self) Variables(find_variables(task, limits));
            },
            "task"_a, "stop"_a.none() = nb::none(), ReleaseGil())
        .def("__len__", &Variables::size)
        .def(
            "variable",
            [](const Variables& self, std::uint32_t variable) {
                check_index(variable, self.size());
                const auto group = self.groups[variable];
                const auto objects = group == no_id ? IndexSpan() : self.mutex.objects[group];
                return std::tuple(self.atoms[variable], self.may_be_none[variable] != 0, objects);
            },
            "variable"_a, "Its atoms, whether it may be none of them, and the objects that it is about.")
        .def_prop_ro(
            "mutex_groups",
            [](const Variables& self) {
                std::vector<std::pair<IndexSpan, bool>> result;
                for (std::size_t i = 0; i < self.mutex.size(); ++i)
                    result.emplace_back(self.mutex.atoms[i], self.mutex.always_one[i] != 0);
                return result;
            },
            "The atoms of each mutex group, and whether every reachable state has one of them.");
}

}  // namespace

void bind_task(nb::module_& module) {
    nb::enum_<LiftedKind> codes(module, "LiftedKind", nb::is_arithmetic(), "The codes of lifted.hpp.");
    for (std::uint8_t code = 0; const char* name : names<LiftedKind>)
        codes.value(name, static_cast<LiftedKind>(code++));
    nb::class_<Task>(module, "Task", "A ground task: flat and integer-indexed (src/core/task/task.hpp).")
        .def_prop_ro_static("version", [](nb::handle) { return Task::version; })
        .def_prop_ro("atom_count", &Task::atom_count)
        .def_prop_ro("static_count", [](const Task& task) { return task.static_predicates.size(); })
        .def_prop_ro("action_count", &Task::action_count)
        .def_prop_ro("word_count", &Task::word_count)
        .def_ro("initial_atoms", &Task::initial_atoms)
        .def_ro("goal", &Task::goal)
        .def("atom", name_at(&Task::atom_predicates, &Task::atom_arguments))
        .def("static_atom", name_at(&Task::static_predicates, &Task::static_arguments))
        .def("action", name_at(&Task::action_schemas, &Task::action_arguments))
        .def("dropped_atoms", names_of(&Task::dropped_predicates, &Task::dropped_arguments))
        .def("dropped_actions", names_of(&Task::dropped_schemas, &Task::dropped_action_arguments))
        .def("short_atoms", short_atoms(&Task::atom_predicates, &Task::atom_arguments),
             "The fluent atoms with fewer than two arguments: index, predicate and arguments of each.")
        .def("short_static_atoms", short_atoms(&Task::static_predicates, &Task::static_arguments),
             "Likewise the static ones.")
        .def("action_schemas", [](const Task& task) { return task.action_schemas; })
        .def(
            "condition",
            [](const Task& task, std::uint32_t condition) {
                check_index(condition, task.literals.size());
                std::vector<IndexSpan> disjunctions;
                for (auto each : task.condition_disjunctions[condition])
                    disjunctions.push_back(task.disjunctions[each]);
                return std::pair(task.literals[condition], disjunctions);
            },
            "The literals of a condition, and its disjunctions as lists of conditions.")
        .def(
            "outcome_bound",
            [](const Task& task) {
                std::uint64_t bound = 0;
                for (auto effect : task.effects) bound = std::max(bound, outcome_bound(task, effect));
                return bound;
            },
            "An upper bound of the number of joint outcomes of an action in any state.")
        .def(
            "is_goal",
            [](const Task& task, const Indices& atoms) { return holds(task, task.goal, to_bits(task, atoms).data()); },
            "atoms"_a, "Whether the goal holds in the state of these fluent atoms.")
        .def(
            "with_initial_atoms",
            [](const Task& task, const Indices& atoms) {
                auto other = std::make_shared<Task>(task);
                other->initial_atoms = to_atoms(task, to_bits(task, atoms).data());
                return other;
            },
            "atoms"_a, "The same task, with another initial state.")
        .def("cheapest_action", &cheapest_action, "A lower bound of the expected cost of every action in every state.")
        .def("wrong_costs", &wrong_costs,
             "The actions whose expected cost is not positive, or beyond the range of doubles.")
        .def("fields", &write_fields, "The task as plain lists and numbers: the versioned, documented form.")
        .def_static("from_fields", &read_fields, "The inverse of `fields`; every index is checked.")
        .def(
            "__eq__",
            [](const Task& a, const nb::object& b) { return nb::isinstance<Task>(b) && a == nb::cast<const Task&>(b); },
            nb::sig("def __eq__(self, other: object, /) -> bool"));
    module.def("find_irrelevant", &find_irrelevant, "task"_a, "stop"_a,
               "The atoms and the actions of a ground task that its goal cannot depend on.");
    module.def("ground", &ground_task, nb::kw_only(), "object_count"_a, "predicate_arities"_a, "function_arities"_a,
               "domains"_a, "initial_atoms"_a, "numbers"_a, "function_values"_a, "schemas"_a, "goal_variable_domains"_a,
               "goal"_a, "action_cost"_a, "relevance"_a, "max_actions"_a, "stop"_a,
               "Ground a lifted task (src/core/grounding/lifted.hpp says what the arguments mean).");
    bind_variables(module);
}

}  // namespace gpaplan
