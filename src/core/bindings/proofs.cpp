// Proofs about rule lists: all initial states that conditions allow, and whether the goal is reached from them.

#include "bindings/bindings.hpp"
#include "proofs/kept_graph.hpp"

namespace gpaplan {

namespace {

std::vector<Indices> all_models(std::uint32_t atoms, const std::vector<Indices>& clauses, Stop& stop,
                                std::uint64_t most) {
    std::vector<Indices> found;
    std::uint64_t size = 0;
    each_model(atoms, clauses, stop, [&](const Word* model) {
        found.push_back(bits_set(model, (atoms + 63) / 64));
        if ((size += 1 + found.back().size()) > most) throw TaskTooLarge("more models than asked for");
    });
    return found;
}

auto named_failure(StateSpace& space, const std::optional<Failure>& failure) {
    using Named = std::tuple<std::uint32_t, Indices, Indices, Indices, bool>;
    const auto atoms = [&](StateId state) { return to_atoms(space.task(), space.bits(state)); };
    if (!failure) return std::optional<Named>();
    const auto is_stuck = space.expand(failure->last).size() == 0;
    return std::optional(
        Named(failure->count, atoms(failure->first), failure->actions, atoms(failure->last), is_stuck));
}

auto judged_starts(StateSpace& space, const std::vector<Indices>& clauses, Stop& stop) {
    const auto found = check_starts(space, clauses, stop);
    return std::tuple(found.starts, found.states, named_failure(space, found.random), named_failure(space, found.any));
}

}  // namespace

void bind_proofs(nb::module_& module) {
    module.def("all_models", &all_models, "atoms"_a, "clauses"_a, "stop"_a, "most"_a, ReleaseGil(),
               "All sets of atoms that satisfy clauses of literals (src/core/proofs/models.cpp). Throws "
               "TaskTooLarge if these sets and their atoms are more than so many.");
    module.def("check_starts", &judged_starts, "space"_a, "clauses"_a, "stop"_a, ReleaseGil(),
               "Whether what a filtered space keeps reaches the goal from all initial states that clauses allow: the "
               "number of these, of states, and how it fails under random and under any choice, None if it does not: "
               "(number of initial states, the first of them, actions, the last state, nothing is kept there).");
}

}  // namespace gpaplan
