"""The one place where problems are solved to learn from them.

`solve_to_optimality` solves given examples, each of which must be solved. Growing, validating and pruning choose by
what can be solved, and what is learned must not depend on the machine, so what decides it is counted in states: the
budget says how many states one search may expand. Its seconds and megabytes are the outer stop; a run that meets them
ends early, and says so.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from gpaplan import _core, interrupts
from gpaplan.errors import STOPPED, LimitError, UsageError
from gpaplan.learning.constants import COST_TOLERANCE, EXACT, STATES
from gpaplan.limits import Limits, started
from gpaplan.solving.heuristics import ADMISSIBLE, AnyHeuristic, make_heuristic
from gpaplan.solving.run import solve_with
from gpaplan.solving.settings import Fallback, RunSettings
from gpaplan.solving.solution import Solution
from gpaplan.solving.solvers import LRTDP, LAOStar
from gpaplan.spaces.state_space import StateSpace, named_errors
from gpaplan.statuses import Status
from gpaplan.tasks.task import GroundTask

if TYPE_CHECKING:
    from gpaplan.automata.filters import TransitionFilter

TRAINING = RunSettings(solver=LAOStar(epsilon=EXACT), heuristic="lmcut")
"""How examples are solved, unless told otherwise."""

GROWING = replace(TRAINING, solver=LRTDP(epsilon=EXACT), match="strict")
"""The same for problems that may turn out to be too large. What was learned is to suffice exactly."""


BUDGET = Limits(states=STATES)
"""How far a search goes, unless told otherwise."""


def solve_to_optimality(
    tasks: Iterable[GroundTask], settings: RunSettings = TRAINING, *, jobs: int = 1
) -> Iterator[Solution]:
    """Optimal solutions of the examples, in their order, so many solved at a time.

    Raises `LimitError` at a limit, and `UsageError` where no policy reaches the goal with probability one, unless the
    settings have a dead-end cost.
    """
    check_optimality(settings)
    solved = _side_by_side(tasks, settings, jobs) if jobs > 1 else (solve_with(task, settings) for task in tasks)
    for solution in solved:
        name = solution.space.task.problem.name
        if solution.status in STOPPED:
            raise LimitError(f"solving the training problem '{name}'", solution.status)
        if solution.status != Status.SOLVED:
            raise UsageError(
                f"the training problem '{name}' has no policy that reaches the goal with probability one; "
                f"leave it out, or allow giving up (--dead-end-cost D)\n  {solution.reason}"
            )
        yield solution


def has_proper_policy(task: GroundTask, settings: RunSettings) -> bool:
    """Whether a small problem has a proper policy, or may give up; at a limit, whoever solves it will say so."""
    space = StateSpace(task, settings.space, limits=settings.limits)
    if settings.dead_end_cost is not None or not space.explore(limits=settings.limits).complete:
        return True
    search = _core.Search(space.core, make_heuristic("blind", task), settings)
    with named_errors(task):
        search.mark_dead_ends()
    return search.value(space.initial) < math.inf


def optimal_cost(space: StateSpace, dead_end_cost: float, stop: _core.Stop) -> float:
    """The optimal cost of a problem whose states are all explored; infinite if the goal may be missed."""
    search = _core.Search(space.core, make_heuristic("blind", space.task), epsilon=EXACT, dead_end_cost=dead_end_cost)
    with named_errors(space.task):
        if search.value_iteration(stop):
            raise LimitError("learning", stop.reason)
    return search.value(space.initial)


def _side_by_side(tasks: Iterable[GroundTask], settings: RunSettings, jobs: int) -> Iterator[Solution]:
    """Solve in threads; the core lets go of the interpreter lock. Ctrl-C comes to the main thread, which tells them."""
    from concurrent.futures import ThreadPoolExecutor

    stops: list[_core.Stop] = []
    over = False

    def solve_one(task: GroundTask) -> Solution:
        stop = started(settings.limits)
        stops.append(stop)
        if over:
            stop.interrupt()
        return solve_with(task, replace(settings, limits=stop))

    pool = ThreadPoolExecutor(jobs)
    try:
        yield from pool.map(solve_one, tasks)
    except BaseException:  # an interrupt, an error of one of them, or nobody wants the rest
        over = True
        for stop in stops:
            stop.interrupt()
        raise
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def plain_limits(settings: RunSettings) -> Limits:
    """The limits of settings, before any clock; none if theirs runs already."""
    return settings.limits if isinstance(settings.limits, Limits) else Limits()


def check_optimality(settings: RunSettings) -> None:
    """Raise `UsageError` unless what is solved can be known to be optimal."""
    if not settings.proves_optimality:
        known = ", ".join(ADMISSIBLE)
        raise UsageError(f"learning needs optimal costs, and so an admissible heuristic ({known})")


@dataclass
class Solving:
    """How problems are solved, and the clock of the whole.

    Solver, heuristic, epsilon, seed and max_outcomes are those of `gpaplan.solve`.
    """

    budget: Limits = BUDGET
    """States are those of one search, seconds and megabytes those of the whole."""
    settings: RunSettings = GROWING
    """Limits, and where to fall back, are not taken from them: these are the budget's, and that of each search."""
    fallback_heuristic: AnyHeuristic = "hadd"
    """Of searches with fallback, which prove nothing anyway: one that leads to the goal fast."""
    cache: dict[str, Solution] | None = None
    """If there is one: the solutions without an automaton, by the problems' names. Each is then solved only once."""
    stopped_by: str = ""
    """``time-limit``, ``memory-limit`` or ``interrupted`` once the whole must end."""

    def __post_init__(self) -> None:
        self._started = time.monotonic()

    def limits(self, *, states: bool = True) -> Limits:
        """What is left of the budget."""
        seconds = self.budget.seconds
        left = None if seconds is None else max(1e-3, seconds - (time.monotonic() - self._started))
        return replace(self.budget, seconds=left, states=self.budget.states if states else None)

    @property
    def out_of_time(self) -> bool:
        """Whether the whole must end."""
        seconds = self.budget.seconds
        if not self.stopped_by and seconds is not None and time.monotonic() - self._started >= seconds:
            self.stopped_by = Status.TIME_LIMIT
        return bool(self.stopped_by)

    @contextmanager
    def noting_stops(self) -> Iterator[None]:
        """What is done within ends at a limit of the whole, or at Ctrl-C, and ``stopped_by`` says so."""
        try:
            yield
        except KeyboardInterrupt:
            interrupts.taken()
            self.stopped_by = Status.INTERRUPTED
        except LimitError as error:
            interrupts.taken()
            self.stopped_by = error.reason.status

    def solve(
        self, task: GroundTask, automaton: TransitionFilter | None = None, *, fallback: Fallback = "none"
    ) -> Solution:
        """Solve a problem, under an automaton if one is given; without it only where ``fallback`` says so.

        Raises `LimitError` where the whole must end.
        """
        name = task.problem.name
        if automaton is None and self.cache is not None and name in self.cache:
            return self.cache[name]
        if self.out_of_time:
            raise LimitError("learning", self.stopped_by)
        settings = replace(self.settings, limits=self.limits(), fallback=fallback)
        if fallback != "none":
            settings = replace(settings, heuristic=self.fallback_heuristic)
        solution = solve_with(task, settings, automaton)
        if solution.status in STOPPED and solution.status != Status.STATE_LIMIT:
            raise LimitError("learning", solution.status)
        if automaton is None and self.cache is not None:
            self.cache[name] = solution
        return solution


def is_worse(cost: float, optimum: float) -> bool:
    """Whether a cost is above another by more than rounding."""
    return cost > optimum + COST_TOLERANCE * max(1.0, abs(optimum)) or (math.isinf(cost) and not math.isinf(optimum))
