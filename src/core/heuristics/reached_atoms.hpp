// Which atoms can change at all: those that the delete relaxation (relaxation.hpp) reaches from the initial state.
//
// What it does not reach is out of reach; what it reaches may be out of reach all the same.
#pragma once

#include "task/task.hpp"

namespace gpaplan {

struct FixedAtoms {
    Indices never_true;
    Indices never_false;  // only of atoms that occur negated in some condition of the task
};

FixedAtoms find_fixed_atoms(const Task& task);

}  // namespace gpaplan
