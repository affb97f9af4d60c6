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

std::optional<Failure> failure(const KeptGraph& graph, const Task& task, const KeptGraph::Flags& bad) {
    const auto failing = graph.leading_to(bad);
    const auto begin = failing.begin();
    const auto end = begin + graph.start_count();
    const auto first = std::find(begin, end, 1);
    if (first == end) return std::nullopt;
    const auto start = static_cast<StateId>(first - begin);
    const auto way = graph.way_to(start, bad);
    const auto last = way.empty() ? start : way.back().second;
    IdList actions;
    for (const auto& [action, _] : way) actions.push_back(action);
    const auto count = static_cast<std::uint64_t>(std::count(begin, end, 1));
    return Failure(count, to_atoms(task, graph.bits(start)), actions, to_atoms(task, graph.bits(last)),
                   graph.is_stuck(last));
}

std::tuple<std::uint32_t, std::uint32_t, std::optional<Failure>, std::optional<Failure>> check_rules(
    const Task& task, Evaluator& evaluator,
    const std::vector<std::pair<std::uint32_t, std::vector<NodeLiteral>>>& rules, const std::vector<Indices>& clauses,
    std::uint64_t max_outcomes, Stop& stop) {
    std::vector<Rule> list;
    for (const auto& [schema, literals] : rules) list.push_back({schema, literals});
    KeptGraph graph(task, evaluator, list, max_outcomes, stop);
    KeptGraph::Flags traps;
    KeptGraph::Flags loops;
    {
        const nb::gil_scoped_release release;
        Models starts(task.atom_count(), clauses);
        graph.explore(starts, stop);
        traps = graph.traps();
        loops = graph.loops();
    }
    return {graph.start_count(), graph.size(), failure(graph, task, traps), failure(graph, task, loops)};
}

}  // namespace

void bind_proofs(nb::module_& module) {
    module.def("all_models", &all_models, "atoms"_a, "clauses"_a, "stop"_a, nb::call_guard<nb::gil_scoped_release>(),
               "All sets of atoms that satisfy clauses of literals (src/core/proofs/models.hpp).");
    module.def("check_rules", &check_rules, nb::kw_only(), "task"_a, "evaluator"_a, "rules"_a, "clauses"_a,
               "max_outcomes"_a, "stop"_a,
               "Whether a rule list reaches the goal from all initial states that clauses allow: the number of these, "
               "of states, and how it fails under random and under any choice, None if it does not: (number of initial "
               "states, the first of them, actions, the last state, nothing is kept there).");
}

}  // namespace gpaplan
