"""Portfolios, as data: the searches of a task that share its time.

A `Member` is one search: of the whole task, or of what an automaton leaves of it, by a heuristic and a solver. A `Lane`
has members that follow each other until one of them solves the task. Lanes take turns: nobody knows beforehand which of
them is the shortest, and so together they take little more than the shortest one does times their number. Turns are
counted in work (`_core.Search.work`), not in seconds, so that the same is found on every machine.

`portfolio_of` is the table; `gpaplan.solving.run` runs what it gives.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from gpaplan.solving.heuristics import AnyHeuristic
from gpaplan.solving.settings import Fallback, RunSettings
from gpaplan.solving.solvers import ImprovedLAOStar, Solver, ValueIteration, solver_of

__all__ = ["Lane", "Member", "Part", "portfolio_of"]

Part: TypeAlias = Literal["whole", "constrained", "lenient"]
"""What of a task is searched: all, what an automaton leaves of it, or that and all actions where it leaves none."""

BESIDE_AUTOMATON = 500_000
"""Work that the search under an automaton may do before the whole task is searched beside it: about 50 ms."""
BEFORE_EXHAUSTIVE = 60_000
"""Work before value iteration begins to prove: what a search takes that ends at once, with a policy to prove."""
BEFORE_INFORMED = 300_000
"""Work before improved LAO* begins to prove, so that a space that value iteration is done with costs no tables."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """A search that is yet to begin."""

    solver: Solver
    heuristic: AnyHeuristic
    part: Part = "whole"
    level: int = 0
    """Of a constrained part: how coarsely all states are compared with the automaton (`gpaplan.automata.matching`)."""
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
    proves: bool = False
    """Whether it goes on when a policy is found, to prove how good that is."""
    waits: bool = False
    """Whether it begins only when a policy is found."""


def portfolio_of(settings: RunSettings, levels: int = 0) -> tuple[Lane, ...]:
    """The searches that a run is made of. ``levels`` is the number of those on which an automaton can be compared with
    states; 0 if there is no automaton."""
    asked = Member(solver=solver_of(settings.solver), heuristic=settings.heuristic)
    lanes = _lanes_with_automaton(asked, settings.fallback, levels) if levels else (Lane((asked,)),)
    if not settings.prove:
        return lanes
    return (*lanes, *(replace(lane, waits=levels > 0) for lane in _PROOF))


def _lanes_with_automaton(asked: Member, fallback: Fallback, levels: int) -> tuple[Lane, ...]:
    constrained = tuple(replace(asked, part="constrained", level=level) for level in range(levels))
    lenient = replace(asked, part="lenient", bootstraps=True)
    whole = replace(asked, bootstraps=True)
    match fallback:
        case "turns":
            return Lane(constrained), Lane((asked,), after=BESIDE_AUTOMATON)
        case "full":
            return (Lane((*constrained, whole)),)
        case "local":
            return (Lane((*constrained, lenient, whole)),)
        case "none":
            return (Lane(constrained),)


_PROOF = (
    Lane((Member(solver=ValueIteration(), heuristic="blind"),), BEFORE_EXHAUSTIVE, proves=True),
    Lane((Member(solver=ImprovedLAOStar(), heuristic="best"),), BEFORE_INFORMED, proves=True),
)
"""Two searches that prove: value iteration on all states there are, up to symmetry, which is fast where symmetry leaves
few of them; improved LAO* with the best admissible heuristic, which meets few states and may think long about each."""
