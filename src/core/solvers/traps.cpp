// Traps (end components without a goal): sets of states that cannot be left by actions that may be taken.
//
// A state escapes if it has a path to a goal, or to a state that is not expanded. What leads to what is known forwards
// only, and lists of predecessors take more memory than most of what a search keeps. But states are met on the way to
// the goal, so a sweep from the last state to the first finds nearly all of them, each when its first successor that
// escapes is seen; a few sweeps mostly find the rest. Lists of predecessors are made if that does not suffice, and for
// the states that are left alone.

#include "solvers/search.hpp"

namespace gpaplan {

namespace {

class EscapeFinder {
public:
    EscapeFinder(StateSpace& space, const Column<double>& values, bool all_actions, Stop& stop)
        : space_(space), values_(values), all_actions_(all_actions), stop_(stop), escapes_(space.size(), 0) {}

    std::vector<std::uint8_t> run() {
        for (StateId state = 0; state < escapes_.size(); ++state)
            if (space_.is_goal(state) || (!space_.is_expanded(state) && values_[state] < infinity)) escapes_[state] = 1;
        std::uint32_t sweeps = 0;
        while (sweep())
            if (++sweeps > solver_constants::sweeps_for_traps) {
                follow_predecessors();
                break;
            }
        return std::move(escapes_);
    }

private:
    bool is_inner(StateId state) const { return space_.is_expanded(state) && values_[state] < infinity; }

    bool may_take(const Transition& transition) const {
        return all_actions_ || std::ranges::none_of(transition.outcomes, [&](const auto& outcome) {
                   return values_[outcome.successor] == infinity;
               });
    }

    bool leads_out(StateId state) {
        const auto escapes = [&](StateId successor) { return escapes_[successor] != 0; };
        for (const auto transition : space_.expand(state))
            if (std::ranges::any_of(transition.outcomes, escapes, &Outcome::successor) && may_take(transition))
                return true;
        return false;
    }

    // Returns whether a state was found to escape.
    bool sweep() {
        bool found = false;
        for (auto state = static_cast<StateId>(escapes_.size()); state-- > 0;) {
            stop_.poll();
            if (escapes_[state] != 0 || !is_inner(state) || !leads_out(state)) continue;
            escapes_[state] = 1;
            found = true;
        }
        return found;
    }

    // Visits the edges between states that do not escape so far.
    template <typename Visit>
    void for_each_edge(Visit visit) {
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

    void follow_predecessors() {
        const auto count = escapes_.size();
        stop_.expect(8 * count + space_.transition_bytes());  // at the most
        Ranges sources;                                       // of the edges to each state
        sources.begin.assign(count + 1, 0);
        for_each_edge([&](StateId, StateId to) { ++sources.begin[to]; });
        std::uint32_t end = 0;
        for (auto& begin : sources.begin) begin = end += begin;
        sources.values.resize(end);
        for_each_edge([&](StateId from, StateId to) { sources.values[--sources.begin[to]] = from; });
        Indices queue;
        for (StateId state = 0; state < count; ++state)
            if (escapes_[state] == 0 && is_inner(state) && leads_out(state)) queue.push_back(state);
        for (auto state : queue) escapes_[state] = 1;
        const auto joins = [&](StateId) {
            stop_.poll();
            return true;
        };
        spread(sources, queue, escapes_, joins);
    }

    StateSpace& space_;
    const Column<double>& values_;  // of all states
    bool all_actions_;
    Stop& stop_;
    std::vector<std::uint8_t> escapes_;
};

}  // namespace

std::vector<std::uint8_t> find_escapes(StateSpace& space, const Column<double>& values, bool all_actions, Stop& stop) {
    stop.expect(space.size());
    return EscapeFinder(space, values, all_actions, stop).run();
}

}  // namespace gpaplan
