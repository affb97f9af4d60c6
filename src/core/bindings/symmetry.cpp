// Interchangeable objects and representatives of states.

#include "bindings/bindings.hpp"
#include "symmetry/representative.hpp"

namespace gpaplan {

namespace {

std::shared_ptr<Symmetry> find_symmetry(const std::shared_ptr<Task>& task, const Indices& kinds, Stop& stop) {
    for (const auto* arguments : {&task->atom_arguments, &task->static_arguments, &task->action_arguments})
        for (auto object : arguments->values) check_index(object, kinds.size());
    const nb::gil_scoped_release release;
    auto classes = find_interchangeable(*task, kinds, stop);
    return std::make_shared<Symmetry>(task, static_cast<std::uint32_t>(kinds.size()), std::move(classes));
}

std::pair<Indices, Indices> representative(Canonicaliser& canonicaliser, const Indices& atoms) {
    const auto& task = *canonicaliser.symmetry().task();
    auto state = to_bits(task, atoms);
    canonicaliser.canonicalise(state.data());
    return {to_atoms(task, state.data()), canonicaliser.permutation()};
}

}  // namespace

void bind_symmetry(nb::module_& module) {
    nb::class_<Symmetry>(module, "Symmetry",
                         "The classes of interchangeable objects of a task (src/core/symmetry/symmetry.hpp).")
        .def_prop_ro("classes", &Symmetry::classes)
        .def(
            "map_action",
            [](const Symmetry& symmetry, ActionId action, const Indices& image) {
                check_index(action, symmetry.task()->action_count());
                return symmetry.map_action(action, image);
            },
            "action"_a, "image"_a,
            "What an action becomes if each object becomes another, by a permutation that a canonicaliser has found.")
        .def(
            "map_state",
            [](const Symmetry& symmetry, const Indices& atoms, const Indices& image) {
                const auto state = to_bits(*symmetry.task(), atoms);
                return to_atoms(*symmetry.task(), symmetry.map_state(state.data(), image).data());
            },
            "atoms"_a, "image"_a, "What a state becomes if each object becomes another.")
        .def(
            "restricted",
            [](const Symmetry& symmetry, std::vector<Indices> classes) {
                return std::make_shared<Symmetry>(symmetry.task(), symmetry.object_count(), std::move(classes));
            },
            "classes"_a, "The symmetry of smaller classes, each of which is a part of one of these.");
    module.def("find_symmetry", &find_symmetry, "task"_a, "kinds"_a, "stop"_a,
               "The interchangeable objects of a task. Those of different kinds are told apart.");
    nb::class_<Canonicaliser>(module, "Canonicaliser",
                              "Representatives of states (src/core/symmetry/representative.hpp).")
        .def(
            "__init__",
            [](Canonicaliser* self, const std::shared_ptr<Symmetry>& symmetry) { new (self) Canonicaliser(symmetry); },
            "symmetry"_a)
        .def("representative", &representative, "atoms"_a,
             "The representative of a state, and for each object what it became.")
        .def_prop_ro("was_exact", &Canonicaliser::was_exact,
                     "Whether the last representative is surely the one of every state that is equal up to symmetry.");
}

}  // namespace gpaplan
