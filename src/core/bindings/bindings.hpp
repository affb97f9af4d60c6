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

#include <string>

#include "heuristics/heuristic.hpp"
#include "spaces/state_space.hpp"

namespace nb = nanobind;
using namespace nb::literals;

// Lists of indices of the core as lists of Python.
template <>
struct nb::detail::type_caster<gpaplan::Ranges> {
    using Lists = std::vector<gpaplan::Indices>;
    NB_TYPE_CASTER(gpaplan::Ranges, make_caster<Lists>::Name)

    bool from_python(handle source, std::uint8_t flags, cleanup_list* cleanup) noexcept {
        make_caster<Lists> lists;
        if (!lists.from_python(source, flags, cleanup)) return false;
        for (const auto& list : lists.value) value.add(list);
        return true;
    }
    static handle from_cpp(const gpaplan::Ranges& ranges, rv_policy policy, cleanup_list* cleanup) noexcept {
        Lists lists;
        for (std::size_t i = 0; i < ranges.size(); ++i) lists.emplace_back(ranges[i].begin(), ranges[i].end());
        return make_caster<Lists>::from_cpp(lists, policy, cleanup);
    }
};
template <>
struct nb::detail::type_caster<gpaplan::IndexSpan> {
    NB_TYPE_CASTER(gpaplan::IndexSpan, make_caster<gpaplan::Indices>::Name)

    static handle from_cpp(gpaplan::IndexSpan list, rv_policy policy, cleanup_list* cleanup) noexcept {
        return make_caster<gpaplan::Indices>::from_cpp(gpaplan::Indices(list.begin(), list.end()), policy, cleanup);
    }
};

namespace gpaplan {

using ReleaseGil = nb::call_guard<nb::gil_scoped_release>;

// A heuristic together with the task it refers to.
struct TaskHeuristic {
    std::shared_ptr<Task> task;
    std::unique_ptr<Heuristic> heuristic;
};

// Limits that something looks at within a scope.
template <typename Limited>
class StopScope {
public:
    StopScope(Limited& limited, Stop* stop) : limited_(limited) { limited.set_stop(stop); }
    ~StopScope() { limited_.set_stop(nullptr); }
    StopScope(const StopScope&) = delete;
    StopScope& operator=(const StopScope&) = delete;

private:
    Limited& limited_;
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
inline Indices to_atoms(const Task& task, const Word* state) { return bits_set(state, task.word_count()); }
inline const Word* bits_of(const StateSpace& space, StateId state) {
    check_index(state, space.size());
    return space.bits(state);
}
inline std::vector<Word> to_bits(const Task& task, const Indices& atoms) {
    std::vector<Word> state(task.word_count(), 0);
    for (auto atom : atoms) {
        check_index(atom, task.atom_count());
        set_bit(state.data(), atom);
    }
    return state;
}

// A function of a space, or of a search in one, and a state, with a check that there is such a state.
template <typename Space, typename Function, typename... More>
auto of_state(Function function) {
    return [function](Space& of, StateId state, More... more) {
        if constexpr (requires { of.space(); })
            check_index(state, of.space().size());
        else
            check_index(state, of.size());
        return std::invoke(function, of, state, more...);
    };
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

// A record of settings of the core, by the names of its fields: what the first of the records of Python says that knows
// a setting of that name. Where that is None, and what no record knows, stays at its default.
template <typename Settings>
Settings settings_of(std::span<const nb::object> records) {
    Settings settings;
    settings.each_field([&](const char* name, auto& field) {
        using Field = std::remove_reference_t<decltype(field)>;
        for (const auto& record : records) {
            if (!nb::hasattr(record, name)) continue;
            const nb::object value = record.attr(name);
            if (value.is_none()) return;
            if constexpr (std::is_enum_v<Field>)
                field = named<Field>(nb::cast<std::string>(value));
            else if (!nb::try_cast(value, field))
                throw nb::type_error((std::string(name) + " is not a number that is allowed").c_str());
            return;
        }
    });
    return settings;
}

using Bind = void(nb::module_& module);
Bind bind_errors, bind_stop, bind_task, bind_symmetry, bind_state_space, bind_world, bind_policy, bind_heuristics,
    bind_solvers, bind_automaton, bind_concepts, bind_rules, bind_proofs;

}  // namespace gpaplan
