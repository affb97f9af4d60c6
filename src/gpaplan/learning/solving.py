"""The one place where growing, validating and pruning solve problems.

What is learned must not depend on the machine, so what decides it is counted in states: a `Budget` says how many states
one search may expand. Seconds and megabytes are the outer stop; a run that meets them ends early, and says so.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gpaplan.errors import UsageError
from gpaplan.limits import Limits
from gpaplan.solving.solution import Fallback, Solution, solve
from gpaplan.solving.solvers import Solver, make_solver
from gpaplan.spaces.state_space import MAX_OUTCOMES, StateSpace
from gpaplan.spaces.symmetry import SymmetryMode
from gpaplan.tasks.task import GroundTask

if TYPE_CHECKING:
    from gpaplan import _core
    from gpaplan.automata.automaton import PolicyAutomaton

__all__ = ["COST_TOLERANCE", "STATES", "Budget", "Solving", "is_worse"]

STATES = 200_000
"""How many states a search may expand, unless told otherwise."""

ADMISSIBLE = ("lmcut", "hmax", "blind")

COST_TOLERANCE = 1e-6
"""Costs whose relative difference is less than this are the same."""


@dataclass(frozen=True, slots=True)
class Budget:
    """What growing may spend: states for each search, seconds and megabytes for the whole."""

    states: int | None = STATES
    seconds: float | None = None
    megabytes: float | None = None

    def __post_init__(self) -> None:
        Limits(self.seconds, self.megabytes, self.states)  # refuses what is not positive


@dataclass
class Solving:
    """How problems are solved, and the clock of the whole.

    The budget says how far; solver, heuristic, epsilon, seed, max_outcomes and progress are those of `gpaplan.solve`.
    """

    budget: Budget = field(default_factory=Budget)
    solver: str | Solver = "lrtdp"
    heuristic: str = "lmcut"
    fallback_heuristic: str = "hadd"
    """Of searches with fallback, which prove nothing anyway: one that leads to the goal fast."""
    epsilon: float = 1e-8
    seed: int = 0
    max_outcomes: int = MAX_OUTCOMES
    symmetry: SymmetryMode = "off"
    """Whether problems are solved up to renaming of interchangeable objects (`gpaplan.spaces.symmetry`)."""
    progress: Callable[[_core.Search, StateSpace], None] | None = None
    stopped_by: str = ""
    """``time-limit``, ``memory-limit`` or ``interrupted`` once the whole must end."""

    def __post_init__(self) -> None:
        self._started = time.monotonic()

    def check_admissible(self) -> None:
        """Raise `UsageError` unless what is solved can be known to be optimal."""
        if self.heuristic not in ADMISSIBLE:
            known = ", ".join(ADMISSIBLE)
            raise UsageError(f"learning needs optimal costs, and so an admissible heuristic ({known})")

    def limits(self, *, states: bool = True) -> Limits:
        """What is left of the budget."""
        left = None
        if self.budget.seconds is not None:
            left = max(1e-3, self.budget.seconds - (time.monotonic() - self._started))
        return Limits(left, self.budget.megabytes, self.budget.states if states else None)

    @property
    def out_of_time(self) -> bool:
        """Whether the whole must end."""
        seconds = self.budget.seconds
        if not self.stopped_by and seconds is not None and time.monotonic() - self._started >= seconds:
            self.stopped_by = "time-limit"
        return bool(self.stopped_by)

    def solve(
        self, task: GroundTask, automaton: PolicyAutomaton | None = None, *, fallback: Fallback = "none"
    ) -> Solution:
        """Solve a problem, under an automaton if one is given; without it only where ``fallback`` says so."""
        solution = solve(
            task,
            make_solver(self.solver, self.epsilon) if isinstance(self.solver, str) else self.solver,
            heuristic=self.heuristic if fallback == "none" else self.fallback_heuristic,
            automaton=automaton,
            fallback=fallback,
            limits=self.limits(),
            seed=self.seed,
            max_outcomes=self.max_outcomes,
            symmetry=self.symmetry,
            progress=self.progress,
        )
        if solution.status in ("time-limit", "memory-limit", "interrupted"):
            self.stopped_by = solution.status
        return solution


def is_worse(cost: float, optimum: float) -> bool:
    """Whether a cost is above another by more than rounding."""
    return cost > optimum + COST_TOLERANCE * max(1.0, abs(optimum)) or (math.isinf(cost) and not math.isinf(optimum))
