// Expressions about objects, rule lists, and the abstraction by them.

#include "automata/rule_abstraction.hpp"
#include "bindings/bindings.hpp"
#include "concepts/extensions.hpp"

namespace gpaplan {

namespace {

using RuleTuple = std::pair<std::uint32_t, Indices>;
using ExtensionId = Extensions::ExtensionId;

Expressions to_expressions(std::uint32_t object_count, std::vector<Indices> wanted, const std::vector<Indices>& nodes) {
    Expressions expressions{object_count, std::move(wanted), {}};
    for (const auto& node : nodes) {
        if (node.empty() || node[0] > static_cast<std::uint32_t>(NodeKind::nearer))
            throw InternalError("expressions: no such kind of node");
        expressions.nodes.push_back({static_cast<NodeKind>(node[0]), Indices(node.begin() + 1, node.end())});
    }
    validate(expressions);
    return expressions;
}

std::vector<Rule> to_rules(const std::vector<RuleTuple>& rules) {
    std::vector<Rule> result;
    for (const auto& [schema, literals] : rules) result.push_back({schema, literals});
    return result;
}

const Node& node_of(const Evaluator& evaluator, std::uint32_t node) {
    check_index(node, evaluator.node_count());
    return evaluator.node(node);
}

IdList objects(Evaluator& self, const StateSpace& space, StateId state, std::uint32_t node) {
    if (!is_concept(node_of(self, node).kind)) throw nb::value_error("not a concept");
    self.enter(bits_of(space, state));
    return bits_set(self.objects(node), self.width());
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs(Evaluator& self, const StateSpace& space, StateId state,
                                                           std::uint32_t node) {
    if (!is_role(node_of(self, node).kind)) throw nb::value_error("not a role");
    self.enter(bits_of(space, state));
    const auto& relation = self.relation(node);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> result;
    relation.for_each_source([&](std::uint32_t x) {
        for_each_bit(relation[x], self.width(), [&](std::uint32_t y) { result.emplace_back(x, y); });
    });
    return result;
}

bool literal_holds(Evaluator& self, const StateSpace& space, StateId state, NodeLiteral literal,
                   std::optional<ActionId> action) {
    const auto& node = node_of(self, literal >> 1U);
    if (!is_literal(node.kind)) throw nb::value_error("not a literal");
    IndexSpan arguments;
    if (action) {
        check_index(*action, self.task().action_count());
        arguments = self.task().action_arguments[*action];
    }
    const auto parameters = !is_about_action(node.kind) ? 0U : node.kind == NodeKind::is ? 1U : 2U;
    for (std::uint32_t i = 0; i < parameters; ++i) check_index(node.operands[i], arguments.size());
    self.enter(bits_of(space, state));
    return self.holds(literal, arguments);
}

void bind_evaluator(nb::module_& module) {
    nb::enum_<NodeKind>(module, "NodeKind", nb::is_arithmetic())
        .value("OBJECTS", NodeKind::objects)
        .value("ARGUMENT", NodeKind::argument)
        .value("COMPLEMENT", NodeKind::complement)
        .value("INTERSECTION", NodeKind::intersection)
        .value("SOME", NodeKind::some)
        .value("EVERY", NodeKind::every)
        .value("SAME", NodeKind::same)
        .value("PAIRS", NodeKind::pairs)
        .value("INVERSE", NodeKind::inverse)
        .value("CLOSURE", NodeKind::closure)
        .value("STAR", NodeKind::star)
        .value("COMMON", NodeKind::common)
        .value("DIFFERENCE", NodeKind::difference)
        .value("DISTANCE", NodeKind::distance)
        .value("FLAG", NodeKind::flag)
        .value("EMPTY", NodeKind::empty)
        .value("IS", NodeKind::is)
        .value("RELATED", NodeKind::related)
        .value("NEARER", NodeKind::nearer);
    nb::class_<Evaluator>(module, "Evaluator", "Values of expressions in states (src/core/concepts/evaluator.hpp).")
        .def(
            "__init__",
            [](Evaluator* self, const Task& task, std::uint32_t object_count, std::vector<Indices> wanted,
               const std::vector<Indices>& nodes) {
                new (self) Evaluator(task, to_expressions(object_count, std::move(wanted), nodes));
            },
            "task"_a, "object_count"_a, "wanted"_a, "nodes"_a, nb::keep_alive<1, 2>())
        .def("objects", &objects, "space"_a, "state"_a, "node"_a, "The objects of a concept, ascending.")
        .def("pairs", &pairs, "space"_a, "state"_a, "node"_a, "The pairs of a role, ascending.")
        .def("holds", &literal_holds, "space"_a, "state"_a, "literal"_a, "action"_a.none() = nb::none(),
             "Whether a literal, 2·node or 2·node+1 for its negation, holds; about an action if it asks for one.");
}

void bind_rule_abstraction(nb::module_& module) {
    nb::class_<RuleAbstraction, Abstraction>(module, "RuleAbstraction",
                                             "The abstraction by rule lists (src/core/automata/rule_abstraction.hpp).")
        .def(
            "__init__",
            [](RuleAbstraction* self, const Task& task, std::uint32_t object_count, std::vector<Indices> wanted,
               const std::vector<Indices>& nodes, const std::vector<std::vector<RuleTuple>>& lists, Stop* stop) {
                GivenStop limits{stop};
                std::vector<std::vector<Rule>> rules;
                for (const auto& list : lists) rules.push_back(to_rules(list));
                new (self) RuleAbstraction(task, to_expressions(object_count, std::move(wanted), nodes), rules, limits);
            },
            "task"_a, "object_count"_a, "wanted"_a, "nodes"_a, "lists"_a, "stop"_a.none() = nb::none(),
            nb::keep_alive<1, 2>(),
            "`lists` are lists of rules: pairs of a schema and literals, 2·node, or 2·node+1 for its negation.")
        .def(
            "fits",
            [](RuleAbstraction& self, const StateSpace& space, StateId state) {
                const auto id = self.enter(bits_of(space, state));
                return std::pair(id, IdList(self.kept()));
            },
            "space"_a, "state"_a, "The abstract id of a state, and the actions that deciding rules keep.")
        .def(
            "decide_all",
            [](RuleAbstraction& self, const StateSpace& space) {
                Indices counts(self.state_count(), 0);
                const nb::gil_scoped_release release;
                for (StateId state = 0; state < space.size(); ++state) ++counts[self.state(space.bits(state))];
                return counts;
            },
            "space"_a, "How many of the states met so far have each abstract id.");
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
    using Release = nb::call_guard<nb::gil_scoped_release>;
    nb::class_<Extensions>(module, "Extensions",
                           "Concepts and roles in many states at once (src/core/concepts/extensions.hpp).")
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
        .def_prop_ro("concept_count", &Extensions::concept_count)
        .def_prop_ro("role_count", &Extensions::role_count)
        .def("concept_of", &Extensions::concept_of, "nodes"_a, Release())
        .def("role_of", &Extensions::role_of, "nodes"_a, Release())
        .def("flag_of", &Extensions::flag_of, "nodes"_a, Release());
    auto extensions = nb::borrow<nb::class_<Extensions>>(module.attr("Extensions"));
    const auto unary = [&](const char* name, ExtensionId (Extensions::*operation)(ExtensionId),
                           std::uint32_t (Extensions::*count)() const) {
        extensions.def(
            name,
            [operation, count](Extensions& self, ExtensionId of) {
                check_index(of, (self.*count)());
                const nb::gil_scoped_release release;
                return (self.*operation)(of);
            },
            "of"_a);
    };
    const auto binary = [&](const char* name, ExtensionId (Extensions::*operation)(ExtensionId, ExtensionId),
                            std::uint32_t (Extensions::*count)() const) {
        extensions.def(
            name,
            [operation, count](Extensions& self, ExtensionId first, ExtensionId second) {
                check_index(first, (self.*count)());
                check_index(second, (self.*count)());
                const nb::gil_scoped_release release;
                return (self.*operation)(first, second);
            },
            "first"_a, "second"_a);
    };
    unary("complement", &Extensions::complement, &Extensions::concept_count);
    unary("inverse", &Extensions::inverse, &Extensions::role_count);
    binary("intersection", &Extensions::intersection, &Extensions::concept_count);
    binary("same", &Extensions::same, &Extensions::role_count);
    binary("common", &Extensions::common, &Extensions::role_count);
    binary("difference", &Extensions::difference, &Extensions::role_count);
    extensions
        .def(
            "related",
            [](Extensions& self, ExtensionId role, ExtensionId of, bool every) {
                check_index(role, self.role_count());
                check_index(of, self.concept_count());
                const nb::gil_scoped_release release;
                return self.related(role, of, every);
            },
            "role"_a, "of"_a, "every"_a)
        .def(
            "closure",
            [](Extensions& self, ExtensionId role, bool reflexive) {
                check_index(role, self.role_count());
                const nb::gil_scoped_release release;
                return self.closure(role, reflexive);
            },
            "role"_a, "reflexive"_a);
}

// The column just made if it is new, as the bytes of a number: bit i is row i.
std::optional<nb::bytes> column_if(const LiteralColumns& self, bool is_new) {
    if (!is_new) return std::nullopt;
    const auto& words = self.column();
    std::string bytes;
    for (auto word : words)
        for (unsigned shift = 0; shift < 64; shift += 8) bytes.push_back(static_cast<char>(word >> shift & 0xffU));
    return nb::bytes(bytes.data(), bytes.size());
}

void bind_columns(nb::module_& module) {
    nb::class_<LiteralColumns>(module, "LiteralColumns",
                               "Truth values of literals on rows (src/core/concepts/extensions.hpp). Each question "
                               "gives a column if it is new, else None.")
        .def(nb::init<Extensions&, const std::vector<std::pair<std::uint32_t, ActionId>>&>(), "extensions"_a, "rows"_a,
             nb::keep_alive<1, 2>(), "`rows` are pairs of the index of a state and an action; all of one schema.")
        .def(
            "is_in",
            [](LiteralColumns& self, std::uint32_t parameter, ExtensionId in) {
                check_index(parameter, self.arity());
                check_index(in, self.extensions().concept_count());
                return column_if(self, self.is(parameter, in));
            },
            "parameter"_a, "concept"_a)
        .def(
            "related",
            [](LiteralColumns& self, std::uint32_t first, std::uint32_t second, ExtensionId role) {
                check_index(first, self.arity());
                check_index(second, self.arity());
                check_index(role, self.extensions().role_count());
                return column_if(self, self.related(first, second, role));
            },
            "first"_a, "second"_a, "role"_a)
        .def(
            "nearer",
            [](LiteralColumns& self, std::uint32_t first, std::uint32_t second, ExtensionId to, ExtensionId along) {
                check_index(first, self.arity());
                check_index(second, self.arity());
                check_index(to, self.extensions().concept_count());
                check_index(along, self.extensions().role_count());
                return column_if(self, self.nearer(first, second, to, along));
            },
            "first"_a, "second"_a, "concept"_a, "role"_a)
        .def(
            "empty",
            [](LiteralColumns& self, ExtensionId in) {
                check_index(in, self.extensions().concept_count());
                return column_if(self, self.empty(in));
            },
            "concept"_a)
        .def(
            "flag",
            [](LiteralColumns& self, const std::vector<bool>& of_state) {
                if (of_state.size() != self.extensions().state_count()) throw nb::value_error("a value for each state");
                return column_if(self, self.flag(of_state));
            },
            "of_state"_a);
}

}  // namespace

void bind_concepts(nb::module_& module) {
    bind_evaluator(module);
    bind_rule_abstraction(module);
    bind_extensions(module);
    bind_columns(module);
}

}  // namespace gpaplan
