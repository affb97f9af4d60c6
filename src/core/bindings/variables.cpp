// Finite-domain variables and mutex groups.

#include "variables/variables.hpp"

#include "bindings/bindings.hpp"

namespace gpaplan {

void bind_variables(nb::module_& module) {
    nb::class_<Variables>(module, "Variables", "Finite-domain variables of a task (src/core/variables/variables.hpp).")
        .def(
            "__init__",
            [](Variables* self, const Task& task, Stop* stop) {
                GivenStop limits{stop};
                new (self) Variables(find_variables(task, limits));
            },
            "task"_a, "stop"_a.none() = nb::none(), nb::call_guard<nb::gil_scoped_release>())
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

}  // namespace gpaplan
