// Markov chains with absorbing states, solved exactly: with which probability is the goal reached, at what cost?
//
//     x(s) = visit(s) + Σ p(s, t) x(t)
//
// Components are solved in reverse topological order. The states of one are eliminated one by one (Grassmann, Taksar
// and Heyman 1985): the chain without k is the one that is watched only outside k, where a step from i through k to j
// is one step. 1 - p(k, k) is taken as the sum of the probabilities of where k goes, so nothing is subtracted, nothing
// cancels, and values are right to nearly all digits however rarely a component is left. The state whose removal
// creates the fewest new entries goes first. What is beyond the range of doubles becomes infinite or 0.
#pragma once

#include "base/ranges.hpp"
#include "base/stop.hpp"

namespace gpaplan {

// Of the future from a state: the probability of the goal and the expected cost, infinite if it never ends or ends at
// an infinite cost with positive probability.
struct Prospect {
    double goal = 0;
    double cost = 0;
};

struct MarkovChain {
    Ranges successors;                  // of each state; an absorbing state has none
    std::vector<double> probabilities;  // of each entry of successors.values: positive, each state's sum to one
    std::vector<Prospect> visits;       // what being in a state adds; of an absorbing state: all there is to come

    std::size_t size() const { return visits.size(); }
};

struct ChainSolution {
    std::vector<Prospect> prospects;  // of each state
    bool has_trap = false;            // an end component without absorbing state: goal 0, cost infinite
};

// Throws Stopped if `stop` says so.
ChainSolution solve_chain(const MarkovChain& chain, Stop& stop);

}  // namespace gpaplan
