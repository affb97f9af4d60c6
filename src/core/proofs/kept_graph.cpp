#include "proofs/kept_graph.hpp"

namespace gpaplan {

KeptGraph::KeptGraph(StateSpace& space, Models& starts, Stop& stop)
    : space_(space), starts_(explored(space, starts, stop)), graph_(space, stop) {}

std::uint32_t KeptGraph::explored(StateSpace& space, Models& starts, Stop& stop) {
    starts.each([&](const Word* model) { space.intern(model); }, stop);
    const auto count = space.size() - 1;
    for (StateId state = 1; state < space.size(); ++state) {
        if (state % 64 == 0 && stop.check(0, 16 * space.size()) != StopReason::none) throw Stopped(stop.reason());
        space.expand(state);
    }
    return count;
}

KeptGraph::Flags KeptGraph::traps() const {
    auto flags = graph_.membership(graph_.reaching());
    for (auto& flag : flags) flag ^= 1U;
    return flags;
}

KeptGraph::Flags KeptGraph::loops() const {
    auto left = graph_.goals();
    auto flags = graph_.membership(left);
    const auto may_lead_out = [&](const Transition& action) {
        return std::ranges::any_of(action.outcomes.successors(), [&](auto next) { return flags[next] != 0; });
    };
    spread(graph_.predecessors(), left, flags, [&](StateId state) {
        for (const auto action : space_.expand(state))
            if (!may_lead_out(action)) return false;
        return true;
    });
    for (auto& flag : flags) flag ^= 1U;
    return flags;
}

KeptGraph::Flags KeptGraph::leading_to(const Flags& bad) const {
    Indices reached;
    for (StateId state = 1; state < space_.size(); ++state)
        if (bad[state] != 0) reached.push_back(state);
    auto flags = graph_.membership(reached);
    spread(graph_.predecessors(), reached, flags, [](StateId) { return true; });
    return flags;
}

std::vector<std::pair<ActionId, StateId>> KeptGraph::way_to(StateId from, const Flags& bad) const {
    std::vector<std::pair<StateId, ActionId>> before(space_.size(), {no_id, no_id});  // what led there first
    Indices queue{from};
    StateId end = bad[from] != 0 ? from : no_id;
    for (std::size_t at = 0; at < queue.size() && end == no_id; ++at)
        for (const auto action : space_.expand(queue[at]))
            for (auto next : action.outcomes.successors()) {
                if (next == from || before[next].first != no_id) continue;
                before[next] = {queue[at], action.action};
                queue.push_back(next);
                if (bad[next] != 0 && end == no_id) end = next;
            }
    std::vector<std::pair<ActionId, StateId>> way;
    for (auto state = end; state != from && state != no_id; state = before[state].first)
        way.emplace_back(before[state].second, state);
    std::ranges::reverse(way);
    return way;
}

}  // namespace gpaplan
