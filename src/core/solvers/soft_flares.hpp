// Soft-FLARES (Pineda and Zilberstein 2019): labels that hold by chance.
//
// A state may carry a residual distance d: the residuals around it were found small up to a distance, and d says how
// much of that is left. It then counts as labelled with a probability that is alpha at d = 0 and beta at d = t, drawn
// anew each time. A trial follows the greedy policy, a successor being thinned by its probability of being labelled,
// and ends at a goal or when none is drawn. Then, backwards over the trial, the greedy graph is searched up to the
// distance 2t, not entering labelled states. If every residual in it is at most epsilon, its states become solved for
// good when the whole greedy graph lay inside the search, and else the states up to distance k <= t get d = t - k. If
// not, they are backed up in reverse order, and the pass ends at the first state that is not labelled. The run is over
// when the initial state is labelled; the greedy policy is then closed (Search::close_policy), for labels by chance
// promise nothing.
#pragma once

#include "solvers/search.hpp"

namespace gpaplan {

// The length of the edge to an outcome of probability p: 1, or -log2 p, or -log2 of p relative to the likeliest
// outcome.
enum class Distance : std::uint8_t { step, trajectory_probability, plausibility };
template <>
inline constexpr std::array names<Distance>{"step", "trajectory-probability", "plausibility"};

// How the probability of being labelled grows from alpha to beta; `step`: every state with a distance is labelled.
enum class LabellingFunction : std::uint8_t { logistic, exponential, linear, step };
template <>
inline constexpr std::array names<LabellingFunction>{"logistic", "exponential", "linear", "step"};

struct SoftFlaresSettings {
    double horizon = 4;  // t
    Distance distance = Distance::step;
    LabellingFunction labelling = LabellingFunction::logistic;
    double alpha = 0.1;
    double beta = 0.9;

    void each_field(auto visit) {
        visit("horizon", horizon);
        visit("distance", distance);
        visit("labelling", labelling);
        visit("alpha", alpha);
        visit("beta", beta);
    }
};

void run_soft_flares(Search& search, const SoftFlaresSettings& options);

}  // namespace gpaplan
