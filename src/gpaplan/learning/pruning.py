"""Pruning an automaton: the edges that are needed, and no others.

`prune` is shown problems, those that the automaton was learned from and others, and takes edges away as long as all of
them are still solved without fallback, and at no higher cost. Each edge is tried once, in its order. Of a rule list,
rules are taken away, the last ones first.

Problems that the automaton does not solve to begin with are left out, and named.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar, cast

from gpaplan.automata.automaton import Edge, PolicyAutomaton
from gpaplan.automata.filters import ConstrainedStateSpace, TrainingExample, TransitionFilter, given_filter
from gpaplan.automata.rules import RuleFilter
from gpaplan.concepts.rules import Rule
from gpaplan.display import as_record, html_table, note, under_way
from gpaplan.errors import LimitError, UsageError
from gpaplan.learning.instances import Instance, given_instances
from gpaplan.learning.solving import Solving, check_optimality, is_worse
from gpaplan.statuses import Status
from gpaplan.tasks.grounding import AnyTask
from gpaplan.tasks.task import GroundTask

F = TypeVar("F", bound=TransitionFilter)


@dataclass(frozen=True)
class Checked:
    """A problem that the pruned automaton was checked on: its cost, and cost_before and states_before it was pruned."""

    problem: str
    training: bool
    """Whether the automaton was learned from it."""
    cost: float
    cost_before: float
    states: int
    """Reached under the pruned automaton."""
    states_before: int
    symmetry: bool = False
    """Whether states are counted up to symmetry of interchangeable objects."""

    @property
    def dearer(self) -> bool:
        """Whether the cost has risen."""
        return is_worse(self.cost, self.cost_before)


@dataclass(frozen=True)
class Pruning(Generic[F]):
    """What is left of an automaton, what it was checked on, and the seconds that it took."""

    automaton: F
    removed: tuple[Edge | Rule, ...]
    """Edges or rules that are gone."""
    checked: tuple[Checked, ...]
    unsolved: tuple[str, ...]
    """Problems that the automaton did not solve within the budget before anything was taken away."""
    stopped_by: str
    """``""``, or the limit at which pruning ended early; what is left is valid all the same."""
    seconds: float

    def __repr__(self) -> str:
        return f"Pruning({len(self.removed)} removed: {self.automaton!r})"

    def _repr_html_(self) -> str:
        rows = [(each.problem, each.cost_before, each.cost, each.states_before, each.states) for each in self.checked]
        return html_table(repr(self), rows, ("problem", "cost before", "cost", "states before", "states"))

    def to_json(self) -> dict[str, Any]:
        """The pruning as plain data."""
        return {
            **self.automaton.sizes,
            "removed": len(self.removed),
            "checked": [as_record(each) for each in self.checked],
            "unsolved": list(self.unsolved),
        }


@under_way("pruning")
def prune(
    instances: Iterable[Instance | AnyTask],
    automaton: F | str | os.PathLike[str],
    *,
    solving: Solving | None = None,
) -> Pruning[F]:
    """Take away the edges, or rules, that none of these problems needs; see the head of this module."""
    started = time.perf_counter()
    solving = solving or Solving()
    check_optimality(solving.settings)
    found = given_filter(automaton)
    if not isinstance(found, PolicyAutomaton | RuleFilter):
        raise UsageError(f"a {found.noun} has no parts that could be taken away")
    pruner: _Pruner[Any] = _Pruner(found, solving)
    with solving.noting_stops():
        pruner.load(given_instances(instances))
        pruner.run()
    return pruner.result(time.perf_counter() - started)


class _Pruner(Generic[F]):
    """Parts are edges or rules, by their places in what is given."""

    def __init__(self, before: F, solving: Solving) -> None:
        self.before, self.solving = before, solving
        self.problems: list[tuple[GroundTask, Checked]] = []
        self.unsolved: list[str] = []
        self.parts: Sequence[Edge | Rule]
        if isinstance(before, RuleFilter):
            self.parts = [each.rule for each in before.named()]
        else:
            assert isinstance(before, PolicyAutomaton)
            self.parts = before.edges
        self.left = frozenset(range(len(self.parts)))

    def load(self, instances: Iterable[Instance]) -> None:
        """Solve all problems with the automaton as it is."""
        trained = {example.problem for example in self.before.training}
        for instance in instances:
            task = instance.task(limits=self.solving.limits())
            solution = self.solving.solve(task, self.before)
            if solution.status != Status.SOLVED or not solution.solves:
                self.unsolved.append(instance.name)
                continue
            cost, space = solution.value, self._reached(self.before, task)
            name, states, symmetry = task.problem.name, len(space), space.symmetry is not None
            self.problems.append((task, Checked(name, name in trained, cost, cost, states, states, symmetry)))
        if not self.problems:
            raise UsageError(
                f"the automaton solves none of the {len(self.unsolved)} problem(s) without fallback; "
                "there is nothing to keep. Grow it first, or raise the budget of states"
            )

    def run(self) -> None:
        """Take away one part after the other, rules from the last one on."""
        order = sorted(self.left, reverse=isinstance(self.before, RuleFilter))
        for done, place in enumerate(order):
            note(f"{done} of {len(order)} tried")
            if len(self.left) > 1 and self._holds(self.left - {place}):
                self.left -= {place}
        pruned = self._with(self.left)
        for place, (task, checked) in enumerate(self.problems):
            cost, states = self.solving.solve(task, pruned).value, len(self._reached(pruned, task))
            self.problems[place] = task, replace(checked, cost=cost, states=states)

    def _with(self, places: frozenset[int], **origin: Any) -> F:
        """The automaton with these of its parts."""
        if isinstance(self.before, RuleFilter):
            gone = [place for place in reversed(range(len(self.parts))) if place not in places]
            left: RuleFilter = self.before
            for place in gone:
                left = left.without(place)
            return cast("F", left.with_lists(left.uses, **origin))
        assert isinstance(self.before, PolicyAutomaton)
        origin = {"training": self.before.training, "settings": self.before.settings, **origin}
        return cast("F", self.before.with_edges([self.before.edges[place] for place in sorted(places)], **origin))

    def result(self, seconds: float) -> Pruning[F]:
        origin: dict[str, Any] = {"settings": {**self.before.settings, "pruned": "cost"}}
        pruned = self._with(self.left)
        if isinstance(self.before, PolicyAutomaton) and isinstance(pruned, PolicyAutomaton):
            vertices = set(pruned.vertices)
            origin["covers"] = {label: each for label, each in self.before.covers.items() if label in vertices}
        gone = [place for place in range(len(self.parts)) if place not in self.left]
        if isinstance(self.before, RuleFilter):
            gone.reverse()
        return Pruning(
            self._with(self.left, **origin),
            tuple(self.parts[place] for place in gone),
            tuple(checked for _, checked in self.problems),
            tuple(self.unsolved),
            self.solving.stopped_by,
            seconds,
        )

    # --- what is asked of an automaton ---

    def _reached(self, automaton: TransitionFilter, task: GroundTask) -> ConstrainedStateSpace:
        """The states that are reached under it."""
        space = ConstrainedStateSpace(task, automaton, self.solving.settings.space)
        found = space.explore(limits=self.solving.limits(states=False))
        if not found.complete:
            raise LimitError("pruning", found.stopped_by)
        return space

    def _holds(self, places: frozenset[int]) -> bool:
        """Whether all problems are still solved, at no higher cost. The largest comes last."""
        automaton = self._with(places)
        for task, checked in self.problems:
            solution = self.solving.solve(task, automaton)
            if solution.status != Status.SOLVED or not solution.solves or is_worse(solution.value, checked.cost_before):
                return False
        return True


def missing_training(automaton: TransitionFilter, instances: Iterable[Instance]) -> list[TrainingExample]:
    """The problems that an automaton was learned from and that are not among these."""
    given = {instance.name for instance in instances}
    return [example for example in automaton.training if example.problem not in given]
