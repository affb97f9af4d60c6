// The task that is left if only the variables of a pattern are seen: what a projection is the space of.
#pragma once

#include <memory>

#include "patterns/projection.hpp"

namespace gpaplan {

struct PatternTask {
    static constexpr AtomId jumped =
        0;  // a goal by itself; behind it are the atoms of the variables, one after the other

    std::shared_ptr<const Task> task;
    Ranges actions;  // of each of its actions: those of the task that look like it
};

// Throws Stopped.
PatternTask see_task(const ProjectedTask& task, const Indices& pattern, Stop& stop);

}  // namespace gpaplan
