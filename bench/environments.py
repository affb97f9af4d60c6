"""Environments for agents: steps a second from Python, one at a time and many at once.

The actions are drawn from the applicable ones in a first run. What is timed is the same run again, by the same seed:
`step`, and `reset` where an episode has ended, and nothing else. The best of a few repetitions counts, in seconds of
the processor, since others may use the machine.

    python bench/environments.py
    python bench/environments.py domain.ppddl p04.ppddl
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import gymnasium
import numpy as np

from gpaplan import GroundTask
from gpaplan.gym import ENV_ID
from measuring import fastest, generated, label, options, read

Env: TypeAlias = gymnasium.Env[Any, Any]
Envs: TypeAlias = gymnasium.vector.VectorEnv[Any, Any, Any]

SIZES = (16, 256, 1024)
BENCHMARKS: list[tuple[str, tuple[int, ...]]] = [("gripper", (10,)), ("rover", (1, 4, 10, 2)), ("keva", (12, 4))]


def tasks(files: list[str]) -> Iterator[tuple[str, GroundTask]]:
    if files:
        task = read(*files)
        yield task.problem.name, task
        return
    for name, theta in BENCHMARKS:
        yield label(name, theta), generated(name, theta)


def walk(env: Env, steps: int) -> list[int]:
    """Actions that are applicable one after the other, if the environment is seeded with 0."""
    random = np.random.default_rng(0)
    _, info = env.reset(seed=0)
    actions = []
    for _ in range(steps):
        actions.append(int(random.choice(info["action_mask"].nonzero()[0])))
        _, _, terminated, truncated, info = env.step(actions[-1])
        if terminated or truncated:
            _, info = env.reset()
    return actions


def replay(env: Env, actions: list[int]) -> None:
    step = env.step
    env.reset(seed=0)
    for action in actions:
        _, _, terminated, truncated, _ = step(action)
        if terminated or truncated:
            env.reset()


def ways(task: GroundTask, steps: int) -> Iterator[tuple[str, int, Callable[[], None]]]:
    """What is measured: its name, how many steps it takes, and the run."""
    made = gymnasium.make(ENV_ID, domain=task)
    actions = walk(made, steps)
    yield "step of the environment", steps, lambda: replay(made.unwrapped, actions)
    yield "with Gymnasium's wrappers", steps, lambda: replay(made, actions)


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("files", nargs="*", help="domain and problem")
    parser.add_argument("--steps", type=int, default=100_000)
    parser.add_argument("--repeat", type=int, default=5)
    arguments = parser.parse_args()
    for title, task in tasks(arguments.files):
        print(f"{title}: {task.core.atom_count} atoms, {task.core.action_count} actions")
        for name, steps, run in ways(task, arguments.steps):
            seconds, _ = fastest(run, arguments.repeat, time.process_time)
            print(f"  {name:26} {steps / seconds:10,.0f} steps a second")


if __name__ == "__main__":
    main()
