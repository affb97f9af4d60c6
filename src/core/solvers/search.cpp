#include "solvers/search.hpp"

#include "base/marks.hpp"
#include "solvers/envelope.hpp"

namespace gpaplan {

Search::Search(StateSpace& space, Heuristic& heuristic, const SearchSettings& settings)
    : space_(space),
      heuristic_(heuristic),
      root_(space.initial()),
      settings_(settings),
      dead_end_cost_(settings.weight * settings.dead_end_cost),
      random_(settings.seed) {}

double Search::initialise(StateId state) {
    if (state >= values_.size()) values_.resize(state + 1, -1.0);
    if (values_[state] >= 0) return values_[state];
    if ((++evaluations_ & 0x3U & look_mask_) == 0) check_stop();
    const double estimate = is_goal(state) ? 0.0 : heuristic_.evaluate(space_.bits(state));
    values_[state] = std::min(dead_end_cost_, weight() * estimate);
    if (weight() != 1) {
        estimates_.resize(values_.size(), -1.0);
        estimates_[state] = estimate;
    }
    evaluation_work_ += heuristic_.evaluation_cost();
    if (heuristic_.revision() != revision_) raise_values();
    return values_[state];
}

// To what the heuristic has come to know meanwhile: else whatever was met before would be preferred to what is met now.
void Search::raise_values() {
    for (StateId state = 0; state < values_.size(); ++state) {
        if ((state & 0xffU) == 0) check_stop();
        if (values_[state] < 0 || values_[state] >= dead_end_cost_ || is_goal(state)) continue;
        const double estimate = std::min(dead_end_cost_, heuristic_.reconsider(space_.bits(state)));
        values_[state] = std::max(values_[state], estimate);
    }
    revision_ = heuristic_.revision();
}

void Search::set_value(StateId state, double value) {
    if (state >= values_.size()) values_.resize(state + std::size_t{1}, -1.0);
    values_[state] = value;
}

void Search::set_weight(double weight) {
    settings_.weight = weight;
    dead_end_cost_ = weight * settings_.dead_end_cost;
    for (StateId state = 0; state < estimates_.size(); ++state) {
        if (values_[state] < 0) continue;
        values_[state] = is_solved(state) ? dead_end_cost_ : std::min(dead_end_cost_, weight * estimates_[state]);
    }
    greedy_.assign(greedy_.size(), nothing_at);
}

void Search::remember(StateId state, std::uint32_t at) {
    if (state >= greedy_.size()) greedy_.resize(space_.size(), nothing_at);
    if (greedy_[state] != at) ++policy_changes_;
    greedy_[state] = at;
}

void Search::set_solved(StateId state) {
    if (state >= solved_.size()) solved_.resize(space_.size(), 0);
    solved_[state] = 1;
}

double Search::action_value(StateId state, const Transition& transition) {
    const double* numbers = space_.numbers().values().data();
    double sum = numbers[transition.cost];
    double leave =
        0;  // the probability of leaving the state: added up, since 1 - p(s) may be too small to be told from 0
    bool stays = false;
    for (const auto& outcome : transition.outcomes) {
        const double probability = numbers[outcome.probability];
        if (outcome.successor == state) {
            stays = true;
            continue;
        }
        double next = values_[outcome.successor];
        if (next < 0) next = initialise(outcome.successor);
        sum += probability * next;
        leave += probability;
    }
    if (stays) sum = leave > 0 ? sum / leave : infinity;
    return sum;
}

Search::Best Search::best_action(StateId state) {
    if ((++backups_ & 0xffU & look_mask_) == 0) check_stop();
    if (is_goal(state)) return {0, nothing_at};
    const auto block = space_.expand(state);
    if (values_.size() < space_.size()) values_.resize(space_.size(), -1.0);
    Best best{infinity, nothing_at};
    for (auto it = block.begin(); it != block.end(); ++it) {
        const double value = action_value(state, *it);
        if (value < best.value) best = {value, block.place(it)};
    }
    if (best.value == infinity) best = beyond_range(state, block);
    if (best.value >= dead_end_cost_) best = {dead_end_cost_, dead_end_cost_ < infinity ? give_up_at : nothing_at};
    return best;
}

// Of a state with no action of finite value: an action that leads to no dead end costs more than a double holds, and
// counts as the largest one. It is no dead end, and whoever looks at the policy will find what it costs.
Search::Best Search::beyond_range(StateId state, const Block& block) {
    for (auto it = block.begin(); it != block.end(); ++it) {
        const auto outcomes = (*it).outcomes;
        const auto leads_on = [&](const auto& outcome) { return outcome.successor != state; };
        const auto is_dead = [&](const auto& outcome) {
            return leads_on(outcome) && values_[outcome.successor] == infinity;
        };
        if (std::ranges::any_of(outcomes, leads_on) && std::ranges::none_of(outcomes, is_dead))
            return {largest_cost, block.place(it)};
    }
    return {infinity, nothing_at};
}

double Search::backup(StateId state) {
    const double old = value(state);
    const auto best = best_action(state);
    remember(state, best.at);
    values_[state] = best.value;
    return difference(old, best.value);
}

double Search::residual(StateId state) {
    const double old = value(state);
    const auto best = best_action(state);
    remember(state, best.at);
    return difference(old, best.value);
}

double Search::greedy_residual(StateId state) {
    if ((++looks_ & 0x3U) == 0 && (++backups_ & 0xffU & look_mask_) == 0) check_stop();
    return difference(values_[state], action_value(state, space_.expand(state).at(greedy_[state])));
}

Outcomes Search::greedy_outcomes(StateId state) {
    if (!has_greedy(state)) return {};
    return space_.expand(state).at(greedy_[state]).outcomes;
}

double Search::greedy_cost(StateId state) {
    if (!has_greedy(state)) return infinity;
    return space_.numbers()[space_.expand(state).at(greedy_[state]).cost];
}

double Search::stay_probability(StateId state) {
    for (const auto& outcome : greedy_outcomes(state))
        if (outcome.successor == state) return space_.numbers()[outcome.probability];
    return 0;
}

StateId Search::sample_successor(StateId state) {
    const auto outcomes = greedy_outcomes(state);
    const auto& numbers = space_.numbers();
    double left = random_.uniform() * (1 - stay_probability(state));
    StateId last = state;
    for (const auto& outcome : outcomes) {
        if (outcome.successor == state) continue;
        last = outcome.successor;
        left -= numbers[outcome.probability];
        if (left < 0) break;
    }
    return last;
}

ActionId Search::policy_action(StateId state) {
    if (state >= values_.size()) return no_id;
    if (dead_end_cost_ < infinity && values_[state] >= dead_end_cost_) return give_up;
    return has_greedy(state) ? space_.expand(state).at(greedy_[state]).action : no_id;
}

std::vector<StateId> Search::greedy_graph(std::size_t backups) {
    std::vector<StateId> graph{root()};
    Marks met;
    met.insert(root(), space_.size());
    for (std::size_t i = 0; i < graph.size(); ++i) {
        const auto state = graph[i];
        if (is_goal(state) || is_dead_end(state)) continue;
        if (!has_greedy(state) && backups > 0) {
            --backups;
            backup(state);
        }
        for (const auto& outcome : greedy_outcomes(state))
            if (met.insert(outcome.successor, space_.size())) graph.push_back(outcome.successor);
    }
    return graph;
}

void Search::close_policy() {
    while (true) {
        const auto before = backups_;
        const auto graph = greedy_graph(no_id);
        const bool expanded = backups_ > before;
        // Which of them reach the end: sweeps backwards until nothing is added.
        std::vector<std::uint8_t> seen(space_.size(), 0);
        for (bool changed = true; changed;) {
            changed = false;
            for (auto it = graph.rbegin(); it != graph.rend(); ++it) {
                if (seen[*it] != 0) continue;
                const auto outcomes = greedy_outcomes(*it);
                const bool ends = is_goal(*it) || is_dead_end(*it) ||
                                  std::ranges::any_of(outcomes, [&](const auto& o) { return seen[o.successor] != 0; });
                if (!ends) continue;
                seen[*it] = 1;
                changed = true;
            }
        }
        // Where one may not give up, an action that leads to a dead end was chosen before that was known to be one.
        const bool is_stale =
            dead_end_cost_ == infinity && std::ranges::any_of(graph, [&](auto state) { return is_dead_end(state); });
        const bool ends = std::ranges::all_of(graph, [&](auto state) { return seen[state] != 0; });
        if (!expanded && ends && !is_stale) return;
        if (is_dead_end(root())) return;
        for (auto it = graph.rbegin(); it != graph.rend(); ++it) backup(*it);
        check_convergence();
    }
}

bool Search::check_convergence() {
    if (backups_ < next_pass_ || is_checking_) return false;
    // A limit may throw Stopped out of it, and a search that goes on later checks again.
    struct Guard {
        bool& flag;
        explicit Guard(bool& flag) : flag(flag) { flag = true; }
        ~Guard() { flag = false; }
        Guard(const Guard&) = delete;
        Guard& operator=(const Guard&) = delete;
    } const guard(is_checking_);
    const bool found = mark_dead_ends();
    const auto expanded = space_.expanded_count();
    const bool converges_slowly = !found && expanded - expanded_at_pass_ <= expanded / solver_constants::slow_growth;
    const bool solved = converges_slowly && solve_greedy_part();
    pass_factor_ = found || solved ? solver_constants::backups_of_state : 2 * pass_factor_;
    expanded_at_pass_ = space_.expanded_count();
    next_pass_ = backups_ + solver_constants::least_backups + pass_factor_ * expanded_at_pass_;
    return solved;
}

// Solves exactly what the greedy policy reaches, and with it what the best policy there leads to, until that is nothing
// new or as much was done as in the whole search before. What is left again stays in: else policies that cost about the
// same would take turns, each at what the other one seemed to cost. Returns whether it could.
bool Search::solve_greedy_part() {
    Envelope envelope(*this);
    std::vector<StateId> states;
    std::vector<StateId> reached;
    envelope.collect(states);
    for (const auto most = 2 * work(); work() < most;) {
        if (envelope.solve(states, is_admissible()) == Envelope::no_bound) return false;
        envelope.collect(reached, 1 + states.size() / 8);
        std::erase_if(reached, [&](auto state) { return envelope.holds(state); });
        if (reached.empty()) {  // the policy is closed, and no other is better
            if (value(root()) == largest_cost) throw OutOfRange(no_id, "cost");
            break;
        }
        envelope.widen(reached, states.size() / 4);
        append(states, reached);
    }
    return true;
}

bool Search::mark_dead_ends() {
    const bool penalty = dead_end_cost_ < infinity;
    const auto count = space_.size();
    values_.resize(count, -1.0);
    bool found = false;
    for (bool changed = true; changed;) {
        check_stop();
        changed = false;
        const auto can_escape = find_escapes(space_, values_, penalty, *stop_);
        for (StateId state = 0; state < count; ++state) {
            if (can_escape[state] != 0 || values_[state] >= dead_end_cost_) continue;
            rule_out(state);
            changed = true;
        }
        found = found || changed;
        if (penalty) break;
    }
    return found;
}

void Search::rule_out(StateId state) {
    if (values_.size() < space_.size()) values_.resize(space_.size(), -1.0);
    values_[state] = dead_end_cost_;
    remember(state, dead_end_cost_ < infinity ? give_up_at : nothing_at);
    set_solved(state);
}

bool Search::is_hopeless(StateId state) {
    std::vector<StateId> queue{state};
    Marks met;
    met.insert(state, space_.size());
    for (std::size_t i = 0; i < queue.size(); ++i) {
        if (is_goal(queue[i])) return false;
        if (!space_.is_expanded(queue[i])) {
            if (value(queue[i]) < dead_end_cost_ || heuristic_.evaluate(space_.bits(queue[i])) < infinity) return false;
            continue;
        }
        for (const auto transition : space_.expand(queue[i]))
            for (const auto& outcome : transition.outcomes)
                if (met.insert(outcome.successor, space_.size())) queue.push_back(outcome.successor);
    }
    return true;
}

std::uint64_t Search::bytes() const {
    return sizeof(double) * (values_.capacity() + estimates_.capacity() + label_distances_.capacity()) +
           4 * greedy_.capacity() + solved_.capacity();
}

}  // namespace gpaplan
