#include "spaces/outcomes.hpp"

#include <cmath>

namespace gpaplan {

namespace {

// Of probabilities of an action's outcomes: what may happen must not become impossible.
double product(ActionId action, double a, double b) {
    const double result = a * b;
    if (result < std::numeric_limits<double>::min()) throw OutOfRange(action, "probability");
    return result;
}

}  // namespace

double gather(const Task& task, std::uint32_t effect, const Word* state, Word* masks, Indices& factors) {
    double cost = task.effect_costs[effect];
    for (auto atom : task.adds[effect]) set_bit(masks, atom);
    for (auto atom : task.deletes[effect]) set_bit(masks + task.word_count(), atom);
    append(factors, task.factors[effect]);
    for (const auto [condition, inner] : pairs(task.conditionals[effect]))
        if (holds(task, condition, state)) cost += gather(task, inner, state, masks, factors);
    return cost;
}

std::uint32_t NumberPool::intern(double value) {
    const auto bits = std::bit_cast<Word>(value);
    const auto index = bits_.intern(&bits);
    if (index == values_.size()) values_.push_back(value);
    return index;
}

OutcomeGenerator::OutcomeGenerator(const Task& task, NumberPool& pool, std::uint64_t max_outcomes, Stop& stop)
    : task_(task), pool_(pool), max_outcomes_(max_outcomes), words_(task.word_count()) {
    for (auto probability : task.probabilities) pool_index_.push_back(pool.intern(probability));
    kinds_.reserve(task.action_count());
    costs_.reserve(task.action_count());
    for (auto effect : task.effects) {
        stop.poll();
        const bool plain = is_plain(task, effect);
        kinds_.push_back(plain ? Kind::plain : Kind::general);
        costs_.push_back(plain ? pool.intern(expected_cost_bounds(task, effect).lower) : no_id);
    }
}

void OutcomeGenerator::enumerate(ActionId action, const Word* state, OutcomeList& result) {
    result.clear();
    if (kinds_[action] == Kind::plain) {
        result.cost = costs_[action];
        apply_plain(task_.effects[action], state, result);
        if (result.size() > max_outcomes_) throw TooManyOutcomes(action, max_outcomes_);
    } else {
        enumerate_general(action, state, result);
    }
}

void OutcomeGenerator::apply_plain(std::uint32_t effect, const Word* state, OutcomeList& result) {
    const auto apply = [&](std::uint32_t probability, std::uint32_t outcome) {
        poll(1 + words_ / 64);
        result.probabilities.push_back(probability);
        result.states.insert(result.states.end(), state, state + words_);
        Word* next = result.states.data() + result.states.size() - words_;
        for (auto atom : task_.deletes[effect]) clear_bit(next, atom);
        for (auto atom : task_.deletes[outcome]) clear_bit(next, atom);
        for (auto atom : task_.adds[effect]) set_bit(next, atom);
        for (auto atom : task_.adds[outcome]) set_bit(next, atom);
    };
    const auto factors = task_.factors[effect];
    if (factors.empty()) {
        apply(NumberPool::one, empty_effect);
        return;
    }
    for (const auto [number, outcome] : pairs(task_.outcomes[factors[0]])) apply(pool_index_[number], outcome);
}

void OutcomeGenerator::enumerate_general(ActionId action, const Word* state, OutcomeList& result) {
    const auto changes = changes_of(action, task_.effects[action], state);
    double cost = changes.costs[0];  // plus what the others cost more, so that equal costs stay exact
    for (std::size_t i = 0; i < changes.size(); ++i) {
        poll(1 + words_ / 16);
        cost += changes.probabilities[i] * (changes.costs[i] - changes.costs[0]);
        result.probabilities.push_back(pool_.intern(changes.probabilities[i]));
        const Word* adds = changes.masks.data() + 2 * i * words_;
        for (std::uint32_t w = 0; w < words_; ++w) result.states.push_back((state[w] & ~adds[words_ + w]) | adds[w]);
    }
    if (!std::isfinite(cost)) throw OutOfRange(action, "cost");
    if (!(cost > 0)) throw NonPositiveCost(action, cost);
    result.cost = pool_.intern(cost);
}

OutcomeGenerator::Changes OutcomeGenerator::changes_of(ActionId action, std::uint32_t effect, const Word* state) const {
    Changes result;
    Indices factors;
    result.masks.assign(2 * std::size_t{words_}, 0);
    result.probabilities.push_back(1.0);
    result.costs.push_back(gather(task_, effect, state, result.masks.data(), factors));
    merge_equal(result, state);
    for (auto factor : factors) {
        Changes choice;
        for (const auto [number, outcome] : pairs(task_.outcomes[factor])) {
            poll(1);
            const auto inner = changes_of(action, outcome, state);
            for (auto probability : inner.probabilities)
                choice.probabilities.push_back(product(action, task_.probabilities[number], probability));
            choice.costs.insert(choice.costs.end(), inner.costs.begin(), inner.costs.end());
            choice.masks.insert(choice.masks.end(), inner.masks.begin(), inner.masks.end());
        }
        merge_equal(choice, state);
        if (choice.size() == 1) choice.probabilities[0] = 1.0;  // not 0.1 + 0.9 in floating point
        result = combine(action, result, choice);
        merge_equal(result, state);
    }
    return result;
}

OutcomeGenerator::Changes OutcomeGenerator::combine(ActionId action, const Changes& left, const Changes& right) const {
    constexpr std::size_t large = 1 << 16;  // changes from which on their memory is worth a question
    if (right.size() > max_outcomes_ / left.size()) throw TooManyOutcomes(action, max_outcomes_);
    Changes result;
    const std::size_t width = 2 * std::size_t{words_};
    const std::size_t size = left.size() * right.size();
    if (stop_ != nullptr && size > large) stop_->expect(size * (width + 2) * sizeof(Word));
    result.masks.reserve(size * width);
    for (std::size_t i = 0; i < left.size(); ++i) {
        for (std::size_t j = 0; j < right.size(); ++j) {
            poll(1 + width / 16);
            result.probabilities.push_back(product(action, left.probabilities[i], right.probabilities[j]));
            result.costs.push_back(left.costs[i] + right.costs[j]);
            for (std::size_t w = 0; w < width; ++w)
                result.masks.push_back(left.masks[i * width + w] | right.masks[j * width + w]);
        }
    }
    return result;
}

// Reduces each change to what it means in the state (a delete of an atom that is false or added is none) and merges
// equal ones, in order of first occurrence; the cost of a merged change is the expected cost given that it happens.
// Adds of atoms that are true are kept: they win over the deletes of other factors.
void OutcomeGenerator::merge_equal(Changes& changes, const Word* state) const {
    const std::size_t width = 2 * std::size_t{words_};
    for (std::size_t i = 0; i < changes.size(); ++i) {
        poll(1 + width / 16);
        Word* adds = changes.masks.data() + i * width;
        for (std::uint32_t w = 0; w < words_; ++w) adds[words_ + w] &= state[w] & ~adds[w];
    }
    if (changes.size() < 2) return;
    WordInterner distinct(static_cast<std::uint32_t>(width));
    for (std::size_t i = 0; i < changes.size(); ++i) {
        poll(1 + width / 16);
        const Word* mask = changes.masks.data() + i * width;
        const auto kept = distinct.size();
        const auto same = distinct.intern(mask);
        if (same < kept) {
            const double p = changes.probabilities[same];
            const double q = changes.probabilities[i];
            if (changes.costs[same] != changes.costs[i])
                changes.costs[same] = (p * changes.costs[same] + q * changes.costs[i]) / (p + q);
            changes.probabilities[same] = p + q;
            continue;
        }
        changes.probabilities[kept] = changes.probabilities[i];
        changes.costs[kept] = changes.costs[i];
        std::copy(mask, mask + width, changes.masks.data() + kept * width);
    }
    changes.probabilities.resize(distinct.size());
    changes.costs.resize(distinct.size());
    changes.masks.resize(distinct.size() * width);
}

}  // namespace gpaplan
