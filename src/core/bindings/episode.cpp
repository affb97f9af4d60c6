// Episodes, one by one and many at once: their observations are written into arrays of the caller's.

#include "policies/episode.hpp"

#include <nanobind/ndarray.h>

#include "bindings/bindings.hpp"

namespace gpaplan {

namespace {

template <typename T, int dimensions>
using Array = nb::ndarray<T, nb::ndim<dimensions>, nb::c_contig, nb::device::cpu>;
using Flags = Array<bool, 1>;

struct TaskEpisode {
    TaskWorld& of;
    Episode episode;
};

void mark(const Indices& places, std::int8_t* row, std::size_t width) {
    std::fill_n(row, width, std::int8_t{0});
    for (auto place : places) row[place] = 1;
}

// Writes which atoms hold, and which actions are applicable: a row for each episode.
class EpisodeRows {
public:
    EpisodeRows(std::int8_t* atoms, std::size_t atom_width, std::int8_t* actions, std::size_t action_width)
        : atoms_(atoms), atom_width_(atom_width), actions_(actions), action_width_(action_width) {}

    void write(const TaskEpisode& self, std::size_t row) const {
        const auto& task = *self.of.task;
        if (atom_width_ != task.atom_count() || action_width_ != task.action_count())
            throw nb::value_error("the arrays do not have as many places as there are atoms and actions");
        auto* atoms = atoms_ + row * atom_width_;
        const auto& state = self.episode.world().state();
        std::fill_n(atoms, atom_width_, std::int8_t{0});
        for_each_bit(state.data(), task.word_count(), [&](std::uint32_t atom) { atoms[atom] = 1; });
        mark(self.episode.applicable(), actions_ + row * action_width_, action_width_);
    }

private:
    std::int8_t* atoms_;
    std::size_t atom_width_;
    std::int8_t* actions_;
    std::size_t action_width_;
};

EpisodeRows rows_of(const Array<std::int8_t, 1>& atoms, const Array<std::int8_t, 1>& actions) {
    return {atoms.data(), atoms.shape(0), actions.data(), actions.shape(0)};
}
EpisodeRows rows_of(const Array<std::int8_t, 2>& atoms, const Array<std::int8_t, 2>& actions, std::size_t count) {
    if (atoms.shape(0) != count || actions.shape(0) != count)
        throw nb::value_error("the arrays do not have as many rows as there are episodes");
    return {atoms.data(), atoms.shape(1), actions.data(), actions.shape(1)};
}

std::tuple<double, bool, bool, bool> step(TaskEpisode& self, ActionId action, const Array<std::int8_t, 1>& atoms,
                                          const Array<std::int8_t, 1>& actions) {
    check_index(action, self.of.task->action_count());
    const auto done = self.episode.step(action);
    rows_of(atoms, actions).write(self, 0);
    return {done.cost, done.terminated, done.truncated, self.episode.at_goal()};
}

using Episodes = std::vector<TaskEpisode*>;

// One step of each episode, or a new beginning where `restart` says so, which costs nothing.
void step_all(const Episodes& episodes, const Array<const std::int64_t, 1>& chosen, const Flags& restart,
              const Array<std::int8_t, 2>& atoms, const Array<std::int8_t, 2>& actions, const Array<double, 1>& costs,
              const Flags& terminated, const Flags& truncated, const Flags& at_goal) {
    const auto count = episodes.size();
    const auto rows = rows_of(atoms, actions, count);
    for (auto size :
         {chosen.shape(0), restart.shape(0), costs.shape(0), terminated.shape(0), truncated.shape(0), at_goal.shape(0)})
        if (size != count) throw nb::value_error("there is not one value for each episode");
    for (std::size_t i = 0; i < count; ++i) {
        if (episodes[i] == nullptr) throw nb::value_error("None is no episode");
        check_index(static_cast<std::uint64_t>(chosen(i)), episodes[i]->of.task->action_count());
    }
    for (std::size_t i = 0; i < count; ++i) {
        auto& episode = episodes[i]->episode;
        EpisodeStep done;
        if (restart(i)) {
            episode.world().reset();
            episode.begin();
        } else {
            done = episode.step(static_cast<ActionId>(chosen(i)));
        }
        costs(i) = done.cost;
        terminated(i) = done.terminated;
        truncated(i) = done.truncated;
        at_goal(i) = episode.at_goal();
        rows.write(*episodes[i], i);
    }
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
                rows_of(atoms, actions).write(self, 0);
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
    module.def("step_episodes", &step_all, "episodes"_a, "chosen"_a, "restart"_a, "atoms"_a.noconvert(),
               "actions"_a.noconvert(), "costs"_a.noconvert(), "terminated"_a.noconvert(), "truncated"_a.noconvert(),
               "at_goal"_a.noconvert(),
               "An action in each of the episodes, or a new beginning where `restart` says so; all else is written.");
}

}  // namespace gpaplan
