#include "solvers/rff.hpp"

#include <algorithm>
#include <queue>
#include <vector>

#include "base/marks.hpp"
#include "solvers/explored_policy.hpp"

namespace gpaplan {

namespace {

class Rff : public Unfinished {
public:
    explicit Rff(Search& search) : search_(search), space_(search.space()) { begin(); }

    void run() {
        while (!search_.is_dead_end(search_.root())) {
            cover();
            if (!has_new_dead_ends_) return take_policy();
            begin();
        }
    }

    void improve() {
        if (search_.is_dead_end(search_.root())) return;
        if (!is_improving_) open_other_actions();
        is_improving_ = true;
        cover();
        take_policy();
        is_improving_ = false;
    }

private:
    struct Reached {
        StateId from = no_id;
        std::uint32_t place = 0;
    };
    struct Entry {
        double estimate;
        std::uint64_t order;
        StateId state;
        bool operator<(const Entry& other) const {
            return estimate != other.estimate ? estimate > other.estimate : order > other.order;
        }
    };

    void begin() {
        has_new_dead_ends_ = false;
        covered_.clear();
        open_.assign(1, search_.root());
    }

    void cover() {
        while (!open_.empty()) {
            if (!is_planning_ && !needs_plan(open_.back())) {
                open_.pop_back();
            } else {
                plan();
            }
        }
    }

    // What all actions of the policy's states lead to.
    void open_other_actions() {
        const auto policy = [&](StateId state) { return search_.policy_action(state); };
        for (auto state : evaluate_policy(space_, policy, search_.dead_end_cost(), search_.stop()).reachable) {
            if (search_.is_goal(state)) continue;
            for (const auto transition : space_.expand(state))
                for (const auto& outcome : transition.outcomes)
                    if (needs_plan(outcome.successor)) open_.push_back(outcome.successor);
        }
    }

    bool needs_plan(StateId state) {
        return !search_.is_goal(state) && !covered_.contains(state) && !search_.is_dead_end(state);
    }

    // Goes on with the plan from the last open state, or begins one.
    void plan() {
        if (!is_planning_) begin_plan(false);
        while (!queue_.empty()) {
            const auto next = queue_.top();
            queue_.pop();
            try {
                search_.count_backups(1);
                search_.check_stop();
                if (const auto end = look_from(next.state); end != no_id) return take_plan(end);
            } catch (const Stopped&) {
                queue_.push(next);
                throw;
            }
        }
        if (!takes_risks_ && search_.dead_end_cost() < infinity) return begin_plan(true);
        for (auto state : seen_) search_.rule_out(state);
        has_new_dead_ends_ = true;
        is_planning_ = false;
    }

    void begin_plan(bool takes_risks) {
        takes_risks_ = takes_risks;
        is_planning_ = true;
        queue_ = {};
        met_.clear();
        seen_.clear();
        meet(open_.back(), {});
    }

    void meet(StateId state, Reached reached) {
        met_.insert(state, space_.size());
        seen_.push_back(state);
        if (state >= reached_.size()) reached_.resize(space_.size());
        reached_[state] = reached;
        queue_.push({search_.value(state), ++order_, state});
    }

    // Meets the successors of a state; returns one of them where a plan may end, no_id if there is none.
    StateId look_from(StateId state) {
        const auto block = space_.expand(state);
        for (auto it = block.begin(); it != block.end(); ++it) {
            const auto outcomes = (*it).outcomes;
            const auto is_dead = [&](const auto& outcome) { return search_.is_dead_end(outcome.successor); };
            if (!takes_risks_ && std::ranges::any_of(outcomes, is_dead)) continue;
            for (const auto& outcome : outcomes) {
                const auto next = outcome.successor;
                if (met_.contains(next) || !(space_.numbers()[outcome.probability] > 0) || is_dead(outcome)) continue;
                meet(next, {state, block.place(it)});
                if (search_.is_goal(next) || covered_.contains(next)) return next;
            }
        }
        return no_id;
    }

    void take_plan(StateId end) {
        is_planning_ = false;
        open_.pop_back();
        path_.clear();
        for (auto state = end; reached_[state].from != no_id; state = reached_[state].from) {
            const auto [from, place] = reached_[state];
            covered_.insert(from, space_.size());
            path_.emplace_back(from, place);
            for (const auto& outcome : space_.expand(from).at(place).outcomes)
                if (needs_plan(outcome.successor)) open_.push_back(outcome.successor);
        }
        // Backwards, so that what is known of the end reaches the beginning. The plan's action stays the greedy one
        // if no other is better.
        for (const auto& [state, place] : path_) {
            search_.set_greedy(state, place);
            search_.backup(state);
        }
    }

    void take_policy() {
        const auto policy = find_explored_policy(search_, search_.stop());
        for (StateId state = 0; state < policy.size(); ++state) {
            if (policy[state] == no_id || policy[state] == give_up) continue;
            const auto block = space_.expand(state);
            for (auto it = block.begin(); it != block.end(); ++it)
                if ((*it).action == policy[state]) search_.set_greedy(state, block.place(it));
        }
    }

    Search& search_;
    StateSpace& space_;
    Marks covered_;              // states that have an action, from which the goal can be reached by such actions
    std::vector<StateId> open_;  // states that the policy leads to, and where it may have none
    bool has_new_dead_ends_ = false;
    bool is_improving_ = false;

    // The plan that is looked for.
    bool is_planning_ = false;
    bool takes_risks_ = false;
    std::priority_queue<Entry> queue_;
    std::uint64_t order_ = 0;
    Marks met_;
    std::vector<StateId> seen_;
    std::vector<Reached> reached_;
    std::vector<std::pair<StateId, std::uint32_t>> path_;
};

}  // namespace

namespace {

Rff& rff_of(Search& search) {
    auto& unfinished = search.unfinished();
    if (dynamic_cast<Rff*>(unfinished.get()) == nullptr) unfinished = std::make_unique<Rff>(search);
    return static_cast<Rff&>(*unfinished);
}

}  // namespace

void run_rff(Search& search) { rff_of(search).run(); }

void improve_rff(Search& search) { rff_of(search).improve(); }

}  // namespace gpaplan
