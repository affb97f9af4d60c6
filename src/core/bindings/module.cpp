// The extension module `gpaplan._core`: this folder is the only place that knows of Python.
//
// Long calls release the GIL and take a `Stop`, whose interrupt hook takes it back for a moment to let Python run its
// signal handlers. Errors of the core become Python exceptions whose arguments are the error's fields.

#include <cstdio>
#include <exception>

#include "bindings/bindings.hpp"

namespace {

// Arguments are turned into lists of the core by functions that must not throw: where there is no memory for them, the
// process is at its end. The command line then says so, like anywhere else.
void say_out_of_memory() {
    try {
        if (const auto error = std::current_exception()) std::rethrow_exception(error);
    } catch (const std::bad_alloc&) {
        std::fputs("out of memory; give --memory-limit to stop earlier with what was found\n", stderr);
        std::_Exit(11);
    } catch (...) {
    }
    std::abort();
}

std::string dotted(int major, int minor, int patch) {
    return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
}

// How this was built: what a report of a bug should say.
nb::dict build() {
    nb::dict record;
#if defined(__clang__)
    record["compiler"] = "Clang " + dotted(__clang_major__, __clang_minor__, __clang_patchlevel__);
#elif defined(__GNUC__)
    record["compiler"] = "GCC " + dotted(__GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#else
    record["compiler"] = "unknown";
#endif
    record["type"] = GPAPLAN_BUILD_TYPE;
    record["nanobind"] = dotted(NB_VERSION_MAJOR, NB_VERSION_MINOR, NB_VERSION_PATCH);
    return record;
}

}  // namespace

NB_MODULE(_core, module) {
    // A heuristic written in Python may know the solution that was found with it. Such a cycle passes through the core,
    // where Python's collector does not see it; at the end of the program that is nothing to warn of.
    nanobind::set_leak_warnings(false);
    module.doc() = "The C++ core of gpaplan.";
    module.def("build", &build, nb::sig("def build() -> dict[str, str]"),
               "How the core was built: its compiler, the type of the build, and the version of nanobind.");
    module.def(
        "say_out_of_memory", [] { std::set_terminate(&say_out_of_memory); },
        "Where arguments of the core find no memory, end with a message and exit code 11.");
    using namespace gpaplan;
    for (auto* bind : {bind_errors, bind_stop, bind_task, bind_symmetry, bind_state_space, bind_world, bind_policy,
                       bind_heuristics, bind_solvers, bind_automaton, bind_concepts, bind_rules, bind_proofs})
        bind(module);
}
