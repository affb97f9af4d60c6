"""What an environment is made of: a task, what is observed of it, and when an episode ends and at what cost."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import groupby
from numbers import Integral
from typing import Any, NoReturn, SupportsInt, TypeAlias

import numpy as np

from gpaplan import _core
from gpaplan.errors import UsageError
from gpaplan.ppddl import Source
from gpaplan.ppddl.syntax import Domain, Problem
from gpaplan.tasks.grounding import CostMode, Pair, given_task
from gpaplan.tasks.task import GroundTask

AnyTask: TypeAlias = Source | Domain | Pair | GroundTask
"""A task, grounded or parsed; or its domain, parsed, as a text or as a file, which may hold the problem too."""

Saved: TypeAlias = tuple[list[int], list[int], int]
"""An episode in a pickle: the atoms that hold, the state of the random numbers, the number of steps taken."""

_FOREVER = 2**64 - 1


def task_of(domain: AnyTask, problem: Source | Problem | None, cost: CostMode, relevance: bool) -> GroundTask:
    """The task that was given, in whatever form; one that nobody can act in is an error."""
    if isinstance(domain, GroundTask):
        if problem is not None or cost not in ("auto", domain.cost):
            raise UsageError("a ground task is the whole task: it has a problem, and costs, of its own")
        task = domain
    else:
        given: Any = domain if problem is None else (domain, problem)
        task = given_task(given, cost=cost, relevance=relevance)
    for count, what in ((task.core.atom_count, "atom that changes"), (task.core.action_count, "action")):
        if count == 0:
            raise UsageError(f"problem '{task.problem.name}' has no {what}: there is nothing to act in")
    return task


@dataclass(frozen=True, slots=True)
class EnvironmentSettings:
    """When an episode ends, and what is paid besides the costs of actions."""

    horizon: int | None
    dead_end_cost: float
    inapplicable_cost: float | None
    """None: an inapplicable action is an error."""
    render_mode: str | None

    def __post_init__(self) -> None:
        if self.render_mode not in (None, "ansi"):
            raise UsageError(f"render_mode is None or 'ansi', not {self.render_mode!r}")
        if self.horizon is not None and not (isinstance(self.horizon, Integral) and 1 <= self.horizon < _FOREVER):
            raise UsageError(f"the horizon must be a number of steps, 1 or more, or None, not {self.horizon!r}")
        for name in ("dead_end_cost", "inapplicable_cost"):
            cost = getattr(self, name)
            if cost is not None and not (cost >= 0 and math.isfinite(cost)):
                raise UsageError(f"{name} must be a number that is not negative, not {cost}")

    def episode(self, world: _core.World) -> _core.Episode:
        """An episode in a world, by these settings."""
        return _core.Episode(
            world,
            inapplicable_cost=self.inapplicable_cost or 0.0,
            dead_end_cost=self.dead_end_cost,
            horizon=_FOREVER if self.horizon is None else self.horizon,
        )


def draw_seed(random: np.random.Generator) -> int:
    """A seed for the core's random numbers."""
    return int(random.integers(2**63))


def start_of(task: GroundTask, options: dict[str, Any] | None) -> list[int]:
    """The state in which an episode is to begin: the initial one, or the one where ``options["atoms"]`` hold."""
    atoms = None if options is None else options.get("atoms")
    return task.core.initial_atoms if atoms is None else task.atom_indices(atoms)


def save(world: _core.World, episode: _core.Episode) -> Saved:
    """What is to be kept of an episode."""
    return world.atoms(), list(world.random_state), episode.steps


def restore(world: _core.World, settings: EnvironmentSettings, saved: Saved) -> _core.Episode:
    """An episode that goes on in a world as the saved one would have."""
    atoms, world.random_state, steps = saved
    world.set_state(atoms)
    episode = settings.episode(world)
    episode.steps = steps
    return episode


def refuse_action(task: GroundTask, action: object) -> NoReturn:
    """Raise the error for what is no action."""
    hint = "; task.action_index gives the index of a name" if isinstance(action, str) else ""
    raise UsageError(
        f"{action!r} is no action: actions are numbers from 0 to {task.core.action_count - 1}{hint}"
    ) from None


def show(task: GroundTask, world: _core.World, steps: int, last: SupportsInt | None, paid: float) -> str:
    """The last action and the cost so far, then the atoms that hold, a line for each predicate."""
    step = f"step {steps}" + ("" if last is None else f": {task.action(int(last))}")
    lines = [f"{step}, cost so far {paid:g}"]
    atoms = [task.atoms[index] for index in world.atoms()]
    for _, group in groupby(atoms, key=lambda atom: atom.predicate):
        lines.append("  " + " ".join(map(str, group)))
    if world.is_goal():
        lines.append("the goal is reached")
    elif not world.applicable():
        lines.append("no action is applicable")
    return "\n".join(lines)
