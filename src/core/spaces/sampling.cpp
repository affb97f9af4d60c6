#include "spaces/sampling.hpp"

namespace gpaplan {

double gather(const Task& task, std::uint32_t effect, const Word* state, Word* masks, Indices& factors) {
    double cost = task.effect_costs[effect];
    for (auto atom : task.adds[effect]) set_bit(masks, atom);
    for (auto atom : task.deletes[effect]) set_bit(masks + task.word_count(), atom);
    const auto own = task.factors[effect];
    factors.insert(factors.end(), own.begin(), own.end());
    const auto conditionals = task.conditionals[effect];
    for (std::size_t k = 0; k < conditionals.size(); k += 2)
        if (holds(task, conditionals[k], state)) cost += gather(task, conditionals[k + 1], state, masks, factors);
    return cost;
}

double OutcomeSampler::draw(std::uint32_t effect, const Word* state, Random& random) {
    const auto begin = factors_.size();
    double cost = gather(task_, effect, state, masks_.data(), factors_);
    const auto end = factors_.size();
    for (auto i = begin; i < end; ++i) {
        const auto outcomes = task_.outcomes[factors_[i]];
        double left = random.uniform();
        std::size_t k = 0;
        for (; k + 2 < outcomes.size(); k += 2) {
            left -= task_.probabilities[outcomes[k]];
            if (left < 0) break;
        }
        cost += draw(outcomes[k + 1], state, random);
    }
    factors_.resize(begin);
    return cost;
}

double OutcomeSampler::apply(ActionId action, Word* state, Random& random) {
    std::ranges::fill(masks_, 0);
    const double cost = draw(task_.effects[action], state, random);
    const auto words = task_.word_count();
    for (std::uint32_t w = 0; w < words; ++w) state[w] = (state[w] & ~masks_[words + w]) | masks_[w];
    return cost;
}

}  // namespace gpaplan
