#include "policies/dead_ends.hpp"

#include "policies/goal_graph.hpp"

namespace gpaplan {

namespace {

// Whether an action of a state leads into a dead end; if so it is the first one.
bool find_entry(StateSpace& space, const GoalGraph& graph, StateId state, DeadEnds& result) {
    for (const auto transition : space.expand(state)) {
        for (const auto& outcome : transition.outcomes) {
            const double probability = space.numbers()[outcome.probability];
            if (graph.is_reaching(outcome.successor) || !(probability > 0)) continue;
            if (result.dead_end == no_id) result.dead_end = outcome.successor;
            result.probability += probability;
        }
        if (result.dead_end == no_id) continue;
        result.state = state;
        result.action = transition.action;
        return true;
    }
    return false;
}

}  // namespace

DeadEnds find_dead_ends(StateSpace& space, Stop& stop) {
    const GoalGraph graph(space, nullptr, stop);
    DeadEnds result;
    result.initial = !graph.is_reaching(space.initial());
    result.goals = static_cast<std::uint32_t>(graph.goals().size());
    for (StateId state = 0; state < space.size(); ++state) {
        if (!graph.is_reaching(state)) ++result.dead_ends;
        if (!graph.is_certain(state)) ++result.improper;
    }
    for (StateId state = 0; state < space.size(); ++state)
        if (graph.is_reaching(state) && find_entry(space, graph, state, result)) break;
    return result;
}

}  // namespace gpaplan
