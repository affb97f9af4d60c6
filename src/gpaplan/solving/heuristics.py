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
from gpaplan.errors import UsageError, unknown
from gpaplan.limits import AnyLimits, started
from gpaplan.tasks.task import GroundAtom, GroundTask

__all__ = ["ADMISSIBLE", "HEURISTICS", "AnyHeuristic", "Heuristic", "heuristic_of", "is_admissible", "make_heuristic"]

Heuristic: TypeAlias = Callable[[frozenset[GroundAtom]], float]
"""A heuristic of your own: from the atoms that hold to an estimate of the expected cost to the goal."""
AnyHeuristic: TypeAlias = str | Heuristic
"""By name, or of one's own."""

HEURISTICS: dict[str, str] = {
    "blind": "the cost of the cheapest action; admissible",
    "hmax": "the cost of the most expensive goal atom if atoms were never deleted; admissible",
    "hadd": "the sum over the goal atoms if atoms were never deleted",
    "ff": "the cost of a plan if atoms were never deleted",
    "lmcut": "the cost of a set of disjoint landmarks; admissible",
}


ADMISSIBLE = ("lmcut", "hmax", "blind")
"""The names of those that never exceed the optimal expected cost, the best one first."""


def heuristic_of(given: AnyHeuristic) -> AnyHeuristic:
    """What is given, if it is the name of a heuristic or a function."""
    if given in HEURISTICS if isinstance(given, str) else callable(given):
        return given
    raise unknown("heuristic", given, HEURISTICS, "a function of a state")


def is_admissible(heuristic: AnyHeuristic) -> bool:
    """Whether a heuristic never exceeds the optimal expected cost; a function says so by itself."""
    return heuristic in ADMISSIBLE if isinstance(heuristic, str) else bool(getattr(heuristic, "admissible", False))


def make_heuristic(heuristic: AnyHeuristic, task: GroundTask, limits: AnyLimits = None) -> _core.Heuristic:
    """The core's form of a heuristic, given by name or as a Python callable. Making it takes time on large tasks."""
    function = heuristic_of(heuristic)
    if isinstance(function, str):
        return _core.Heuristic(task.core, function, started(limits))
    names = task.atoms

    def evaluate(indices: Sequence[int]) -> float:
        state = frozenset(names[index] for index in indices)
        value = float(function(state))
        if not value >= 0:
            shown = " ".join(sorted(map(str, state)))
            raise UsageError(f"the heuristic gave {value} for the state {shown}; it must be at least 0")
        return value

    return _core.Heuristic.from_function(task.core, evaluate, is_admissible(function))
