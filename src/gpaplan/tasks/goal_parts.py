"""Which parts of a goal can be reached at all.

The parts of a goal are what its conjunctions join, in the words of the file. A part is out of reach if it does not hold
in any state that is reached when every action may choose its outcome and nothing that was once true, or once false,
ever ceases to be so. That is proven. A part that can be reached in this sense may be out of reach all the same, and so
may be several parts together.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from gpaplan import _core
from gpaplan.errors import LimitError
from gpaplan.limits import AnyLimits, started
from gpaplan.ppddl import syntax
from gpaplan.ppddl.writer import write_formula
from gpaplan.records import as_record
from gpaplan.tasks.goal import Expansion
from gpaplan.tasks.task import GroundTask


@dataclass(frozen=True, slots=True)
class GoalPart:
    """A part of a goal, its text, and where it stands: file, line and column, None if it was not read from a text."""

    text: str
    reachable: bool
    """False if no reachable state can satisfy it, True if that is not known."""
    instance: str | None = None
    """Where a part says ``forall`` and is out of reach: the first objects for which it is, such as ``?b = b3``."""
    file: str | None = None
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        where = "" if self.file is None else f"{self.file}:{self.line}: "
        return f"{where}{self.text}" + (f", for {self.instance}" if self.instance else "")

    def to_json(self) -> dict[str, Any]:
        """The part as plain data."""
        return as_record(self)


def goal_parts(task: GroundTask, *, limits: AnyLimits = None) -> tuple[GoalPart, ...]:
    """The parts of the task's goal, in the order of the text; none if it has no goal. `LimitError` at a limit."""
    if task.problem.goal is None:
        return ()
    try:
        reach = _Reach(task, started(limits))
    except _core.Stopped as error:
        raise LimitError("looking at the goal", error.args[0]) from None
    return tuple(_examine(part, reach) for part in _split(task.problem.goal))


def _split(goal: syntax.Formula) -> Iterator[syntax.Formula]:
    if not isinstance(goal, syntax.And):
        yield goal
        return
    for operand in goal.operands:
        yield from _split(operand)


def _examine(part: syntax.Formula, reach: _Reach) -> GoalPart:
    reachable = reach.collect(part, {}, True) is not False
    instance = None
    if not reachable and isinstance(part, syntax.ForAll):
        bindings = reach.bindings(part.parameters, {}, ())
        first = next(binding for binding in bindings if reach.collect(part.body, binding, True) is False)
        instance = ", ".join(f"{name} = {value}" for name, value in first.items())
    span = part.span
    place = (None, None, None) if span is None else (span.source.name, span.line, span.column)
    return GoalPart(write_formula(part), reachable, instance, *place)


class _Reach(Expansion):
    """Formulas are False where they are out of reach, and True or None where they are not."""

    def __init__(self, task: GroundTask, stop: _core.Stop) -> None:
        super().__init__(task.domain, task.problem)
        never_true, never_false = map(set, _core.find_fixed_atoms(task.core, stop))
        fluent = list(enumerate(task.atoms))
        self._true = {*task.static_atoms, *task.dropped_atoms}
        self._true.update(atom for index, atom in fluent if index not in never_true)
        self._never_false = {*task.static_atoms, *(atom for index, atom in fluent if index in never_false)}

    def _decide(self, predicate: str, objects: tuple[str, ...], positive: bool) -> bool | None:
        decided = super()._decide(predicate, objects, positive)
        self.found.clear()
        if decided is not None:
            return decided
        possible = (predicate, objects) in self._true if positive else (predicate, objects) not in self._never_false
        return None if possible else False
