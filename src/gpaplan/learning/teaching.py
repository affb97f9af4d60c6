"""Learning from the very problem that is to be solved, or acted in, before that begins.

A problem for which a plain search finds a good policy in a moment needs no teaching. Out of any other, small ones are
made and learned from (`gpaplan.learning.loop`), and what was learned is used on the problem itself. That changes no
guarantee: a search under an automaton falls back on the whole problem, beside it or after it.
"""

from __future__ import annotations

from dataclasses import replace

from gpaplan.errors import LimitError, UsageError
from gpaplan.learning.constants import DEARER
from gpaplan.learning.loop import Learning, Progress, learn_problems
from gpaplan.learning.solving import TRAINING
from gpaplan.limits import Limits
from gpaplan.solving.run import solve_with
from gpaplan.solving.settings import RunSettings
from gpaplan.solving.solution import Solution
from gpaplan.statuses import Status
from gpaplan.tasks.task import GroundTask

__all__ = ["MOMENT", "solve_in_a_moment", "teach"]

MOMENT = 20_000
"""States that a search may expand in a moment: it takes a second or less."""


def solve_in_a_moment(task: GroundTask, settings: RunSettings) -> tuple[Solution, bool]:
    """What a plain search finds in a moment, and whether it is good enough to need no teaching."""
    limits = settings.limits if isinstance(settings.limits, Limits) else Limits()
    most = MOMENT if limits.states is None else min(MOMENT, limits.states)
    solution = solve_with(task, replace(settings, limits=replace(limits, states=most)))
    if solution.status != Status.SOLVED:
        return solution, solution.status != Status.STATE_LIMIT
    return solution, solution.gap is not None and solution.gap <= DEARER - 1


def teach(
    task: GroundTask,
    *,
    seed: int = 0,
    dead_end_cost: float | None = None,
    limits: Limits | None = None,
    progress: Progress = lambda _: None,
) -> Learning | None:
    """What was learned from a problem; None if nothing can be, or if acting goes no better with it."""
    settings = replace(TRAINING, seed=seed, dead_end_cost=dead_end_cost, limits=limits)
    try:
        found = learn_problems([task], settings=settings, progress=progress)
    except (LimitError, UsageError):
        return None
    if found.choice is not None and not found.choice.score.is_worth_having:
        return None
    return found
