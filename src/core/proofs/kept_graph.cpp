#include "proofs/kept_graph.hpp"

namespace gpaplan {

namespace {

// The states from which an adversary cannot avoid the goal.
Indices forced(StateSpace& space, const GoalGraph& graph) {
    auto found = graph.goals();
    auto flags = graph.membership(found);
    const auto may_get_there = [&](const Transition& action) {
        return std::ranges::any_of(action.outcomes.successors(), [&](auto next) { return flags[next] != 0; });
    };
    spread(graph.predecessors(), found, flags, [&](StateId state) {
        for (const auto action : space.expand(state))
            if (!may_get_there(action)) return false;
        return true;
    });
    return found;
}

// The starts that lead out of some states. They come first, behind the task's own initial state.
std::optional<Failure> failure(StateSpace& space, const GoalGraph& graph, std::uint32_t starts, const Indices& good) {
    const auto is_good = graph.membership(good);
    Indices failing;  // the nearest first
    for (StateId state = 1; state < space.size(); ++state)
        if (is_good[state] == 0) failing.push_back(state);
    const auto bad = failing.size();
    auto fails = graph.membership(failing);
    spread(graph.predecessors(), failing, fails, [](StateId) { return true; });
    const auto begin = fails.begin() + 1, end = begin + starts;
    const auto first = std::find(begin, end, 1);
    if (first == end) return std::nullopt;
    Indices place(space.size(), no_id);
    for (std::size_t i = 0; i < failing.size(); ++i) place[failing[i]] = static_cast<std::uint32_t>(i);
    const auto start = static_cast<StateId>(first - fails.begin());
    Failure found{static_cast<std::uint32_t>(std::count(begin, end, 1)), start, {}, start};
    while (place[found.last] >= bad) {
        found.actions.push_back(no_id);
        for (const auto action : space.expand(found.last))
            for (auto next : action.outcomes.successors())
                if (place[next] < place[found.last]) {
                    found.last = next;
                    found.actions.back() = action.action;
                }
    }
    return found;
}

}  // namespace

Judgement check_starts(StateSpace& space, const std::vector<Indices>& clauses, Stop& stop) {
    each_model(space.task().atom_count(), clauses, stop, [&](const Word* model) { space.intern(model); });
    const auto starts = space.size() - 1;
    for (StateId state = 1; state < space.size(); ++state) {
        if (state % 64 == 0 && stop.check(0, 16 * space.size()) != StopReason::none) throw Stopped(stop.reason());
        space.expand(state);
    }
    const GoalGraph graph(space, stop);
    return {starts, space.size() - 1, failure(space, graph, starts, graph.reaching()),
            failure(space, graph, starts, forced(space, graph))};
}

}  // namespace gpaplan
