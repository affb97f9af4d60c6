// The heuristics on a relaxation.
//
//   h-max             the cost of the goal if the dearest precondition stands for all of them; admissible
//   h-add             the cost of the goal if preconditions have nothing in common; not admissible
//   relaxed plan, FF  the cost of a plan of the relaxation: the goal's supporters by h-add, theirs, and so on, each
//                     counted once, however often it is used. Between h-max and h-add; not admissible
//   landmark cut      the sum of the costs of sets of operators of each of which every plan uses one; admissible, and
//                     never below h-max
//
// All are infinite exactly if the relaxation cannot reach the goal, and 0 in goal states. Admissible means: never above
// the optimal expected cost of the stochastic task (relaxation.hpp says why).
//
// Example, Gripper(1), initially: pick, move and drop are a relaxed plan. pick and move can come first, at a cost of
// 1.25, since it succeeds with 0.8, and 1; h-max is 1.25 + 1, h-add is 1.25 + 1 + 1 = 3.25, and so are FF and the
// landmark cut ({drop}, {move}, {pick} by either hand). So is the optimal expected cost.
#pragma once

#include "heuristics/heuristic.hpp"
#include "heuristics/relaxation.hpp"

namespace gpaplan {

std::unique_ptr<Heuristic> make_relaxed_plan_heuristic(Relaxation relaxation);
std::unique_ptr<Heuristic> make_landmark_cut_heuristic(Relaxation relaxation);

// What an evaluation takes (Heuristic::evaluation_cost): to look at an operator of a fact is a step, …
constexpr std::uint64_t steps_of_fact = 4;  // … and so many are to take the fact from the queue; fitted on 24 problems
constexpr std::uint64_t cost_of_steps(std::uint64_t steps) { return 8 + steps / 32; }

// A heuristic that computes with integers if the relaxation's costs allow it, and with doubles otherwise.
template <template <typename> class SomeHeuristic>
std::unique_ptr<Heuristic> make_by_costs(Relaxation relaxation) {
    if (relaxation.unit > 0) return std::make_unique<SomeHeuristic<std::uint32_t>>(std::move(relaxation));
    return std::make_unique<SomeHeuristic<double>>(std::move(relaxation));
}

}  // namespace gpaplan
