"""How a problem is solved: one record, passed whole from wherever it is chosen to the run.

    settings = RunSettings(solver=LAOStar(epsilon=1e-8), heuristic="lmcut")
    solve_with(task, dataclasses.replace(settings, limits=Limits(seconds=10)))

What is wrong with it is said when it is made, and not in the middle of a night of runs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, get_args

from gpaplan.automata.matching import Match, match_of
from gpaplan.errors import UsageError
from gpaplan.limits import AnyLimits
from gpaplan.solving.heuristics import AnyHeuristic, heuristic_of, is_admissible
from gpaplan.solving.solvers import LRTDP, AnySolver, solver_of
from gpaplan.spaces.settings import SpaceSettings

__all__ = ["Fallback", "RunSettings"]

Fallback: TypeAlias = Literal["turns", "full", "local", "none"]
"""What is solved where an automaton does not suffice; see `solve`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSettings:
    """Everything that decides a run besides the task and the automaton: solver, heuristic, match, fallback,
    dead_end_cost, precision, prove, limits, seed and space. `solve` says what each of them means.
    """

    solver: AnySolver = field(default_factory=LRTDP)
    heuristic: AnyHeuristic = "ff"
    match: Match = "coarse"
    fallback: Fallback = "turns"
    dead_end_cost: float | None = None
    precision: float = 1e-6
    prove: bool = False
    limits: AnyLimits = None
    seed: int = 0
    space: SpaceSettings = field(default_factory=SpaceSettings)

    def __post_init__(self) -> None:
        solver_of(self.solver)
        heuristic_of(self.heuristic)
        if self.dead_end_cost is not None and not (0 < self.dead_end_cost < math.inf):
            raise UsageError(f"the dead-end cost must be a positive number, not {self.dead_end_cost}")
        if not (0 < self.precision < 1):
            raise UsageError(f"the precision is a share of the cost, between 0 and 1, not {self.precision}")
        match_of(self.match)
        if self.fallback not in get_args(Fallback):
            raise UsageError(f"the fallback is 'turns', 'full', 'local' or 'none', not '{self.fallback}'")

    @property
    def uses_heuristic(self) -> bool:
        """Whether the solver looks at the heuristic."""
        return bool(getattr(solver_of(self.solver), "uses_heuristic", True))

    @property
    def gives_lower_bound(self) -> bool:
        """Whether the solver's estimate is a lower bound of the optimal cost, if the values that it starts from are."""
        return bool(getattr(solver_of(self.solver), "gives_lower_bound", True))

    @property
    def proves_optimality(self) -> bool:
        """Whether a policy that costs no more than the solver's estimate is known to be optimal."""
        return self.gives_lower_bound and (not self.uses_heuristic or is_admissible(self.heuristic))
