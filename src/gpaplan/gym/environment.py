"""One environment of a task."""

from __future__ import annotations

from typing import Any, TypeAlias

import gymnasium
import numpy as np
from gymnasium.spaces import Discrete
from numpy.typing import NDArray

from gpaplan import _core
from gpaplan.errors import UsageError
from gpaplan.gym.observations import BIT, Observation, ObservationKind, observer_of
from gpaplan.gym.settings import (
    AnyTask,
    EnvironmentSettings,
    draw_seed,
    refuse_action,
    restore,
    save,
    show,
    start_of,
    task_of,
)
from gpaplan.ppddl import Source
from gpaplan.ppddl.syntax import Problem
from gpaplan.tasks.grounding import CostMode

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
        observation: ObservationKind = "bits",
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
        self.task = task_of(domain, problem, cost, relevance)
        """The task, whose atoms and actions have names."""
        self._settings = EnvironmentSettings(horizon, dead_end_cost, inapplicable_cost, render_mode)
        self.render_mode = render_mode
        self._observer = observer_of(self.task, observation)
        self.observation_space = self._observer.space
        self.action_space = Discrete(self.task.core.action_count)
        self._atom_count, self._action_count = self.task.core.atom_count, self.task.core.action_count
        self._world = _core.World(self.task.core, 0)
        self._episode = self._settings.episode(self._world)
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
        start = start_of(self.task, options)
        if seed is not None or not self._ready:
            self._world.reseed(draw_seed(self.np_random))
        self._ready, self._last, self._paid = True, None, 0.0
        self._world.set_state(start)
        bits, mask = np.empty(self._atom_count, BIT), np.empty(self._action_count, BIT)
        self._episode.begin(bits, mask)
        return self._observer.observe(bits), {"action_mask": mask, "is_success": self._world.is_goal()}

    def step(self, action: Action) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Take an action: (observation, reward, terminated, truncated, info). When an episode has terminated nothing
        changes any more, and nothing is paid."""
        if not self._ready:
            raise gymnasium.error.ResetNeeded("reset the environment before the first step")
        bits, mask = np.empty(self._atom_count, BIT), np.empty(self._action_count, BIT)
        try:
            if self._settings.inapplicable_cost is None:
                self._check(action)
            cost, terminated, truncated, at_goal = self._episode.step(action, bits, mask)  # type: ignore[arg-type]
        except (IndexError, TypeError):
            refuse_action(self.task, action)
        self._last = action
        self._paid += cost
        info = {"action_mask": mask, "is_success": at_goal}
        return self._observer.observe(bits), 0.0 - cost, terminated, truncated, info

    def render(self) -> str | None:
        """The state as text, with the last step and the cost so far, if the environment was made with
        ``render_mode="ansi"``."""
        if self.render_mode is None:
            gymnasium.logger.warn('there is nothing to render; make the environment with render_mode="ansi"')
            return None
        return show(self.task, self._world, self._episode.steps, self._last, self._paid)

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
    def features(self) -> tuple[str, ...]:
        """What the features of the nodes of a graph say; for observations as bits the same as ``atom_names``."""
        return self._observer.features

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
        state = self.__dict__ | {"_episode": save(self._world, self._episode)}
        del state["_world"]
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._world = _core.World(self.task.core, 0)
        self._episode = restore(self._world, self._settings, state["_episode"])
