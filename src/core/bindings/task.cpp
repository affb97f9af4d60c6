// The ground task and the grounder.

#include "task/task.hpp"

#include <cmath>

#include "bindings/bindings.hpp"
#include "grounding/grounder.hpp"
#include "grounding/relevance.hpp"

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
}

struct FieldWriter {
    nb::dict& fields;
    template <typename T>
    void operator()(const char* name, const std::vector<T>& values) const {
        fields[name] = nb::cast(values);
    }
    void operator()(const char* name, const Ranges& ranges) const {
        nb::list lists;
        for (std::size_t i = 0; i < ranges.size(); ++i) {
            const auto range = ranges[i];
            lists.append(nb::cast(Indices(range.begin(), range.end())));
        }
        fields[name] = lists;
    }
};

struct FieldReader {
    const nb::dict& fields;
    template <typename T>
    void operator()(const char* name, std::vector<T>& values) const {
        values = nb::cast<std::vector<T>>(fields[name]);
    }
    void operator()(const char* name, Ranges& ranges) const {
        for (const auto& list : nb::cast<std::vector<Indices>>(fields[name])) ranges.add(list);
    }
};

using FieldDict = nb::typed<nb::dict, nb::str, nb::any>;

FieldDict write_fields(Task& task) {
    nb::dict fields;
    fields["version"] = Task::version;
    visit_fields(task, FieldWriter{fields});
    fields["goal"] = task.goal;
    return FieldDict(std::move(fields));
}

std::shared_ptr<Task> read_fields(const FieldDict& fields) {
    auto task = std::make_shared<Task>();
    try {
        const auto version = nb::cast<std::uint32_t>(fields["version"]);
        if (version != Task::version)
            throw InternalError("ground task: version " + std::to_string(version) + " is not the one known here");
        visit_fields(*task, FieldReader{fields});
        task->goal = nb::cast<std::uint32_t>(fields["goal"]);
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
    LiftedTask lifted;
    lifted.object_count = object_count;
    lifted.predicate_arities = std::move(predicate_arities);
    lifted.function_arities = std::move(function_arities);
    lifted.domains = std::move(domains);
    lifted.initial_atoms = std::move(initial_atoms);
    lifted.numbers = std::move(numbers);
    lifted.function_values = std::move(function_values);
    for (const auto& [parameters, variables, precondition, effect] : schemas)
        lifted.schemas.push_back({parameters, variables, precondition, effect});
    lifted.goal_variable_domains = std::move(goal_variable_domains);
    lifted.goal = std::move(goal);
    lifted.action_cost = action_cost;
    const nb::gil_scoped_release release;
    auto task = ground(lifted, max_actions, stop);
    return std::make_shared<Task>(relevance ? relevant_part(std::move(task), stop) : std::move(task));
}

// The name of an atom or action: its predicate or schema, and its arguments.
std::pair<std::uint32_t, IdList> name_at(std::uint32_t index, const Indices& symbols, const Ranges& arguments) {
    check_index(index, symbols.size());
    return {symbols[index], IdList(arguments[index].begin(), arguments[index].end())};
}

std::vector<std::pair<std::uint32_t, IdList>> names_of(const Indices& symbols, const Ranges& arguments) {
    std::vector<std::pair<std::uint32_t, IdList>> names;
    for (std::uint32_t i = 0; i < symbols.size(); ++i) names.push_back(name_at(i, symbols, arguments));
    return names;
}

std::vector<std::tuple<std::uint32_t, std::uint32_t, IdList>> short_atoms(const Indices& predicates,
                                                                          const Ranges& arguments) {
    std::vector<std::tuple<std::uint32_t, std::uint32_t, IdList>> found;
    for (std::uint32_t i = 0; i < predicates.size(); ++i)
        if (arguments[i].size() < 2)
            found.emplace_back(i, predicates[i], IdList(arguments[i].begin(), arguments[i].end()));
    return found;
}

std::pair<IdList, IdList> find_irrelevant(const Task& task, Stop& stop) {
    const nb::gil_scoped_release release;
    const auto relevance = find_relevance(task, stop);
    const auto missing = [](const std::vector<bool>& kept) {
        IdList ids;
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

// The codes of lifted.hpp.
template <typename Enum>
void bind_codes(nb::module_& module, const char* name, std::initializer_list<const char*> values) {
    nb::enum_<Enum> codes(module, name, nb::is_arithmetic());
    for (std::uint8_t code = 0; const char* value : values) codes.value(value, static_cast<Enum>(code++));
}

}  // namespace

void bind_task(nb::module_& module) {
    bind_codes<FormulaKind>(
        module, "FormulaKind",
        {"ATOM", "NOT_ATOM", "EQUAL", "NOT_EQUAL", "CONJUNCTION", "DISJUNCTION", "FORALL", "EXISTS"});
    bind_codes<EffectKind>(
        module, "EffectKind",
        {"ADD", "REMOVE", "CONJUNCTION", "FORALL", "WHEN", "PROBABILISTIC", "COST", "COST_FUNCTION"});
    nb::class_<Task>(module, "Task", "A ground task: flat and integer-indexed (src/core/task/task.hpp).")
        .def_prop_ro_static("version", [](nb::handle) { return Task::version; })
        .def_prop_ro("atom_count", &Task::atom_count)
        .def_prop_ro("static_count", [](const Task& task) { return task.static_predicates.size(); })
        .def_prop_ro("action_count", &Task::action_count)
        .def_prop_ro("word_count", &Task::word_count)
        .def_prop_ro("initial_atoms", [](const Task& task) { return task.initial_atoms; })
        .def_prop_ro("goal", [](const Task& task) { return task.goal; })
        .def("atom",
             [](const Task& task, AtomId atom) { return name_at(atom, task.atom_predicates, task.atom_arguments); })
        .def("static_atom",
             [](const Task& task, std::uint32_t atom) {
                 return name_at(atom, task.static_predicates, task.static_arguments);
             })
        .def(
            "short_atoms", [](const Task& task) { return short_atoms(task.atom_predicates, task.atom_arguments); },
            "The fluent atoms with fewer than two arguments: index, predicate and arguments of each.")
        .def(
            "short_static_atoms",
            [](const Task& task) { return short_atoms(task.static_predicates, task.static_arguments); },
            "Likewise the static ones.")
        .def("action", [](const Task& task,
                          ActionId action) { return name_at(action, task.action_schemas, task.action_arguments); })
        .def("dropped_atoms",
             [](const Task& task) { return names_of(task.dropped_predicates, task.dropped_arguments); })
        .def("dropped_actions",
             [](const Task& task) { return names_of(task.dropped_schemas, task.dropped_action_arguments); })
        .def("action_schemas", [](const Task& task) { return task.action_schemas; })
        .def(
            "condition",
            [](const Task& task, std::uint32_t condition) {
                check_index(condition, task.literals.size());
                std::vector<IdList> disjunctions;
                for (auto disjunction : task.condition_disjunctions[condition]) {
                    const auto options = task.disjunctions[disjunction];
                    disjunctions.emplace_back(options.begin(), options.end());
                }
                const auto literals = task.literals[condition];
                return std::pair(IdList(literals.begin(), literals.end()), disjunctions);
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
            [](const Task& task, const IdList& atoms) { return holds(task, task.goal, to_bits(task, atoms).data()); },
            "atoms"_a, "Whether the goal holds in the state of these fluent atoms.")
        .def(
            "with_initial_atoms",
            [](const Task& task, const IdList& atoms) {
                auto other = std::make_shared<Task>(task);
                other->initial_atoms = to_atoms(task, to_bits(task, atoms).data());
                return other;
            },
            "atoms"_a, "The same task, with another initial state.")
        .def("cheapest_action", &cheapest_action, "A lower bound of the expected cost of every action in every state.")
        .def("wrong_costs", &wrong_costs,
             "The actions whose expected cost is positive in no state, with an upper bound of it, or is beyond the "
             "range of doubles, with what became of it: an infinity or no number.")
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
}

}  // namespace gpaplan
