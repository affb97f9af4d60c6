// The operators of the all-outcomes determinisation: the first step towards a relaxation (relaxation.hpp says what they
// are). What comes back has facts, operators, groups and costs, but still all operators, and no index by fact.
#pragma once

#include "heuristics/relaxation.hpp"

namespace gpaplan {

Relaxation determinise(const Task& task, Outcomes outcomes, Stop& stop);

}  // namespace gpaplan
