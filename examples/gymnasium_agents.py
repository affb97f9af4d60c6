"""Agents in the Gymnasium environment of a task: the optimal policy, and one that learns by itself.

    python examples/gymnasium_agents.py [BALLS]

The optimal policy of a gripper problem is run in the environment: what it pays on average is what `solve` says it
costs, up to chance. Then an agent that knows nothing learns in the same environment, by Q-learning with a table; its
policy is given back to gpaplan, which says exactly what it costs. Needs gymnasium (`pip install "gpaplan[gym]"`).
"""

from __future__ import annotations

import math
import statistics
import sys
from collections import defaultdict
from typing import Any

import gymnasium
import numpy as np

import gpaplan.gym
from gpaplan import GroundTask, Policy, evaluate, ground, solve
from gpaplan.benchmarks import generate


def run(env: gymnasium.Env[Any, Any], task: GroundTask, policy: Policy, episodes: int) -> tuple[float, float]:
    """The mean cost of episodes of a policy, and the half-width of its confidence interval of 99 %."""
    names = task.atoms
    chosen: dict[bytes, int] = {}
    costs = []
    env.reset(seed=1)
    for _ in range(episodes):
        observation, _ = env.reset()
        cost, ended = 0.0, False
        while not ended:
            key = observation.tobytes()
            if key not in chosen:
                action = policy.action(names[atom] for atom in np.flatnonzero(observation))
                assert action is not None
                chosen[key] = task.action_index(action)
            observation, reward, terminated, truncated, _ = env.step(chosen[key])
            cost -= float(reward)
            ended = terminated or truncated
        costs.append(cost)
    return statistics.fmean(costs), 2.576 * statistics.stdev(costs) / math.sqrt(episodes)


def learn(env: gymnasium.Env[Any, Any], task: GroundTask, episodes: int) -> Policy:
    """The greedy policy after episodes of Q-learning. Values begin at 0, which is too good: enough to explore."""
    count = task.core.action_count
    values: dict[bytes, Any] = defaultdict(lambda: np.zeros(count))
    visits: dict[bytes, Any] = defaultdict(lambda: np.zeros(count))
    applicable: dict[bytes, Any] = {}
    env.reset(seed=2)
    for _ in range(episodes):
        observation, info = env.reset()
        state, ended = observation.tobytes(), False
        while not ended:
            applicable[state] = np.flatnonzero(info["action_mask"])
            action = applicable[state][values[state][applicable[state]].argmax()]
            observation, reward, terminated, truncated, info = env.step(action)
            after = observation.tobytes()
            best = 0.0 if terminated else values[after][info["action_mask"] == 1].max()
            visits[state][action] += 1
            values[state][action] += (float(reward) + best - values[state][action]) / visits[state][action] ** 0.6
            state, ended = after, terminated or truncated
    return Policy(
        task, {named(task, state): task.action(greedy(values[state], applicable[state])) for state in applicable}
    )


def greedy(values: Any, applicable: Any) -> int:
    return int(applicable[values[applicable].argmax()])


def named(task: GroundTask, state: bytes) -> frozenset[Any]:
    return frozenset(task.atoms[atom] for atom in np.flatnonzero(np.frombuffer(state, np.int8)))


def main(balls: int = 3) -> tuple[float, tuple[float, float], float]:
    task = ground(generate("gripper", balls))
    env = gymnasium.make(gpaplan.gym.ENV_ID, domain=task, horizon=1000)
    solution = solve(task)
    assert solution.policy is not None
    assert solution.value is not None
    print(f"the optimal policy costs {solution.value:g}")
    mean, error = run(env, task, solution.policy, 2000)
    print(f"in the environment it paid {mean:.2f} ± {error:.2f}, on average of 2,000 episodes")
    learned = evaluate(task, learn(env, task, 3000)).cost
    print(f"after 3,000 episodes the policy of the agent that learns costs {learned:.2f}")
    return solution.value, (mean, error), learned


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
