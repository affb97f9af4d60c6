#include "solvers/traps.hpp"

#include <algorithm>
#include <limits>

namespace gpaplan {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr std::uint32_t most_sweeps = 8;

}  // namespace

std::vector<std::uint8_t> Traps::find_escapes() {
    stop_.expect(space_.size());
    escapes_.assign(space_.size(), 0);
    for (StateId state = 0; state < escapes_.size(); ++state)
        if (space_.is_goal(state) || (!space_.is_expanded(state) && values_[state] < infinite)) escapes_[state] = 1;
    for (std::uint32_t sweeps = 0; sweep(); ++sweeps) {
        if (sweeps < most_sweeps) continue;
        follow_predecessors();
        break;
    }
    return std::move(escapes_);
}

bool Traps::is_inner(StateId state) const { return space_.is_expanded(state) && values_[state] < infinite; }

bool Traps::may_take(const Transition& transition) const {
    return all_actions_ || std::ranges::none_of(transition.outcomes, [&](const auto& outcome) {
               return values_[outcome.successor] == infinite;
           });
}

bool Traps::leads_out(StateId state) {
    const auto has_one = [&](StateId successor) { return escapes_[successor] != 0; };
    for (const auto transition : space_.expand(state))
        if (std::ranges::any_of(transition.outcomes, has_one, &Outcome::successor) && may_take(transition)) return true;
    return false;
}

// Returns whether a state was found to have one.
bool Traps::sweep() {
    bool found = false;
    for (auto state = static_cast<StateId>(escapes_.size()); state-- > 0;) {
        stop_.poll();
        if (escapes_[state] != 0 || !is_inner(state) || !leads_out(state)) continue;
        escapes_[state] = 1;
        found = true;
    }
    return found;
}

template <typename Visit>
void Traps::for_each_edge(Visit visit) {
    for (StateId state = 0; state < escapes_.size(); ++state) {
        stop_.poll();
        if (escapes_[state] != 0 || !is_inner(state)) continue;
        for (const auto transition : space_.expand(state)) {
            if (!may_take(transition)) continue;
            for (const auto& outcome : transition.outcomes)
                if (escapes_[outcome.successor] == 0) visit(state, outcome.successor);
        }
    }
}

void Traps::follow_predecessors() {
    const auto count = escapes_.size();
    stop_.expect(8 * count + space_.transition_bytes());  // at the most
    Ranges sources;                                       // of the edges to each state
    sources.begin.assign(count + 1, 0);
    for_each_edge([&](StateId, StateId to) { ++sources.begin[to]; });
    std::uint32_t end = 0;
    for (auto& begin : sources.begin) begin = end += begin;
    sources.values.resize(end);
    for_each_edge([&](StateId from, StateId to) { sources.values[--sources.begin[to]] = from; });
    std::vector<StateId> queue;
    for (StateId state = 0; state < count; ++state)
        if (escapes_[state] == 0 && is_inner(state) && leads_out(state)) queue.push_back(state);
    for (auto state : queue) escapes_[state] = 1;
    for (std::size_t i = 0; i < queue.size(); ++i) {
        stop_.poll();
        for (auto from : sources[queue[i]]) {
            if (escapes_[from] != 0) continue;
            escapes_[from] = 1;
            queue.push_back(from);
        }
    }
}

}  // namespace gpaplan
