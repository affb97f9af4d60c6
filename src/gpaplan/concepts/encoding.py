"""Expressions as integers, for the core (src/core/concepts/expressions.hpp documents the form).

An `Encoder` collects the nodes of expressions for one task; equal parts become one node.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gpaplan import _core
from gpaplan.concepts.expressions import Expression, Literal
from gpaplan.concepts.rules import RuleList
from gpaplan.errors import UsageError
from gpaplan.tasks.grounding import declared_objects
from gpaplan.tasks.task import GroundTask


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
