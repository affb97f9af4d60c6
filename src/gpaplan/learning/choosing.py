"""Which automaton to take: how one does on problems that it was not learned from.

Canonical abstraction is tried first. Where it falls back on validation problems, or keeps more than a tenth of the
states that a search without it expands (if these are a thousand or more), rules over concepts are learned as well, and
the better one is taken.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from gpaplan import _core
from gpaplan.automata.automaton import PolicyAutomaton
from gpaplan.errors import LimitError
from gpaplan.limits import AnyLimits, started
from gpaplan.records import as_record
from gpaplan.solving.run import solve
from gpaplan.statuses import Status
from gpaplan.tasks.task import GroundTask

__all__ = ["Judgement", "ValidationRow", "better", "judge"]

SHARE = 0.1
"""Of the states of a search without the automaton: to keep more of them is to prune too little."""
MANY = 1_000
"""States that a search without automaton must have for it to matter how many of them are kept."""
_DEARER = 1.2
"""How many times the least known cost a policy may cost until that counts more than states."""


@dataclass(frozen=True, slots=True)
class ValidationRow:
    """A validation problem: the states that a search expands with the automaton and without, and what the policies
    cost. None is for a search that met its limit, or found no proper policy."""

    problem: str
    states: int | None
    plain_states: int | None
    cost: float | None
    plain_cost: float | None

    def to_json(self) -> dict[str, Any]:
        """The row as plain data."""
        return as_record(self)


@dataclass(frozen=True, slots=True)
class Judgement:
    """How an automaton does on validation problems."""

    rows: tuple[ValidationRow, ...]

    @property
    def failures(self) -> int:
        """On how many problems it does not suffice."""
        return sum(row.states is None for row in self.rows)

    @property
    def share(self) -> float | None:
        """Of the states without it, those that are expanded with it, where both searches end."""
        return self._share(0)

    def _share(self, least: int) -> float | None:
        """The same for problems with so many states at the least."""
        both = [(row.states, row.plain_states) for row in self.rows]
        known = [(states, plain) for states, plain in both if states is not None and plain and plain >= least]
        return sum(states for states, _ in known) / sum(plain for _, plain in known) if known else None

    @property
    def cost_ratio(self) -> float:
        """The largest ratio of the cost of its policy to that of the search without it."""
        ratios = [row.cost / row.plain_cost for row in self.rows if row.cost is not None and row.plain_cost]
        return max(ratios, default=1.0)

    @property
    def suffices(self) -> bool:
        """Whether it is good enough: it never fails, and of large problems it keeps at most a tenth of the states."""
        share = self._share(MANY)
        return self.failures == 0 and (share is None or share <= SHARE)

    def is_small(self, least: int) -> bool:
        """Whether a search without it ends after fewer than so many states on each problem."""
        return all(row.plain_states is not None and row.plain_states < least for row in self.rows)

    @property
    def words(self) -> str:
        """The same in a few words."""
        count = len(self.rows)
        parts = [f"suffices on {count - self.failures} of {count} validation problem{'' if count == 1 else 's'}"]
        if self.share is not None:
            parts.append(f"keeps {100 * self.share:.3g} % of the states")
        if self.cost_ratio > 1 + 1e-6:
            parts.append(f"costs up to {self.cost_ratio:.2f} times as much")
        return ", ".join(parts)

    def to_json(self) -> dict[str, Any]:
        """The judgement as plain data."""
        return {
            "failures": self.failures,
            "share": self.share,
            "cost_ratio": self.cost_ratio,
            "problems": [row.to_json() for row in self.rows],
        }


def judge(
    automaton: PolicyAutomaton,
    tasks: Sequence[GroundTask],
    *,
    plain: dict[str, tuple[int | None, float | None]],
    dead_end_cost: float | None = None,
    seconds: float = 10.0,
    limits: AnyLimits = None,
    progress: Callable[[str], None] | None = None,
) -> Judgement:
    """Solve validation problems under an automaton, without falling back, and without it.

    Each search has so many seconds. What the searches without automaton come to is kept in ``plain``, by problem, and
    taken from there.
    """
    stop = started(limits)
    rows = []
    for task in tasks:
        name = task.problem.name
        if progress is not None:
            progress(f"trying the automaton on {name}")
        if name not in plain:
            plain[name] = _solved(task, None, dead_end_cost, seconds, stop)
        states, cost = _solved(task, automaton, dead_end_cost, seconds, stop)
        plain_states, plain_cost = plain[name]
        rows.append(ValidationRow(name, states, plain_states, cost, plain_cost))
    return Judgement(tuple(rows))


def _solved(
    task: GroundTask,
    automaton: PolicyAutomaton | None,
    dead_end_cost: float | None,
    seconds: float,
    stop: _core.Stop,
) -> tuple[int | None, float | None]:
    """States expanded, and the cost."""
    limits = stop.part(seconds=seconds)
    solution = solve(task, automaton=automaton, fallback="none", dead_end_cost=dead_end_cost, limits=limits)
    if solution.status == Status.INTERRUPTED or stop.check():
        raise LimitError("learning", stop.reason or "interrupt")
    if solution.status != Status.SOLVED:
        return None, None
    return solution.expanded, solution.value


def better(one: Judgement, other: Judgement) -> bool:
    """Whether the first is better: it fails less often, is not much dearer, keeps fewer states."""

    def key(each: Judgement) -> tuple[int, bool, float]:
        states = [math.log(row.states) for row in each.rows if row.states]
        return each.failures, each.cost_ratio > _DEARER, sum(states) / len(states) if states else math.inf

    return key(one) <= key(other)
