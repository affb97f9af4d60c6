"""How a problem is solved: one record, passed whole from wherever it is chosen to the run.

    settings = RunSettings(solver=LAOStar(epsilon=1e-8), heuristic="lmcut")
    solve_with(task, dataclasses.replace(settings, limits=Limits(seconds=10)))

What is wrong with it is said when it is made, and not in the middle of a night of runs.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias, get_args

from gpaplan.automata.filters import Match
from gpaplan.errors import UsageError
from gpaplan.limits import AnyLimits
from gpaplan.settings import Settings, setting
from gpaplan.solving.heuristics import HEURISTICS, AnyHeuristic, heuristic_of, is_admissible
from gpaplan.solving.solvers import SOLVERS, AnySolver, Solver, solver_of
from gpaplan.spaces.state_space import SpaceSettings

Effort: TypeAlias = Literal["first", "balanced", "proven"]
"""When a policy that was found is enough; see `solve`."""

Fallback: TypeAlias = Literal["turns", "full", "local", "none"]
"""What is solved where an automaton does not suffice; see `solve`."""


_SEARCH, _AUTOMATON = "Search", "Automaton"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSettings(Settings):
    """Everything that decides a run besides the task and the automaton. `solve` says what each of them means."""

    solver: AnySolver | None = setting(
        None, "Solve by this one alone.", choices=SOLVERS, default_in_words="a portfolio of several", group=_SEARCH
    )
    heuristic: AnyHeuristic | None = setting(
        None,
        "What guides the solver, which is lrtdp unless another is given; all but hadd and ff are admissible.",
        choices=HEURISTICS,
        default_in_words="ff for a solver alone",
        group=_SEARCH,
    )
    effort: Effort = setting(
        "balanced",
        "When to stop: at the first policy; when the policy is proven optimal; or between the two, as long as a proof "
        "is likely to come soon.",
        choices=get_args(Effort),
        group=_SEARCH,
    )
    precision: float = setting(
        1e-6,
        "The share of its cost by which an 'optimal' policy may exceed the optimum. With an admissible heuristic the "
        "search goes on until that is proven.",
        above=0,
        below=1,
        group=_SEARCH,
        is_rare=True,
    )
    prove: bool = setting(
        False,
        "The same as --effort proven: go on until the policy is proven optimal, or replaced by one that is. A limit or "
        "Ctrl-C ends the proof and keeps what there is.",
        group=_SEARCH,
    )
    dead_end_cost: float | None = setting(
        None,
        "Allow giving up in every state, at cost D.",
        above=0,
        metavar="D",
        default_in_words="not allowed",
        group=_SEARCH,
    )
    threads: int | None = setting(
        None,
        "How many searches of the portfolio may run at a time. The answer does not depend on it.",
        least=1,
        is_whole=True,
        metavar="N",
        default_in_words="as many as there are processors",
        group=_SEARCH,
        is_rare=True,
    )
    match: Match = setting(
        "coarse",
        "Compare states with the automaton as coarsely as needed, or exactly.",
        choices=get_args(Match),
        group=_AUTOMATON,
        is_rare=True,
    )
    fallback: Fallback = setting(
        "turns",
        "When to search the whole problem: by turns with the search under the automaton, once that takes more than a "
        "moment; after it has failed; after the constraint was lifted only where it leaves no action; or never.",
        choices=get_args(Fallback),
        group=_AUTOMATON,
        is_rare=True,
    )
    seed: int = setting(
        0,
        "Seed of random choices; the same input and seed give the same output.",
        least=0,
        most=2**64 - 1,
        is_whole=True,
        metavar="N",
    )
    limits: AnyLimits = None
    """Where to stop, …"""
    work: int | None = None
    """… or after so much work of all searches together and of learning, the status being ``state-limit``."""
    space: SpaceSettings = field(default_factory=SpaceSettings)
    """What the state space is like."""

    def __post_init__(self) -> None:
        solver_of(self.first_solver)
        heuristic_of(self.first_heuristic)
        Settings.__post_init__(self)
        if self.prove and self.effort == "first":
            raise UsageError("effort first stops before a proof: give effort first or prove, not both")

    @property
    def is_portfolio(self) -> bool:
        """Whether several searches share the work, as no solver and no heuristic is asked for."""
        return self.solver is None and self.heuristic is None

    @property
    def is_to_prove(self) -> bool:
        """Whether the work goes on until the policy is proven optimal."""
        return self.prove or self.effort == "proven"

    @property
    def first_solver(self) -> Solver:
        """The solver that is asked for, or that a portfolio begins with."""
        return solver_of("lrtdp" if self.solver is None else self.solver)

    @property
    def first_heuristic(self) -> AnyHeuristic:
        """The heuristic that is asked for, or that a portfolio begins with."""
        return "ff" if self.heuristic is None else self.heuristic

    @property
    def proves_optimality(self) -> bool:
        """Whether a policy that costs no more than the solver's estimate is known to be optimal."""
        solver = self.first_solver
        if not getattr(solver, "gives_lower_bound", True):
            return False
        return not getattr(solver, "uses_heuristic", True) or is_admissible(self.first_heuristic)
