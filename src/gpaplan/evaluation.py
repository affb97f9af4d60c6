"""How good a policy is: by trials.

`simulate` follows a policy by chance. Its outcomes are drawn effect by effect, so it works where planning would have to
enumerate too many joint outcomes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from gpaplan import _core
from gpaplan.errors import UsageError
from gpaplan.limits import AnyLimits, started
from gpaplan.state_space import named_errors
from gpaplan.task import GroundTask

__all__ = ["Simulation", "simulate"]


@dataclass(frozen=True, slots=True)
class Simulation:
    """The trials of a policy. `sd_cost` is the standard deviation of the trials' costs (with n - 1)."""

    trials: int
    horizon: int
    mean_cost: float
    sd_cost: float
    goal_rate: float
    seed: int
    stopped_by: str = ""
    """``""`` if all trials asked for were run, else the limit that came first."""


def simulate(
    task: GroundTask,
    policy: Literal["random"] = "random",
    *,
    trials: int = 100,
    horizon: int = 100,
    seed: int = 0,
    limits: AnyLimits = None,
) -> Simulation:
    """Run trials of a policy from the initial state.

    The policy ``"random"`` draws each applicable action with equal probability. A trial ends at a goal, or in a state
    without applicable actions, or after ``horizon`` steps. One that misses the goal costs what it spent, and at least
    the horizon (with unit costs: the horizon).
    """
    if policy != "random":
        raise UsageError(f"unknown policy '{policy}'; the built-in policy is 'random'")
    for name, value, most in (("trials", trials, 2**31), ("horizon", horizon, 2**32 - 1), ("seed", seed, 2**64 - 1)):
        if not (0 if name == "seed" else 1) <= value <= most:
            raise UsageError(f"{name} is {value}, but must lie between {0 if name == 'seed' else 1} and {most}")
    stop = started(limits)
    with named_errors(task):
        rows = _core.run_random_trials(task=task.core, trials=trials, horizon=horizon, seed=seed, stop=stop)
    costs = [cost if reached else max(cost, float(horizon)) for cost, _, reached in rows]
    mean = math.fsum(costs) / len(costs) if costs else math.nan
    spread = math.fsum((cost - mean) ** 2 for cost in costs)
    return Simulation(
        trials=len(rows),
        horizon=horizon,
        mean_cost=mean,
        sd_cost=math.sqrt(spread / (len(rows) - 1)) if len(rows) > 1 else 0.0,
        goal_rate=sum(reached for _, _, reached in rows) / len(rows) if rows else math.nan,
        seed=seed,
        stopped_by=stop.reason,
    )
