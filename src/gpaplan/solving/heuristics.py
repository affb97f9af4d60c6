"""Heuristics: estimates of the expected cost from a state to the goal.

The built-in ones are named and live in the core. Most are computed on the all-outcomes determinisation; pattern
databases come from projections of the task, which are probability-aware (`PatternDatabases` has their settings). Any
Python callable from a state (a frozen set of `GroundAtom`) to a number may stand in their place; it is called once for
each state that a solver looks at, infinity means "no way to the goal", and an attribute ``admissible = True`` says
that it never exceeds the optimal expected cost.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from gpaplan import _core
from gpaplan.display import counted
from gpaplan.errors import UsageError, unknown
from gpaplan.limits import AnyLimits, started
from gpaplan.settings import Settings, setting
from gpaplan.tasks.task import GroundAtom, GroundTask

Heuristic: TypeAlias = Callable[[frozenset[GroundAtom]], float]
"""A heuristic of your own: from the atoms that hold to an estimate of the expected cost to the goal."""

_RARE: dict[str, Any] = {"group": "Pattern databases", "is_rare": True}
_IN_TABLES = _RARE | {"least": 1, "most": 2**31 - 1, "is_whole": True}
"""Variables of a pattern, states of a projection and orders are counted in 32 bits; of work, multiples in 64."""


@dataclass(frozen=True, slots=True)
class PatternDatabases(Settings):
    """Pattern databases: exact values of projections of the task to a few variables each.

    Their estimates are added up with saturated cost partitioning, in several orders. With ``landmarks`` LM-cut is added
    where it knows more, and left out where it does not.
    """

    variables: int = setting(4, "At most this many variables in a pattern.", **_IN_TABLES)
    """The most of a pattern."""
    states: int = setting(5000, "At most this many states in a projection.", **_IN_TABLES)
    """The most of a projection."""
    work: int = setting(
        1_000_000, "Look at no more transitions than this to choose patterns.", **_IN_TABLES | {"most": 2**60}
    )
    """Transitions of projections that may be looked at to choose patterns: a bound of the time, but no clock."""
    orders: int = setting(16, "At most this many saturation orders.", **_IN_TABLES)
    """The most saturation orders."""
    landmarks: bool = False
    staged: bool = True
    """Whether to begin with little tables, or with ``landmarks`` with none, and to make larger ones, up to all that the
    other settings allow, only as estimates have taken enough work to make up for them."""


HeuristicName: TypeAlias = Literal["blind", "hmax", "hadd", "ff", "lmcut", "pdb", "best"]
"""Of those that are built in."""
AnyHeuristic: TypeAlias = HeuristicName | PatternDatabases | Heuristic
"""By name, pattern databases with settings, or of one's own."""

HEURISTICS: dict[HeuristicName, str] = {
    "blind": "the cost of the cheapest action; admissible",
    "hmax": "the cost of the most expensive goal atom if atoms were never deleted; admissible",
    "hadd": "the sum over the goal atoms if atoms were never deleted",
    "ff": "the cost of a plan if atoms were never deleted",
    "lmcut": "the cost of a set of disjoint landmarks; admissible",
    "pdb": "pattern databases: exact values of projections to a few variables; admissible",
    "best": "pattern databases, LM-cut, or the larger of both, whatever pays; admissible",
}


ADMISSIBLE = ("best", "pdb", "lmcut", "hmax", "blind")
"""The names of those that never exceed the optimal expected cost, the best one first."""

_PATTERNS = {"pdb": PatternDatabases(), "best": PatternDatabases(landmarks=True)}


def heuristic_of(given: AnyHeuristic) -> AnyHeuristic:
    """What is given, if it is the name of a heuristic, pattern databases or a function."""
    if isinstance(given, PatternDatabases) or (given in HEURISTICS if isinstance(given, str) else callable(given)):
        return given
    raise unknown("heuristic", given, HEURISTICS, "a function of a state")


def is_admissible(heuristic: AnyHeuristic) -> bool:
    """Whether a heuristic never exceeds the optimal expected cost; a function says so by itself."""
    if isinstance(heuristic, PatternDatabases):
        return True
    return heuristic in ADMISSIBLE if isinstance(heuristic, str) else bool(getattr(heuristic, "admissible", False))


def name_of(heuristic: AnyHeuristic) -> str:
    """What a heuristic is called in results."""
    if isinstance(heuristic, PatternDatabases):
        return "best" if heuristic.landmarks else "pdb"
    return heuristic if isinstance(heuristic, str) else getattr(heuristic, "__name__", type(heuristic).__name__)


def choice_in_words(made: _core.Heuristic) -> str | None:
    """What the best heuristic has picked, and why; None for any other."""
    choice, states, dead_ends, patterns, larger = made.comparison
    if not states:
        return None
    samples = counted(states, "sample state")
    if choice == "lmcut":
        return f"LM-cut, since pattern databases say more of none of {samples}"
    share = f"{100 * (larger / patterns - 1) if patterns else 0:.1f} %"
    if choice == "patterns":
        return f"pattern databases, to which LM-cut would add {share} on {samples}"
    reason = f"knows dead ends among {samples} that they do not" if dead_ends else f"adds {share} to them on {samples}"
    return f"the larger of pattern databases and LM-cut, which {reason}"


def make_heuristic(
    heuristic: AnyHeuristic,
    task: GroundTask,
    limits: AnyLimits = None,
    *,
    dead_end_cost: float | None = None,
) -> _core.Heuristic:
    """The core's form of a heuristic, given by name, as a record or as a Python callable. Making it takes time on large
    tasks. Pattern databases must know the dead-end cost: where one may give up, less is needed to reach the goal.
    """
    function = heuristic_of(heuristic)
    if isinstance(function, str):
        if function not in _PATTERNS:
            return _core.Heuristic(task.core, function, started(limits))
        function = _PATTERNS[function]
    if isinstance(function, PatternDatabases):
        give_up = math.inf if dead_end_cost is None else dead_end_cost
        return _core.Heuristic.from_patterns(task.core, function, give_up, started(limits))
    names = task.atoms

    def evaluate(indices: Sequence[int]) -> float:
        state = frozenset(names[index] for index in indices)
        value = float(function(state))
        if not value >= 0:
            shown = " ".join(sorted(map(str, state)))
            raise UsageError(f"the heuristic gave {value} for the state {shown}; it must be at least 0")
        return value

    return _core.Heuristic.from_function(task.core, evaluate, is_admissible(function))
