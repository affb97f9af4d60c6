#include "spaces/world.hpp"

#include "spaces/outcomes.hpp"

namespace gpaplan {

double World::step(ActionId action) {
    std::ranges::fill(masks_, 0);
    const double cost = draw(task_.effects[action]);
    const auto words = task_.word_count();
    for (std::uint32_t w = 0; w < words; ++w) state_[w] = (state_[w] & ~masks_[words + w]) | masks_[w];
    return cost;
}

double World::draw(std::uint32_t effect) {
    const auto begin = factors_.size();
    double cost = gather(task_, effect, state_.data(), masks_.data(), factors_);
    const auto end = factors_.size();
    for (auto i = begin; i < end; ++i) {
        const auto outcomes = task_.outcomes[factors_[i]];
        double left = random_.uniform();
        std::size_t k = 0;
        for (; k + 2 < outcomes.size(); k += 2) {
            left -= task_.probabilities[outcomes[k]];
            if (left < 0) break;
        }
        cost += draw(outcomes[k + 1]);
    }
    factors_.resize(begin);
    return cost;
}

}  // namespace gpaplan
