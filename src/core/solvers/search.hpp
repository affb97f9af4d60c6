// The value function that all solvers share: one column of values, one Bellman backup, one way to recognise dead ends.
//
// A value starts at the heuristic when a state is first looked at, and is raised if that comes to know more. `backup`
// replaces it by
//
//     V(s) = min( dead_end_cost, min over applicable a of Q(s,a) ),   Q(s,a) = (c(s,a) + Σ p(s') V(s')) / (1 - p(s))
//
// where the sum leaves out s itself: a self-loop is solved, not iterated. Without a dead-end cost it is infinite, and
// an action with an outcome of infinite value is never chosen. Ties go to the action with the lowest index.
//
// Dead ends that the heuristic does not see are found by `mark_dead_ends`: traps in what is expanded (traps.cpp), whose
// values would grow without end. Solvers call `check_convergence` often, and it makes a pass after an amount of work
// that pays for it; where backups converge slowly it does in one step what they would in very many (envelope.hpp).
//
// A limit or an interrupt throws Stopped out of a backup. The columns stay valid: the best policy so far is known.
#pragma once

#include "base/random.hpp"
#include "policies/policy.hpp"
#include "solvers/constants.hpp"

namespace gpaplan {

constexpr double largest_cost = std::numeric_limits<double>::max();

// What a user decides of a search. A record of settings of Python gives its fields, by name.
struct SearchSettings {
    double epsilon = 1e-5;            // the largest residual with which a solver is satisfied
    double precision = 1e-6;          // the share of its cost up to which a policy is to be proven optimal
    double dead_end_cost = infinity;  // at which one may give up
    std::uint64_t seed = 0;
    double weight = 1;  // of the heuristic beside costs

    void each_field(auto visit) {
        visit("epsilon", epsilon);
        visit("precision", precision);
        visit("dead_end_cost", dead_end_cost);
        visit("seed", seed);
        visit("weight", weight);
    }
};

// A trial of a solver, as far as it got: the states on its trajectory, from the root on, none of them labelled when it
// was met.
struct TrialSoFar {
    std::vector<StateId> trajectory;
    bool is_checked = false;  // whether its end was reached, and states are being labelled from there back
};

class Search {
public:
    Search(StateSpace& space, Heuristic& heuristic, const SearchSettings& settings);

    StateSpace& space() { return space_; }
    // The state that is to be solved: the initial one, unless another is set.
    StateId root() const { return root_; }
    void set_root(StateId state) {
        root_ = state;
        trial_ = {};
    }
    Random& random() { return random_; }
    const SearchSettings& settings() const { return settings_; }
    double epsilon() const { return settings_.epsilon; }
    void set_epsilon(double epsilon) { settings_.epsilon = epsilon; }
    bool is_admissible() const { return weight() <= 1 && heuristic_.is_admissible(); }
    // What values are capped at: the dead-end cost, times the weight of the heuristic.
    double dead_end_cost() const { return dead_end_cost_; }
    double unweighted_dead_end_cost() const { return settings_.dead_end_cost; }
    // Another weight starts all values anew; nothing is expanded or estimated again.
    double weight() const { return settings_.weight; }
    void set_weight(double weight);

    // The limits of the run that is under way; set by whoever starts a solver.
    void set_stop(Stop* stop) {
        if (stop == &no_limits_) stop = nullptr;
        stop_ = stop != nullptr ? stop : &no_limits_;
        look_mask_ = stop_->look_mask();
        space_.set_stop(stop);
        heuristic_.set_stop(stop);
    }
    Stop& stop() { return *stop_; }
    void check_stop() {
        if (stop_->check(space_.expanded_count(), work()) != StopReason::none) throw Stopped(stop_->reason());
    }

    // --- values ---

    double value(StateId state) {
        if (state < values_.size() && values_[state] >= 0) return values_[state];
        return initialise(state);
    }
    // The value of a state without evaluating the heuristic; 0 if it was never looked at.
    double known_value(StateId state) const {
        return state < values_.size() && values_[state] > 0 ? values_[state] : 0.0;
    }
    void set_value(StateId state, double value);
    const Column<double>& values() const { return values_; }
    void set_values(Column<double> values) { values_ = std::move(values); }  // of all states of the space

    // What the solver knows of the optimal value of the root: a lower bound if the heuristic is admissible.
    // 0 if nothing is known yet. It evaluates nothing: a heuristic at work may be what asks (for progress).
    double estimate() const { return estimate_factor_ * known_value(root()); }
    void set_estimate_factor(double factor) { estimate_factor_ = factor; }
    double backup(StateId state);  // updates value and greedy action; returns the residual, |new - old|
    double action_value(StateId state, const Transition& transition);  // Q(s,a) by the values as they are
    double residual(StateId state);         // the same without changing the value; the greedy action is updated
    double greedy_residual(StateId state);  // by the greedy action alone, which must be known; takes less than a backup
    bool is_goal(StateId state) const { return space_.is_goal(state); }
    bool is_dead_end(StateId state) { return value(state) >= dead_end_cost_; }

    // --- the greedy policy ---

    // Places of actions in a state's block: none, or the end that costs as much as a dead end.
    static constexpr std::uint32_t nothing_at = no_id;
    static constexpr std::uint32_t give_up_at = no_id - 1;
    std::uint32_t greedy_place(StateId state) const { return state < greedy_.size() ? greedy_[state] : nothing_at; }
    void set_greedy(StateId state, std::uint32_t at) { remember(state, at); }
    bool has_greedy(StateId state) const { return state < greedy_.size() && greedy_[state] < give_up_at; }
    // Outcomes of the greedy action; empty for goals, dead ends, and states that were never backed up.
    Outcomes greedy_outcomes(StateId state);
    double greedy_cost(StateId state);       // of the greedy action; infinite if there is none
    double stay_probability(StateId state);  // that the greedy action leads back to the state
    // A successor of the greedy action other than the state itself: as the backup solves self-loops, so do trials.
    StateId sample_successor(StateId state);  // `state` must have a greedy action
    ActionId policy_action(StateId state);    // no_id or give_up where there is none

    // The states that the greedy policy meets from the root, breadth first, goals and dead ends included. So many of
    // those that were never backed up are now, and followed.
    std::vector<StateId> greedy_graph(std::size_t backups = 0);
    // Expands and backs up the states that the greedy policy meets until it is closed and reaches the goal (or a dead
    // end of the finite-penalty kind) from each of them. Heuristic-search solvers end with it.
    void close_policy();

    // --- dead ends ---

    // To be called often; now and then marks dead ends, and solves the greedy policy's part of the space exactly if
    // much work went by and met next to no new states. Returns whether it did the latter.
    bool check_convergence();
    bool mark_dead_ends();  // returns whether it found any
    // Whether it is certain that no way leads from a state to a goal: whatever can be reached is expanded, or has no
    // way to it by the heuristic.
    bool is_hopeless(StateId state);
    // From now on a state counts as a dead end, whatever comes.
    void rule_out(StateId state);

    // --- labels ---

    bool is_solved(StateId state) const { return state < solved_.size() && solved_[state] != 0; }
    void set_solved(StateId state);
    bool is_end(StateId state) { return is_solved(state) || is_goal(state) || is_dead_end(state); }

    // --- what a solver by trials leaves to its next run, if it is stopped ---

    TrialSoFar& trial() { return trial_; }
    Column<double>& label_distances() { return label_distances_; }  // labels that hold by chance (soft_flares.cpp)

    std::uint64_t backup_count() const { return backups_; }
    void count_backups(std::uint64_t more) { backups_ += more; }      // that were made without `backup`
    std::uint64_t policy_changes() const { return policy_changes_; }  // how often a greedy action became another one
    std::uint64_t evaluation_count() const { return evaluations_; }
    // How much was done so far, roughly in proportion to time and the same on every machine, in backups of a state.
    std::uint64_t work() const { return backups_ + space_.work() + evaluation_work_; }
    std::uint64_t bytes() const;

private:
    struct Best {
        double value;
        std::uint32_t at;  // place of the action in the state's block, or one of the two above
    };

    double initialise(StateId state);
    void raise_values();
    bool solve_greedy_part();
    Best best_action(StateId state);
    Best beyond_range(StateId state, const Block& block);
    void remember(StateId state, std::uint32_t at);
    // Up to rounding: values differ by nothing less than a few units in the last place.
    static double difference(double a, double b) {
        if (a == b) return 0;
        const double larger = a > b ? a : b;
        const double change = larger - (a > b ? b : a);
        const double noise = 16 * std::numeric_limits<double>::epsilon() * larger;
        return change <= noise && larger < infinity ? 0 : change;
    }

    StateSpace& space_;
    Heuristic& heuristic_;
    StateId root_;
    SearchSettings settings_;
    double dead_end_cost_;  // that of the settings, times the weight
    Random random_;
    Stop no_limits_;
    Stop* stop_ = &no_limits_;
    std::uint64_t look_mask_ = ~std::uint64_t{0};

    Column<double> values_;           // column; negative: not looked at so far
    Column<double> estimates_;        // column of the heuristic, if it has a weight
    Column<std::uint32_t> greedy_;    // column
    Column<std::uint8_t> solved_;     // column
    Column<double> label_distances_;  // column
    TrialSoFar trial_;

    double estimate_factor_ = 1;
    std::uint32_t revision_ = 0;  // of the heuristic: what the values are from
    std::uint64_t backups_ = 0;
    std::uint64_t looks_ = 0;  // at residuals of greedy actions, four of which count as a backup
    std::uint64_t policy_changes_ = 0;
    std::uint64_t evaluations_ = 0;
    std::uint64_t evaluation_work_ = 0;
    std::uint64_t next_pass_ = solver_constants::least_backups;  // number of backups at which to look for traps again
    std::uint64_t pass_factor_ = solver_constants::backups_of_state;
    std::uint32_t expanded_at_pass_ = 0;
    bool is_checking_ = false;
};

// Of each state whether it escapes (traps.cpp). All actions may be taken, or only those that surely avoid infinite
// values. Throws Stopped.
std::vector<std::uint8_t> find_escapes(StateSpace& space, const Column<double>& values, bool all_actions, Stop& stop);

}  // namespace gpaplan
