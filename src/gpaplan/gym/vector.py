"""Many environments of one task, stepped at once by the core."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

import gymnasium
import numpy as np
from gymnasium.spaces import Discrete
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from gpaplan import _core
from gpaplan.errors import UsageError
from gpaplan.gym.environment import PlanningEnv
from gpaplan.gym.observations import BIT, Bits, Observation, ObservationKind, observer_of
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

Flags: TypeAlias = NDArray[np.bool_]
Observations: TypeAlias = Bits | tuple[Observation, ...]


class VectorPlanningEnv(VectorEnv[Observations, ArrayLike, NDArray[Any]]):
    """Environments of one task, each like a `PlanningEnv`: with the same seed it takes the same course.

    Observations come as an array with a row for each environment, graphs as a tuple of them.
    """

    def __init__(
        self,
        domain: AnyTask,
        problem: Source | Problem | None = None,
        *,
        num_envs: int = 1,
        observation: ObservationKind = "bits",
        cost: CostMode = "auto",
        relevance: bool = True,
        horizon: int | None = None,
        dead_end_cost: float = 500.0,
        inapplicable_cost: float | None = 1.0,
        render_mode: str | None = None,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        max_episode_steps: int | None = None,
    ) -> None:
        """As for a `PlanningEnv`; ``max_episode_steps`` is another name for ``horizon``, the one that Gymnasium has.

        An environment whose episode has ended begins a new one in the next step, with reward 0 and whatever the action,
        or in the same step, or when it is reset: ``autoreset_mode`` says which, as in Gymnasium.
        """
        if num_envs < 1:
            raise UsageError(f"num_envs must be at least 1, not {num_envs}")
        self.task = task_of(domain, problem, cost, relevance)
        """The task, whose atoms and actions have names."""
        limits = [each for each in (horizon, max_episode_steps) if each is not None]
        self._settings = EnvironmentSettings(min(limits, default=None), dead_end_cost, inapplicable_cost, render_mode)
        self._observer = observer_of(self.task, observation)
        self._autoreset = AutoresetMode(autoreset_mode)
        self.num_envs = num_envs
        self.render_mode = render_mode
        self.metadata = {**PlanningEnv.metadata, "autoreset_mode": self._autoreset}
        self.single_observation_space = self._observer.space
        self.single_action_space = Discrete(self.task.core.action_count)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._worlds = self._make_worlds()
        self._episodes = [self._settings.episode(world) for world in self._worlds]
        self._ready = False  # whether it has been reset
        self._bits, self._masks = self._empty()
        self._at_goal, self._ended = np.zeros((2, num_envs), np.bool_)
        self._last: list[int | None] = [None] * num_envs
        self._paid = np.zeros(num_envs)

    def _make_worlds(self) -> list[_core.World]:
        first = _core.World(self.task.core, 0)
        return [first, *(first.fork(0) for _ in range(1, self.num_envs))]

    def _empty(self) -> tuple[Bits, Bits]:
        sizes = self.task.core.atom_count, self.task.core.action_count
        bits, masks = (np.empty((self.num_envs, size), BIT) for size in sizes)
        return bits, masks

    # --- what Gymnasium calls ---

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Begin an episode in each environment, or in those for which ``options["reset_mask"]`` is true.

        A number seeds the first environment, the next one by one more, and so on; a sequence has a seed, or None, for
        each. ``options["atoms"]`` are the atoms of another state than the initial one to begin in.
        """
        super().reset(seed=seed if isinstance(seed, int) else None)
        start = start_of(self.task, options)
        which = self._reset_mask(options or {})
        for index, each in enumerate(self._seeds(seed)):
            if which[index] and (each is not None or not self._ready):
                random = self.np_random if each is None else seeding.np_random(each)[0]
                self._worlds[index].reseed(draw_seed(random))
        self._ready = True
        self._begin(np.flatnonzero(which), start)
        return self._observed(self._bits), self._infos()

    def step(self, actions: ArrayLike) -> tuple[Observations, NDArray[np.float64], Flags, Flags, dict[str, Any]]:
        """Take an action in each environment: (observations, rewards, terminated, truncated, infos)."""
        if not self._ready:
            raise gymnasium.error.ResetNeeded("reset the environments before the first step")
        if self._autoreset is AutoresetMode.DISABLED and self._ended.any():
            raise UsageError(f"environment {self._ended.argmax()} has ended, and is to be reset first")
        chosen = self._chosen(actions)
        restarted = self._ended
        bits, masks = self._empty()
        costs = np.empty(self.num_envs)
        terminated, truncated, at_goal = np.empty((3, self.num_envs), np.bool_)
        try:
            _core.step_episodes(self._episodes, chosen, restarted, bits, masks, costs, terminated, truncated, at_goal)
        except IndexError:
            refuse_action(self.task, int(chosen[(chosen < 0) | (chosen >= self.task.core.action_count)][0]))
        self._note(chosen, restarted, costs)
        self._bits, self._masks, self._at_goal, self._ended = bits, masks, at_goal, terminated | truncated
        final = self._restart_ended() if self._autoreset is AutoresetMode.SAME_STEP and self._ended.any() else {}
        return self._observed(self._bits), 0.0 - costs, terminated, truncated, self._infos() | final

    def render(self) -> tuple[str, ...] | None:
        """Each state as text."""
        if self.render_mode is None:
            gymnasium.logger.warn('there is nothing to render; make the environments with render_mode="ansi"')
            return None
        rows = zip(self._worlds, self._episodes, self._last, self._paid, strict=True)
        return tuple(show(self.task, world, episode.steps, last, paid) for world, episode, last, paid in rows)

    # --- in parts ---

    def _seeds(self, seed: int | Sequence[int | None] | None) -> Sequence[int | None]:
        if seed is None:
            return [None] * self.num_envs
        if isinstance(seed, int):
            return range(seed, seed + self.num_envs)
        if len(seed) != self.num_envs:
            raise UsageError(f"there are {len(seed)} seeds for {self.num_envs} environments")
        return seed

    def _reset_mask(self, options: dict[str, Any]) -> Flags:
        if "reset_mask" not in options or not self._ready:  # the first time all of them begin
            return np.ones(self.num_envs, np.bool_)
        mask = np.asarray(options["reset_mask"])
        if mask.shape != (self.num_envs,) or mask.dtype != np.bool_:
            raise UsageError(f"reset_mask must have a boolean for each of the {self.num_envs} environments")
        return mask

    def _chosen(self, actions: ArrayLike) -> NDArray[np.int64]:
        """The actions as the core takes them, checked but for their range."""
        given = np.asarray(actions)
        if given.shape != (self.num_envs,) or given.dtype.kind not in "iu":
            raise UsageError(f"actions must be one whole number for each of the {self.num_envs} environments")
        chosen = np.ascontiguousarray(given, np.int64)
        if self._settings.inapplicable_cost is None:
            in_range = chosen.clip(0, self.task.core.action_count - 1)
            free = self._ended | self._at_goal | ~self._masks.any(axis=1)  # where it does not matter
            wrong = np.flatnonzero((self._masks[np.arange(self.num_envs), in_range] == 0) & ~free)
            if wrong.size:
                action = self.task.action(int(in_range[wrong[0]]))
                raise UsageError(f"action {action} is not applicable in environment {wrong[0]}")
        return chosen

    def _begin(self, which: Iterable[int], start: list[int]) -> None:
        """Begin an episode in some of the environments."""
        self._bits, self._masks, self._at_goal = self._bits.copy(), self._masks.copy(), self._at_goal.copy()
        for index in which:
            world = self._worlds[index]
            world.set_state(start)
            self._episodes[index].begin(self._bits[index], self._masks[index])
            self._at_goal[index] = world.is_goal()
            self._ended[index] = False
            self._last[index], self._paid[index] = None, 0.0

    def _restart_ended(self) -> dict[str, Any]:
        """Begin again where an episode has ended; what its end was like, as Gymnasium has it."""
        ended = self._ended.copy()
        observations = np.full(self.num_envs, None, dtype=object)
        for index in np.flatnonzero(ended):
            observations[index] = self._observer.observe(self._bits[index])
        last = {"action_mask": np.where(ended[:, None], self._masks, np.int8(0)), "is_success": self._at_goal & ended}
        final = {name: each for key, value in last.items() for name, each in ((key, value), (f"_{key}", ended.copy()))}
        self._begin(np.flatnonzero(ended), self.task.core.initial_atoms)
        return {"final_obs": observations, "_final_obs": ended, "final_info": final, "_final_info": ended.copy()}

    def _note(self, chosen: NDArray[np.int64], restarted: Flags, costs: NDArray[np.float64]) -> None:
        """Keep what `render` shows."""
        if self.render_mode is not None:
            self._last = [None if again else int(one) for one, again in zip(chosen, restarted, strict=True)]
            self._paid = np.where(restarted, 0.0, self._paid + costs)

    def _observed(self, bits: Bits) -> Observations:
        if isinstance(self.single_observation_space, gymnasium.spaces.MultiBinary):
            return bits.copy()
        return tuple(map(self._observer.observe, bits))

    def _infos(self) -> dict[str, Any]:
        known = np.ones(self.num_envs, np.bool_)
        return {
            "action_mask": self._masks.copy(),
            "_action_mask": known,
            "is_success": self._at_goal.copy(),
            "_is_success": known.copy(),
        }

    # --- pickles and copies ---

    def __getstate__(self) -> dict[str, Any]:
        state = self.__dict__ | {"_episodes": list(map(save, self._worlds, self._episodes))}
        del state["_worlds"]
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._worlds = self._make_worlds()
        rows = zip(self._worlds, state["_episodes"], strict=True)
        self._episodes = [restore(world, self._settings, saved) for world, saved in rows]
