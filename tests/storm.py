"""What the model checker Storm says of an exported model, where it is installed."""

from __future__ import annotations

import math
from pathlib import Path
from typing import NamedTuple

import pytest

from gpaplan import StateSpace
from gpaplan.spaces.export import explored, write_drn
from gpaplan.tasks.task import GroundTask


class Verdict(NamedTuple):
    states: int
    cost: float
    """The least expected cost; infinite if no policy is proper."""
    goal_probability: float
    """The largest."""


def ask_storm(task: GroundTask, folder: Path) -> Verdict:
    """By optimistic value iteration, whose lower and upper bounds meet to 1e-10.

    Its policy iteration in floating-point numbers does not end on Gripper(4).
    """
    stormpy = pytest.importorskip("stormpy")
    path = folder / "model.drn"
    path.write_text("".join(write_drn(explored(StateSpace(task)))), encoding="utf-8")
    model = stormpy.build_model_from_drn(str(path))
    if "goal" not in model.labeling.get_labels():  # no goal state is reachable, and so none has the label
        return Verdict(model.nr_states, math.inf, 0)
    environment = stormpy.Environment()
    minmax = environment.solver().min_max()
    minmax.method = stormpy.environments.MinMaxMethod.OPTIMISTIC_VALUE_ITERATION
    minmax.precision = stormpy.Rational("1/10000000000")
    start = model.initial_states[0]

    def check(formula: str) -> float:
        (parsed,) = stormpy.parse_properties(formula)
        return float(stormpy.model_checking(model, parsed, environment=environment).get_value(start))

    # Storm refuses to add up costs where there are none: there is one state, and it is a goal.
    cost = 0.0 if "goal" in model.labeling.get_labels_of_state(start) else check('Rmin=? [F "goal"]')
    return Verdict(model.nr_states, cost, check('Pmax=? [F "goal"]'))
