"""Gymnasium environments of any task, to train agents in and to run policies in.

    import gymnasium
    import gpaplan.gym

    env = gymnasium.make("gpaplan/PPDDL-v0", domain="domain.ppddl", problem="problem.ppddl")

Importing this package registers ``gpaplan/PPDDL-v0``; it needs gymnasium (``pip install gpaplan[gym]``), which nothing
else in gpaplan does. States, draws and costs are the core's (src/core/bindings/world.cpp).
"""

from __future__ import annotations

try:
    import gymnasium
except ModuleNotFoundError as error:
    if error.name != "gymnasium":
        raise
    raise ImportError("gpaplan.gym needs the package gymnasium; install gpaplan[gym]", name="gymnasium") from None

from gpaplan.gym.environment import AnyTask, Observation, PlanningEnv

__all__ = ["ENV_ID", "AnyTask", "Observation", "PlanningEnv"]

ENV_ID = "gpaplan/PPDDL-v0"
"""The name under which the environment is registered."""

if ENV_ID not in gymnasium.registry:
    gymnasium.register(ENV_ID, entry_point="gpaplan.gym.environment:PlanningEnv")
