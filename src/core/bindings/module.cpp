// The extension module `gpaplan._core`: the only place that knows of Python.
//
// Long calls release the GIL and take a `Stop`, whose interrupt hook takes it back for a moment to let Python run its
// signal handlers. Errors of the core become Python exceptions whose arguments are the error's fields.

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>

#include "../grounder.hpp"
#include "../rollout.hpp"
#include "../state_space.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace gpaplan {

namespace {

using IdList = std::vector<std::uint32_t>;
using SchemaTuple = std::tuple<std::uint32_t, Indices, Code, Code>;

// Lets Python run its signal handlers, and the progress function if there is one.
bool python_interrupted(const nb::object& progress) {
    const nb::gil_scoped_acquire gil;
    if (PyErr_CheckSignals() != 0) {
        PyErr_Clear();
        return true;
    }
    if (!progress.is_none()) progress();
    return false;
}

const char* reason_name(StopReason reason) {
    switch (reason) {
        case StopReason::none:
            return "";
        case StopReason::time:
            return "time";
        case StopReason::memory:
            return "memory";
        case StopReason::interrupt:
            return "interrupt";
    }
    return "";
}

void bind_errors(nb::module_& module) {
    static PyObject* internal = nullptr;
    static PyObject* too_large = nullptr;
    static PyObject* outcomes = nullptr;
    static PyObject* cost = nullptr;
    static PyObject* missing = nullptr;
    static PyObject* stopped = nullptr;
    const auto make = [&](PyObject*& place, const char* name) {
        const auto full_name = nb::cast<std::string>(module.attr("__name__")) + "." + name;
        place = PyErr_NewException(full_name.c_str(), PyExc_RuntimeError, nullptr);
        module.attr(name) = nb::borrow(place);
    };
    make(internal, "InternalError");
    make(too_large, "TaskTooLarge");
    make(outcomes, "TooManyOutcomes");
    make(cost, "NonPositiveCost");
    make(missing, "MissingValue");
    make(stopped, "Stopped");
    nb::register_exception_translator([](const std::exception_ptr& pointer, void*) {
        const auto set = [](PyObject* type, const nb::tuple& arguments) { PyErr_SetObject(type, arguments.ptr()); };
        try {
            std::rethrow_exception(pointer);
        } catch (const InternalError& error) {
            set(internal, nb::make_tuple(error.what()));
        } catch (const TaskTooLarge& error) {
            set(too_large, nb::make_tuple(error.what()));
        } catch (const TooManyStates& error) {
            set(too_large, nb::make_tuple(error.what()));
        } catch (const TooManyOutcomes& error) {
            set(outcomes, nb::make_tuple(error.action, error.limit));
        } catch (const NonPositiveCost& error) {
            set(cost, nb::make_tuple(error.action, error.cost));
        } catch (const MissingValue& error) {
            set(missing, nb::make_tuple(error.function, error.arguments, error.schema));
        } catch (const Stopped& error) {
            set(stopped, nb::make_tuple(reason_name(error.reason)));
        }
    });
}

void bind_stop(nb::module_& module) {
    nb::class_<Stop>(module, "Stop", "A deadline, a bound on the process's memory, and the user's interrupt.")
        .def(
            "__init__",
            [](Stop* self, double seconds, std::uint64_t memory_bytes,
               const std::optional<nb::typed<nb::callable, void()>>& progress) {
                const nb::object hook = progress ? nb::object(*progress) : nb::none();
                new (self) Stop(seconds, memory_bytes, [hook] { return python_interrupted(hook); });
            },
            "seconds"_a = 1e18, "memory_bytes"_a = ~std::uint64_t{0}, "progress"_a = nb::none())
        .def_prop_ro(
            "reason", [](const Stop& stop) { return reason_name(stop.reason()); },
            "'' while nothing has stopped the work, else 'time', 'memory' or 'interrupt'.");
    module.def("resident_memory", &resident_memory, "The resident memory of this process in bytes, 0 if unknown.");
}

// --- the ground task ---

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
        for (const auto& list : nb::cast<std::vector<Indices>>(fields[name])) {
            ranges.values.insert(ranges.values.end(), list.begin(), list.end());
            ranges.close();
        }
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
                                  double action_cost, std::uint64_t max_actions, Stop& stop) {
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
    return std::make_shared<Task>(ground(lifted, max_actions, stop));
}

std::pair<std::uint32_t, IdList> atom_name(std::uint32_t predicate, IndexSpan arguments) {
    return {predicate, IdList(arguments.begin(), arguments.end())};
}

template <typename T>
void check_index(T index, std::size_t size) {
    if (index >= size) throw nb::index_error();
}

std::vector<std::pair<ActionId, double>> non_positive_costs(const Task& task) {
    std::vector<std::pair<ActionId, double>> result;
    for (ActionId action = 0; action < task.action_count(); ++action) {
        const auto bounds = expected_cost_bounds(task, task.effects[action]);
        if (!(bounds.upper > 0)) result.emplace_back(action, bounds.upper);
    }
    return result;
}

void bind_task(nb::module_& module) {
    nb::class_<Task>(module, "Task", "A ground task: flat and integer-indexed (src/core/task.hpp).")
        .def_prop_ro_static("version", [](nb::handle) { return Task::version; })
        .def_prop_ro("atom_count", &Task::atom_count)
        .def_prop_ro("static_count", [](const Task& task) { return task.static_predicates.size(); })
        .def_prop_ro("action_count", &Task::action_count)
        .def_prop_ro("word_count", &Task::word_count)
        .def_prop_ro("initial_atoms", [](const Task& task) { return task.initial_atoms; })
        .def_prop_ro("goal", [](const Task& task) { return task.goal; })
        .def("atom",
             [](const Task& task, AtomId atom) {
                 check_index(atom, task.atom_count());
                 return atom_name(task.atom_predicates[atom], task.atom_arguments[atom]);
             })
        .def("static_atom",
             [](const Task& task, std::uint32_t atom) {
                 check_index(atom, task.static_predicates.size());
                 return atom_name(task.static_predicates[atom], task.static_arguments[atom]);
             })
        .def("action",
             [](const Task& task, ActionId action) {
                 check_index(action, task.action_count());
                 return atom_name(task.action_schemas[action], task.action_arguments[action]);
             })
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
        .def("non_positive_costs", &non_positive_costs,
             "The actions whose expected cost is positive in no state, with an upper bound of it.")
        .def("fields", &write_fields, "The task as plain lists and numbers: the versioned, documented form.")
        .def_static("from_fields", &read_fields, "The inverse of `fields`; every index is checked.")
        .def(
            "__eq__",
            [](const Task& a, const nb::object& b) { return nb::isinstance<Task>(b) && a == nb::cast<const Task&>(b); },
            nb::sig("def __eq__(self, other: object, /) -> bool"));
    module.def("ground", &ground_task, nb::kw_only(), "object_count"_a, "predicate_arities"_a, "function_arities"_a,
               "domains"_a, "initial_atoms"_a, "numbers"_a, "function_values"_a, "schemas"_a, "goal_variable_domains"_a,
               "goal"_a, "action_cost"_a, "max_actions"_a, "stop"_a,
               "Ground a lifted task (src/core/lifted.hpp says what the arguments mean).");
}

// --- the state space ---

using OutcomePairs = std::vector<std::pair<double, StateId>>;
using TransitionTuple = std::tuple<ActionId, double, OutcomePairs>;

std::vector<TransitionTuple> transitions(StateSpace& space, StateId state) {
    check_index(state, space.size());
    std::vector<TransitionTuple> result;
    for (const auto transition : space.expand(state)) {
        OutcomePairs outcomes;
        for (const auto& outcome : transition.outcomes)
            outcomes.emplace_back(space.numbers()[outcome.probability], outcome.successor);
        result.emplace_back(transition.action, space.numbers()[transition.cost], std::move(outcomes));
    }
    return result;
}

IdList state_atoms(const StateSpace& space, StateId state) {
    check_index(state, space.size());
    IdList result;
    for (AtomId atom = 0; atom < space.task().atom_count(); ++atom)
        if (test_bit(space.bits(state), atom)) result.push_back(atom);
    return result;
}

StateId intern_atoms(StateSpace& space, const IdList& atoms) {
    std::vector<Word> state(space.task().word_count(), 0);
    for (auto atom : atoms) {
        check_index(atom, space.task().atom_count());
        set_bit(state.data(), atom);
    }
    return space.intern(state.data());
}

void bind_state_space(nb::module_& module) {
    nb::class_<StateSpace>(module, "StateSpace", "The states of a task met so far, and their transitions.")
        .def(
            "__init__",
            [](StateSpace* self, const std::shared_ptr<Task>& task, std::uint64_t max_outcomes) {
                new (self) StateSpace(task, max_outcomes);
            },
            "task"_a, "max_outcomes"_a)
        .def_prop_ro("initial", &StateSpace::initial)
        .def("__len__", &StateSpace::size)
        .def("is_goal",
             [](const StateSpace& space, StateId state) {
                 check_index(state, space.size());
                 return space.is_goal(state);
             })
        .def("is_expanded",
             [](const StateSpace& space, StateId state) {
                 check_index(state, space.size());
                 return space.is_expanded(state);
             })
        .def(
            "applicable",
            [](const StateSpace& space, StateId state) {
                check_index(state, space.size());
                IdList result;
                space.successors().applicable(space.bits(state), result);
                return result;
            },
            "The applicable actions, in ascending order; of a goal state too.")
        .def("transitions", &transitions,
             "(action, expected cost, [(probability, successor)]) of each applicable action.")
        .def("atoms", &state_atoms, "The fluent atoms that hold in a state.")
        .def("intern", &intern_atoms, "The id of the state in which exactly these fluent atoms hold.")
        .def("explore", &StateSpace::explore, "max_states"_a, "stop"_a, nb::call_guard<nb::gil_scoped_release>())
        .def_prop_ro("expanded_count", &StateSpace::expanded_count)
        .def_prop_ro("pair_count", &StateSpace::pair_count)
        .def_prop_ro("widest_outcome", &StateSpace::widest_outcome)
        .def_prop_ro("transition_bytes", &StateSpace::transition_bytes)
        .def_prop_ro("state_bytes", &StateSpace::state_bytes);
}

void bind_rollout(nb::module_& module) {
    module.def(
        "run_random_trials",
        [](const Task& task, std::uint32_t trials, std::uint32_t horizon, std::uint64_t seed, Stop& stop) {
            std::vector<Trial> results;
            {
                const nb::gil_scoped_release release;
                results = run_random_trials(task, trials, horizon, seed, stop);
            }
            std::vector<std::tuple<double, std::uint32_t, bool>> tuples;
            for (const auto& trial : results) tuples.emplace_back(trial.cost, trial.steps, trial.reached_goal);
            return tuples;
        },
        nb::kw_only(), "task"_a, "trials"_a, "horizon"_a, "seed"_a, "stop"_a,
        "(cost, steps, goal reached) of each trial of the uniformly random policy.");
}

}  // namespace

}  // namespace gpaplan

NB_MODULE(_core, module) {
    module.doc() = "The C++ core of gpaplan.";
    gpaplan::bind_errors(module);
    gpaplan::bind_stop(module);
    gpaplan::bind_task(module);
    gpaplan::bind_state_space(module);
    gpaplan::bind_rollout(module);
}
