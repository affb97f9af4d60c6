"""Heuristics: estimates of the expected cost from a state to the goal.

The built-in ones are named, live in the core and are computed on the all-outcomes determinisation. Any Python callable
from a state (a frozen set of `GroundAtom`) to a number may stand in their place; it is called once for each state that
a solver looks at, infinity means "no way to the goal", and an attribute ``admissible = True`` says that it never
exceeds the optimal expected cost.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from gpaplan import _core
from gpaplan.errors import UsageError, did_you_mean
from gpaplan.tasks.task import GroundAtom, GroundTask

__all__ = ["HEURISTICS", "Heuristic", "make_heuristic"]

Heuristic: TypeAlias = Callable[[frozenset[GroundAtom]], float]
"""A heuristic of your own: from the atoms that hold to an estimate of the expected cost to the goal."""

HEURISTICS: dict[str, str] = {
    "blind": "the cost of the cheapest action; admissible",
    "hmax": "the cost of the most expensive goal atom if atoms were never deleted; admissible",
    "hadd": "the sum over the goal atoms if atoms were never deleted",
    "ff": "the cost of a plan if atoms were never deleted",
    "lmcut": "the cost of a set of disjoint landmarks; admissible",
}


def make_heuristic(heuristic: str | Heuristic, task: GroundTask) -> _core.Heuristic:
    """The core's form of a heuristic, given by name or as a Python callable."""
    if isinstance(heuristic, str):
        if heuristic not in HEURISTICS:
            hint = did_you_mean(heuristic, HEURISTICS) or f"there are {', '.join(HEURISTICS)}"
            raise UsageError(f"unknown heuristic '{heuristic}';  {hint}")
        return _core.Heuristic(task.core, heuristic)
    function = heuristic
    names = task.atoms

    def evaluate(indices: Sequence[int]) -> float:
        state = frozenset(names[index] for index in indices)
        value = float(function(state))
        if not value >= 0:
            shown = " ".join(sorted(map(str, state)))
            raise UsageError(f"the heuristic gave {value} for the state {shown}; it must be at least 0")
        return value

    return _core.Heuristic.from_function(task.core, evaluate, bool(getattr(function, "admissible", False)))
