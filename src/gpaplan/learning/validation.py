"""Validating an automaton on problems that it was not learned from.

Each problem is solved under the automaton, without fallback, and, within the budget, without the automaton. The report
says whether the automaton sufficed, what the policy costs next to the optimum, and what it saved.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from gpaplan import interrupts
from gpaplan.automata.automaton import AnyAutomaton, PolicyAutomaton, given_automaton
from gpaplan.errors import LimitError
from gpaplan.learning.counterexamples import Counterexample, find_counterexample
from gpaplan.learning.instances import Instance, given_instances
from gpaplan.learning.solving import Solving, is_worse
from gpaplan.records import as_record
from gpaplan.statuses import Guarantee, Status
from gpaplan.tasks.grounding import AnyTask

__all__ = ["Validation", "validate"]


@dataclass(frozen=True)
class Validation:
    """What an automaton is worth on one problem: the instance, the cost of the policy found, and states expanded."""

    instance: Instance
    status: str
    """``sufficed``, ``failed`` (no proper policy under the automaton), or the limit that came first."""
    cost: float | None
    optimum: float | None
    """From scratch, within the budget."""
    expanded: int
    expanded_without: int | None
    """The same without the automaton."""
    counterexample: Counterexample | None
    """Why the automaton failed, if it did."""
    seconds: float
    """Of the search with the automaton."""
    seconds_without: float | None
    """Of the search without it."""
    symmetry: bool = False
    """Whether states are counted up to renaming of interchangeable objects."""

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
        return {**self.instance.to_json(), **as_record(self, "instance", optimal=self.optimal)}


def validate(
    instances: Iterable[Instance | AnyTask],
    automaton: AnyAutomaton,
    *,
    solving: Solving | None = None,
    compare: bool = True,
    explain: bool = True,
    on_row: Callable[[Validation], None] | None = None,
) -> list[Validation]:
    """Solve problems with an automaton and, if ``compare``, without it. At a limit, the rows so far are returned."""
    automaton = given_automaton(automaton)
    solving = solving or Solving()
    rows: list[Validation] = []
    try:
        for instance in given_instances(instances):
            if solving.out_of_time:
                break
            rows.append(_validate_one(automaton, instance, solving, compare, explain))
            if on_row is not None:
                on_row(rows[-1])
    except KeyboardInterrupt:
        interrupts.taken()
        solving.stopped_by = Status.INTERRUPTED
    except LimitError as error:
        solving.stopped_by = error.reason.status
    return rows


def _validate_one(
    automaton: PolicyAutomaton, instance: Instance, solving: Solving, compare: bool, explain: bool
) -> Validation:
    task = instance.task(limits=solving.limits())
    started = time.perf_counter()
    guided = solving.solve(task, automaton)
    seconds = time.perf_counter() - started
    sufficed = guided.status == Status.SOLVED and guided.solves
    failed = guided.status in (Status.NO_PROPER_POLICY, Status.SOLVED)
    status = "sufficed" if sufficed else "failed" if failed else guided.status
    started = time.perf_counter()
    plain = solving.solve(task) if compare and not solving.out_of_time else None
    seconds_without = time.perf_counter() - started if plain is not None else None
    solved = plain is not None and plain.status == Status.SOLVED
    optimum = plain.value if solved and plain is not None and plain.guarantee == Guarantee.OPTIMAL else None
    counterexample = None
    if explain and status == "failed" and not solving.out_of_time:
        known = plain if solved else None
        counterexample = find_counterexample(automaton, task, known, solving.settings.space, failed=True)
    return Validation(
        instance,
        status,
        guided.value if sufficed else None,
        optimum,
        guided.expanded,
        plain.expanded if solved and plain is not None else None,
        counterexample,
        seconds,
        seconds_without if solved else None,
        guided.symmetry is not None,
    )
