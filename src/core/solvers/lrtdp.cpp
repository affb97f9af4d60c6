#include "solvers/lrtdp.hpp"

#include "solvers/solvers.hpp"

namespace gpaplan {

void run_lrtdp(Search& search) {
    Labelling labelling(search);
    const auto walk = [&](StateId state) {
        while (!search.is_solved(state)) {
            search.trial().trajectory.push_back(state);
            if (search.is_goal(state)) break;
            search.backup(state);
            if (search.is_dead_end(state)) break;
            state = search.sample_successor(state);
            if (search.check_convergence()) break;  // a trial may be as long as a chain is slow
        }
    };
    while (!search.is_solved(search.root()))
        make_trial(search, walk, [&](StateId visited) { return labelling.check(visited); });
    search.close_policy();
}

bool Labelling::check(StateId root) {
    bool solved = true;
    met_.clear();
    open_.clear();
    closed_.clear();
    if (!search_.is_solved(root)) push(root);
    while (!open_.empty()) {
        const auto state = open_.back();
        open_.pop_back();
        closed_.push_back(state);
        if (search_.residual(state) > search_.epsilon()) {
            solved = false;
            continue;
        }
        if (search_.is_dead_end(state)) continue;
        for (const auto& outcome : search_.greedy_outcomes(state))
            if (!search_.is_solved(outcome.successor)) push(outcome.successor);
    }
    if (solved) {
        for (auto state : closed_) search_.set_solved(state);
    } else {
        for (; !closed_.empty(); closed_.pop_back()) search_.backup(closed_.back());
        search_.check_convergence();
    }
    return solved;
}

void Labelling::push(StateId state) {
    if (met_.insert(state, search_.space().size())) open_.push_back(state);
}

}  // namespace gpaplan
