"""Validating an automaton on problems that it was not learned from.

Each problem is solved under the automaton, without fallback, and, within the budget, without the automaton. A
`Validation` says whether the automaton sufficed, what the policy costs next to the optimum, and what it saved.
`gpaplan.learning.comparison` also acts, and compares automata.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from gpaplan.automata.filters import AnyFilter, TransitionFilter, given_filter
from gpaplan.display import Shown, as_record
from gpaplan.learning.counterexamples import Counterexample, find_counterexample
from gpaplan.learning.instances import Instance, given_instances
from gpaplan.learning.solving import Solving, is_worse
from gpaplan.statuses import Guarantee, Status
from gpaplan.tasks.grounding import AnyTask

__all__ = ["TriedProblem", "Validation", "validate", "validate_one"]


@dataclass(frozen=True, kw_only=True)
class TriedProblem(Shown):
    """A problem, an instance, that was solved under an automaton and, within the budget, without it."""

    instance: Instance
    cost: float | None
    """Under the automaton; None if it left no policy of a finite cost."""
    optimum: float | None
    """None if it was not found within the budget."""
    expanded: int
    """States, under the automaton."""
    expanded_without: int | None
    """The same without the automaton."""
    counterexample: Counterexample | None
    """Why the automaton failed, if it did."""
    seconds: float
    """That it took; of a validation, the search under the automaton alone."""
    symmetry: bool = False
    """Whether states are counted up to symmetry of interchangeable objects."""

    def to_json(self) -> dict[str, Any]:
        """The same as plain data."""
        return {**self.instance.to_json(), **as_record(self, "instance")}


@dataclass(frozen=True, kw_only=True)
class Validation(TriedProblem):
    """What an automaton is worth on one problem."""

    status: str
    """``sufficed``, ``failed`` (no proper policy under the automaton), or the limit that came first."""
    cost_without: float | None
    """Of the policy found from scratch, within the budget."""
    seconds_without: float | None
    """Of the search without the automaton."""

    @property
    def sufficed(self) -> bool:
        """Whether there was a proper policy under the automaton."""
        return self.status == "sufficed"

    @property
    def reference(self) -> float | None:
        """The optimal cost, found or in closed form."""
        return self.optimum if self.optimum is not None else self.instance.known_cost

    @property
    def optimal(self) -> bool | None:
        """Whether the cost is the optimal one; None if that is not known."""
        if self.cost is None or self.reference is None:
            return None
        return not is_worse(self.cost, self.reference)

    def to_json(self) -> dict[str, Any]:
        """The row as plain data."""
        return {**super().to_json(), "optimal": self.optimal}


def validate(
    instances: Iterable[Instance | AnyTask],
    automaton: AnyFilter,
    *,
    solving: Solving | None = None,
    compare: bool = True,
) -> list[Validation]:
    """Solve problems with an automaton and, if ``compare``, without it. At a limit, the rows so far are returned."""
    automaton = given_filter(automaton)
    solving = solving or Solving()
    rows: list[Validation] = []
    with solving.noting_stops():
        rows.extend(validate_one(automaton, each, solving, compare=compare) for each in given_instances(instances))
    return rows


def validate_one(
    automaton: TransitionFilter, instance: Instance, solving: Solving, *, compare: bool = True, explain: bool = True
) -> Validation:
    """The same for one problem. Raises `LimitError` at a limit of the whole."""
    task = instance.task(limits=solving.limits())
    started = time.perf_counter()
    guided = solving.solve(task, automaton)
    seconds = time.perf_counter() - started
    sufficed = guided.status == Status.SOLVED and guided.solves
    failed = not sufficed and guided.status in (Status.NO_PROPER_POLICY, Status.SOLVED)
    plain = solving.solve(task) if compare else None
    seconds_without = time.perf_counter() - started - seconds
    if plain is not None and plain.status != Status.SOLVED:
        plain = None
    counterexample = None
    if explain and failed:
        counterexample = find_counterexample(automaton, task, plain, solving.settings.space, failed=True)
    return Validation(
        instance=instance,
        status="sufficed" if sufficed else "failed" if failed else guided.status,
        cost=guided.value if sufficed else None,
        cost_without=None if plain is None else plain.value,
        optimum=plain.value if plain is not None and plain.guarantee == Guarantee.OPTIMAL else None,
        expanded=guided.expanded,
        expanded_without=None if plain is None else plain.expanded,
        counterexample=counterexample,
        seconds=seconds,
        seconds_without=None if plain is None else seconds_without,
        symmetry=guided.symmetry is not None,
    )
