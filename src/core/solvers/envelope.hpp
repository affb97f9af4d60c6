// Policy iteration on a part of the space: exact where backups converge slowly.
//
// A chain that must show twenty heads in a row has a handful of states, and backups approach its value by a millionth
// in each sweep; the equations of a policy are solved exactly (policies/markov_chain.hpp). An `Envelope` is a set of
// states in which every action may be chosen; all others are left at what their values say. Evaluate, change the action
// wherever another is better, again until none is.
//
// The result is a lower bound of the optimal cost if the values outside are. With W the costs of the last policy,
// nothing in the envelope is better than W(s) / (1 + r), where r is the largest of
//
//     ( W(s) - Q(s,a) ) / c(s,a)      over the actions a that the policy does not take, if positive, rounding included:
//
// W / (1 + r) then satisfies V <= TV. The bound is relative to costs, so it means the same whatever their unit.
//
// Where costs differ by nine digits, the last digits of W are whole costs of the cheapest action. There W is refined:
// what the policy's equations leave over, in numbers of twice the digits (base/double_double.hpp), is what it lacks, by
// the same equations. W - Q is then computed with these digits too, for all actions, so that the bound holds.
#pragma once

#include "base/double_double.hpp"
#include "solvers/search.hpp"

namespace gpaplan {

class Envelope {
public:
    explicit Envelope(Search& search) : search_(search), space_(search.space()) {}

    // Solves the task within these states: expanded, no goals, each with a greedy action or given up. Sets their
    // greedy actions and their values: to W, or with `keep_larger` to the bound W / (1 + r) unless they are larger
    // already. Returns r; no_bound, and leaves everything as it was, if there is no policy that surely ends, or after
    // too many rounds.
    double solve(const std::vector<StateId>& states, bool keep_larger);
    static constexpr double no_bound = infinity;
    static constexpr double rounding = 8 * std::numeric_limits<double>::epsilon();  // of a sum, relative to it

    // The states that the greedy policy reaches from the root and that `solve` can be given. So many of those that were
    // never backed up are now, and followed. Returns whether the policy leads nowhere else but to goals and dead ends.
    bool collect(std::vector<StateId>& states, std::size_t backups = 0);

    // Adds to these states, none of which was among those solved last, others of the kind to which any action leads
    // from them, until there are so many: who will come to them one by one would solve all the rest again each time.
    void widen(std::vector<StateId>& states, std::size_t count);

    // Whether a state is among those solved last.
    bool holds(StateId state) const { return state < places_.size() && places_[state] < inside_; }
    std::size_t place(StateId state) const { return places_[state]; }  // of such a state among those given

private:
    // How an action compares with the policy: what it costs until it has left the state, by how much it is better, and
    // how much of that may be rounding.
    struct QComparison {
        double cost;
        double gain;
        double noise;
    };

    // The same times the probability of leaving the state, in twice the digits.
    struct Surplus {
        DoubleDouble value;
        double noise;
        double leave;
    };

    void evaluate();
    void refine();
    bool end_everywhere();
    bool improve(double& ratio);
    bool is_sharp(double ratio) const;
    QComparison compare(std::uint32_t place, const Transition& transition);
    QComparison compare_refined(std::uint32_t place, const Transition& transition);
    Surplus surplus(std::uint32_t place, const Transition& transition);
    DoubleDouble value_of(StateId state);
    std::uint32_t place_of(StateId state);

    Search& search_;
    StateSpace& space_;
    std::vector<StateId> states_;  // those of the envelope, then those that it leads to
    std::uint32_t inside_ = 0;     // how many are of the envelope
    Indices places_;               // column: of a state in `states_`
    Indices policy_;               // of each state of the envelope: place of an action, or give_up_at
    std::vector<double> values_;   // of each state of the envelope: what the policy costs
    std::vector<double> rests_;    // what is to be added to that; empty unless the values are refined
    MarkovChain chain_;            // of the policy
};

}  // namespace gpaplan
