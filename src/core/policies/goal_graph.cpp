#include "policies/goal_graph.hpp"

#include "base/components.hpp"

namespace gpaplan {

GoalGraph::GoalGraph(StateSpace& space, Heuristic* heuristic, Stop& stop) : space_(space), stop_(stop) {
    find([&](StateId state) {
        if (stop_.check(space_.expanded_count()) != StopReason::none) stop_.look();
        return heuristic == nullptr || heuristic->evaluate(space_.bits(state)) < infinity;
    });
}

GoalGraph::GoalGraph(StateSpace& space, Stop& stop) : space_(space), stop_(stop) {
    find([&](StateId state) { return space_.is_expanded(state); });
}

template <typename IsInner>
void GoalGraph::find(IsInner is_inner) {
    Indices own;
    for (StateId state = 0; state < space_.size(); ++state) {
        stop_.poll();
        own.clear();
        if (is_inner(state))
            for (const auto transition : space_.expand(state))
                std::ranges::remove_copy(transition.outcomes.successors(), std::back_inserter(own), state);
        sort_unique(own);
        successors_.add(own);
    }
    predecessors_ = reversed(successors_);
    for (StateId state = 0; state < space_.size(); ++state)
        if (space_.is_goal(state)) goals_.push_back(state);
    reaching_ = goals_;
    reaches_ = membership(goals_);
    spread(predecessors_, reaching_, reaches_, [](StateId) { return true; });
    find_certain();
}

std::vector<std::uint8_t> GoalGraph::membership(IndexSpan states) const {
    std::vector<std::uint8_t> result(space_.size(), 0);
    for (auto state : states) result[state] = 1;
    return result;
}

bool GoalGraph::is_safe(const Transition& transition) const {
    return std::ranges::all_of(transition.outcomes.successors(), [&](auto next) { return certain_[next] != 0; });
}

void GoalGraph::find_certain() {
    certain_ = reaches_;
    Indices dropped;
    for (StateId state = 0; state < space_.size(); ++state)
        if (certain_[state] == 0) dropped.push_back(state);
    const auto is_left = [&](StateId state) {
        stop_.poll();
        return certain_[state] != 0 && !space_.is_goal(state);
    };
    while (!dropped.empty()) {
        auto is_dropped = membership(dropped);  // and what then has no safe action any more
        spread(predecessors_, dropped, is_dropped, [&](StateId state) {
            if (!is_left(state)) return false;
            for (const auto transition : space_.expand(state))
                if (is_safe(transition)) return false;
            certain_[state] = 0;
            return true;
        });
        auto led = goals_;  // by safe actions to the goal
        auto is_led = membership(led);
        spread(predecessors_, led, is_led, [&](StateId state) {
            return is_left(state) && find_step(state, is_led, [&](const auto& each) { return is_safe(each); });
        });
        dropped.clear();
        for (auto state : reaching_)
            if (certain_[state] != 0 && is_led[state] == 0) dropped.push_back(state);
        for (auto state : dropped) certain_[state] = 0;
    }
}

}  // namespace gpaplan
