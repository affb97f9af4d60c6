#include "solvers/lao_star.hpp"

#include <algorithm>

#include "base/marks.hpp"

namespace gpaplan {

namespace {

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

    // The same walk, with a backup of each state when it is left; a tip is backed up, and so expanded, when it is
    // entered. Its successors are not walked, unless that has not made it dearer and `goes_on`. Returns whether there
    // was a tip, and the largest residual.
    std::pair<bool, double> walk_and_back_up(bool goes_on) {
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

    // Expands a tip; returns whether its value has not risen.
    bool is_promising(StateId tip) {
        const double before = search_.value(tip);
        search_.backup(tip);
        return search_.value(tip) <= before;
    }

    void enter(StateId state) {
        if (met_.contains(state) || search_.is_goal(state) || search_.is_dead_end(state)) return;
        met_.insert(state, search_.space().size());
        path_.push_back({state, 0});
    }

    Search& search_;
    Column<Frame> path_;
    Marks met_;
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
        if (search.take_stock()) break;
    }
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
        search.take_stock();
        if (largest <= search.epsilon() && search.policy_changes() == before) break;
    }
    search.close_policy();
}

namespace {

void run_improved(Search& search, bool goes_on) {
    SolutionGraph graph(search);
    while (!search.is_goal(search.root()) && !search.is_dead_end(search.root())) {
        const auto before = search.policy_changes();
        const auto [any_tip, largest] = graph.walk_and_back_up(goes_on);
        search.take_stock();
        if (!any_tip && largest <= search.epsilon() && search.policy_changes() == before) break;
    }
    search.close_policy();
}

}  // namespace

void run_improved_lao_star(Search& search) { run_improved(search, false); }

void run_weighted_lao_star(Search& search) { run_improved(search, true); }

}  // namespace gpaplan
