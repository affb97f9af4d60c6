"""Portfolios, as data: the searches of a task that share its time.

A `Member` is one search: of the whole task, or of what an automaton leaves of it, by a heuristic and a solver. A `Lane`
has members that follow each other until one of them solves the task. Lanes take turns, each in proportion to its share:
nobody knows beforehand which of them is the shortest. Turns are counted in work (`_core.Search.work`), not in seconds,
so that the same is found on every machine.

`portfolio_of` is the table; `gpaplan.solving.run` runs what it gives.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from gpaplan.solving.heuristics import AnyHeuristic
from gpaplan.solving.settings import Fallback, RunSettings
from gpaplan.solving.solvers import ImprovedLAOStar, Solver, ValueIteration, WeightedLAOStar

Part: TypeAlias = Literal["whole", "constrained", "lenient", "taught"]
"""What of a task is searched: all, what an automaton leaves of it, that and all actions where it leaves none, or what
is left of it by what was learned from it meanwhile."""

ALONE = 500_000
"""Work of a search under an automaton, or one that was asked for, before others begin beside it: about 50 ms (decision
0048)."""
BEFORE_HEURISTICS = 3_000
"""Work before a heuristic is made for the first search that has one: a space that value iteration is done with at once
takes none."""
BEFORE_LEARNING = 100_000_000
"""Work without a policy before one learns from the task, …"""
LEARNING = 30_000_000
"""… and for learning. Both take about 3 s (decision 0048)."""
BEFORE_CERTIFICATE = {"first": 0, "balanced": 2_000_000, "proven": math.inf}
"""By effort: work for the cost of a policy that is proper by certificate; 2 million units are about 0.2 s (decision
0048)."""
MOST_ACTIONS = 30_000
"""No pattern databases are made for nothing but a bound on tasks with more."""
PATIENCE = 3
"""A proof is sought, unless it is asked for, as long as it is likely to come within so many times the work so far, …"""
LEAST_PATIENCE = 8_000_000
"""… and for at least so much work: about 0.8 s (chosen in decision 0048)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """A search that is yet to begin."""

    solver: Solver
    heuristic: AnyHeuristic
    part: Part = "whole"
    level: int = 0
    """Of a constrained part: how coarsely all states are compared with the automaton (`gpaplan.automata.filters`)."""
    bootstraps: bool = False
    """Whether its values start from those of the last constrained search, as in Algorithm 1 of the paper."""

    @property
    def uses_heuristic(self) -> bool:
        """Whether values start from the heuristic's."""
        return bool(getattr(self.solver, "uses_heuristic", True))

    @property
    def can_pause(self) -> bool:
        """Whether the solver goes on where it was stopped; else it is run in one go."""
        return bool(getattr(self.solver, "can_pause", False))


@dataclass(frozen=True, slots=True)
class Lane:
    """Members that follow each other until one of them solves the task."""

    members: tuple[Member, ...]
    after: int = 0
    """Work that all lanes together have done before it begins, unless no other is left."""
    share: float = 1.0
    """Of the work of a round, next to the shares of the others; with 0 it begins when a policy is found; …"""
    later_share: float = 1.0
    """… and when a policy is found."""
    proves: bool = False
    """Whether it is there to prove how good a policy is."""
    goes_on: bool = False
    """Whether it goes on when a policy is found."""


def portfolio_of(settings: RunSettings, levels: int = 0, is_taught: bool | None = None) -> tuple[Lane, ...]:
    """The searches that a run is made of. ``levels`` is the number of those on which an automaton can be compared with
    states, 0 if there is no automaton; ``is_taught`` says whether something was learned from the task before, None that
    nothing is to be."""
    asked = Member(solver=settings.first_solver, heuristic=settings.first_heuristic)
    finder = _FINDER if settings.is_portfolio else Lane((asked,))
    provers = _PROVERS if settings.is_portfolio or settings.is_to_prove else ()
    if not levels:
        if not settings.is_portfolio:
            return (finder, *_later(provers))
        taught = replace(_TAUGHT, after=ALONE if is_taught else BEFORE_LEARNING)
        return (finder, *provers, *(() if is_taught is None else (taught,)))
    constrained = _under_automaton(finder, settings.fallback, levels)
    if settings.fallback != "turns":
        return (constrained, *(replace(lane, share=0.0) for lane in provers))
    beside = (replace(finder, goes_on=False), *provers)
    return (constrained, *_later(beside))


def _later(lanes: Iterable[Lane]) -> Iterator[Lane]:
    return (replace(lane, after=ALONE + lane.after) for lane in lanes)


def _under_automaton(finder: Lane, fallback: Fallback, levels: int) -> Lane:
    """The same search of what an automaton leaves of the task, and what follows if that is not enough."""
    (first,) = finder.members
    constrained = tuple(replace(first, part="constrained", level=level) for level in range(levels))
    lenient = (replace(first, part="lenient", bootstraps=True),) if fallback == "local" else ()
    whole = (replace(first, bootstraps=True),) if fallback in ("local", "full") else ()
    return replace(finder, members=(*constrained, *lenient, *whole), after=0)


_FINDER = Lane((Member(solver=WeightedLAOStar(), heuristic="ff"),), BEFORE_HEURISTICS, later_share=0.25, goes_on=True)
"""Weighted LAO*, which finds a policy in few states, and then better ones."""

_TAUGHT = Lane((replace(_FINDER.members[0], part="taught"),))
"""The same under what was learned from the task."""

_PROVERS = (
    Lane((Member(solver=ValueIteration(), heuristic="blind"),), proves=True, goes_on=True),
    Lane((Member(solver=ImprovedLAOStar(), heuristic="best"),), 2 * BEFORE_HEURISTICS, proves=True, goes_on=True),
)
"""Two searches that prove: value iteration on all states there are, up to symmetry, which is fast where symmetry leaves
few of them; improved LAO* with the best admissible heuristic, which meets few states and may think long about each."""


class Outlook:
    """Whether a proof is likely to come within a small multiple of the work so far, by how the gap has shrunk."""

    def __init__(self) -> None:
        self._gaps: list[tuple[int, float]] = []

    def is_dim(self, work: int, ratio: float) -> bool:
        """Note the policy's cost, divided by the bound, after so much work; returns whether to leave it at that.

        A policy that may be twice as dear as the optimum is worth twice the patience. The gap is the logarithm of the
        ratio, so that from 1,000 to 100 it has shrunk as much as from 10 to 1.
        """
        gap = math.log(ratio)
        self._gaps.append((work, gap))
        if work < ratio * max(LEAST_PATIENCE, self._gaps[0][0]):
            return False
        before, wider = next((each for each in reversed(self._gaps) if 2 * each[0] <= work), self._gaps[0])
        return gap * (work - before) > (PATIENCE - 1) * work * (wider - gap)
