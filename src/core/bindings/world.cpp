// Worlds: tasks that are acted in.

#include <nanobind/stl/array.h>

#include "bindings/bindings.hpp"

namespace gpaplan {

namespace {

bool is_applicable(const TaskWorld& self, ActionId action) {
    check_index(action, self.task->action_count());
    return self.world.is_applicable(action);
}

double step(TaskWorld& self, ActionId action) {
    if (!is_applicable(self, action)) throw nb::value_error("the action is not applicable");
    return self.world.step(action);
}

IdList applicable(const TaskWorld& self) { return self.successors->applicable(self.world.state().data()); }

void set_random_state(TaskWorld& self, const Random::State& state) {
    if (state == Random::State{}) throw nb::value_error("the state of the random numbers is 0");
    self.world.random() = Random(state);
}

}  // namespace

void bind_world(nb::module_& module) {
    nb::class_<TaskWorld>(module, "World", "A task that is acted in: one state, which actions change by chance.")
        .def(
            "__init__",
            [](TaskWorld* self, const std::shared_ptr<Task>& task, std::uint64_t seed, Stop* stop) {
                GivenStop limits{stop};
                new (self)
                    TaskWorld{task, std::make_shared<const SuccessorGenerator>(*task, limits), World(*task, seed)};
            },
            "task"_a, "seed"_a, "stop"_a.none() = nb::none(), nb::call_guard<nb::gil_scoped_release>(),
            "In the initial state. `stop` holds while the world is made, and no longer.")
        .def(
            "fork",
            [](const TaskWorld& self, std::uint64_t seed) {
                return TaskWorld{self.task, self.successors, World(*self.task, seed)};
            },
            "seed"_a, "Another world of the task, in the initial state; made at once, as it shares what can be shared.")
        .def(
            "reset", [](TaskWorld& self) { self.world.reset(); }, "Back to the initial state; random numbers go on.")
        .def(
            "reseed", [](TaskWorld& self, std::uint64_t seed) { self.world.random() = Random(seed); }, "seed"_a,
            "Draw from here on as a new world with this seed does.")
        .def(
            "set_state", [](TaskWorld& self, const IdList& atoms) { self.world.set_state(to_bits(*self.task, atoms)); },
            "atoms"_a, "To the state in which exactly these fluent atoms hold.")
        .def(
            "atoms", [](const TaskWorld& self) { return to_atoms(*self.task, self.world.state().data()); },
            "The fluent atoms that hold, in ascending order.")
        .def("is_goal", [](const TaskWorld& self) { return self.world.is_goal(); })
        .def("applicable", &applicable, "The applicable actions, in ascending order; of a goal state too.")
        .def("is_applicable", &is_applicable, "action"_a)
        .def("step", &step, "action"_a,
             "Take an action, draw its outcome, and return what it cost; a ValueError if it is not applicable.")
        .def_prop_rw(
            "random_state", [](const TaskWorld& self) { return self.world.random().state(); }, &set_random_state,
            "What the random numbers to come follow from.");
}

}  // namespace gpaplan
