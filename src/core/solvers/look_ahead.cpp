#include "solvers/look_ahead.hpp"

namespace gpaplan {

namespace {

// A search has these limits as long as this lives.
class WithLimits {
public:
    WithLimits(Search& search, Stop& limits) : search_(search), before_(search.stop()) { search.set_stop(&limits); }
    ~WithLimits() { search_.set_stop(&before_); }
    WithLimits(const WithLimits&) = delete;
    WithLimits& operator=(const WithLimits&) = delete;

private:
    Search& search_;
    Stop& before_;
};

}  // namespace

bool LookAhead::from(StateId root) {
    gather(root);
    if (states_.empty()) return false;
    solve();
    return true;
}

Advice LookAhead::advise(StateId state, Stop& limits, std::uint64_t work) {
    const WithLimits with(search_, limits);
    std::uint32_t looked_at = 0;
    if (!knows(state)) {
        gather(state, work);
        solve_and_forget();
        looked_at = std::max(1U, static_cast<std::uint32_t>(states_.size()));
    }
    if (knows(state)) search_.set_value(state, value_here(state));
    return {search_.known_value(state), actions(state), looked_at, is_finished_};
}

void LookAhead::solve() {
    if (envelope_.solve(states_, search_.is_admissible()) == Envelope::no_bound) back_up();
}

void LookAhead::solve_and_forget() {
    found_.clear();
    solve();
    for (std::size_t i = 0; i < states_.size(); ++i) {
        found_.push_back(search_.value(states_[i]));
        if (found_.back() < keep_above_) search_.set_value(states_[i], before_[i]);
    }
}

// The value of a state by the small task if that has it; negative if it was never looked at.
double LookAhead::value_here(StateId state) {
    return knows(state) ? found_[envelope_.place(state)] : value_so_far(state);
}

double LookAhead::value_so_far(StateId state) const {
    return state < search_.values().size() ? search_.values()[state] : -1;
}

// What has no value yet, for lack of work, is taken to be as far from the goal as the state itself.
std::vector<Advice::Action> LookAhead::actions(StateId state) {
    const auto& numbers = search_.space().numbers();
    const double here = search_.known_value(state);
    std::vector<Advice::Action> result;
    for (const auto transition : search_.space().expand(state)) {
        double sum = numbers[transition.cost];
        double leave = 0;
        for (const auto& outcome : transition.outcomes) {
            if (outcome.successor == state) continue;
            const double value = value_here(outcome.successor);
            leave += numbers[outcome.probability];
            sum += numbers[outcome.probability] * (value >= 0 ? value : here);
        }
        if (leave > 0) result.push_back({transition.action, sum / leave, numbers[transition.cost]});
    }
    return result;
}

// The states within some steps of this one that something is left to do in, breadth first, as long as there is work
// left. All of them are backed up, so that whatever they lead to has a value.
void LookAhead::gather(StateId root, std::uint64_t most_work) {
    const auto begun = search_.work();
    states_.clear();
    before_.clear();
    is_finished_ = true;
    ++round_;
    std::vector<StateId> level{root};
    mark(root);
    for (std::uint64_t step = 0; step < horizon_.steps && !level.empty() && states_.size() < horizon_.max_states;
         ++step) {
        std::vector<StateId> next;
        for (auto state : level) {
            if (search_.work() - begun > most_work) {
                is_finished_ = false;
                return;
            }
            double before = value_so_far(state);
            if (level.size() > 1 || !follow(state)) {
                if (search_.is_end(state)) continue;
                before = search_.value(state);
                if (!search_.has_greedy(state)) search_.backup(state);
                if (search_.is_dead_end(state) || !search_.has_greedy(state)) continue;
            }
            states_.push_back(state);
            before_.push_back(before);
            if (states_.size() == horizon_.max_states) break;
            for (const auto transition : search_.space().expand(state))
                for (const auto& outcome : transition.outcomes)
                    if (mark(outcome.successor)) next.push_back(outcome.successor);
        }
        level = std::move(next);
    }
}

// Where there is one action there is nothing to choose, and the state is worth what that leads to: it need not be
// estimated. Returns whether that is so.
bool LookAhead::follow(StateId state) {
    if (search_.is_solved(state) || search_.is_goal(state)) return false;
    if (value_so_far(state) >= search_.dead_end_cost()) return false;
    const auto block = search_.space().expand(state);
    auto it = block.begin();
    if (it == block.end()) return false;
    const auto leads_on = [&](const auto& outcome) { return outcome.successor != state; };
    const auto place = block.place(it);
    if (std::ranges::none_of((*it).outcomes, leads_on) || ++it != block.end()) return false;
    search_.set_greedy(state, place);
    return true;
}

// Returns whether the state was not gathered yet in this round.
bool LookAhead::mark(StateId state) {
    if (state >= rounds_.size()) rounds_.resize(search_.space().size(), 0);
    return std::exchange(rounds_[state], round_) != round_;
}

// There is no policy that surely leaves the small task: some of its states may be a trap.
void LookAhead::back_up() {
    if (search_.mark_dead_ends()) return;
    for (auto it = states_.rbegin(); it != states_.rend(); ++it) search_.backup(*it);
}

}  // namespace gpaplan
