#include "policies/goal_graph.hpp"

#include <algorithm>

#include "base/components.hpp"

namespace gpaplan {

GoalGraph::GoalGraph(StateSpace& space, Heuristic* heuristic, Stop& stop) : space_(space), stop_(stop) {
    for (StateId state = 0; state < space_.size(); ++state) {
        if ((state & 0xffU) == 0 && stop_.check(space_.expanded_count()) != StopReason::none) stop_.look();
        add_successors(state, heuristic == nullptr || heuristic->evaluate(space_.bits(state)) < infinity);
    }
    find_states();
}

GoalGraph::GoalGraph(StateSpace& space, Stop& stop) : space_(space), stop_(stop) {
    for (StateId state = 0; state < space_.size(); ++state) {
        if ((state & 0xffU) == 0) stop_.look();
        add_successors(state, space_.is_expanded(state));
    }
    find_states();
}

void GoalGraph::find_states() {
    predecessors_ = reversed(successors_);
    find_reaching();
    find_certain();
}

void GoalGraph::add_successors(StateId state, bool is_inner) {
    own_.clear();
    if (is_inner)
        for (const auto transition : space_.expand(state))
            for (const auto& outcome : transition.outcomes)
                if (outcome.successor != state && space_.numbers()[outcome.probability] > 0)
                    own_.push_back(outcome.successor);
    sort_unique(own_);
    successors_.add(own_);
}

void GoalGraph::find_reaching() {
    reaches_.assign(space_.size(), 0);
    for (StateId state = 0; state < space_.size(); ++state) {
        if (!space_.is_goal(state)) continue;
        reaches_[state] = 1;
        goals_.push_back(state);
    }
    reaching_ = goals_;
    for (std::size_t i = 0; i < reaching_.size(); ++i) {
        for (auto from : predecessors_[reaching_[i]]) {
            if (reaches_[from] != 0) continue;
            reaches_[from] = 1;
            reaching_.push_back(from);
        }
    }
}

bool GoalGraph::is_safe(const Transition& transition) const {
    return std::ranges::all_of(transition.outcomes, [&](const auto& outcome) {
        return certain_[outcome.successor] != 0 || !(space_.numbers()[outcome.probability] > 0);
    });
}

bool GoalGraph::has_safe_action(StateId state) {
    for (const auto transition : space_.expand(state))
        if (is_safe(transition)) return true;
    return false;
}

void GoalGraph::find_certain() {
    certain_ = reaches_;
    Indices dropped;
    for (StateId state = 0; state < space_.size(); ++state)
        if (certain_[state] == 0) dropped.push_back(state);
    while (!dropped.empty()) {
        drop(dropped);
        dropped = led_astray();
        for (auto state : dropped) certain_[state] = 0;
    }
}

// Takes away what has no safe action any more, now that these states are taken away.
void GoalGraph::drop(Indices& dropped) {
    for (std::size_t i = 0; i < dropped.size(); ++i) {
        if ((i & 0xfffU) == 0) stop_.look();
        for (auto state : predecessors_[dropped[i]]) {
            if (certain_[state] == 0 || space_.is_goal(state) || has_safe_action(state)) continue;
            certain_[state] = 0;
            dropped.push_back(state);
        }
    }
}

// The states left that safe actions do not lead to the goal.
Indices GoalGraph::led_astray() {
    std::vector<std::uint8_t> led(space_.size(), 0);
    Indices queue = goals_;
    for (auto goal : goals_) led[goal] = 1;
    for (std::size_t i = 0; i < queue.size(); ++i) {
        if ((i & 0xfffU) == 0) stop_.look();
        for (auto state : predecessors_[queue[i]]) {
            if (led[state] != 0 || certain_[state] == 0) continue;
            for (const auto transition : space_.expand(state)) {
                if (!is_safe(transition) ||
                    std::ranges::none_of(transition.outcomes, [&](const auto& o) { return led[o.successor] != 0; }))
                    continue;
                led[state] = 1;
                queue.push_back(state);
                break;
            }
        }
    }
    Indices astray;
    for (auto state : reaching_)
        if (certain_[state] != 0 && led[state] == 0) astray.push_back(state);
    return astray;
}

// --- dead ends ---

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
