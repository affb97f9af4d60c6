"""Solvers, as records of their configuration.

A solver improves the value function of a `_core.Search` until it is satisfied or stopped. All of them share the
search's backup, so what sets them apart is which states they back up, and when they stop. The built-in ones run in the
core; your own is any object with the three members of `Solver`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Protocol, TypeAlias

from gpaplan import _core
from gpaplan.errors import UsageError, unknown
from gpaplan.settings import Settings, setting

_RARE: dict[str, Any] = {"group": "Solvers", "is_rare": True}


class Solver(Protocol):
    """What `solve` needs of a solver. What it uses and proves it may declare too, as two more attributes:

    ``uses_heuristic`` (True unless declared): whether values start from the heuristic's. ``gives_lower_bound`` (True
    unless declared): whether its estimate never exceeds the optimal cost, given an admissible heuristic if it uses one.
    With a method ``improve(search)``, it is asked for a better policy when it has found one: that returns whether
    ``run`` is to look for one.
    """

    @property
    def name(self) -> str:
        """Its name in records and messages."""

    @property
    def epsilon(self) -> float:
        """The largest residual with which it is satisfied."""

    def run(self, search: _core.Search, stop: _core.Stop) -> str:
        """Improve the values; returns ``""`` when satisfied, else what stopped it (``stop.reason``)."""


SolverName: TypeAlias = Literal["vi", "lao", "ilao", "wlao", "lrtdp", "soft-flares", "ssipp"]
"""Of those that are built in."""
AnySolver: TypeAlias = SolverName | Solver
"""By name, or as a record."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Configuration(Settings):
    name: ClassVar[str]
    """On the command line and in records."""
    title: ClassVar[str]
    """In sentences."""
    uses_heuristic: ClassVar[bool] = True
    """Whether values start from the heuristic's."""
    gives_lower_bound: ClassVar[bool] = True
    """Whether its estimate never exceeds the optimal cost, given an admissible heuristic if it uses one."""
    can_pause: ClassVar[bool] = True
    """Whether it goes on where it was stopped, so that it can take turns with others."""
    algorithm: ClassVar[Callable[[_core.Search, _core.Stop], str]]
    """In the core."""
    epsilon: float = setting(1e-5, "The residual at which a solver stops.", above=0, metavar="E", **_RARE)
    """The largest residual with which it is satisfied."""

    def run(self, search: _core.Search, stop: _core.Stop) -> str:
        """Improve the values; returns ``""`` when satisfied, else what stopped it."""
        return type(self).algorithm(search, stop)


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueIteration(_Configuration):
    """Topological value iteration over the whole reachable space. Uses no heuristic."""

    name: ClassVar[str] = "vi"
    title: ClassVar[str] = "value iteration"
    algorithm = _core.Search.value_iteration
    uses_heuristic: ClassVar[bool] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LAOStar(_Configuration):
    """LAO* (Hansen and Zilberstein 2001)."""

    name: ClassVar[str] = "lao"
    title: ClassVar[str] = "LAO*"
    algorithm = _core.Search.lao_star


@dataclass(frozen=True, slots=True, kw_only=True)
class ImprovedLAOStar(_Configuration):
    """Improved LAO* (Hansen and Zilberstein 2001)."""

    name: ClassVar[str] = "ilao"
    title: ClassVar[str] = "improved LAO*"
    algorithm = _core.Search.improved_lao_star


@dataclass(frozen=True, slots=True, kw_only=True)
class LRTDP(_Configuration):
    """Labeled real-time dynamic programming (Bonet and Geffner 2003)."""

    name: ClassVar[str] = "lrtdp"
    title: ClassVar[str] = "LRTDP"
    algorithm = _core.Search.lrtdp


@dataclass(frozen=True, slots=True, kw_only=True)
class SoftFLARES(_Configuration):
    """Soft-FLARES (Pineda and Zilberstein 2019); the defaults are those of the GPA paper.

    States within the horizon, measured by distance, get labels with a probability (labelling) that falls from beta to
    alpha.
    """

    name: ClassVar[str] = "soft-flares"
    title: ClassVar[str] = "Soft-FLARES"
    horizon: float = setting(4.0, "The horizon t of Soft-FLARES.", above=0, **_RARE)
    distance: Literal["step", "trajectory-probability", "plausibility"] = setting(
        "step", "How Soft-FLARES measures distance.", choices=_core.distance_names(), **_RARE
    )
    labelling: Literal["logistic", "exponential", "linear", "step"] = setting(
        "logistic", "How Soft-FLARES turns distance into a probability.", choices=_core.labelling_names(), **_RARE
    )
    alpha: float = setting(0.1, "That probability at distance 0.", above=0, below=1, **_RARE)
    beta: float = setting(0.9, "That probability at distance t.", above=0, below=1, **_RARE)

    def __post_init__(self) -> None:
        Settings.__post_init__(self)
        if self.alpha > self.beta:
            raise UsageError(f"Soft-FLARES needs 0 < alpha <= beta < 1, not alpha {self.alpha}, beta {self.beta}")

    def run(self, search: _core.Search, stop: _core.Stop) -> str:
        return search.soft_flares(stop, self)


@dataclass(frozen=True, slots=True, kw_only=True)
class SSiPP(_Configuration):
    """Labeled SSiPP (Trevizan and Veloso 2012): exact solutions of the task within a few steps of the state at hand.

    States further than ``steps`` away, or beyond the first ``max_states``, are taken for what their values say.
    """

    name: ClassVar[str] = "ssipp"
    title: ClassVar[str] = "SSiPP"
    steps: int = setting(4, "How many steps SSiPP looks ahead.", least=1, is_whole=True, metavar="N", **_RARE)
    max_states: int = setting(1000, "Look at this many states at most.", least=1, is_whole=True, metavar="N")

    def run(self, search: _core.Search, stop: _core.Stop) -> str:
        return search.ssipp(stop, self)


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightedLAOStar(_Configuration):
    """Improved LAO* with a heuristic that counts more than costs do (Hansen and Zilberstein 2001): a policy in few
    states, and then better ones, each with half the weight of the one before, down to 1."""

    name: ClassVar[str] = "wlao"
    title: ClassVar[str] = "weighted LAO*"
    algorithm = _core.Search.weighted_lao_star
    gives_lower_bound: ClassVar[bool] = False
    weight: float = 16.0
    """The first weight."""

    def improve(self, search: _core.Search) -> bool:
        """Begin with the next weight; returns whether there is one."""
        if search.weight <= 1:
            return False
        search.weight = max(1.0, search.weight / 2)
        return True


SOLVERS: dict[str, type[ValueIteration | LAOStar | ImprovedLAOStar | WeightedLAOStar | LRTDP | SoftFLARES | SSiPP]] = {
    solver.name: solver
    for solver in (ValueIteration, LAOStar, ImprovedLAOStar, WeightedLAOStar, LRTDP, SoftFLARES, SSiPP)
}


def make_solver(name: str, epsilon: float = 1e-5) -> Solver:
    """A built-in solver by its name on the command line."""
    if name not in SOLVERS:
        raise unknown("solver", name, SOLVERS, "a record")
    return SOLVERS[name](epsilon=epsilon)


def solver_of(given: AnySolver) -> Solver:
    """A solver by name, or what is given, if it is one."""
    if isinstance(given, str):
        return make_solver(given)
    if isinstance(given, type) or not all(hasattr(given, member) for member in ("name", "epsilon", "run")):
        raise unknown("solver", given, SOLVERS, "a record such as LRTDP() with a name, an epsilon and a method run")
    return given
