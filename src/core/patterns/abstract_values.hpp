// The values of a projection for given costs of its labels, and how much of these costs the values need.
//
// Values are found from below: first what the cheapest path costs if costs are self-loop-normalised and actions
// may choose their outcomes, then sweeps of the Bellman backup that only ever raise them. Whenever that ends, no
// value exceeds its own backup, so none exceeds the cost of any policy that reaches the goal: the values are bounds,
// and consistent, however precise they are. Costs may be 0, since others may have used them up; then value iteration
// from above would not do.
#pragma once

#include "patterns/projection.hpp"

namespace gpaplan {

struct AbstractValues {
    std::vector<double> of;  // each abstract state: infinite, or the dead-end cost, where no policy is proper
    std::uint64_t work = 0;  // transitions that were looked at
};

// What each label costs: as much as the cheapest of its actions.
std::vector<double> label_costs(const Projection& projection, std::span<const double> action_costs);

// `give_up` is the dead-end cost, at which one may give up in every state; infinite if that is not allowed.
AbstractValues solve(const Projection& projection, std::span<const double> costs, double give_up, Stop& stop);

// The least costs of the labels for which the values are still consistent; none is negative.
std::vector<double> saturate(const Projection& projection, const AbstractValues& values, bool may_give_up);

}  // namespace gpaplan
