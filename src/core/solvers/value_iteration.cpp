// Topological value iteration (Dai and Goldsmith 2007) over the reachable space.
//
// Everything reachable is expanded; states from which no policy reaches the goal with probability one get infinite
// value, unless there is a dead-end cost. Then the strongly connected components are solved in reverse topological
// order, each by Gauss-Seidel sweeps from the states near the goal, until no backup changes a value by more than
// epsilon.
//
// A first sweep gives each state the value that it would have if the outcomes that lead farther away led back to it.
// Such values are no lower bounds. But if none exceeds its backup by more than r, and no action costs less than c, then
// V·c/(c + r) does not exceed the optimal value: that is what Search::estimate reports. The heuristic is not used.
#include "solvers/solvers.hpp"

#include "base/components.hpp"
#include "solvers/envelope.hpp"

namespace gpaplan {

namespace {

class ValueIteration {
public:
    explicit ValueIteration(Search& search) : search_(search), space_(search.space()) {}

    void run() {
        for (StateId state = 0; state < space_.size(); ++state) {
            if ((state & 0xfU) == 0) search_.check_stop();
            space_.expand(state);
        }
        search_.set_values(Column<double>(space_.size(), 0.0));
        build_graph();
        if (order_.size() < space_.size()) {
            search_.mark_dead_ends();
            build_graph();
        }
        solve_components();
    }

private:
    // Edges of the actions that avoid infinite values, without self-loops; and all states that can reach a goal along
    // them, nearest first.
    void build_graph() {
        graph_ = {};
        graph_.begin.reserve(space_.size() + 1);
        const auto& values = search_.values();
        for (StateId state = 0; state < space_.size(); ++state) {
            if ((state & 0xfffU) == 0) search_.check_stop();
            if (values[state] < infinity) {
                for (const auto transition : space_.expand(state)) {
                    if (std::ranges::any_of(transition.outcomes,
                                            [&](const auto& outcome) { return values[outcome.successor] == infinity; }))
                        continue;
                    for (const auto& outcome : transition.outcomes)
                        if (outcome.successor != state) graph_.values.push_back(outcome.successor);
                }
            }
            graph_.close();
        }
        std::vector<std::uint8_t> reached(space_.size(), 0);
        order_.clear();
        for (StateId state = 0; state < space_.size(); ++state)
            if (space_.is_goal(state)) order_.push_back(state);
        for (auto goal : order_) reached[goal] = 1;
        spread(reversed(graph_), order_, reached, [](StateId) { return true; });
    }

    void solve_components() {
        const auto components = strongly_connected_components(graph_, search_.stop());
        graph_ = {};
        // The live states of each component, nearest to the goal first.
        Ranges members;
        members.begin.assign(components.size() + 1, 0);
        for (auto state : order_) ++members.begin[components.component_of[state] + 1];
        for (std::size_t c = 0; c < components.size(); ++c) members.begin[c + 1] += members.begin[c];
        members.values.resize(order_.size());
        Indices next(members.begin.begin(), members.begin.end() - 1);
        for (auto state : order_) members.values[next[components.component_of[state]]++] = state;

        auto values = search_.values();
        for (auto state : order_)
            if (!space_.is_goal(state) && values[state] == 0) values[state] = no_value;
        search_.set_values(std::move(values));
        for (std::size_t c = 0; c < members.size(); ++c) solve(members[c]);
        search_.set_estimate_factor(1 / (1 + excess_));
    }

    void solve(IndexSpan states) {
        if (states.size() == 1) {
            search_.set_value(states[0], 0);
            search_.backup(states[0]);
            return;
        }
        for (auto state : states)
            if (!has_value(state)) search_.set_value(state, first_guess(state));
        double share = search_.settings().precision / 4;
        for (std::uint32_t sweeps = 1;; ++sweeps) {
            double change = 0;
            const bool is_settled = sweep(states, share, change);
            if (is_settled) {
                double worst = 0;
                for (auto state : states) worst = std::max(worst, excess(state));
                const bool is_proven = worst <= search_.settings().precision / 2;
                if (is_proven || (change == 0 && !solve_exactly(states))) excess_ = std::max(excess_, worst);
                if (is_proven || change == 0) return;
                share /= 8;  // a cheap action next to a dear one
            }
            if (sweeps % solver_constants::sweeps_of_component == 0 && solve_exactly(states)) return;
        }
    }

    bool has_value(StateId state) const { return search_.values()[state] != no_value; }

    // The value of a state if every outcome that leads to a state without value led back to the state itself.
    double first_guess(StateId state) {
        const auto& numbers = space_.numbers();
        double best = search_.dead_end_cost();
        for (const auto transition : space_.expand(state)) {
            double sum = numbers[transition.cost];
            double known = 0;
            bool may_be_lost = false;
            for (const auto& outcome : transition.outcomes) {
                if (!has_value(outcome.successor)) continue;
                const double next = search_.value(outcome.successor);
                may_be_lost = may_be_lost || next == infinity;
                sum += numbers[outcome.probability] * next;
                known += numbers[outcome.probability];
            }
            if (known > 0 && !may_be_lost) best = std::min({best, sum / known, largest_cost});
        }
        return best;
    }

    // Backs up each state once; returns whether no value changed by much: neither by epsilon nor by more than a share
    // of the cost of the action, which is what proofs are about.
    bool sweep(IndexSpan states, double share, double& largest) {
        bool settled = true;
        for (auto state : states) {
            const double change = search_.backup(state);
            largest = std::max(largest, change);
            settled = settled && change <= std::min(search_.epsilon() / 2, share * search_.greedy_cost(state));
        }
        return settled;
    }

    // Where sweeps converge slowly: the best policy of the component, by linear equations. Returns whether it was
    // found.
    bool solve_exactly(IndexSpan states) {
        std::vector<StateId> acting;
        for (auto state : states)
            if (search_.greedy_place(state) != Search::nothing_at) acting.push_back(state);
        const double ratio = acting.empty() ? Envelope::no_bound : Envelope(search_).solve(acting, false);
        if (ratio == Envelope::no_bound) return false;
        excess_ = std::max(excess_, ratio);
        return true;
    }

    // By which share of its cost an action is better than the state's value. If that is e at the most, for all states
    // and actions, then no policy is better than the values divided by 1 + e (envelope.hpp).
    double excess(StateId state) {
        double largest = 0;
        const double value = search_.value(state);
        for (const auto transition : space_.expand(state)) {
            const double cost = space_.numbers()[transition.cost];
            double gain = value - search_.action_value(state, transition);
            const double noise = 2 * Envelope::rounding * value;
            if (noise > solver_constants::negligible * search_.settings().precision * cost) gain += noise;
            if (gain > 0) largest = std::max(largest, gain / cost);
        }
        if (const double gain = value - search_.dead_end_cost(); gain > 0)
            largest = std::max(largest, gain / search_.dead_end_cost());
        return largest;
    }

    static constexpr double no_value = -1;  // of a state that was not backed up so far

    Search& search_;
    StateSpace& space_;
    Ranges graph_;
    Indices order_;
    double excess_ = 0;  // the largest of all states
};

}  // namespace

void run_value_iteration(Search& search) { ValueIteration(search).run(); }

}  // namespace gpaplan
