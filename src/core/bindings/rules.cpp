// What learning rules needs of the core.

#include "automata/rule_filter.hpp"
#include "automata/rule_goals.hpp"
#include "automata/rule_rows.hpp"
#include "bindings/bindings.hpp"
#include "policies/rollout.hpp"

namespace gpaplan {

namespace {

// A column as Python has it, the bytes of an integer with the lowest first.
std::vector<Word> to_words(const nb::bytes& bytes, std::size_t rows) {
    std::vector<Word> words((rows + 63) / 64, 0);
    const auto* data = static_cast<const std::uint8_t*>(bytes.data());
    const auto size = std::min<std::size_t>(bytes.size(), 8 * words.size());
    for (std::size_t i = 0; i < size; ++i) words[i / 8] |= Word{data[i]} << (8 * (i % 8));
    return words;
}

// Trials that draw among the actions that rules keep; fewer than asked for if `stop` said so.
std::vector<std::tuple<double, std::uint32_t, const char*>> kept_trials(const Task& task, RuleFilter& rules,
                                                                        std::uint32_t trials, std::uint32_t horizon,
                                                                        std::uint64_t seed, Stop& stop) {
    std::vector<std::tuple<double, std::uint32_t, const char*>> result;
    const SuccessorGenerator successors(task, stop);
    const auto choose = [&](const Word* state, Random& random) {
        rules.decide(state, successors.applicable(state));
        return random.one_of(rules.kept(), no_id);
    };
    for (const auto& trial : run_trials(task, successors, choose, {trials, horizon, seed}, stop))
        result.emplace_back(trial.cost, trial.steps, name_of(trial.end));
    return result;
}

std::pair<std::vector<double>, std::vector<double>> choice_values(StateSpace& space, const std::vector<Indices>& kept,
                                                                  double dead_end_cost, Stop& stop) {
    std::vector<double> goals;
    std::vector<double> costs;
    for (const auto& prospect : evaluate_choices(space, kept, dead_end_cost, stop)) {
        goals.push_back(prospect.goal);
        costs.push_back(prospect.cost);
    }
    return {std::move(goals), std::move(costs)};
}

}  // namespace

void bind_rules(nb::module_& module) {
    nb::class_<RuleScore>(module, "RuleScore", "What a rule is worth (src/core/automata/rule_rows.hpp).")
        .def_ro("score", &RuleScore::score)
        .def_ro("literal", &RuleScore::literal)
        .def_ro("states", &RuleScore::states)
        .def_ro("rows", &RuleScore::rows)
        .def_ro("regret", &RuleScore::regret)
        .def_ro("mark", &RuleScore::mark);
    nb::class_<RuleRows>(module, "RuleRows", "The rows of a schema, from which rules are learned.")
        .def(
            "__init__",
            [](RuleRows* self, const Indices& states, const std::vector<nb::bytes>& columns,
               const Indices& complexities) {
                std::vector<std::vector<Word>> words;
                for (const auto& column : columns) words.push_back(to_words(column, states.size()));
                new (self) RuleRows(states, std::move(words), complexities);
            },
            "states"_a, "columns"_a, "complexities"_a,
            "The training state of each row; the rows of each literal, as bytes of bits; their complexities.")
        .def("__len__", &RuleRows::size)
        .def("set_regrets", &RuleRows::set_regrets, "regrets"_a)
        .def("set_losses", &RuleRows::set_losses, "losses"_a, "Of each training state, without the rule.")
        .def("fitting", &RuleRows::fitting, "rule"_a, "The rows of active states that fit.")
        .def(
            "score",
            [](const RuleRows& self, const std::vector<RuleLiteral>& rule, double complexity) {
                return self.score(rule, {complexity});
            },
            "rule"_a, nb::kw_only(), "complexity"_a)
        .def(
            "extend",
            [](const RuleRows& self, const std::vector<RuleLiteral>& rule, double complexity, double beat,
               std::uint32_t columns, std::uint32_t most,
               Stop& stop) { return self.extend(rule, {complexity, beat}, columns, most, stop); },
            "rule"_a, nb::kw_only(), "complexity"_a, "beat"_a, "columns"_a, "most"_a, "stop"_a, ReleaseGil(),
            "The best rules of one literal more.");
    module.attr("FORBIDDEN") = RuleRows::forbidden;
    module.def("run_kept_trials", &kept_trials, nb::kw_only(), "task"_a, "rules"_a, "trials"_a, "horizon"_a, "seed"_a,
               "stop"_a, ReleaseGil(),
               "(cost, steps, what ended it) of trials that draw among the actions that a rule list keeps.");
    module.def("evaluate_choices", &choice_values, "space"_a, "kept"_a, "dead_end_cost"_a, "stop"_a, ReleaseGil(),
               "Goal probabilities and expected costs, by state, of drawing one of the actions kept in each state.");
    module.def("serial_regrets", &serial_regrets, "space"_a, "met"_a, "values"_a, "dead_end"_a, "penalty"_a, "stop"_a,
               ReleaseGil(), "Regrets, by state and transition (src/core/automata/rule_goals.hpp).");
}

}  // namespace gpaplan
