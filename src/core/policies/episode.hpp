// Episodes: acting in a world until a goal, a state without applicable actions, or a horizon, with what each step costs
// an agent that learns.
//
// Nothing that an agent does is an error: an action that is not applicable changes nothing and costs what the rules
// say. A step after the end changes nothing and costs nothing; so does one in an episode that begins at a goal. One
// that begins where no action is applicable pays for that with its first step.
#pragma once

#include "spaces/successors.hpp"
#include "spaces/world.hpp"

namespace gpaplan {

struct EpisodeRules {
    double inapplicable_cost;  // of an action that is not applicable
    double dead_end_cost;      // of coming to a state without applicable actions, on top of the action's cost
    std::uint64_t horizon;     // steps after which an episode is truncated
};

struct EpisodeStep {
    double cost = 0;
    bool terminated = false;  // at a goal, or where no action is applicable
    bool truncated = false;   // at the horizon, not terminated
};

class Episode {
public:
    Episode(World& world, const SuccessorGenerator& successors, const EpisodeRules& rules)
        : world_(world), successors_(successors), rules_(rules) {
        begin();
    }

    // Begins in the state that the world is in, as if so many steps had been taken.
    void begin(std::uint64_t steps = 0) {
        steps_ = steps;
        look();
    }
    EpisodeStep step(ActionId action);

    const World& world() const { return world_; }
    World& world() { return world_; }
    std::uint64_t steps() const { return steps_; }
    const Indices& applicable() const { return applicable_; }  // in ascending order; of a goal state too
    bool at_goal() const { return at_goal_; }

private:
    void look();

    World& world_;
    const SuccessorGenerator& successors_;
    EpisodeRules rules_;
    std::uint64_t steps_ = 0;
    Indices applicable_;
    bool at_goal_ = false;
};

}  // namespace gpaplan
