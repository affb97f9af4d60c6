// Potentials (general cost partitioning): what a stock is worth.
//
// An aircraft has fuel, flights use it up, and refuelling costs something and serves no goal by itself. No projection
// to a goal sees that cost: each may assume that there is fuel enough. So fuel is given a potential. With P(s) the cost
// of filling up, every action costs from now on what it did and E[P(s')] - P(s): flights become dearer by the fuel that
// they use, and refuelling costs nothing any more. Along every way to the goal that adds up to what was added in all,
// P(goal) - P(s), so what the ways cost now is a bound of what they did cost if
//
//     T(s) = P(s) - max P
//
// is added to it: whoever has fuel at the start may use that up for nothing. The projections, which partition the costs
// as they are now, see the fuel in every flight. This is a share of the costs like any other (cost_partitioning.hpp),
// but a negative one for those who use a stock up (general cost partitioning: Pommerening et al. 2015).
//
// P is the value of a projection to a stock, and to what else its filling up depends on, with one level of the stock in
// the place of the goal. It takes from the cost of an action a at most the largest P(s) - E[P(s')] of its transitions;
// if that is negative, a becomes dearer.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "patterns/abstract_values.hpp"

namespace gpaplan {

struct Potential {
    Indices variables;
    Indices radix;
    AbstractValues values;       // T, of each rank; at most 0
    Indices actions;             // that look at it or change it
    std::vector<double> needed;  // of each of them: its share of the cost, negative if it becomes dearer
};

// What its projection may have at the most.
struct PotentialLimits {
    std::size_t variables;
    std::uint64_t states;
};

// That of one variable, perhaps with others that it depends on, that can be paid for with these costs,
// which the needs of a state have left over, and makes the actions dearer by the most that those needs are about;
// nothing if there is none.
std::optional<Potential> find_potential(const ProjectedTask& task, std::uint32_t variable,
                                        std::span<const double> costs, const PotentialLimits& limits, Stop& stop);

}  // namespace gpaplan
