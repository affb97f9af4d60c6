// Proofs about rule lists: all initial states that conditions allow, and whether the goal is reached from them.

#include "bindings/bindings.hpp"
#include "proofs/kept_graph.hpp"

namespace gpaplan {

namespace {

std::vector<IdList> all_models(std::uint32_t atoms, const std::vector<Indices>& clauses, Stop& stop) {
    std::vector<IdList> found;
    Models(atoms, clauses).each([&](const Word* model) { found.push_back(bits_set(model, (atoms + 63) / 64)); }, stop);
    return found;
}

// How many initial states fail, the first of them, kept actions, where they lead, and whether nothing is kept there.
using Failure = std::tuple<std::uint64_t, IdList, IdList, IdList, bool>;

std::optional<Failure> failure(const KeptGraph& graph, StateSpace& space, const KeptGraph::Flags& bad) {
    const auto failing = graph.leading_to(bad);
    const auto begin = failing.begin() + 1;
    const auto end = begin + graph.start_count();
    const auto first = std::find(begin, end, 1);
    if (first == end) return std::nullopt;
    const auto start = static_cast<StateId>(first - failing.begin());
    const auto way = graph.way_to(start, bad);
    const auto last = way.empty() ? start : way.back().second;
    IdList actions;
    for (const auto& [action, _] : way) actions.push_back(action);
    const auto count = static_cast<std::uint64_t>(std::count(begin, end, 1));
    const auto atoms = [&](StateId state) { return to_atoms(space.task(), space.bits(state)); };
    return Failure(count, atoms(start), actions, atoms(last), space.expand(last).size() == 0);
}

std::tuple<std::uint32_t, std::uint32_t, std::optional<Failure>, std::optional<Failure>> check_starts(
    StateSpace& space, const std::vector<Indices>& clauses, Stop& stop) {
    Models starts(space.task().atom_count(), clauses);
    const KeptGraph graph(space, starts, stop);
    return {graph.start_count(), graph.size(), failure(graph, space, graph.traps()),
            failure(graph, space, graph.loops())};
}

}  // namespace

void bind_proofs(nb::module_& module) {
    module.def("all_models", &all_models, "atoms"_a, "clauses"_a, "stop"_a, nb::call_guard<nb::gil_scoped_release>(),
               "All sets of atoms that satisfy clauses of literals (src/core/proofs/models.hpp).");
    module.def("check_starts", &check_starts, "space"_a, "clauses"_a, "stop"_a,
               nb::call_guard<nb::gil_scoped_release>(),
               "Whether what a filtered space keeps reaches the goal from all initial states that clauses allow: the "
               "number of these, of states, and how it fails under random and under any choice, None if it does not: "
               "(number of initial states, the first of them, actions, the last state, nothing is kept there).");
}

}  // namespace gpaplan
