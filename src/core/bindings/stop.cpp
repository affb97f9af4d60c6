// Errors as Python exceptions, limits and interrupts.

#include "bindings/bindings.hpp"

namespace gpaplan {

namespace {

// Lets Python run its signal handlers, and calls the progress function, if there is one, in any case: it takes notice
// of what the handlers noted, and says whether to end.
bool python_interrupted(const nb::object& progress) {
    const nb::gil_scoped_acquire gil;
    const bool signalled = PyErr_CheckSignals() != 0;
    if (signalled) PyErr_Clear();
    return (!progress.is_none() && progress().is(nb::bool_(true))) || signalled;
}

// An error of the core as a Python exception, which has its fields as arguments.
template <typename Error, auto... fields>
void bind_error(nb::module_& module, const char* name) {
    const auto full_name = nb::cast<std::string>(module.attr("__name__")) + "." + name;
    auto* const type = PyErr_NewException(full_name.c_str(), PyExc_RuntimeError, nullptr);
    module.attr(name) = nb::borrow(type);
    nb::register_exception_translator(
        [](const std::exception_ptr& pointer, void* raised) {
            try {
                std::rethrow_exception(pointer);
            } catch (const Error& error) {
                PyErr_SetObject(static_cast<PyObject*>(raised), nb::make_tuple(error.*fields...).ptr());
            }
        },
        type);
}

}  // namespace

void bind_errors(nb::module_& module) {
    nb::exception<InternalError>(module, "InternalError", PyExc_RuntimeError);
    nb::exception<TaskTooLarge>(module, "TaskTooLarge", PyExc_RuntimeError);
    bind_error<TooManyOutcomes, &TooManyOutcomes::action, &TooManyOutcomes::limit>(module, "TooManyOutcomes");
    bind_error<NonPositiveCost, &NonPositiveCost::action, &NonPositiveCost::cost>(module, "NonPositiveCost");
    bind_error<OutOfRange, &OutOfRange::action, &OutOfRange::quantity>(module, "OutOfRange");
    bind_error<MissingValue, &MissingValue::function, &MissingValue::arguments, &MissingValue::schema>(module,
                                                                                                       "MissingValue");
    bind_error<Stopped, &Stopped::name>(module, "Stopped");
}

void bind_stop(nb::module_& module) {
    nb::class_<Stop>(module, "Stop",
                     "A deadline, bounds on the process's memory and on states expanded, and the user's interrupt.")
        .def(
            "__init__",
            [](Stop* self, double seconds, std::uint64_t memory_bytes, std::uint64_t max_states,
               const std::optional<nb::typed<nb::callable, nb::object()>>& progress) {
                const nb::object hook = progress ? nb::object(*progress) : nb::none();
                new (self) Stop(seconds, memory_bytes, max_states, [hook] { return python_interrupted(hook); });
            },
            "seconds"_a = 1e18, "memory_bytes"_a = ~std::uint64_t{0}, "max_states"_a = ~std::uint64_t{0},
            "progress"_a = nb::none(),
            "`progress` is called now and then, every 20 ms at the most; where it returns True, that is an interrupt.")
        .def(
            "check", [](Stop& stop) { return name_of(stop.check()); },
            "Looks at the limits, and calls the progress function if it is time to; returns `reason`.")
        .def(
            "part",
            [](Stop& stop, std::uint64_t max_states, std::uint64_t max_work, double seconds) {
                return std::make_unique<Stop>(stop, max_states, max_work, seconds);
            },
            nb::kw_only(), "max_states"_a = ~std::uint64_t{0}, "max_work"_a = ~std::uint64_t{0}, "seconds"_a = 1e18,
            nb::keep_alive<0, 1>(), "Limits of a part of the work: these, and others that these do not note.")
        .def("strike_after", &Stop::strike_after, "looks"_a,
             "For tests: as if the time limit came at the look after so many; searches then look before each backup.")
        .def("interrupt", &Stop::interrupt,
             "End the work as Ctrl-C would. May be called by another thread than the one that works.")
        .def_prop_ro(
            "reason", [](const Stop& stop) { return name_of(stop.reason()); },
            "'' while nothing has stopped the work, else 'time', 'memory', 'interrupt', 'states' or 'work'.");
    bind_names<StopReason>(module, "stop_reasons", "What `reason` may be.");
    module.def("resident_memory", &resident_memory, "The resident memory of this process in bytes, 0 if unknown.");
}

}  // namespace gpaplan
