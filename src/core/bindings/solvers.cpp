// Solvers.

#include "solvers/solvers.hpp"
#include "bindings/bindings.hpp"
#include "solvers/bootstrap.hpp"

namespace gpaplan {

namespace {

// Runs a solver; returns what stopped it, '' if it ran to its end.
template <typename Run>
std::string run(Search& search, Stop& stop, Run solver) {
    const nb::gil_scoped_release release;
    const StopScope scope(search, &stop);
    try {
        solver();
    } catch (const Stopped&) {
    }
    return name_of(stop.reason());
}

template <void (*solver)(Search&)>
std::string run_without_settings(Search& search, Stop& stop) {
    return run(search, stop, [&] { solver(search); });
}

template <typename Settings, void (*solver)(Search&, const Settings&)>
std::string run_by_settings(Search& search, Stop& stop, const nb::object& settings) {
    const auto read = settings_of<Settings>({&settings, 1});
    return run(search, stop, [&] { solver(search, read); });
}

void make_search(Search* place, StateSpace& space, TaskHeuristic& heuristic, const nb::args& records,
                 const nb::kwargs& single) {
    std::vector<nb::object> known{nb::module_::import_("types").attr("SimpleNamespace")(**single)};
    for (nb::handle record : records) known.push_back(nb::borrow(record));
    std::size_t named_here = 0;
    SearchSettings{}.each_field([&](const char* name, auto&) { named_here += single.contains(name); });
    if (named_here < single.size()) throw nb::type_error("a search has no setting of this name");
    new (place) Search(space, *heuristic.heuristic, settings_of<SearchSettings>(known));
}

// What is true of a policy, its action in each state that it reaches, and the largest residual on these.
std::tuple<PolicyReport, Indices, double> verified(Search& search, const PolicyFunction& policy, Stop& stop) {
    const auto penalty = search.unweighted_dead_end_cost();
    auto report = evaluate_policy(search.space(), policy, penalty, stop);
    if (report.proper && report.cost == infinity) throw OutOfRange(no_id, "cost");
    Indices actions;
    for (auto state : report.reachable) actions.push_back(policy(state));
    const auto residual = largest_residual(
        search.space(), report.reachable, [&](StateId state) { return search.known_value(state); }, penalty);
    return {std::move(report), std::move(actions), residual};
}

}  // namespace

void bind_solvers(nb::module_& module) {
    bind_names<Distance>(module, "distance_names", "How Soft-FLARES measures distance.");
    bind_names<LabellingFunction>(module, "labelling_names", "How Soft-FLARES turns distance into a probability.");
    module.def(
        "bootstrap",
        [](Search& earlier, TaskHeuristic& below) {
            return std::make_unique<TaskHeuristic>(
                TaskHeuristic{below.task, std::make_unique<Bootstrap>(earlier, *below.heuristic)});
        },
        "earlier"_a, "below"_a, nb::keep_alive<0, 1>(), nb::keep_alive<0, 2>(),
        "The finite values of an earlier search as a heuristic, above another one for all other states.");
    module.def(
        "representative_values",
        [](Search& search, const std::shared_ptr<Task>& task) {
            return std::make_unique<TaskHeuristic>(TaskHeuristic{task, std::make_unique<RepresentativeValues>(search)});
        },
        "search"_a, "task"_a, nb::keep_alive<0, 1>(),
        "The values of a search up to symmetry as a heuristic for the states themselves.");
    nb::class_<Search>(module, "Search", "A value function over a state space, and the solvers that improve it.")
        .def("__init__", &make_search, "space"_a, "heuristic"_a, "records"_a, "settings"_a, nb::keep_alive<1, 2>(),
             nb::keep_alive<1, 3>(),
             nb::sig("def __init__(self, space: StateSpace, heuristic: Heuristic, *records: object, **settings: object)"
                     " -> None"),
             "Settings (SearchSettings) are given by name, or as records that have them.")
        .def_prop_ro(
            "initial", [](Search& search) { return search.space().initial(); }, "The initial state.")
        .def_prop_rw("root", &Search::root, of_state<Search>(&Search::set_root),
                     "The state that solvers solve: the initial one, unless another is set.")
        .def("is_solved", &Search::is_solved, "state"_a, "Whether a solver has labelled a state.")
        .def(
            "value", [](Search& search, StateId state) { return search.value(state); },
            "The value of a state: its estimate, or what backups have made of it.")
        .def("value_iteration", &run_without_settings<run_value_iteration>,
             "Topological value iteration. Like the solvers below it returns what stopped it, '' if nothing did.")
        .def("lao_star", &run_without_settings<run_lao_star>, "LAO*.")
        .def("improved_lao_star", &run_without_settings<run_improved_lao_star>, "Improved LAO*.")
        .def("weighted_lao_star", &run_without_settings<run_weighted_lao_star>,
             "Improved LAO* with the weight that the heuristic has.")
        .def("lrtdp", &run_without_settings<run_lrtdp>, "LRTDP.")
        .def("soft_flares", &run_by_settings<SoftFlaresSettings, run_soft_flares>, "stop"_a, "settings"_a,
             "Soft-FLARES, by a record with the fields of SoftFlaresSettings.")
        .def("ssipp", &run_by_settings<Horizon, run_ssipp>, "stop"_a, "settings"_a,
             "Labeled SSiPP, by a record with the fields of Horizon.")
        .def("estimate", &Search::estimate, "The value of the root.")
        .def("backup", &Search::backup, "Back up a state; returns by how much its value changed.")
        .def("residual", &Search::residual, "By how much a backup would change the value of a state.")
        .def("is_dead_end", &Search::is_dead_end, "Whether a state is known to have no way to the goal.")
        .def(
            "greedy_successors",
            [](Search& search, StateId state) {
                std::vector<std::pair<double, StateId>> result;
                for (const auto& outcome : search.greedy_outcomes(state))
                    result.emplace_back(search.space().numbers()[outcome.probability], outcome.successor);
                return result;
            },
            "(probability, state) of the outcomes of the greedy action; none before the first backup.")
        .def(
            "close_policy",
            [](Search& search, Stop& stop) { return run(search, stop, [&] { search.close_policy(); }); },
            "Back up states until the greedy policy is closed and reaches its end from everywhere.")
        .def("close_gap", &run_without_settings<close_gap>, "stop"_a,
             "Go on until the greedy policy is optimal up to a share of its cost, or nothing is left to gain.")
        .def("mark_dead_ends", &Search::mark_dead_ends, "Give states that cannot get away their value.")
        .def("is_hopeless", of_state<Search>(&Search::is_hopeless), "state"_a, ReleaseGil(),
             "Whether it is certain that no way leads from a state to a goal.")
        .def("rule_out", of_state<Search>(&Search::rule_out), "state"_a,
             "From now on a state counts as a dead end, whatever comes.")
        .def("set_value", of_state<Search, decltype(&Search::set_value), double>(&Search::set_value), "state"_a,
             "value"_a, "Give a state a value, such as one that an earlier search has found.")
        .def(
            "verify",
            [](Search& search, Stop& stop) {
                const nb::gil_scoped_release release;
                return verified(search, [&](StateId state) { return search.policy_action(state); }, stop);
            },
            "stop"_a,
            "The greedy policy: its report, its action in each state that it reaches, and the largest residual.")
        .def(
            "explored_policy",
            [](Search& search, Stop& stop) {
                const nb::gil_scoped_release release;
                const double penalty = search.unweighted_dead_end_cost();
                try {
                    const auto policy = find_explored_policy(search, stop);
                    auto found = verified(search, by_column(policy), stop);
                    if (std::get<0>(found).cost <= penalty) return found;
                } catch (const Stopped&) {
                    if (penalty == infinity) throw;
                }
                Stop no_limits;
                return verified(search, [](StateId) { return give_up; }, no_limits);
            },
            "stop"_a,
            "The same of a policy that does not leave what is explored, where there is one. Where one may give up, it "
            "gives up at once if nothing cheaper is found, or not before the limit.")
        .def(
            "actions",
            [](Search& search, const Indices& states) {
                Indices actions;
                for (auto state : states) {
                    check_index(state, search.space().size());
                    actions.push_back(search.policy_action(state));
                }
                return actions;
            },
            "states"_a, "The action of the greedy policy in each of these states, NO_ACTION or GIVE_UP.")
        .def(
            "values",
            [](const Search& search) { return std::vector<double>(search.values().begin(), search.values().end()); },
            "The value of each state, negative where it was never looked at.")
        .def_prop_rw("weight", &Search::weight, &Search::set_weight,
                     "The weight of the heuristic beside costs. Another one starts all values anew.")
        .def_prop_ro("backup_count", &Search::backup_count, "Backups made.")
        .def_prop_ro("evaluation_count", &Search::evaluation_count, "Calls of the heuristic.")
        .def_prop_ro("work", &Search::work, "How much was done so far, roughly in proportion to time.")
        .def_prop_ro("bytes", &Search::bytes, "The memory that its columns take.");
    nb::class_<LookAhead>(module, "LookAhead", "The task within a few steps of a state (solvers/look_ahead.hpp).")
        .def(
            "__init__",
            [](LookAhead* self, Search& search, const nb::object& settings, double keep_above) {
                new (self) LookAhead(search, settings_of<Horizon>({&settings, 1}), keep_above);
            },
            "search"_a, "settings"_a, "keep_above"_a, nb::keep_alive<1, 2>(), "By a record with the fields of Horizon.")
        .def(
            "advise",
            [](LookAhead& look_ahead, StateId state, Stop& stop, std::uint64_t work) {
                const nb::gil_scoped_release release;
                const auto advice = look_ahead.advise(state, stop, work);
                std::vector<std::tuple<ActionId, double, double>> actions;
                for (const auto& each : advice.actions) actions.emplace_back(each.action, each.value, each.cost);
                return std::tuple(advice.value, actions, advice.looked_at, advice.is_finished);
            },
            "state"_a, "stop"_a, "work"_a,
            "The value, (action, value, cost) of the actions, states looked at, and whether all were.");
}

}  // namespace gpaplan
