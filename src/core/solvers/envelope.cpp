#include "solvers/envelope.hpp"

#include "base/marks.hpp"

namespace gpaplan {

namespace {

constexpr double refined_rounding = 0x1p-98;  // of a sum in twice the digits, relative to it, with a margin
constexpr double least_double = std::numeric_limits<double>::denorm_min();

}  // namespace

bool Envelope::collect(std::vector<StateId>& states, std::size_t backups) {
    states = search_.greedy_graph(backups);
    std::erase_if(states, [&](auto state) { return search_.is_goal(state) || search_.is_dead_end(state); });
    return std::erase_if(states, [&](auto state) { return !search_.has_greedy(state); }) == 0;
}

void Envelope::widen(std::vector<StateId>& states, std::size_t count) {
    Marks met;
    std::vector<StateId> next;
    for (auto state : states) met.insert(state, space_.size());
    for (std::size_t i = 0; i < states.size() && states.size() < count; ++i) {
        next.clear();
        for (const auto transition : space_.expand(states[i]))
            for (const auto& outcome : transition.outcomes)
                if (!holds(outcome.successor) && met.insert(outcome.successor, space_.size()))
                    next.push_back(outcome.successor);
        for (auto state : next) {
            if (search_.is_goal(state) || search_.is_dead_end(state)) continue;
            if (!search_.has_greedy(state)) search_.backup(state);
            if (search_.has_greedy(state)) states.push_back(state);
        }
    }
}

double Envelope::solve(const std::vector<StateId>& states, bool keep_larger) {
    for (auto state : states_) places_[state] = no_id;
    states_ = states;
    inside_ = static_cast<std::uint32_t>(states.size());
    places_.resize(space_.size(), no_id);
    policy_.resize(inside_);
    for (std::uint32_t i = 0; i < inside_; ++i) {
        places_[states_[i]] = i;
        policy_[i] = search_.greedy_place(states_[i]);
    }
    double ratio = 0;
    bool refined = false;
    for (std::uint32_t round = 0;; ++round) {
        if (round == solver_constants::most_rounds) return no_bound;
        evaluate();
        if (round == 0 && !end_everywhere()) return no_bound;
        if (refined) refine();
        if (improve(ratio)) continue;
        if (refined || is_sharp(ratio)) break;
        refined = true;
    }
    if (!(ratio < no_bound)) return no_bound;
    for (std::uint32_t i = 0; i < inside_; ++i) {
        const double least = values_[i] < largest_cost ? values_[i] / (1 + ratio) : largest_cost;
        const double bound = keep_larger ? std::max(search_.value(states_[i]), least) : values_[i];
        search_.set_value(states_[i], bound);
        search_.set_greedy(states_[i], policy_[i]);
    }
    return ratio;
}

std::uint32_t Envelope::place_of(StateId state) {
    if (places_[state] == no_id) {
        places_[state] = static_cast<std::uint32_t>(states_.size());
        states_.push_back(state);
    }
    return places_[state];
}

// The costs of the policy. States outside are absorbing.
void Envelope::evaluate() {
    const auto& numbers = space_.numbers();
    chain_ = {};
    for (std::uint32_t i = 0; i < inside_; ++i) {
        if (policy_[i] == Search::give_up_at) {
            chain_.visits.push_back({0, search_.dead_end_cost()});
        } else {
            const auto transition = space_.expand(states_[i]).at(policy_[i]);
            chain_.visits.push_back({0, numbers[transition.cost]});
            for (const auto& outcome : transition.outcomes) {
                if (!(numbers[outcome.probability] > 0)) continue;
                chain_.successors.values.push_back(place_of(outcome.successor));
                chain_.probabilities.push_back(numbers[outcome.probability]);
            }
        }
        chain_.successors.close();
    }
    for (std::size_t i = inside_; i < states_.size(); ++i) {
        chain_.visits.push_back({1, search_.value(states_[i])});
        chain_.successors.close();
    }
    const auto solution = solve_chain(chain_, search_.stop());
    values_.resize(inside_);
    rests_.clear();
    // What ends for sure has a cost, be it one that no double holds.
    const bool ends = !solution.has_trap &&
                      std::ranges::none_of(chain_.visits, [](const auto& visit) { return visit.cost == infinity; });
    for (std::uint32_t i = 0; i < inside_; ++i)
        values_[i] = std::min(solution.prospects[i].cost, ends ? largest_cost : infinity);
}

// Adds what the costs of the policy lack, twice: each time about as many digits as a double has are right. What
// rounding may hide is taken off the cost of each action, so that the policy's own actions never seem better than it.
void Envelope::refine() {
    rests_.assign(inside_, 0);
    for (auto& visit : chain_.visits) visit.cost = 0;
    for (int times = 0; times < 2; ++times) {
        for (std::uint32_t i = 0; i < inside_; ++i) {
            if (policy_[i] == Search::give_up_at) continue;
            const auto [value, noise, leave] = surplus(i, space_.expand(states_[i]).at(policy_[i]));
            chain_.visits[i].cost = -value.high - 2 * noise;
        }
        const auto solution = solve_chain(chain_, search_.stop());
        for (std::uint32_t i = 0; i < inside_; ++i) {
            const auto sum = value_of(states_[i]) + DoubleDouble{solution.prospects[i].cost};
            values_[i] = sum.high;
            rests_[i] = sum.low;
        }
    }
}

// Where the policy does not surely end, takes actions that may lead to where it does, and no action that may lead to a
// dead end; returns whether it ends everywhere then.
bool Envelope::end_everywhere() {
    const auto ends = [&](std::uint32_t i) { return values_[i] < infinity; };
    Indices open;
    for (auto i = inside_; i-- > 0;)  // mostly, what ends comes last
        if (!ends(i)) open.push_back(i);
    if (open.empty()) return true;
    for (bool changed = true; changed && !open.empty();) {
        changed = false;
        std::erase_if(open, [&](std::uint32_t i) {
            const auto block = space_.expand(states_[i]);
            if (search_.dead_end_cost() < infinity) policy_[i] = Search::give_up_at;
            for (auto it = block.begin(); policy_[i] != Search::give_up_at && it != block.end(); ++it) {
                bool may_end = false;
                bool is_safe = true;
                for (const auto& outcome : (*it).outcomes) {
                    const auto place = places_[outcome.successor];
                    const bool is_inside = place < inside_;
                    is_safe = is_safe && (is_inside || search_.value(outcome.successor) < infinity);
                    may_end = may_end || !is_inside || ends(place);
                }
                if (!is_safe || !may_end) continue;
                policy_[i] = block.place(it);
                values_[i] = 0;
                break;
            }
            changed = changed || ends(i) || policy_[i] == Search::give_up_at;
            return ends(i) || policy_[i] == Search::give_up_at;
        });
    }
    if (!open.empty()) return false;
    evaluate();
    return std::ranges::all_of(values_, [](double value) { return value < infinity; });
}

// Takes better actions where there are; returns whether there were. If not, `ratio` is the bound's.
bool Envelope::improve(double& ratio) {
    const bool refined = !rests_.empty();
    bool changed = false;
    ratio = 0;
    search_.count_backups(inside_);
    for (std::uint32_t i = 0; i < inside_; ++i) {
        if ((i & 0xffU) == 0) search_.check_stop();
        double best = 0;
        const auto current = policy_[i];
        const auto look_at = [&](std::uint32_t at, const QComparison& other) {
            if (at == current && !refined) return;
            if (at != current && other.gain > other.noise &&
                (refined || other.gain > solver_constants::least_gain * other.cost)) {
                if (other.gain <= best) return;
                best = other.gain;
                policy_[i] = at;
            } else if (values_[i] < largest_cost) {  // else it is more in truth
                ratio = std::max(ratio, (other.gain + other.noise) / other.cost);
            }
        };
        const auto block = space_.expand(states_[i]);
        for (auto it = block.begin(); it != block.end(); ++it) {
            const auto other = compare(i, *it);
            if (other.gain > -infinity) look_at(block.place(it), refined ? compare_refined(i, *it) : other);
        }
        if (const double penalty = search_.dead_end_cost(); penalty < infinity)
            look_at(Search::give_up_at, {penalty, values_[i] - penalty, rounding * values_[i] + rounding * penalty});
        changed = changed || policy_[i] != current;
    }
    return changed;
}

// Whether what rounding takes from a bound matters neither to a proof nor to the residuals that solvers look at.
bool Envelope::is_sharp(double ratio) const {
    double dearest = 0;
    for (std::uint32_t i = 0; i < inside_; ++i) dearest = std::max(dearest, chain_.visits[i].cost);
    return ratio <= solver_constants::negligible * search_.settings().precision &&
           ratio * dearest <= search_.epsilon() / 2;
}

// An action that may lead to a dead end, or nowhere else, is infinitely worse.
Envelope::QComparison Envelope::compare(std::uint32_t place, const Transition& transition) {
    const auto& numbers = space_.numbers();
    double sum = numbers[transition.cost];
    double leave = 0;
    for (const auto& outcome : transition.outcomes) {
        if (outcome.successor == states_[place]) continue;
        const double probability = numbers[outcome.probability];
        leave += probability;
        const auto at = places_[outcome.successor];
        sum += probability * (at < inside_ ? values_[at] : search_.value(outcome.successor));
    }
    const double option = leave > 0 ? sum / leave : infinity;
    return {numbers[transition.cost] / leave, values_[place] - option, rounding * values_[place] + rounding * option};
}

Envelope::QComparison Envelope::compare_refined(std::uint32_t place, const Transition& transition) {
    const auto [value, noise, leave] = surplus(place, transition);
    const double cost = space_.numbers()[transition.cost];
    if (!(noise < infinity)) return {cost, 0, infinity};
    return {cost / leave, value.high / leave, noise / leave};
}

// By how much the policy's cost in a state exceeds that of an action, times the probability that this leaves the state.
Envelope::Surplus Envelope::surplus(std::uint32_t place, const Transition& transition) {
    const auto& numbers = space_.numbers();
    const double cost = numbers[transition.cost];
    const auto here = value_of(states_[place]);
    Surplus result{{-cost}, cost, 0};
    for (const auto& outcome : transition.outcomes) {
        if (outcome.successor == states_[place]) continue;
        const double probability = numbers[outcome.probability];
        const auto there = value_of(outcome.successor);
        result.value = result.value + probability * (here - there);
        result.noise += probability * (here.high + there.high);
        result.leave += probability;
    }
    const auto terms = static_cast<double>(transition.outcomes.size() + 1);
    result.noise = terms * (refined_rounding * result.noise + 4 * least_double);
    return result;
}

DoubleDouble Envelope::value_of(StateId state) {
    if (!holds(state)) return {search_.value(state)};
    const auto place = places_[state];
    return {values_[place], rests_.empty() ? 0 : rests_[place]};
}

}  // namespace gpaplan
