// The task within a few steps of a state, solved exactly: what short-sighted planning is made of (Trevizan and Veloso
// 2012).
//
// From the state at hand only the states within `steps` actions are looked at, by every action; whatever lies beyond is
// taken for what its value says. The best policy of that small task is found exactly (envelope.hpp).
//
// A solver keeps the values of all these states (`from`). Whoever acts (`advise`) keeps those of the states that it
// visits: where only some states beyond the horizon have been looked at before, to know of these that they are farther
// from the goal than the heuristic says would be a reason to go anywhere else. Values above `keep_above` are kept of
// all states: those speak of dead ends.
#pragma once

#include "solvers/envelope.hpp"

namespace gpaplan {

struct Horizon {
    std::uint64_t steps = 4;
    std::uint64_t max_states = 1000;  // of a small task; where there are more, it is more short-sighted

    void each_field(auto visit) {
        visit("steps", steps);
        visit("max_states", max_states);
    }
};

// What to do in a state, as far as one sees.
struct Advice {
    struct Action {
        ActionId action;
        double value;
        double cost;
    };
    double value;                 // of the state
    std::vector<Action> actions;  // those that lead away from the state
    std::uint32_t looked_at;      // states of a new small task; 0 if the last one had the state
    bool is_finished;             // whether the small task has all states that it may have
};

class LookAhead {
public:
    LookAhead(Search& search, const Horizon& horizon, double keep_above = 0)
        : search_(search), horizon_(horizon), keep_above_(keep_above), envelope_(search) {}

    // Solves the small task of a state. Returns whether something is left to do in it; if not it is a goal, a dead end,
    // or solved.
    bool from(StateId root);

    // What to do in a state that is no goal and is visited: by the last small task if that has it, else by a new one.
    // After so much work (search.hpp), what was looked at until then is the small task. Throws Stopped at the limits.
    Advice advise(StateId state, Stop& limits, std::uint64_t work);

    // Whether advice needs no new small task.
    bool knows(StateId state) const { return holds(state) && envelope_.place(state) < found_.size(); }

    bool holds(StateId state) const { return envelope_.holds(state); }  // whether the last small task has the state
    std::size_t size() const { return states_.size(); }                 // how many states it has

private:
    void gather(StateId root, std::uint64_t most_work = ~std::uint64_t{0});
    void solve();
    void solve_and_forget();
    double value_here(StateId state);
    double value_so_far(StateId state) const;
    std::vector<Advice::Action> actions(StateId state);
    bool follow(StateId state);
    bool mark(StateId state);
    void back_up();

    Search& search_;
    const Horizon horizon_;
    const double keep_above_;
    Envelope envelope_;
    std::vector<StateId> states_;   // of the small task
    std::vector<double> before_;    // their values before it
    std::vector<double> found_;     // their values by it, if it was solved for advice
    Column<std::uint32_t> rounds_;  // column: the last round that the state was gathered in
    std::uint32_t round_ = 0;
    bool is_finished_ = false;  // whether the work that it was given was enough to gather them
};

}  // namespace gpaplan
