// The best policy for the part of a space that a search has explored, whatever state the search is in.
//
// Where it exists, it reaches the goal with probability one and never leaves what is expanded: so a search that is
// stopped has a closed policy to show as soon as it has met one. A first policy takes the greedy action where that
// leads to the goal within the certain states (goal_graph.hpp), and else any that does; policy iteration (envelope.hpp)
// then makes it the best one there is, unless it is too large for that. With a dead-end cost it gives up wherever it
// knows no way to the goal, and is always closed.
#include "solvers/solvers.hpp"

#include "policies/goal_graph.hpp"
#include "solvers/envelope.hpp"

namespace gpaplan {

namespace {

// What is not explored is out of reach.
class OutOfReach final : public Heuristic {
public:
    double evaluate(const Word*) override { return infinity; }
    bool is_admissible() const override { return false; }
};

class ExploredPolicy {
public:
    ExploredPolicy(Search& search, Stop& stop)
        : search_(search), space_(search.space()), stop_(stop), graph_(space_, stop) {}

    PolicyColumn run() {
        const bool may_give_up = search_.dead_end_cost() < infinity;
        policy_.assign(space_.size(), no_id);
        done_.assign(space_.size(), 0);
        queue_ = graph_.goals();
        for (auto goal : queue_) done_[goal] = 1;
        const auto is_allowed = [&](StateId state, const Transition& transition) {
            return (may_give_up && !graph_.is_certain(state)) || graph_.is_safe(transition);
        };
        approach_goal([&](StateId state, const Transition& each) {
            return search_.policy_action(state) == each.action && (may_give_up || graph_.is_safe(each));
        });
        approach_goal(is_allowed);
        if (may_give_up)
            for (StateId state = 0; state < policy_.size(); ++state)
                if (done_[state] == 0) policy_[state] = give_up;
        if (queue_.size() <= solver_constants::most_explored_states) improve();
        return std::move(policy_);
    }

private:
    // Adds states to those from which the goal is approached, each by an action that is allowed and may lead to one of
    // them.
    template <typename Allowed>
    void approach_goal(Allowed is_allowed) {
        spread(graph_.predecessors(), queue_, done_, [&](StateId state) {
            stop_.poll();
            const auto step = graph_.find_step(state, done_, [&](const auto& each) { return is_allowed(state, each); });
            if (step) policy_[state] = step->action;
            return step.has_value();
        });
    }

    // Within the states that approach the goal.
    void improve() {
        OutOfReach elsewhere;
        auto settings = search_.settings();
        settings.weight = 1;
        Search inner(space_, elsewhere, settings);
        inner.set_stop(&stop_);
        std::vector<StateId> states;
        for (auto state : queue_) {
            if (space_.is_goal(state)) continue;
            states.push_back(state);
            const auto block = space_.expand(state);
            for (auto it = block.begin(); it != block.end(); ++it)
                if ((*it).action == policy_[state]) inner.set_greedy(state, block.place(it));
        }
        const bool found = Envelope(inner).solve(states, false) != Envelope::no_bound;
        for (auto state : states)
            if (found) policy_[state] = inner.policy_action(state);
        search_.set_stop(&search_.stop());
    }

    Search& search_;
    StateSpace& space_;
    Stop& stop_;
    GoalGraph graph_;
    PolicyColumn policy_;
    std::vector<std::uint8_t> done_;  // of each state whether it approaches the goal
    Indices queue_;                   // these
};

}  // namespace

PolicyColumn find_explored_policy(Search& search, Stop& stop) { return ExploredPolicy(search, stop).run(); }

}  // namespace gpaplan
