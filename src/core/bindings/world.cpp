// Worlds: tasks that are acted in; and episodes, whose observations are written into arrays of the caller's.

#include "spaces/world.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>

#include "bindings/bindings.hpp"

namespace gpaplan {

namespace {

// A world together with its task and what knows the applicable actions.
struct TaskWorld {
    std::shared_ptr<Task> task;
    SuccessorGenerator successors;
    World world;
};

bool is_applicable(const TaskWorld& self, ActionId action) {
    check_index(action, self.task->action_count());
    return self.world.is_applicable(action);
}

double step(TaskWorld& self, ActionId action) {
    if (!is_applicable(self, action)) throw nb::value_error("the action is not applicable");
    return self.world.step(action);
}

Indices applicable(const TaskWorld& self) { return self.successors.applicable(self.world.state().data()); }

void set_random_state(TaskWorld& self, const Random::State& state) {
    if (state == Random::State{}) throw nb::value_error("the state of the random numbers is 0");
    self.world.random() = Random(state);
}

using Row = nb::ndarray<std::int8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

struct EpisodeStep {
    double cost = 0;
    bool terminated = false;  // at a goal, or where no action is applicable
    bool truncated = false;   // at the horizon, not terminated
};

// Acting in a world until a goal, a state without applicable actions, or a horizon, with what each step costs an agent
// that learns.
//
// Nothing that an agent does is an error: an action that is not applicable changes nothing and costs what the rules
// say. A step after the end changes nothing and costs nothing; so does one in an episode that begins at a goal. One
// that begins where no action is applicable pays for that with its first step.
class Episode {
public:
    Episode(TaskWorld& of, double inapplicable_cost, double dead_end_cost, std::uint64_t horizon)
        : of_(of), inapplicable_cost_(inapplicable_cost), dead_end_cost_(dead_end_cost), horizon_(horizon) {
        begin();
    }

    // Begins in the state that the world is in, as if so many steps had been taken.
    void begin(std::uint64_t steps = 0) {
        steps_ = steps;
        look();
    }
    EpisodeStep step(ActionId action) {
        const bool first = steps_++ == 0;
        if (at_goal_) return {0, true, false};
        if (applicable_.empty()) return {first ? dead_end_cost_ : 0, true, false};
        EpisodeStep result{inapplicable_cost_};
        if (of_.world.is_applicable(action)) {
            result.cost = of_.world.step(action);
            look();
            result.terminated = at_goal_ || applicable_.empty();
            if (result.terminated && !at_goal_) result.cost += dead_end_cost_;
        }
        result.truncated = !result.terminated && steps_ >= horizon_;
        return result;
    }

    const Task& task() const { return *of_.task; }
    std::uint64_t steps() const { return steps_; }
    bool at_goal() const { return at_goal_; }

    // Writes which atoms hold, and which actions are applicable.
    void write(const Row& atoms, const Row& actions) const {
        if (atoms.shape(0) != task().atom_count() || actions.shape(0) != task().action_count())
            throw nb::value_error("the arrays do not have as many places as there are atoms and actions");
        std::fill_n(atoms.data(), atoms.shape(0), std::int8_t{0});
        std::fill_n(actions.data(), actions.shape(0), std::int8_t{0});
        for_each_bit(of_.world.state().data(), task().word_count(), [&](AtomId atom) { atoms(atom) = 1; });
        for (auto action : applicable_) actions(action) = 1;
    }

private:
    // Takes note of the state that the world is in.
    void look() {
        at_goal_ = of_.world.is_goal();
        applicable_.clear();
        of_.successors.applicable(of_.world.state().data(), applicable_);
    }

    TaskWorld& of_;
    double inapplicable_cost_;  // of an action that is not applicable
    double dead_end_cost_;      // of coming to a state without applicable actions, on top of the action's cost
    std::uint64_t horizon_;     // steps after which an episode is truncated
    std::uint64_t steps_ = 0;
    Indices applicable_;  // in ascending order; of a goal state too
    bool at_goal_ = false;
};

void bind_episode(nb::module_& module) {
    nb::class_<Episode>(module, "Episode", "Acting in a world until an end.")
        .def(nb::init<TaskWorld&, double, double, std::uint64_t>(), "world"_a, nb::kw_only(), "inapplicable_cost"_a,
             "dead_end_cost"_a, "horizon"_a, nb::keep_alive<1, 2>())
        .def(
            "begin",
            [](Episode& self, const Row& atoms, const Row& actions) {
                self.begin();
                self.write(atoms, actions);
            },
            "atoms"_a.noconvert(), "actions"_a.noconvert(),
            "Begin in the state that the world is in, and write atoms and applicable actions.")
        .def(
            "step",
            [](Episode& self, ActionId action, const Row& atoms, const Row& actions) {
                check_index(action, self.task().action_count());
                const auto done = self.step(action);
                self.write(atoms, actions);
                return std::tuple(done.cost, done.terminated, done.truncated, self.at_goal());
            },
            "action"_a, "atoms"_a.noconvert(), "actions"_a.noconvert(),
            "(cost, whether it terminated, was truncated, is at a goal) of an action, and the arrays as in `begin`.")
        .def_prop_rw(
            "steps", &Episode::steps, &Episode::begin,
            "How many were taken; setting it begins in the state that the world is in, as if there had been so many.");
}

}  // namespace

void bind_world(nb::module_& module) {
    nb::class_<TaskWorld>(module, "World", "A task that is acted in: one state, which actions change by chance.")
        .def(
            "__init__",
            [](TaskWorld* self, const std::shared_ptr<Task>& task, std::uint64_t seed, Stop* stop) {
                GivenStop limits{stop};
                new (self) TaskWorld{task, SuccessorGenerator(*task, limits), World(*task, seed)};
            },
            "task"_a, "seed"_a, "stop"_a.none() = nb::none(), ReleaseGil(),
            "In the initial state. `stop` holds while the world is made, and no longer.")
        .def(
            "reset", [](TaskWorld& self) { self.world.reset(); }, "Back to the initial state; random numbers go on.")
        .def(
            "reseed", [](TaskWorld& self, std::uint64_t seed) { self.world.random() = Random(seed); }, "seed"_a,
            "Draw from here on as a new world with this seed does.")
        .def(
            "set_state",
            [](TaskWorld& self, const Indices& atoms) { self.world.set_state(to_bits(*self.task, atoms)); }, "atoms"_a,
            "To the state in which exactly these fluent atoms hold.")
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
    bind_episode(module);
}

}  // namespace gpaplan
