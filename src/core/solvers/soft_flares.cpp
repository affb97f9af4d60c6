// Soft-FLARES (Pineda and Zilberstein 2019): labels that hold by chance.
//
// A state may carry a residual distance d: the residuals around it were found small up to a distance, and d says how
// much of that is left. It then counts as labelled with a probability that is alpha at d = 0 and beta at d = t, drawn
// anew each time. A trial follows the greedy policy, a successor being thinned by its probability of being labelled,
// and ends at a goal or when none is drawn. Then, backwards over the trial, the greedy graph is searched up to the
// distance 2t, not entering labelled states. If every residual in it is at most epsilon, its states become solved for
// good when the whole greedy graph lay inside the search, and else the states up to distance k <= t get d = t - k. If
// not, they are backed up in reverse order, and the pass ends at the first state that is not labelled. The run is over
// when the initial state is labelled; the greedy policy is then closed (Search::close_policy), for labels by chance
// promise nothing.
#include "solvers/solvers.hpp"

#include <cmath>
#include <queue>

#include "solvers/lrtdp.hpp"

namespace gpaplan {

namespace {

class SoftFlares {
public:
    SoftFlares(Search& search, const SoftFlaresSettings& options)
        : search_(search), options_(options), distances_(search.label_distances()) {
        const auto odds = [](double p) { return (1 - p) / p; };
        if (options.labelling == LabellingFunction::logistic)
            tau_ = std::log(odds(options.beta) / odds(options.alpha)) / options.horizon;
        else if (options.labelling == LabellingFunction::exponential)
            tau_ = std::log(options.beta / options.alpha) / options.horizon;
    }

    void trial() {
        const auto check_label = [&](StateId visited) {
            check(visited);
            return is_labelled(visited);
        };
        make_trial(search_, [&](StateId start) { walk(start); }, check_label);
    }

    bool is_labelled(StateId state) {
        const double chance = label_probability(state);
        return chance >= 1 || (chance > 0 && search_.random().uniform() < chance);
    }

private:
    void walk(StateId state) {
        while (state != no_id) {
            search_.trial().trajectory.push_back(state);
            if (search_.is_goal(state)) break;
            search_.backup(state);
            if (search_.is_dead_end(state)) break;
            state = draw_successor(state);
            if (search_.check_convergence()) break;  // a trial may be as long as a chain is slow
        }
    }

    // Settled states are labelled with certainty: solved ones, goals, and known dead ends.
    bool is_settled(StateId state) { return search_.is_end(state); }

    double label_probability(StateId state) {
        if (is_settled(state)) return 1;
        const double d = state < distances_.size() ? distances_[state] : -1;
        if (d < 0) return 0;
        switch (options_.labelling) {
            case LabellingFunction::logistic:
                return 1 / (1 + (1 - options_.alpha) / options_.alpha * std::exp(tau_ * d));
            case LabellingFunction::exponential:
                return options_.alpha * std::exp(tau_ * d);
            case LabellingFunction::linear:
                return options_.alpha + (options_.beta - options_.alpha) * d / options_.horizon;
            case LabellingFunction::step:
                return 1;
        }
        return 0;
    }

    StateId draw_successor(StateId state) {
        double left = search_.random().uniform() * (1 - search_.stay_probability(state));
        for (const auto& outcome : search_.greedy_outcomes(state)) {
            if (outcome.successor == state) continue;
            left -= search_.space().numbers()[outcome.probability] * (1 - label_probability(outcome.successor));
            if (left < 0) return outcome.successor;
        }
        return no_id;
    }

    double edge_length(double probability, double likeliest) const {
        switch (options_.distance) {
            case Distance::step:
                return 1;
            case Distance::trajectory_probability:
                return -std::log2(probability);
            case Distance::plausibility:
                return -std::log2(probability / likeliest);
        }
        return 1;
    }

    void check(StateId root) {
        if (is_settled(root)) {
            search_.set_solved(root);
            return;
        }
        const double limit = 2 * options_.horizon;
        bool small = true;
        bool inside = true;  // whether the whole greedy graph lies within the limit and behind no label by chance
        met_.clear();
        closed_.clear();
        open_ = {};
        push(root, 0);
        while (!open_.empty()) {
            const auto [distance, state] = open_.top();
            open_.pop();
            closed_.emplace_back(state, distance);
            if (search_.residual(state) > search_.epsilon()) {
                small = false;
                continue;
            }
            if (search_.is_dead_end(state)) continue;
            inside = push_successors(state, distance, limit) && inside;
        }
        if (small)
            label(inside);
        else
            for (; !closed_.empty(); closed_.pop_back()) search_.backup(closed_.back().first);
        search_.check_convergence();
    }

    bool push_successors(StateId state, double distance, double limit) {
        bool inside = true;
        const auto outcomes = search_.greedy_outcomes(state);
        const auto& numbers = search_.space().numbers();
        double likeliest = 0;
        for (const auto& outcome : outcomes) likeliest = std::max(likeliest, numbers[outcome.probability]);
        for (const auto& outcome : outcomes) {
            if (is_settled(outcome.successor) || met_.contains(outcome.successor)) continue;
            const double next = distance + edge_length(numbers[outcome.probability], likeliest);
            if (next > limit || is_labelled(outcome.successor))
                inside = false;
            else
                push(outcome.successor, next);
        }
        return inside;
    }

    void label(bool inside) {
        if (distances_.size() < search_.space().size()) distances_.resize(search_.space().size(), -1);
        for (const auto& [state, distance] : closed_) {
            if (inside)
                search_.set_solved(state);
            else if (distance <= options_.horizon)
                distances_[state] = options_.horizon - distance;
        }
    }

    void push(StateId state, double distance) {
        met_.insert(state, search_.space().size());
        open_.emplace(distance, state);
    }

    using Entry = std::pair<double, StateId>;
    Search& search_;
    SoftFlaresSettings options_;
    double tau_ = 0;
    Column<double>& distances_;  // column: the residual distance d, negative where there is none
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open_;  // nearest first
    std::vector<std::pair<StateId, double>> closed_;
    Marks met_;  // in the check that is under way
};

}  // namespace

void run_soft_flares(Search& search, const SoftFlaresSettings& options) {
    SoftFlares flares(search, options);
    while (!flares.is_labelled(search.root())) flares.trial();
    search.close_policy();
}

}  // namespace gpaplan
