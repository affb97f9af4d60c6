#include "proofs/kept_graph.hpp"

#include <numeric>

namespace gpaplan {

KeptGraph::KeptGraph(const Task& task, Evaluator& evaluator, const std::vector<Rule>& rules, std::uint64_t max_outcomes,
                     Stop& stop)
    : task_(task),
      evaluator_(evaluator),
      rules_(evaluator, rules),
      successors_(task, stop),
      outcomes_(task, numbers_, max_outcomes, stop),
      states_(task.word_count()) {}

void KeptGraph::explore(Models& starts, Stop& stop) {
    starts.each([&](const Word* model) { states_.intern(model); }, stop);
    starts_ = states_.size();
    for (StateId state = 0; state < states_.size(); ++state) {
        if (state % 64 == 0 && stop.check(0, 16 * states_.size()) != StopReason::none) throw Stopped(stop.reason());
        expand(state);
    }
    causes_ = invert(results_, states_.size());
}

void KeptGraph::expand(StateId state) {
    current_.assign(states_[state], states_[state] + task_.word_count());
    goals_.push_back(holds(task_, task_.goal, current_.data()) ? 1 : 0);
    if (goals_.back() == 0) {
        applicable_.clear();
        chosen_.clear();
        successors_.applicable(current_.data(), applicable_);
        evaluator_.enter(current_.data());
        const auto rule = rules_.decide(applicable_);
        if (rule != no_id) rules_.keep(rule, applicable_, chosen_);
        for (auto action : chosen_) {
            list_.clear();
            outcomes_.enumerate(action, current_.data(), list_);
            Indices reached;
            for (std::size_t i = 0; i < list_.size(); ++i)
                if (numbers_[list_.probabilities[i]] > 0)
                    reached.push_back(states_.intern(list_.states.data() + i * task_.word_count()));
            sort_unique(reached);
            actions_.values.push_back(static_cast<std::uint32_t>(kept_.size()));
            kept_.push_back(action);
            owners_.push_back(state);
            results_.add(reached);
        }
    }
    actions_.close();
}

KeptGraph::Flags KeptGraph::closed_backwards(Indices reached) const {
    Flags flags(size(), 0);
    for (auto state : reached) flags[state] = 1;
    for (std::size_t at = 0; at < reached.size(); ++at)
        for (auto action : causes_[reached[at]])
            if (flags[owners_[action]] == 0) {
                flags[owners_[action]] = 1;
                reached.push_back(owners_[action]);
            }
    return flags;
}

KeptGraph::Flags KeptGraph::traps() const {
    Indices goals;
    for (StateId state = 0; state < size(); ++state)
        if (is_goal(state)) goals.push_back(state);
    auto flags = closed_backwards(std::move(goals));
    for (auto& flag : flags) flag ^= 1U;
    return flags;
}

KeptGraph::Flags KeptGraph::loops() const {
    Flags inside(size(), 1);
    Flags stays(kept_.size(), 1);  // of kept actions: all that may come of it is inside
    Indices staying(size());       // of states: how many such actions it has
    Indices left;
    for (StateId state = 0; state < size(); ++state) {
        staying[state] = static_cast<std::uint32_t>(actions_[state].size());
        if (is_goal(state)) left.push_back(state);
    }
    for (auto state : left) inside[state] = 0;
    for (std::size_t at = 0; at < left.size(); ++at)
        for (auto action : causes_[left[at]]) {
            if (stays[action] == 0) continue;
            stays[action] = 0;
            const auto owner = owners_[action];
            if (--staying[owner] == 0 && inside[owner] != 0) {
                inside[owner] = 0;
                left.push_back(owner);
            }
        }
    return inside;
}

KeptGraph::Flags KeptGraph::leading_to(const Flags& bad) const {
    Indices reached;
    for (StateId state = 0; state < size(); ++state)
        if (bad[state] != 0) reached.push_back(state);
    return closed_backwards(std::move(reached));
}

std::vector<std::pair<ActionId, StateId>> KeptGraph::way_to(StateId from, const Flags& bad) const {
    Indices through(size(), no_id);  // the kept action that led there first
    Indices queue{from};
    StateId end = bad[from] != 0 ? from : no_id;
    for (std::size_t at = 0; at < queue.size() && end == no_id; ++at)
        for (auto action : actions_[queue[at]])
            for (auto next : results_[action]) {
                if (next == from || through[next] != no_id) continue;
                through[next] = action;
                queue.push_back(next);
                if (bad[next] != 0 && end == no_id) end = next;
            }
    std::vector<std::pair<ActionId, StateId>> way;
    for (auto state = end; state != from && state != no_id; state = owners_[through[state]])
        way.emplace_back(kept_[through[state]], state);
    std::ranges::reverse(way);
    return way;
}

}  // namespace gpaplan
