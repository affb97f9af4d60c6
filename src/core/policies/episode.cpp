#include "policies/episode.hpp"

namespace gpaplan {

EpisodeStep Episode::step(ActionId action) {
    const bool first = steps_++ == 0;
    if (at_goal_) return {0, true, false};
    if (applicable_.empty()) return {first ? rules_.dead_end_cost : 0, true, false};
    EpisodeStep result;
    if (world_.is_applicable(action)) {
        result.cost = world_.step(action);
        look();
        result.terminated = at_goal_ || applicable_.empty();
        if (result.terminated && !at_goal_) result.cost += rules_.dead_end_cost;
    } else {
        result.cost = rules_.inapplicable_cost;
    }
    result.truncated = !result.terminated && steps_ >= rules_.horizon;
    return result;
}

// Takes note of the state that the world is in.
void Episode::look() {
    at_goal_ = world_.is_goal();
    applicable_.clear();
    successors_.applicable(world_.state().data(), applicable_);
}

}  // namespace gpaplan
