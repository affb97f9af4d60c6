#include "solvers/envelope.hpp"

#include <algorithm>

#include "policies/markov_chain.hpp"

namespace gpaplan {

namespace {

constexpr std::uint32_t most_rounds = 100;
constexpr double rounding = 8 * std::numeric_limits<double>::epsilon();  // of a sum, relative to it
constexpr double least_gain = 1e-12;                                     // relative to the cost of an action

}  // namespace

bool Envelope::collect(std::vector<StateId>& states) {
    std::vector<std::uint8_t> seen(space_.size(), 0);
    std::vector<StateId> queue{search_.root()};
    seen[search_.root()] = 1;
    states.clear();
    tips_.clear();
    for (std::size_t i = 0; i < queue.size(); ++i) {
        const auto state = queue[i];
        if (search_.is_goal(state) || search_.is_dead_end(state)) continue;
        if (!search_.has_greedy(state)) {
            tips_.push_back(state);
            continue;
        }
        states.push_back(state);
        for (const auto& outcome : search_.greedy_outcomes(state)) {
            if (seen[outcome.successor] != 0) continue;
            seen[outcome.successor] = 1;
            queue.push_back(outcome.successor);
        }
    }
    return tips_.empty();
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
    for (std::uint32_t round = 0;; ++round) {
        if (round == most_rounds) return no_bound;
        evaluate();
        if (round == 0 && !end_everywhere()) return no_bound;
        if (!improve(ratio)) break;
    }
    for (std::uint32_t i = 0; i < inside_; ++i) {
        const double bound = keep_larger ? std::max(search_.value(states_[i]), values_[i] / (1 + ratio)) : values_[i];
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
    MarkovChain chain;
    for (std::uint32_t i = 0; i < inside_; ++i) {
        if (policy_[i] == Search::give_up_at) {
            chain.visits.push_back({0, search_.dead_end_cost()});
        } else {
            const auto transition = space_.expand(states_[i]).at(policy_[i]);
            chain.visits.push_back({0, numbers[transition.cost]});
            for (const auto& outcome : transition.outcomes) {
                if (!(numbers[outcome.probability] > 0)) continue;
                chain.successors.values.push_back(place_of(outcome.successor));
                chain.probabilities.push_back(numbers[outcome.probability]);
            }
        }
        chain.successors.close();
    }
    for (std::size_t i = inside_; i < states_.size(); ++i) {
        chain.visits.push_back({1, search_.value(states_[i])});
        chain.successors.close();
    }
    const auto solution = solve_chain(chain, search_.stop());
    values_.resize(inside_);
    for (std::uint32_t i = 0; i < inside_; ++i) values_[i] = solution.prospects[i].cost;
}

// Where the policy does not surely end, takes actions that may lead to where it does, and no action that may lead to a
// dead end; returns whether it ends everywhere then.
bool Envelope::end_everywhere() {
    const auto ends = [&](std::uint32_t i) { return values_[i] < infinity; };
    std::vector<std::uint32_t> open;
    for (std::uint32_t i = 0; i < inside_; ++i)
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
    bool changed = false;
    ratio = 0;
    search_.count_backups(inside_);
    for (std::uint32_t i = 0; i < inside_; ++i) {
        if ((i & 0xffU) == 0) search_.check_stop();
        const double value = values_[i];
        double best = 0;
        const auto current = policy_[i];
        const auto look_at = [&](std::uint32_t at, double cost, double option) {
            if (at == current || !(option < infinity)) return;
            const double gain = value - option;
            const double noise = rounding * (value + option);
            if (gain > noise && gain > least_gain * cost) {
                if (gain <= best) return;
                best = gain;
                policy_[i] = at;
            } else {
                ratio = std::max(ratio, (gain + noise) / cost);
            }
        };
        const auto block = space_.expand(states_[i]);
        for (auto it = block.begin(); it != block.end(); ++it) {
            const auto [cost, option] = cost_and_value(states_[i], *it);
            look_at(block.place(it), cost, option);
        }
        if (search_.dead_end_cost() < infinity)
            look_at(Search::give_up_at, search_.dead_end_cost(), search_.dead_end_cost());
        changed = changed || policy_[i] != current;
    }
    return changed;
}

// What an action costs until it has left the state, and in all.
std::pair<double, double> Envelope::cost_and_value(StateId state, const Transition& transition) {
    const auto& numbers = space_.numbers();
    double sum = numbers[transition.cost];
    double leave = 0;
    for (const auto& outcome : transition.outcomes) {
        if (outcome.successor == state) continue;
        const auto place = places_[outcome.successor];
        const double probability = numbers[outcome.probability];
        leave += probability;
        sum += probability * (place < inside_ ? values_[place] : search_.value(outcome.successor));
    }
    if (!(leave > 0)) return {infinity, infinity};
    return {numbers[transition.cost] / leave, sum / leave};
}

}  // namespace gpaplan
