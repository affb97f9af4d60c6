"""One environment of a task."""

from __future__ import annotations

import math
from itertools import groupby
from numbers import Integral
from typing import Any, TypeAlias

import gymnasium
import numpy as np
from gymnasium.spaces import Discrete, MultiBinary
from numpy.typing import NDArray

from gpaplan import _core
from gpaplan.errors import UsageError
from gpaplan.ppddl import Source
from gpaplan.ppddl.syntax import Domain, Problem
from gpaplan.tasks.grounding import CostMode, Pair, given_task
from gpaplan.tasks.task import GroundTask

AnyTask: TypeAlias = Source | Domain | Pair | GroundTask
"""A task, grounded or parsed; or its domain, parsed, as a text or as a file, which may hold the problem too."""

Observation: TypeAlias = NDArray[np.int8]
"""A state as an agent sees it: a bit for each fluent atom, in the task's order; 1 where it holds."""

_FOREVER = 2**64 - 1  # steps
Action: TypeAlias = int | np.integer[Any]


class PlanningEnv(gymnasium.Env[Observation, Action]):
    """A task as an environment: observations are states, actions are indices into ``task.actions``, a reward is minus
    the cost of a step. ``info["action_mask"]`` has a 1 for each applicable action, ``info["is_success"]`` says whether
    the state is a goal."""

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 4}  # noqa: RUF012  # as in the base class
    """It can be rendered as text; in a film of it, four steps a second."""

    def __init__(
        self,
        domain: AnyTask,
        problem: Source | Problem | None = None,
        *,
        cost: CostMode = "auto",
        relevance: bool = True,
        horizon: int | None = None,
        dead_end_cost: float = 500.0,
        inapplicable_cost: float | None = 1.0,
        render_mode: str | None = None,
    ) -> None:
        """The task is given as files, as texts, parsed, or ground, with costs and relevance as for `ground`: what is
        dropped of it is neither observed nor among the actions.

        An episode terminates at a goal, and in a state without applicable actions, which costs ``dead_end_cost`` more:
        it should be more than what the goal costs, lest it pay to end there. An episode is truncated after ``horizon``
        steps, if that is given. An action that is not applicable changes nothing and costs ``inapplicable_cost``; if
        that is None it raises `UsageError`.
        """
        self.task = _task_of(domain, problem, cost, relevance)
        """The task, whose atoms and actions have names."""
        _check_settings(horizon, render_mode, dead_end_cost=dead_end_cost, inapplicable_cost=inapplicable_cost)
        self.render_mode = render_mode
        self._refuses_inapplicable = inapplicable_cost is None
        self._rules: dict[str, Any] = {"dead_end_cost": dead_end_cost, "inapplicable_cost": inapplicable_cost or 0.0}
        self._rules["horizon"] = _FOREVER if horizon is None else horizon
        self.observation_space = MultiBinary(self.task.core.atom_count)
        self.action_space = Discrete(self.task.core.action_count)
        self._atom_count, self._action_count = self.task.core.atom_count, self.task.core.action_count
        self._world = _core.World(self.task.core, 0)
        self._episode = _core.Episode(self._world, **self._rules)
        self._ready = False  # whether it has been reset
        self._last: Action | None = None
        self._paid = 0.0

    # --- what Gymnasium calls ---

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin an episode in the initial state, or in the one where exactly the atoms ``options["atoms"]`` hold.

        The same seed gives the same run; without one the random numbers go on.
        """
        super().reset(seed=seed)
        atoms = (options or {}).get("atoms")
        start = self.task.core.initial_atoms if atoms is None else self.task.atom_indices(atoms)
        if seed is not None or not self._ready:
            self._world.reseed(int(self.np_random.integers(2**63)))
        self._ready, self._last, self._paid = True, None, 0.0
        self._world.set_state(start)
        bits, mask = np.empty(self._atom_count, np.int8), np.empty(self._action_count, np.int8)
        self._episode.begin(bits, mask)
        return bits, {"action_mask": mask, "is_success": self._world.is_goal()}

    def step(self, action: Action) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Take an action: (observation, reward, terminated, truncated, info). When an episode has terminated nothing
        changes any more, and nothing is paid."""
        if not self._ready:
            raise gymnasium.error.ResetNeeded("reset the environment before the first step")
        bits, mask = np.empty(self._atom_count, np.int8), np.empty(self._action_count, np.int8)
        try:
            if self._refuses_inapplicable:
                self._check(action)
            cost, terminated, truncated, at_goal = self._episode.step(action, bits, mask)  # type: ignore[arg-type]
        except (IndexError, TypeError):
            hint = "; task.action_index gives the index of a name" if isinstance(action, str) else ""
            raise UsageError(
                f"{action!r} is no action: actions are numbers from 0 to {self._action_count - 1}{hint}"
            ) from None
        self._last = action
        self._paid += cost
        info = {"action_mask": mask, "is_success": at_goal}
        return bits, 0.0 - cost, terminated, truncated, info

    def render(self) -> str | None:
        """The state as text, with the last step and the cost so far, if the environment was made with
        ``render_mode="ansi"``."""
        if self.render_mode is None:
            gymnasium.logger.warn('there is nothing to render; make the environment with render_mode="ansi"')
            return None
        step = f"step {self._episode.steps}" + ("" if self._last is None else f": {self.task.action(int(self._last))}")
        lines = [f"{step}, cost so far {self._paid:g}"]
        atoms = [self.task.atoms[index] for index in self._world.atoms()]
        lines += ["  " + " ".join(map(str, group)) for _, group in groupby(atoms, key=lambda atom: atom.predicate)]
        if self._world.is_goal():
            lines.append("the goal is reached")
        elif not self._world.applicable():
            lines.append("no action is applicable")
        return "\n".join(lines)

    # --- what else is known ---

    @property
    def action_names(self) -> tuple[str, ...]:
        """The actions in the order of their indices, as in PPDDL; ``task.action_index`` is the way back."""
        return tuple(map(str, self.task.actions))

    @property
    def atom_names(self) -> tuple[str, ...]:
        """The fluent atoms in the order of the bits of an observation."""
        return tuple(map(str, self.task.atoms))

    @property
    def atoms(self) -> frozenset[str]:
        """The fluent atoms that hold now, by name."""
        return frozenset(str(self.task.atoms[index]) for index in self._world.atoms())

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are applicable now: under the name that Stable-Baselines3's MaskablePPO looks for."""
        mask = np.zeros(self._action_count, np.bool_)
        mask[self._world.applicable()] = True
        return mask

    def _check(self, action: Action) -> None:
        """Raise `UsageError` for an action that is not applicable, unless no action is needed any more."""
        applicable = self._world.is_applicable(action)  # type: ignore[arg-type]
        if not applicable and not self._world.is_goal() and self._world.applicable():
            raise UsageError(f"action {self.task.action(int(action))} is not applicable here")

    # --- pickles and copies ---

    def __getstate__(self) -> dict[str, Any]:
        kept = self._world.atoms(), list(self._world.random_state), self._episode.steps
        return {name: value for name, value in self.__dict__.items() if name != "_world"} | {"_episode": kept}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._world = _core.World(self.task.core, 0)
        atoms, self._world.random_state, steps = state["_episode"]
        self._world.set_state(atoms)
        self._episode = _core.Episode(self._world, **self._rules)
        self._episode.steps = steps


def _task_of(domain: AnyTask, problem: Source | Problem | None, cost: CostMode, relevance: bool) -> GroundTask:
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


def _check_settings(horizon: int | None, render_mode: str | None, **costs: float | None) -> None:
    if render_mode not in (None, "ansi"):
        raise UsageError(f"render_mode is None or 'ansi', not {render_mode!r}")
    if horizon is not None and not (isinstance(horizon, Integral) and 1 <= horizon < _FOREVER):
        raise UsageError(f"the horizon must be a number of steps, 1 or more, or None, not {horizon!r}")
    for name, cost in costs.items():
        if cost is not None and not (cost >= 0 and math.isfinite(cost)):
            raise UsageError(f"{name} must be a number that is not negative, not {cost}")
