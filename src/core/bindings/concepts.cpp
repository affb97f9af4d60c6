// Expressions about objects, rule lists, and the filter of them.

#include "automata/rule_filter.hpp"
#include "bindings/bindings.hpp"
#include "concepts/extensions.hpp"

namespace gpaplan {

namespace {

using RuleTuple = std::pair<std::uint32_t, Indices>;

NodeKind to_kind(std::uint32_t number) {
    if (number >= constructors().size()) throw InternalError("expressions: no such kind of node");
    return static_cast<NodeKind>(number);
}

Expressions to_expressions(std::uint32_t object_count, std::vector<Indices> wanted, const std::vector<Indices>& nodes) {
    Expressions expressions{object_count, std::move(wanted), {}};
    for (const auto& node : nodes) {
        if (node.empty()) throw InternalError("expressions: a node without a kind");
        expressions.nodes.push_back({to_kind(node[0]), Indices(node.begin() + 1, node.end())});
    }
    validate(expressions);
    return expressions;
}

std::vector<Rule> to_rules(const std::vector<RuleTuple>& rules) {
    std::vector<Rule> result;
    for (const auto& [schema, literals] : rules) result.push_back({schema, literals});
    return result;
}

// The meaning of a node, which must be of a sort, in a state.
const Meaning& meaning(Evaluator& self, const StateSpace& space, StateId state, std::uint32_t node, Sort sort) {
    check_index(node, self.node_count());
    if (sort_of(self.node(node).kind) != sort)
        throw nb::value_error(sort == Sort::concept_ ? "not a concept" : "not a relation");
    self.enter(bits_of(space, state));
    return self.meaning(node);
}

Indices objects(Evaluator& self, const StateSpace& space, StateId state, std::uint32_t node) {
    return bits_set(meaning(self, space, state, node, Sort::concept_).objects, self.block().width);
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs(Evaluator& self, const StateSpace& space, StateId state,
                                                           std::uint32_t node) {
    const auto& relation = meaning(self, space, state, node, Sort::relation);
    const auto& block = self.block();
    std::vector<std::pair<std::uint32_t, std::uint32_t>> result;
    for_each_bit(relation.objects, block.width, [&](std::uint32_t x) {
        for_each_bit(relation.rows + block.row(x), block.width, [&](std::uint32_t y) { result.emplace_back(x, y); });
    });
    return result;
}

bool literal_holds(Evaluator& self, const StateSpace& space, StateId state, NodeLiteral literal,
                   std::optional<ActionId> action) {
    check_index(literal >> 1U, self.node_count());
    const auto& node = self.node(literal >> 1U);
    if (sort_of(node.kind) != Sort::literal) throw nb::value_error("not a literal");
    IndexSpan arguments;
    if (action) {
        check_index(*action, self.task().action_count());
        arguments = self.task().action_arguments[*action];
    }
    for (std::uint32_t i = 0; i < parameter_count(node.kind); ++i) check_index(node.operands[i], arguments.size());
    self.enter(bits_of(space, state));
    return self.holds(literal, arguments);
}

void bind_evaluator(nb::module_& module) {
    module.def(
        "node_kind",
        [](const std::string& name) {
            const auto found = std::ranges::find(constructors(), std::string_view(name), &Constructor::name);
            if (found == constructors().end()) throw nb::key_error(name.c_str());
            return static_cast<std::uint32_t>(found - constructors().begin());
        },
        "name"_a, "The number of a kind of node (src/core/concepts/expressions.hpp).");
    nb::class_<Evaluator>(module, "Evaluator", "Values of expressions in states (src/core/concepts/evaluator.hpp).")
        .def(
            "__init__",
            [](Evaluator* self, const Task& task, std::uint32_t object_count, std::vector<Indices> wanted,
               const std::vector<Indices>& nodes) {
                new (self) Evaluator(task, to_expressions(object_count, std::move(wanted), nodes));
            },
            "task"_a, "object_count"_a, "wanted"_a, "nodes"_a, nb::keep_alive<1, 2>())
        .def("objects", &objects, "space"_a, "state"_a, "node"_a, "The objects of a concept, ascending.")
        .def("pairs", &pairs, "space"_a, "state"_a, "node"_a, "The pairs of a relation, ascending.")
        .def("holds", &literal_holds, "space"_a, "state"_a, "literal"_a, "action"_a.none() = nb::none(),
             "Whether a literal, 2·node or 2·node+1 for its negation, holds; about an action if it asks for one.");
}

// The actions of a state; none of a goal.
Indices actions_of(const StateSpace& space, StateId state) {
    Indices actions;
    if (!space.is_goal(state)) space.successors().applicable(space.bits(state), actions);
    return actions;
}

void bind_rule_filter(nb::module_& module) {
    nb::class_<RuleFilter, MatchingFilter>(module, "RuleFilter",
                                           "The filter of rule lists (src/core/automata/rule_filter.hpp).")
        .def(
            "__init__",
            [](RuleFilter* self, const Task& task, std::uint32_t object_count, std::vector<Indices> wanted,
               const std::vector<Indices>& nodes, const std::vector<std::vector<RuleTuple>>& lists, Indices levels,
               bool lenient) {
                std::vector<std::vector<Rule>> rules;
                for (const auto& list : lists) rules.push_back(to_rules(list));
                auto expressions = to_expressions(object_count, std::move(wanted), nodes);
                new (self) RuleFilter(task, std::move(expressions), rules, std::move(levels), lenient);
            },
            "task"_a, "object_count"_a, "wanted"_a, "nodes"_a, "lists"_a, "levels"_a = Indices{0}, "lenient"_a = false,
            nb::keep_alive<1, 2>(),
            "`lists` are lists of rules, pairs of a schema and literals; `levels` are those of the matches.")
        .def(
            "decide",
            [](RuleFilter& self, const StateSpace& space, StateId state) {
                check_index(state, space.size());
                self.decide(space.bits(state), actions_of(space, state));
                return std::pair(Indices(self.deciding()), Indices(self.kept()));
            },
            "space"_a, "state"_a,
            "Of each list which rule decides in a state, NO_ACTION if none does; and what is kept.")
        .def(
            "fitting",
            [](RuleFilter& self, const StateSpace& space, StateId state, ActionId action) {
                check_index(state, space.size());
                check_index(action, space.task().action_count());
                self.decide(space.bits(state), actions_of(space, state));
                return std::pair(self.fitting(action, true), self.fitting(action, false));
            },
            "space"_a, "state"_a, "action"_a,
            "The first deciding rule, and the first rule at all, that an action fits, numbered through; or NO_ACTION.")
        .def(
            "decide_all",
            [](RuleFilter& self, const StateSpace& space) {
                const nb::gil_scoped_release release;
                std::size_t count = 0;
                for (StateId state = 0; state < space.size(); ++state) {
                    self.decide(space.bits(state), actions_of(space, state));
                    count += self.kept().size();
                }
                return count;
            },
            "space"_a, "How many actions are kept in the states met so far, in all.");
}

// Extensions together with the states that Python gave.
std::vector<Extensions::Place> to_places(const std::vector<const StateSpace*>& spaces,
                                         const std::vector<std::pair<std::uint32_t, StateId>>& states) {
    std::vector<Extensions::Place> places;
    for (const auto& [task, state] : states) {
        check_index(task, spaces.size());
        const auto* bits = bits_of(*spaces[task], state);
        places.push_back({task, std::vector<Word>(bits, bits + spaces[task]->task().word_count())});
    }
    return places;
}

void bind_extensions(nb::module_& module) {
    nb::class_<Extensions>(module, "Extensions",
                           "Concepts and relations in many states at once (src/core/concepts/extensions.hpp).")
        .def(
            "__init__",
            [](Extensions* self, const std::vector<Evaluator*>& evaluators,
               const std::vector<const StateSpace*>& spaces,
               const std::vector<std::pair<std::uint32_t, StateId>>& states) {
                if (evaluators.size() != spaces.size()) throw nb::value_error("a space for each evaluator");
                new (self) Extensions(evaluators, to_places(spaces, states));
            },
            "evaluators"_a, "spaces"_a, "states"_a, nb::keep_alive<1, 2>(),
            "`states` are pairs of the index of a space and a state of it. The evaluators must be kept in the list.")
        .def("read", &Extensions::read, "nodes"_a, ReleaseGil(),
             "The id of a concept or a relation, given by a node for each evaluator; the next one if it is new.")
        .def(
            "make",
            [](Extensions& self, std::uint32_t kind, const std::vector<Indices>& operands) {
                const nb::gil_scoped_release release;
                Indices ids;
                for (const auto& each : operands) ids.push_back(self.make(to_kind(kind), each));
                return ids;
            },
            "kind"_a, "operands"_a, "The ids of what is made of others, which are given by id.");
}

// A column as the bytes of a number: bit i is row i.
nb::bytes to_bytes(const std::vector<Word>& words) {
    std::string bytes;
    for (auto word : words)
        for (unsigned shift = 0; shift < 64; shift += 8) bytes.push_back(static_cast<char>(word >> shift & 0xffU));
    return nb::bytes(bytes.data(), bytes.size());
}

void bind_columns(nb::module_& module) {
    nb::class_<LiteralColumns>(module, "LiteralColumns",
                               "Truth values of literals on rows (src/core/concepts/extensions.hpp).")
        .def(nb::init<Extensions&, const std::vector<std::pair<std::uint32_t, ActionId>>&>(), "extensions"_a, "rows"_a,
             nb::keep_alive<1, 2>(), "`rows` are pairs of the index of a state and an action; all of one schema.")
        .def(
            "make",
            [](LiteralColumns& self, std::uint32_t kind, const Indices& parameters,
               const std::vector<Indices>& operands) {
                std::vector<std::pair<std::size_t, nb::bytes>> found;
                for (std::size_t i = 0; i < operands.size(); ++i)
                    if (self.make(to_kind(kind), parameters, operands[i]))
                        found.emplace_back(i, to_bytes(self.column()));
                return found;
            },
            "kind"_a, "parameters"_a, "operands"_a,
            "Those of several literals of a kind that are new, by index, with their columns.")
        .def(
            "column",
            [](LiteralColumns& self, std::uint32_t kind, const Indices& parameters, const Indices& operands) {
                self.make(to_kind(kind), parameters, operands);
                return to_bytes(self.column());
            },
            "kind"_a, "parameters"_a, "operands"_a, "The column of a literal, new or not.");
}

}  // namespace

void bind_concepts(nb::module_& module) {
    bind_evaluator(module);
    bind_rule_filter(module);
    bind_extensions(module);
    bind_columns(module);
}

}  // namespace gpaplan
