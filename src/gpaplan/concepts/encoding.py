"""Expressions as integers, for the core (src/core/concepts/expressions.hpp documents the form).

An `Encoder` collects the nodes of expressions for one task; equal parts become one node.
"""

from __future__ import annotations

from collections.abc import Iterable

from gpaplan import _core
from gpaplan._core import NodeKind
from gpaplan.concepts.nodes import (
    Argument,
    Closure,
    Common,
    Complement,
    Empty,
    Every,
    Everything,
    Expression,
    Flag,
    Intersection,
    Inverse,
    Is,
    Literal,
    Mark,
    Minus,
    Named,
    Nearer,
    OfType,
    Only,
    Pairs,
    Related,
    Same,
    Some,
)
from gpaplan.concepts.rules import RuleList
from gpaplan.errors import UsageError
from gpaplan.tasks.encode import declared_objects
from gpaplan.tasks.task import GroundTask

__all__ = ["Encoder", "core_abstraction"]

_WHEN: dict[Mark, int] = {"": 0, "@": 1, "!": 2}


class Encoder:
    """The nodes of expressions for one task."""

    def __init__(self, task: GroundTask) -> None:
        self.task = task
        self.nodes: list[list[int]] = []
        self._known: dict[tuple[int, ...], int] = {}
        self._ids: dict[tuple[Expression, str | None], int] = {}
        self._objects = {name: index for index, name in enumerate(task.objects)}
        self._predicates = {each.name: index for index, each in enumerate(task.domain.predicates)}
        self._arities = {each.name: len(each.parameters) for each in task.domain.predicates}
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
            self._ids[key] = self._node(*self._encode(expression, schema))
        return self._ids[key]

    def _node(self, *numbers: int) -> int:
        key = tuple(map(int, numbers))
        if key not in self._known:
            self._known[key] = len(self.nodes)
            self.nodes.append(list(key))
        return self._known[key]

    def _encode(self, expression: Expression, schema: str | None) -> tuple[int, ...]:
        """The kind of an expression's node, and its operands."""
        match expression:
            case Everything():
                return NodeKind.OBJECTS, *self._objects.values()
            case Named(name):
                if self._arities.get(name) == 1:
                    return NodeKind.ARGUMENT, self._predicates[name], 0, 0
                return NodeKind.OBJECTS, *self._members(name)
            case OfType(name):
                return NodeKind.OBJECTS, *self._members(name)
            case Only(name):
                return NodeKind.OBJECTS, self._objects[name]
            case Argument(mark, predicate, position):
                return NodeKind.ARGUMENT, self._predicates[predicate], position - 1, _WHEN[mark]
            case Pairs(mark, predicate, positions):
                first, second = positions or (1, 2)
                return NodeKind.PAIRS, self._predicates[predicate], first - 1, second - 1, _WHEN[mark]
            case Flag(mark=mark, predicate=predicate):
                return NodeKind.FLAG, self._predicates[predicate], _WHEN[mark]
            case Is(parameter=parameter, concept=concept):
                return NodeKind.IS, *self._numbers((parameter,), schema), self.add(concept)
            case Related(role=role):
                return NodeKind.RELATED, *self._numbers(expression.parameters, schema), self.add(role)
            case Nearer(concept=concept, role=role):
                distance = self._node(NodeKind.DISTANCE, self.add(concept), self.add(role))
                return NodeKind.NEARER, *self._numbers(expression.parameters, schema), distance
            case _:
                return _operator(expression), *(self.add(part) for part in expression.parts)

    def _members(self, name: str) -> list[int]:
        return [self._objects[each] for each, types in self._types.items() if name in types]

    def _numbers(self, parameters: Iterable[str], schema: str | None) -> list[int]:
        if schema is None:
            raise UsageError("a literal about parameters needs the schema that they belong to")
        return [self._parameters[schema][name] for name in parameters]


_OPERATORS: dict[type[Expression], NodeKind] = {
    Complement: NodeKind.COMPLEMENT,
    Intersection: NodeKind.INTERSECTION,
    Some: NodeKind.SOME,
    Every: NodeKind.EVERY,
    Same: NodeKind.SAME,
    Inverse: NodeKind.INVERSE,
    Common: NodeKind.COMMON,
    Minus: NodeKind.DIFFERENCE,
    Empty: NodeKind.EMPTY,
}


def _operator(expression: Expression) -> NodeKind:
    if isinstance(expression, Closure):
        return NodeKind.STAR if expression.reflexive else NodeKind.CLOSURE
    return _OPERATORS[type(expression)]


def core_abstraction(task: GroundTask, rules: RuleList, stop: _core.Stop | None = None) -> _core.RuleAbstraction:
    """The abstraction of a task's states and actions by a rule list, which is checked first."""
    rules.check(task.domain)
    encoder = Encoder(task)
    numbers = encoder.rules(rules)
    return _core.RuleAbstraction(task.core, len(task.objects), encoder.wanted, encoder.nodes, [numbers], stop)
