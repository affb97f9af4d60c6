"""A state as text, for people."""

from __future__ import annotations

from itertools import groupby
from typing import SupportsInt

from gpaplan import _core
from gpaplan.tasks.task import GroundTask


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
