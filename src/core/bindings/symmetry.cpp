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

// Whether one object is another's image under some permutation: both of one class, or the same one of none.
bool may_become(const Symmetry& symmetry, std::uint32_t object, std::uint32_t image) {
    check_index(std::max(object, image), symmetry.object_count());
    const auto from = symmetry.member_of(object);
    const auto to = symmetry.member_of(image);
    return from == no_id || to == no_id ? object == image : symmetry.class_of(from) == symmetry.class_of(to);
}

void check_image(const Symmetry& symmetry, IdList image) {
    bool right = image.size() == symmetry.object_count();
    for (std::uint32_t object = 0; right && object < image.size(); ++object)
        right = may_become(symmetry, object, image[object]);
    std::ranges::sort(image);
    if (!right || std::ranges::adjacent_find(image) != image.end())
        throw nb::value_error("not a permutation of interchangeable objects");
}

void check_restriction(const Symmetry& symmetry, const std::vector<Indices>& classes) {
    IdList all;
    for (const auto& objects : classes) {
        bool right = objects.size() > 1;
        for (auto object : objects) right = right && may_become(symmetry, objects.front(), object);
        if (!right) throw nb::value_error("the objects of a class are not interchangeable, or it has less than two");
        all.insert(all.end(), objects.begin(), objects.end());
    }
    std::ranges::sort(all);
    if (std::ranges::adjacent_find(all) != all.end()) throw nb::value_error("an object is in two classes");
}

std::pair<IdList, IdList> representative(Canonicaliser& canonicaliser, const IdList& atoms) {
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
            [](const Symmetry& symmetry, ActionId action, const IdList& image) {
                check_index(action, symmetry.task()->action_count());
                check_image(symmetry, image);
                return symmetry.map_action(action, image);
            },
            "action"_a, "image"_a, "What an action becomes if each object becomes another.")
        .def(
            "map_state",
            [](const Symmetry& symmetry, const IdList& atoms, const IdList& image) {
                check_image(symmetry, image);
                const auto state = to_bits(*symmetry.task(), atoms);
                return to_atoms(*symmetry.task(), symmetry.map_state(state.data(), image).data());
            },
            "atoms"_a, "image"_a, "What a state becomes if each object becomes another.")
        .def(
            "restricted",
            [](const Symmetry& symmetry, std::vector<Indices> classes) {
                check_restriction(symmetry, classes);
                return std::make_shared<Symmetry>(symmetry.task(), symmetry.object_count(), std::move(classes));
            },
            "classes"_a, "The symmetry of smaller classes; each must be a part of one of these classes.");
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
