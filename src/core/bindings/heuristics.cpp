// Heuristics.

#include "bindings/bindings.hpp"
#include "heuristics/relaxation.hpp"
#include "patterns/staged_heuristic.hpp"

namespace gpaplan {

namespace {

// A heuristic written in Python: it gets the indices of the fluent atoms that hold.
class PythonHeuristic : public Heuristic {
public:
    using Function = nb::typed<nb::callable, double(Indices)>;

    PythonHeuristic(Function function, bool admissible, const Task& task)
        : function_(std::move(function)), admissible_(admissible), task_(task) {}

    double evaluate(const Word* state) override {
        const nb::gil_scoped_acquire gil;
        return nb::cast<double>(function_(to_atoms(task_, state)));
    }
    bool is_admissible() const override { return admissible_; }

private:
    Function function_;
    bool admissible_;
    const Task& task_;
};

void check_task(const TaskHeuristic& self, const StateSpace& space) {
    if (&space.task() != self.task.get()) throw nb::value_error("the state space is that of another task");
}

const StagedHeuristic* of_patterns(const TaskHeuristic& self) {
    return dynamic_cast<const StagedHeuristic*>(self.heuristic.get());
}

}  // namespace

void bind_heuristics(nb::module_& module) {
    bind_names<HeuristicKind>(module, "heuristic_names", "The heuristics of the core.");
    nb::class_<TaskHeuristic>(module, "Heuristic", "An estimate of the expected cost from a state to the goal.")
        .def(
            "__init__",
            [](TaskHeuristic* self, const std::shared_ptr<Task>& task, const std::string& name, Stop* stop) {
                GivenStop limits{stop};
                new (self) TaskHeuristic{task, make_heuristic(named<HeuristicKind>(name), *task, limits)};
            },
            "task"_a, "name"_a, "stop"_a.none() = nb::none(), ReleaseGil(), "`name` is one of `heuristic_names`.")
        .def_static(
            "from_function",
            [](const std::shared_ptr<Task>& task, const PythonHeuristic::Function& function, bool admissible) {
                return std::make_unique<TaskHeuristic>(
                    TaskHeuristic{task, std::make_unique<PythonHeuristic>(function, admissible, *task)});
            },
            "task"_a, "function"_a, "admissible"_a, "A heuristic written in Python: a function of the atoms that hold.")
        .def_static(
            "from_patterns",
            [](const std::shared_ptr<Task>& task, const nb::object& settings, double dead_end_cost, Stop* stop) {
                GivenStop limits{stop};
                auto options = settings_of<PatternOptions>({&settings, 1});
                options.give_up = dead_end_cost;
                const nb::gil_scoped_release release;
                return std::make_unique<TaskHeuristic>(
                    TaskHeuristic{task, std::make_unique<StagedHeuristic>(*task, options, limits)});
            },
            "task"_a, "settings"_a, "dead_end_cost"_a, "stop"_a.none() = nb::none(),
            "Pattern databases by a record, with landmarks the better of them and LM-cut (src/core/patterns).")
        .def_prop_ro(
            "patterns",
            [](const TaskHeuristic& self) {
                const auto* made = of_patterns(self);
                return made == nullptr ? std::vector<Indices>() : made->patterns();
            },
            "Of pattern databases: the variables of each pattern that is looked at.")
        .def_prop_ro(
            "comparison",
            [](const TaskHeuristic& self) {
                const auto* made = of_patterns(self);
                const auto found = made == nullptr ? EstimateComparison() : made->comparison();
                const auto* choice = made == nullptr ? "" : name_of(found.choice);
                return std::tuple(choice, found.states, found.dead_ends, found.patterns, found.larger);
            },
            "Of pattern databases: what is looked at now, and why (staged_heuristic.hpp).")
        .def_prop_ro(
            "admissible", [](const TaskHeuristic& self) { return self.heuristic->is_admissible(); },
            "Whether no estimate exceeds the optimal expected cost.")
        .def(
            "evaluate",
            [](TaskHeuristic& self, const StateSpace& space, StateId state, Stop* stop) {
                check_task(self, space);
                const auto* bits = bits_of(space, state);
                const StopScope scope(*self.heuristic, stop);
                return self.heuristic->evaluate(bits);
            },
            "state_space"_a, "state"_a, "stop"_a.none() = nb::none())
        .def(
            "evaluate_all",
            [](TaskHeuristic& self, const StateSpace& space) {
                check_task(self, space);
                std::vector<double> values(space.size());
                const nb::gil_scoped_release release;
                for (StateId state = 0; state < values.size(); ++state)
                    values[state] = self.heuristic->evaluate(space.bits(state));
                return values;
            },
            "state_space"_a, "The estimates of all states met so far, by state.");
    module.def(
        "find_fixed_atoms",
        [](const Task& task, Stop& stop) {
            auto found = find_fixed_atoms(task, stop);
            return std::pair(found.never_true, found.never_false);
        },
        "task"_a, "stop"_a, ReleaseGil(),
        "The fluent atoms that are never true, and those that never become false, even if deletes are ignored.");
}

}  // namespace gpaplan
