"""What expressions and rules mean in a state, by name.

    evaluator = Evaluator(task)
    evaluator.concept(space, space.initial, parse_concept("!at/2"))   # frozenset({"home"})

This is for looking at single states: in explanations, in notebooks, in tests. What runs once for a state of a search
stays in the core.
"""

from __future__ import annotations

from collections.abc import Iterable

from gpaplan import _core
from gpaplan.concepts.encoding import Encoder, core_filter
from gpaplan.concepts.expressions import Concept, Expression, Literal, Relation
from gpaplan.concepts.rules import RuleList
from gpaplan.errors import UsageError
from gpaplan.spaces.state_space import StateSpace
from gpaplan.tasks.task import AnyAction, GroundTask


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
