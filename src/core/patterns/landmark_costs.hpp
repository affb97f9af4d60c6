// Cut-based cost partitioning: the costs that the estimate of one state takes.
//
// What an action must cost for all values of a projection to be what they are is often far more than what one state's
// value takes: wherever a parcel might be, a flight to that place is worth its cost. A state needs only what lies
// between it and the goal, and that is found by cuts, as in the landmark cut heuristic, but on the states of the
// projection, where nothing is relaxed.
//
// The *goal zone* are the abstract states from which a goal can be reached at no cost. Whoever comes from the state
// into the zone crosses its border, and every transition that does, from where one can come to without crossing it, has
// a label of the cut. With the value d outside of the zone and 0 inside, such a transition needs d times the
// probability that it leads inside; d is the most that all of these labels can pay. That is taken from their costs, the
// zone grows by what has become free, and so on until it holds the state.
#pragma once

#include <span>
#include <vector>

#include "patterns/projection.hpp"

namespace gpaplan {

struct LandmarkCosts {
    std::vector<double> of_label;  // no more than the costs given
    double sum = 0;                // the value of the state with these costs is at least that
    std::uint64_t work = 0;        // transitions that were looked at
};

// `costs` are those of the labels. If the state has no way to a goal, all of them are needed.
LandmarkCosts landmark_costs(const Projection& projection, std::span<const double> costs, Rank from, Stop& stop);

}  // namespace gpaplan
