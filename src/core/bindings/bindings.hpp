// What the parts of the extension module share.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/bits.hpp"
#include "base/stop.hpp"
#include "heuristics/heuristic.hpp"
#include "spaces/state_space.hpp"
#include "spaces/world.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace gpaplan {

using IdList = std::vector<std::uint32_t>;

// A heuristic together with the task it refers to.
struct TaskHeuristic {
    std::shared_ptr<Task> task;
    std::unique_ptr<Heuristic> heuristic;
};

// A world together with what it refers to, which the worlds of a task share.
struct TaskWorld {
    std::shared_ptr<Task> task;
    std::shared_ptr<const SuccessorGenerator> successors;
    World world;
};

// The limits that a caller gave, or none.
struct GivenStop {
    Stop* given;
    Stop none{};
    operator Stop&() { return given != nullptr ? *given : none; }
};

template <typename T>
void check_index(T index, std::size_t size) {
    if (index >= size) throw nb::index_error();
}

// States as Python has them, the fluent atoms that hold in ascending order, and as the core has them.
inline IdList to_atoms(const Task& task, const Word* state) { return bits_set(state, task.word_count()); }
inline const Word* bits_of(const StateSpace& space, StateId state) {
    check_index(state, space.size());
    return space.bits(state);
}
inline std::vector<Word> to_bits(const Task& task, const IdList& atoms) {
    std::vector<Word> state(task.word_count(), 0);
    for (auto atom : atoms) {
        check_index(atom, task.atom_count());
        set_bit(state.data(), atom);
    }
    return state;
}

inline nb::dict to_dict(const Parts& parts) {
    nb::dict result;
    for (const auto& [name, bytes] : parts) result[name] = bytes;
    return result;
}

// The value of an enum by its name, and a function that lists the names.
template <typename Enum>
Enum named(const std::string& name) {
    const auto found = std::ranges::find(names<Enum>, name);
    if (found != names<Enum>.end()) return static_cast<Enum>(found - names<Enum>.begin());
    std::string message = "there is no '" + name + "' among";
    for (const char* each : names<Enum>) message.append(" ").append(each);
    throw nb::value_error(message.c_str());
}
template <typename Enum>
void bind_names(nb::module_& module, const char* function, const char* documentation) {
    module.def(
        function, [] { return std::vector<std::string>(names<Enum>.begin(), names<Enum>.end()); }, documentation);
}

void bind_errors(nb::module_& module);
void bind_stop(nb::module_& module);
void bind_task(nb::module_& module);
void bind_symmetry(nb::module_& module);
void bind_state_space(nb::module_& module);
void bind_world(nb::module_& module);
void bind_episode(nb::module_& module);
void bind_policy(nb::module_& module);
void bind_variables(nb::module_& module);
void bind_heuristics(nb::module_& module);
void bind_solvers(nb::module_& module);
void bind_automaton(nb::module_& module);
void bind_concepts(nb::module_& module);
void bind_rules(nb::module_& module);
void bind_proofs(nb::module_& module);

}  // namespace gpaplan
