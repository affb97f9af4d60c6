// The solvers, each a function of a search; how one works stands in its file. All throw Stopped.
#pragma once

#include "solvers/look_ahead.hpp"

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

void run_value_iteration(Search& search);
void run_lao_star(Search& search);
void run_improved_lao_star(Search& search);
void run_weighted_lao_star(Search& search);  // with the weight of the search
void run_lrtdp(Search& search);
void run_ssipp(Search& search, const Horizon& horizon);
void run_soft_flares(Search& search, const SoftFlaresSettings& options);

// From a policy that a solver is satisfied with, which is closed, to one that is proven optimal.
//
// With an admissible heuristic all values are lower bounds of the optimal costs, and the exact cost of the greedy
// policy is an upper bound. Solvers stop at residuals of epsilon, which says little of the distance between the two:
// small residuals add up over the steps of a long way, and epsilon may be large beside the costs. `close_gap` goes on
// with improved LAO* at an epsilon that is small beside the costs of the policy's actions, and with exact solutions of
// what the policy reaches (envelope.hpp), until the two meet up to a share of `Search::precision`, or until nothing is
// left to gain: where costs span more digits than a double has, the gap may stay open.
void close_gap(Search& search);

// The best policy for what a search has explored, undefined at the root if nothing of that is a proper policy.
PolicyColumn find_explored_policy(Search& search, Stop& stop);

}  // namespace gpaplan
