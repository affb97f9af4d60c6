// LAO* and improved LAO* (Hansen and Zilberstein 2001).
//
// LAO* grows the best partial solution graph (what the greedy policy reaches from the initial state): it expands a tip
// of it, updates the values of the tip's ancestors in the graph by value iteration, and goes on until the graph has no
// tip that is not a goal; then value iteration on the graph either converges or brings up new tips. The improved
// version does not stop for each tip: it walks the graph depth first, expanding tips on the way and backing up each
// state once when it leaves it, and repeats that until the graph is closed and converged.
//
// With a weight, the estimates of states that were not expanded count so many times as much as the costs of actions
// (weighted LAO*, same paper): what is expanded looks cheaper than what is not, so that the search stays with what it
// has begun, and meets far fewer states before a policy is closed. The policy costs at most the weight times the
// optimum if the heuristic is admissible. Walks are then not stopped at tips: a path to the goal takes one walk. Where
// a tip turns out dearer than it looked, a short best-first search looks for an exit from the local minimum.
#include "solvers/solvers.hpp"

#include <queue>

#include "base/marks.hpp"
#include "solvers/envelope.hpp"

namespace gpaplan {

namespace {

// Leaving a local minimum: a best-first search from a tip whose value has risen, in the determinisation,
// for a state of lower value. The states on the way are backed up, which weighs their outcomes by probability.
class Escape {
public:
    explicit Escape(Search& search)
        : search_(search), space_(search.space()), expanded_before_(space_.expanded_count()) {}

    // Returns whether the tip's value does not exceed what it was `before` any more.
    bool find(StateId tip, double before) {
        const auto most = solver_constants::steps_in_vain +
                          (space_.expanded_count() - expanded_before_) / solver_constants::states_of_step;
        std::uint64_t steps = 0;
        met_.clear();
        ways_.clear();
        queue_ = {};
        for (meet(tip, no_id); failed_steps_ + steps < most && !queue_.empty(); ++steps) {
            search_.count_backups(1);
            search_.check_stop();
            const auto at = queue_.top().place;
            queue_.pop();
            if (search_.is_goal(ways_[at].state)) continue;
            for (const auto transition : space_.expand(ways_[at].state)) {
                for (const auto& outcome : transition.outcomes) {
                    const auto next = outcome.successor;
                    if (met_.contains(next) || search_.is_dead_end(next)) continue;
                    meet(next, at);
                    if (search_.value(next) < before && leads_out(at, before)) return true;
                }
            }
        }
        failed_steps_ += steps;
        return false;
    }

private:
    struct Way {
        StateId state;
        std::uint32_t from;  // place of the state before it
    };
    struct Entry {
        double value;
        std::uint32_t place;  // of a state; the first that was met comes first
        auto operator<=>(const Entry&) const = default;
    };

    void meet(StateId state, std::uint32_t from) {
        queue_.push({search_.value(state), static_cast<std::uint32_t>(ways_.size())});
        met_.insert(state, space_.size());
        ways_.push_back({state, from});
    }

    // Backs up the states of a way, from its end.
    bool leads_out(std::uint32_t at, double before) {
        for (; at != no_id; at = ways_[at].from) search_.backup(ways_[at].state);
        return search_.value(ways_.front().state) <= before;
    }

    Search& search_;
    StateSpace& space_;
    std::uint32_t expanded_before_;
    Marks met_;
    std::vector<Way> ways_;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue_;
    std::uint64_t failed_steps_ = 0;
};

class SolutionGraph {
public:
    explicit SolutionGraph(Search& search) : search_(search) {}

    // Walks the greedy graph depth first from the initial state; `states` are its non-terminal states in postorder, so
    // successors mostly come before their predecessors, and `tips` those of them that have not been expanded.
    void collect() {
        states.clear();
        tips.clear();
        met_.clear();
        enter(search_.root());
        while (!path_.empty()) {
            auto& [state, at] = path_.back();
            const auto outcomes = search_.greedy_outcomes(state);
            if (at < outcomes.size()) {
                enter(outcomes[at++].successor);
                continue;
            }
            states.push_back(state);
            if (!search_.has_greedy(state)) tips.push_back(state);
            path_.pop_back();
        }
    }

    // The same walk, with a backup of each state when it is left, unless its value agrees with its greedy action and
    // `all` is false: most states are far from what has changed. A tip is backed up, and so expanded, when it is
    // entered. Its successors are not walked, unless that has not made it dearer and `goes_on`. Returns whether there
    // was a tip, and the largest residual.
    std::pair<bool, double> walk_and_back_up(bool goes_on, bool all) {
        bool any_tip = false;
        double largest = 0;
        met_.clear();
        enter(search_.root());
        while (!path_.empty()) {
            auto& [state, at] = path_.back();
            const bool tip = at == 0 && !search_.has_greedy(state);
            any_tip = any_tip || tip;
            const bool ends = tip && (!goes_on || !is_promising(state));
            const auto outcomes = ends ? Outcomes() : search_.greedy_outcomes(state);
            if (at < outcomes.size()) {
                enter(outcomes[at++].successor);
                continue;
            }
            if (all || !search_.has_greedy(state) || search_.greedy_residual(state) > 0)
                largest = std::max(largest, search_.backup(state));
            path_.pop_back();
        }
        return {any_tip, largest};
    }

    std::vector<StateId> states;
    std::vector<StateId> tips;

private:
    struct Frame {
        StateId state;
        std::uint32_t at;  // the outcome to be entered next
    };

    // Expands a tip; returns whether its value has not risen, or a way was found from it to where it is lower.
    bool is_promising(StateId tip) {
        const double before = search_.value(tip);
        search_.backup(tip);
        return search_.value(tip) <= before || escape_.find(tip, before);
    }

    void enter(StateId state) {
        if (met_.contains(state) || search_.is_goal(state) || search_.is_dead_end(state)) return;
        met_.insert(state, search_.space().size());
        path_.push_back({state, 0});
    }

    Search& search_;
    Column<Frame> path_;
    Marks met_;
    Escape escape_{search_};
};

// Members of `graph` from which a state of `targets` can be reached by greedy actions, in the order of `graph`.
std::vector<StateId> ancestors(Search& search, const std::vector<StateId>& graph, const std::vector<StateId>& targets) {
    std::vector<std::uint8_t> above(search.space().size(), 0);
    for (auto state : targets) above[state] = 1;
    for (bool changed = true; changed;) {
        changed = false;
        for (auto state : graph) {
            if (above[state] != 0) continue;
            for (const auto& outcome : search.greedy_outcomes(state)) {
                if (outcome.successor >= above.size() || above[outcome.successor] == 0) continue;
                above[state] = 1;
                changed = true;
                break;
            }
        }
    }
    std::vector<StateId> result;
    std::ranges::copy_if(graph, std::back_inserter(result), [&](auto state) { return above[state] != 0; });
    return result;
}

// Backs up the states again and again. Ends when no value changes by more than epsilon, or when the greedy policy was
// solved exactly meanwhile: it may have left these states, and what is left converges slowly.
void iterate(Search& search, const std::vector<StateId>& states) {
    double largest = infinity;
    while (largest > search.epsilon()) {
        largest = 0;
        for (auto state : states) largest = std::max(largest, search.backup(state));
        if (search.check_convergence()) break;
    }
}

void run_improved(Search& search, bool goes_on) {
    SolutionGraph graph(search);
    bool all = false;  // only a walk that has backed up all of them shows that nothing changes any more
    while (!search.is_goal(search.root()) && !search.is_dead_end(search.root())) {
        const auto before = search.policy_changes();
        const auto [any_tip, largest] = graph.walk_and_back_up(goes_on, all);
        search.check_convergence();
        const bool is_quiet = !any_tip && largest <= search.epsilon() && search.policy_changes() == before;
        if (all && is_quiet) break;
        all = is_quiet;
    }
    search.close_policy();
}

// The least cost of an action of the greedy policy in one of these states.
double cheapest_step(Search& search, const std::vector<StateId>& states) {
    double least = search.dead_end_cost();
    for (auto state : states) least = std::min(least, search.greedy_cost(state));
    return least;
}

}  // namespace

void run_lao_star(Search& search) {
    SolutionGraph graph(search);
    while (!search.is_goal(search.root()) && !search.is_dead_end(search.root())) {
        graph.collect();
        if (!graph.tips.empty()) {
            const auto update = ancestors(search, graph.states, graph.tips);
            iterate(search, update);
            continue;
        }
        // Closed: one more sweep shows whether it has converged and is still the greedy graph.
        const auto before = search.policy_changes();
        double largest = 0;
        for (auto state : graph.states) largest = std::max(largest, search.backup(state));
        search.check_convergence();
        if (largest <= search.epsilon() && search.policy_changes() == before) break;
    }
    search.close_policy();
}

void run_improved_lao_star(Search& search) { run_improved(search, false); }

void run_weighted_lao_star(Search& search) { run_improved(search, true); }

void close_gap(Search& search) {
    Envelope envelope(search);
    std::vector<StateId> states;
    std::uint32_t expanded = no_id;
    double value = -1;
    for (double share = search.settings().precision / 4;; share /= 8) {
        envelope.collect(states);
        if (states.empty()) return;
        const bool solved = envelope.solve(states, search.is_admissible()) < Envelope::no_bound;
        if (solved && envelope.collect(states) &&
            std::ranges::all_of(states, [&](auto state) { return envelope.holds(state); }))
            return;
        const double now = search.value(search.root());
        if (expanded == search.space().expanded_count() && now == value) return;
        expanded = search.space().expanded_count();
        value = now;
        search.set_epsilon(std::min(search.epsilon(), share * cheapest_step(search, states)));
        run_improved_lao_star(search);
    }
}

}  // namespace gpaplan
