// The extension module `gpaplan._core`: this folder is the only place that knows of Python.
//
// Long calls release the GIL and take a `Stop`, whose interrupt hook takes it back for a moment to let Python run its
// signal handlers. Errors of the core become Python exceptions whose arguments are the error's fields.

#include "bindings/bindings.hpp"

NB_MODULE(_core, module) {
    // A heuristic written in Python may know the solution that was found with it. Such a cycle passes through the core,
    // where Python's collector does not see it; at the end of the program that is nothing to warn of.
    nanobind::set_leak_warnings(false);
    module.doc() = "The C++ core of gpaplan.";
    gpaplan::bind_errors(module);
    gpaplan::bind_stop(module);
    gpaplan::bind_task(module);
    gpaplan::bind_symmetry(module);
    gpaplan::bind_state_space(module);
    gpaplan::bind_world(module);
    gpaplan::bind_episode(module);
    gpaplan::bind_policy(module);
    gpaplan::bind_variables(module);
    gpaplan::bind_heuristics(module);
    gpaplan::bind_solvers(module);
    gpaplan::bind_automaton(module);
    gpaplan::bind_concepts(module);
    gpaplan::bind_rules(module);
}
