// Episodes: their observations are written into arrays of the caller's.

#include "policies/episode.hpp"

#include <nanobind/ndarray.h>

#include "bindings/bindings.hpp"

namespace gpaplan {

namespace {

template <typename T, int dimensions>
using Array = nb::ndarray<T, nb::ndim<dimensions>, nb::c_contig, nb::device::cpu>;

struct TaskEpisode {
    TaskWorld& of;
    Episode episode;
};

// Writes which atoms hold, and which actions are applicable.
void write(const TaskEpisode& self, const Array<std::int8_t, 1>& atoms, const Array<std::int8_t, 1>& actions) {
    const auto& task = *self.of.task;
    if (atoms.shape(0) != task.atom_count() || actions.shape(0) != task.action_count())
        throw nb::value_error("the arrays do not have as many places as there are atoms and actions");
    std::fill_n(atoms.data(), atoms.shape(0), std::int8_t{0});
    for_each_bit(self.episode.world().state().data(), task.word_count(), [&](std::uint32_t atom) { atoms(atom) = 1; });
    std::fill_n(actions.data(), actions.shape(0), std::int8_t{0});
    for (auto action : self.episode.applicable()) actions(action) = 1;
}

std::tuple<double, bool, bool, bool> step(TaskEpisode& self, ActionId action, const Array<std::int8_t, 1>& atoms,
                                          const Array<std::int8_t, 1>& actions) {
    check_index(action, self.of.task->action_count());
    const auto done = self.episode.step(action);
    write(self, atoms, actions);
    return {done.cost, done.terminated, done.truncated, self.episode.at_goal()};
}

}  // namespace

void bind_episode(nb::module_& module) {
    nb::class_<TaskEpisode>(module, "Episode", "Acting in a world until an end (src/core/policies/episode.hpp).")
        .def(
            "__init__",
            [](TaskEpisode* self, TaskWorld& world, double inapplicable_cost, double dead_end_cost,
               std::uint64_t horizon) {
                const EpisodeRules rules{inapplicable_cost, dead_end_cost, horizon};
                new (self) TaskEpisode{world, Episode(world.world, *world.successors, rules)};
            },
            "world"_a, nb::kw_only(), "inapplicable_cost"_a, "dead_end_cost"_a, "horizon"_a, nb::keep_alive<1, 2>())
        .def(
            "begin",
            [](TaskEpisode& self, const Array<std::int8_t, 1>& atoms, const Array<std::int8_t, 1>& actions) {
                self.episode.begin();
                write(self, atoms, actions);
            },
            "atoms"_a.noconvert(), "actions"_a.noconvert(),
            "Begin in the state that the world is in; which atoms hold and which actions are applicable is written to "
            "the arrays.")
        .def("step", &step, "action"_a, "atoms"_a.noconvert(), "actions"_a.noconvert(),
             "(cost, whether it terminated, was truncated, is at a goal) of an action, and the arrays as in `begin`.")
        .def_prop_rw(
            "steps", [](const TaskEpisode& self) { return self.episode.steps(); },
            [](TaskEpisode& self, std::uint64_t steps) { self.episode.begin(steps); },
            "How many were taken; setting it begins in the state that the world is in, as if there had been so many.");
}

}  // namespace gpaplan
