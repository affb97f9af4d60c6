"""What an actor sees of a task: a state space, values, and a look ahead from the state at hand.

If a state can be solved within a moment, all that may follow is known: SSiPP solves it, and its labels stay. If not,
the task within a few steps is solved. Values start at the heuristic's; of the states that are visited, those found by
looking ahead are kept as long as a run lasts, and dead ends, and risks of them, from run to run.

Trying to solve what is too large takes work in vain. So after an attempt that failed the next one comes later, and
later still if that fails too.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TypeAlias

from gpaplan import _core
from gpaplan.automata.filters import Match
from gpaplan.errors import UsageError
from gpaplan.settings import Settings, same, setting
from gpaplan.solving.heuristics import HEURISTICS, AnyHeuristic
from gpaplan.solving.settings import RunSettings
from gpaplan.solving.solvers import SSiPP
from gpaplan.spaces.state_space import Permutation, SpaceSettings, StateSpace

Indices: TypeAlias = tuple[int, ...]
"""A state as the ascending indices of its atoms."""

_WORK = 40
"""How much an attempt to solve a state may do, as `_core.Search.work` counts it, for each state that may be looked at.
"""
_LONGEST_WAIT = 64
"""Decisions between attempts, at the most."""
_VISITS = 10_000
"""Of so many states, the last ones, it is known how often they were visited, and what they are worth."""
_UNKNOWN = -1.0
"""The value of a state that was never estimated."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ActingSettings(Settings):
    """How an actor decides."""

    solver: SSiPP = field(default_factory=lambda: SSiPP(steps=10, max_states=1000))
    """How far to look ahead."""
    heuristic: AnyHeuristic = setting("ff", "What estimates the costs beyond the look-ahead.", choices=HEURISTICS)
    match: Match = same(RunSettings, "match")
    work: int = setting(
        100_000, "Do this much work at most for a decision; 10 million take about a second.", least=1, is_whole=True
    )
    """Under the automaton, and as much again in the whole task if it comes to that. It is counted and not measured by
    the clock, so that decisions are the same on every machine."""
    megabytes: float = setting(
        100, "With more states and values, keep only those visited in this run.", above=0, most=math.inf
    )
    dead_end_cost: float | None = setting(
        None, "What giving up costs.", above=0, metavar="D", default_in_words="what the policy's file says"
    )
    seed: int = same(RunSettings, "seed")
    space: SpaceSettings = field(default_factory=SpaceSettings)
    """What the state space is like."""

    def __post_init__(self) -> None:
        if not isinstance(self.solver, SSiPP):
            raise UsageError(f"an actor looks ahead by SSiPP(steps, max_states), not by {self.solver!r}")
        Settings.__post_init__(self)


@dataclass(slots=True)
class _Visit:
    """What is remembered of a state: its value after the last visit, and how often it had grown between visits."""

    last: float
    growths: int = 0


@dataclass(slots=True)
class Advice:
    """What to do in a state."""

    place: int
    """The state, or its representative, in the space."""
    permutation: Permutation | None
    """How the state became its representative."""
    value: float
    actions: list[tuple[int, float, float]]
    """Those of the representative that lead away from it, their values and costs; of a solved one only the best."""
    looked_at: int
    growths: int = 0
    """How often the value had grown from one visit to the next."""
    is_solved: bool = False
    """Whether all that may follow is known."""
    is_finished: bool = True
    """Whether the work was enough to look at all that may be looked at."""

    @property
    def best(self) -> list[int]:
        """The actions with the least value, up to rounding."""
        least = min((value for _, value, _ in self.actions), default=0.0)
        return [action for action, value, _ in self.actions if value <= least * (1 + 1e-9)]

    def cost(self, action: int) -> float:
        """Of one of the actions, without what follows."""
        return next((cost for other, _, cost in self.actions if other == action), 0.0)

    def in_state(self, action: int) -> int:
        """What an action of the representative is in the state itself."""
        return action if self.permutation is None else self.permutation.to_state(action)

    def __str__(self) -> str:
        """Where it comes from."""
        states = f"{self.looked_at:,} state{'' if self.looked_at == 1 else 's'}"
        return f"a look at {states}" if self.looked_at else "an earlier look ahead"


class View:
    """A space with values, and a look ahead in it."""

    def __init__(
        self,
        space: StateSpace,
        heuristic: _core.Heuristic,
        dead_end_cost: float,
        risky: float,
        settings: ActingSettings,
        stop: _core.Stop,
    ) -> None:
        self.space = space
        self.dead_end_cost = dead_end_cost
        self.risky = risky
        """Values from which on they speak of dead ends, and are kept."""
        self._heuristic, self._settings, self._stop = heuristic, settings, stop
        self._visits: OrderedDict[int, _Visit] = OrderedDict()
        self._ruled_out = False
        self._start_solving()
        self._start_looking()

    def _start_solving(self) -> None:
        self._solving = self._new_search()
        self._wait = self._left = 0
        """How many decisions the next attempt waits, and how many of these are left."""

    def _new_search(self) -> _core.Search:
        settings = self._settings
        return _core.Search(
            self.space.core, self._heuristic, settings, settings.solver, dead_end_cost=self.dead_end_cost
        )

    def _start_looking(self) -> None:
        self.search = self._new_search()
        self._marked_at = 0
        self._ahead = _core.LookAhead(self.search, self._settings.solver, self.risky)

    @property
    def bytes(self) -> int:
        """The memory that it takes."""
        return self.space.core.state_bytes + self.space.core.transition_bytes + self.search.bytes + self._solving.bytes

    def find(self, state: Indices) -> tuple[int, Permutation | None]:
        """A state in the space, and the permutation that leads to it there."""
        if self.space.symmetry is None:
            return self.space.core.intern(state), None
        permutation = self.space.symmetry.permutation(state)
        return self.space.core.intern_representative(permutation.representative), permutation

    def advise(self, state: Indices) -> Advice:
        """Visit a state, and say what to do in it, after a look ahead."""
        place, permutation = self.find(state)
        known = len(self.space)
        if self._is_solved(place):
            looked_at = len(self.space) - known
            value = self._solving.value(place)
            actions = [(action, value, 0.0) for action in self._solving.actions([place]) if action < _core.GIVE_UP]
            return Advice(place, permutation, value, actions, looked_at, is_solved=True)
        value, actions, looked_at, is_finished = self._ahead.advise(place, self._stop, self._settings.work // 2)
        visit = self._visits.setdefault(place, _Visit(value))
        if len(self._visits) > _VISITS:
            self._visits.popitem(last=False)
        if value > visit.last * (1 + 1e-6):
            visit.growths += 1
        visit.last = value
        return Advice(place, permutation, value, actions, looked_at, visit.growths, False, is_finished)

    def _is_solved(self, place: int) -> bool:
        """Whether a state is solved, now if not before."""
        search = self._solving
        if search.is_solved(place):
            return True
        self._left -= 1
        if self._left >= 0:
            return False
        search.root = place
        solver = self._settings.solver
        work = min(self._settings.work // 2, _WORK * solver.max_states)
        ended = not solver.run(search, self._stop.part(max_work=search.work + work))
        solved = (ended and search.is_solved(place)) or search.is_dead_end(place)
        if not solved and self._stop.reason:
            raise _core.Stopped(self._stop.reason)
        self._wait = self._left = 0 if solved else min(2 * self._wait + 1, _LONGEST_WAIT)
        return solved

    def mark_dead_ends(self) -> bool:
        """Find traps that are larger than a look ahead; returns whether there are new ones."""
        is_new, self._marked_at = len(self.space) != self._marked_at, len(self.space)
        return is_new and self.search.mark_dead_ends()

    def rule_out(self, place: int) -> None:
        """From now on, until the run ends, a state counts as a dead end."""
        self._ruled_out = True
        self.search.rule_out(place)

    def forget(self) -> None:
        """A new run begins: values are the heuristic's again, unless they speak of dead ends."""
        if self._ruled_out:
            self._start_looking()
        else:
            for place, visit in self._visits.items():
                if visit.last < self.risky:
                    self.search.set_value(place, _UNKNOWN)
        self._visits.clear()
        self._ruled_out = False

    def shrink(self) -> None:
        """Keep only the values of the states that were visited in this run."""
        visits = self._visits
        self._ruled_out = False
        del self._ahead, self.search, self._solving
        places = self.space.core.forget_states(list(visits))
        self._visits = OrderedDict(zip(places, visits.values(), strict=True))
        self._start_solving()
        self._start_looking()
        for place, visit in self._visits.items():
            self.search.set_value(place, visit.last)
