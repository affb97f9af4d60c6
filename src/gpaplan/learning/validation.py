"""Validating an automaton on problems that it was not learned from.

Each problem is solved under the automaton, without fallback, and, within the budget, without the automaton. A row says
whether the automaton sufficed, what the policy costs next to the optimum, and what it saved; a `ValidationScore` sums
rows up, and `better` compares two automata by it.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from gpaplan import interrupts
from gpaplan.automata.automaton import AnyAutomaton, PolicyAutomaton, given_automaton
from gpaplan.display import counted
from gpaplan.errors import LimitError
from gpaplan.learning.constants import COST_TOLERANCE, DEARER, MANY, SHARE
from gpaplan.learning.counterexamples import Counterexample, find_counterexample
from gpaplan.learning.instances import Instance, given_instances
from gpaplan.learning.solving import Solving, is_worse
from gpaplan.records import as_record
from gpaplan.statuses import Guarantee, Status
from gpaplan.tasks.grounding import AnyTask

__all__ = ["Validation", "ValidationScore", "better", "validate"]


@dataclass(frozen=True)
class Validation:
    """What an automaton is worth on one problem: the instance, the cost of the policy found, and states expanded."""

    instance: Instance
    status: str
    """``sufficed``, ``failed`` (no proper policy under the automaton), or the limit that came first."""
    cost: float | None
    cost_without: float | None
    """Of the policy found from scratch, within the budget."""
    optimum: float | None
    """The same, if it is proven optimal."""
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
    """Whether states are counted up to symmetry of interchangeable objects."""

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
    seconds_without = time.perf_counter() - started
    if plain is not None and plain.status != Status.SOLVED:
        plain = None
    counterexample = None
    if explain and status == "failed" and not solving.out_of_time:
        counterexample = find_counterexample(automaton, task, plain, solving.settings.space, failed=True)
    return Validation(
        instance,
        status,
        guided.value if sufficed else None,
        None if plain is None else plain.value,
        plain.value if plain is not None and plain.guarantee == Guarantee.OPTIMAL else None,
        guided.expanded,
        None if plain is None else plain.expanded,
        counterexample,
        seconds,
        None if plain is None else seconds_without,
        guided.symmetry is not None,
    )


@dataclass(frozen=True, slots=True)
class ValidationScore:
    """How an automaton does on validation problems, in all."""

    rows: tuple[Validation, ...]

    @property
    def failures(self) -> int:
        """On how many problems it does not suffice."""
        return sum(not row.sufficed for row in self.rows)

    def share(self, least: int = 1) -> float | None:
        """Of the states without it, those that are expanded with it, on problems where both searches end and the one
        without it expands so many states at least."""
        both = [(row.expanded, row.expanded_without or 0) for row in self.rows if row.sufficed]
        known = [(states, plain) for states, plain in both if plain >= least]
        return sum(states for states, _ in known) / sum(plain for _, plain in known) if known else None

    @property
    def cost_ratio(self) -> float:
        """The largest ratio of the cost of its policy to that of the search without it."""
        ratios = [row.cost / row.cost_without for row in self.rows if row.cost is not None and row.cost_without]
        return max(ratios, default=1.0)

    @property
    def suffices(self) -> bool:
        """Whether it is good enough: it never fails, and of large problems it keeps at most a tenth of the states."""
        return self.failures == 0 and (self.share(MANY) or 0.0) <= SHARE

    @property
    def is_small(self) -> bool:
        """Whether there is nothing to choose by: a search without it ends after few states on each problem."""
        return all(row.expanded_without is not None and row.expanded_without < MANY for row in self.rows)

    @property
    def words(self) -> str:
        """The same in a few words."""
        count, share = len(self.rows), self.share()
        parts = [f"suffices on {count - self.failures} of {counted(count, 'validation problem')}"]
        if share is not None:
            parts.append(f"keeps {100 * share:.3g} % of the states")
        if self.cost_ratio > 1 + COST_TOLERANCE:
            parts.append(f"costs up to {self.cost_ratio:.2f} times as much")
        return ", ".join(parts)

    def to_json(self) -> dict[str, Any]:
        """The score as plain data."""
        rows = [
            {
                "problem": row.instance.name,
                "states": row.expanded if row.sufficed else None,
                "plain_states": row.expanded_without,
                "cost": row.cost,
                "plain_cost": row.cost_without,
            }
            for row in self.rows
        ]
        return {
            "failures": self.failures,
            "share": self.share(),
            "cost_ratio": self.cost_ratio,
            "problems": rows,
        }


def better(one: ValidationScore, other: ValidationScore) -> bool:
    """Whether the first is better: it fails less often, is not much dearer, keeps fewer states."""

    def key(each: ValidationScore) -> tuple[int, bool, float]:
        states = [math.log(row.expanded) for row in each.rows if row.sufficed and row.expanded]
        return each.failures, each.cost_ratio > DEARER, sum(states) / len(states) if states else math.inf

    return key(one) <= key(other)
