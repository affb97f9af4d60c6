"""Expressions as integers, for the core (src/core/concepts/expressions.hpp documents the form).

An `Encoder` collects the nodes of expressions for one task; equal parts become one node. An `Evaluator` says what
expressions and rules mean in a state, by name:

    Evaluator(task).concept(space, space.initial, parse_concept("!at/2"))   # frozenset({"home"})

It is for looking at single states: in explanations, in notebooks, in tests. What runs once for a state of a search
stays in the core.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from gpaplan import _core
from gpaplan.concepts.expressions import Concept, Expression, Literal, Relation
from gpaplan.concepts.rules import RuleList
from gpaplan.errors import UsageError
from gpaplan.spaces.state_space import StateSpace
from gpaplan.tasks.grounding import declared_objects
from gpaplan.tasks.task import AnyAction, GroundTask


def node_kind(expression: Expression) -> int:
    """The core's number of an expression's constructor."""
    return _core.node_kind(expression.constructor.core or expression.word)


class Encoder:
    """The nodes of expressions for one task."""

    def __init__(self, task: GroundTask) -> None:
        self.task = task
        self.nodes: list[list[int]] = []
        self._known: dict[tuple[int, ...], int] = {}
        self._ids: dict[tuple[Expression, str | None], int] = {}
        self._objects = {name: index for index, name in enumerate(task.objects)}
        self._predicates = {each.name: index for index, each in enumerate(task.domain.predicates)}
        self._unary = {each.name for each in task.domain.predicates if len(each.parameters) == 1}
        self._types = declared_objects(task.domain, task.problem)
        self._parameters = {
            schema.name: {each.name: index for index, each in enumerate(schema.parameters)}
            for schema in task.domain.schemas
        }

    @property
    def wanted(self) -> list[list[int]]:
        """The atoms that the goal asks for."""
        atoms = self.task.goal_atoms
        return [[self._predicates[atom.predicate], *(self._objects[o] for o in atom.arguments)] for atom in atoms]

    def evaluator(self) -> _core.Evaluator:
        """An evaluator of the nodes so far."""
        return _core.Evaluator(self.task.core, len(self._objects), self.wanted, self.nodes)

    def rules(self, rules: RuleList) -> list[tuple[int, list[int]]]:
        """Rules as schemas and literals, by number."""
        schemas = {schema.name: index for index, schema in enumerate(self.task.domain.schemas)}
        return [
            (schemas[rule.schema], [self.literal(literal, rule.schema) for literal in rule.literals])
            for rule in rules.rules
        ]

    def literal(self, literal: Literal, schema: str | None = None) -> int:
        """The number of a literal: 2·node, or 2·node+1 for a negation."""
        return 2 * self.add(literal, schema) + literal.negated

    def add(self, expression: Expression, schema: str | None = None) -> int:
        """The node of an expression. The schema names the parameters of a literal; a negation is left out."""
        key = (expression, schema if isinstance(expression, Literal) else None)
        if key not in self._ids:
            self._ids[key] = self._encode(expression, schema)
        return self._ids[key]

    def _node(self, *numbers: int) -> int:
        if numbers not in self._known:
            self._known[numbers] = len(self.nodes)
            self.nodes.append(list(numbers))
        return self._known[numbers]

    def _encode(self, expression: Expression, schema: str | None) -> int:
        match expression.word, *expression.operands:
            case ("any",):
                return self._node(_core.node_kind("objects"), *self._objects.values())
            case "constant", name:
                return self._node(_core.node_kind("objects"), self._objects[name])
            case "named", name if name in self._unary:
                return self._node(_core.node_kind("argument"), 0, self._predicates[name], 0)
            case "named" | "type", name:
                members = (self._objects[each] for each, types in self._types.items() if name in types)
                return self._node(_core.node_kind("objects"), *members)
        constructor = expression.constructor
        kinds = zip(constructor.of, expression.operands, strict=True)
        numbers = [number for kind, operand in kinds for number in self._numbers(kind, operand, schema)]
        if constructor.shared:
            parts = len(expression.parts)
            numbers[-parts:] = [self._node(_core.node_kind(constructor.shared), *numbers[-parts:])]
        return self._node(node_kind(expression), *numbers)

    def _numbers(self, kind: str, operand: Any, schema: str | None) -> tuple[int, ...]:
        """An operand, by what it is."""
        match kind:
            case "mark":
                return ("@!".find(operand) + 1 if operand else 0,)
            case "predicate":
                return (self._predicates[operand],)
            case "place":
                return (operand - 1,)
            case "places":
                return tuple(place - 1 for place in operand or (1, 2))
            case "parameter":
                if schema is None:
                    raise UsageError("a literal about parameters needs the schema that they belong to")
                return (self._parameters[schema][operand],)
            case _:
                return (self.add(operand),)


def core_filter(
    task: GroundTask, *lists: RuleList, levels: Sequence[int] = (0,), lenient: bool = False, check: bool = True
) -> _core.RuleFilter:
    """The filter of rule lists on a task, matched at these levels one after the other; the rules are checked first
    unless they are known to be right."""
    encoder = Encoder(task)
    numbers = []
    for rules in lists:
        if check:
            rules.check(task.domain)
        numbers.append(encoder.rules(rules))
    objects, nodes = len(task.objects), encoder.nodes
    return _core.RuleFilter(task.core, objects, encoder.wanted, nodes, numbers, list(levels), lenient)


# --- what expressions and rules mean in a state ---


class Evaluator:
    """The values of expressions in states of one task. Expressions may be given beforehand, or as they are needed."""

    def __init__(self, task: GroundTask, expressions: Iterable[Concept | Relation] = ()) -> None:
        self.task = task
        self._encoder = Encoder(task)
        self._rules: dict[RuleList, _core.RuleFilter] = {}
        for expression in expressions:
            expression.check(task.domain)
            self._encoder.add(expression)
        self._core = self._encoder.evaluator()
        self._size = len(self._encoder.nodes)

    def concept(self, space: StateSpace, state: int, concept: Concept) -> frozenset[str]:
        """The objects of a concept in a state."""
        node = self._node(space, concept)
        return frozenset(self.task.objects[index] for index in self._core.objects(space.core, state, node))

    def relation(self, space: StateSpace, state: int, relation: Relation) -> frozenset[tuple[str, str]]:
        """The pairs of a relation in a state."""
        node = self._node(space, relation)
        names = self.task.objects
        return frozenset((names[first], names[second]) for first, second in self._core.pairs(space.core, state, node))

    def literal(self, space: StateSpace, state: int, literal: Literal, action: AnyAction | int | None = None) -> bool:
        """Whether a literal holds in a state; one that has parameters is about an action, by name or by index."""
        if action is None:
            if literal.parameters:
                raise UsageError(f"'{literal}' is about an action: say which")
            index = schema = None
        else:
            index = action if isinstance(action, int) else self.task.action_index(action)
            schema = self.task.action(index).schema
        node = self._node(space, literal, schema)
        return self._core.holds(space.core, state, 2 * node + literal.negated, index)

    def fits(self, space: StateSpace, state: int, rules: RuleList) -> tuple[int | None, list[int]]:
        """The index of the rule that decides in a state, None if none does, and the actions that it keeps.

        In a goal state nothing is left to do, and no rule decides."""
        self._check_space(space)
        if rules not in self._rules:
            self._rules[rules] = core_filter(self.task, rules)
        (index,), kept = self._rules[rules].decide(space.core, state)
        return (None if index == _core.NO_ACTION else index), kept

    def _check_space(self, space: StateSpace) -> None:
        if space.task.core is not self.task.core and space.task.core != self.task.core:
            raise UsageError("the space is of another task than the evaluator")

    def _node(self, space: StateSpace, expression: Expression, schema: str | None = None) -> int:
        self._check_space(space)
        expression.check(self.task.domain, schema)
        node = self._encoder.add(expression, schema)
        if len(self._encoder.nodes) != self._size:
            self._core = self._encoder.evaluator()
            self._size = len(self._encoder.nodes)
        return node
