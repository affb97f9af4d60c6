// The operators of the all-outcomes determinisation: the first step towards a relaxation (relaxation.hpp says what they
// are). What comes back has facts, operators, groups and costs; operators are not pruned, and nothing is indexed by
// fact. Copies are found by hashing while operators are made, so they never take memory.
#pragma once

#include "relaxation.hpp"

namespace gpaplan {

Relaxation determinise(const Task& task, Outcomes outcomes);

}  // namespace gpaplan
