// Interchangeable objects and representatives of states.

#include "../symmetry.hpp"

#include "../representative.hpp"
#include "bindings.hpp"

namespace gpaplan {

namespace {

std::shared_ptr<Symmetry> find_symmetry(const std::shared_ptr<Task>& task, const Indices& kinds) {
    const nb::gil_scoped_release release;
    auto classes = find_interchangeable(*task, kinds);
    return std::make_shared<Symmetry>(task, static_cast<std::uint32_t>(kinds.size()), std::move(classes));
}

std::pair<IdList, IdList> representative(Canonicaliser& canonicaliser, const IdList& atoms) {
    const auto& task = *canonicaliser.symmetry().task();
    auto state = to_bits(task, atoms);
    canonicaliser.canonicalise(state.data());
    IdList result;
    for (AtomId atom = 0; atom < task.atom_count(); ++atom)
        if (test_bit(state.data(), atom)) result.push_back(atom);
    return {result, canonicaliser.permutation()};
}

}  // namespace

void bind_symmetry(nb::module_& module) {
    nb::class_<Symmetry>(module, "Symmetry", "The classes of interchangeable objects of a task (src/core/symmetry.hpp).")
        .def_prop_ro("classes", &Symmetry::classes)
        .def(
            "map_action",
            [](const Symmetry& symmetry, ActionId action, const IdList& image) {
                check_index(action, symmetry.task()->action_count());
                if (image.size() != symmetry.object_count()) throw nb::value_error("not a permutation of the objects");
                return symmetry.map_action(action, image);
            },
            "action"_a, "image"_a, "The action that an action becomes if each object becomes another.")
        .def_prop_ro("bytes", &Symmetry::bytes);
    module.def("find_symmetry", &find_symmetry, "task"_a, "kinds"_a,
               "The interchangeable objects of a task. Those of different kinds are told apart.");
    nb::class_<Canonicaliser>(module, "Canonicaliser", "Representatives of states (src/core/representative.hpp).")
        .def(
            "__init__",
            [](Canonicaliser* self, const std::shared_ptr<Symmetry>& symmetry) { new (self) Canonicaliser(symmetry); },
            "symmetry"_a)
        .def("representative", &representative, "atoms"_a,
             "The representative of a state, and for each object what it became.")
        .def_prop_ro("was_exact", &Canonicaliser::was_exact,
                     "Whether the last representative is surely the one of every state that is equal up to renaming.");
}

}  // namespace gpaplan
