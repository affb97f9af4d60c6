"""Proving how good a policy is, after it was found, or in turns with the search for it.

A policy may come from a search whose values are no bounds: the heuristic was not admissible, or an automaton kept only
part of the task. Its cost is exact all the same, and what is missing is a lower bound. Two searches of the whole task
look for one, in turns, since nobody knows beforehand which of them is the shorter: improved LAO* with the best
admissible heuristic there is, pattern databases or LM-cut, which meets few states and may think long about each, and
value iteration on all states there are, up to renaming, which is fast where symmetry leaves few of them. The latter
has the first turn, so that a small space costs no pattern databases. Turns are counted in states, so that the same is
found on every machine. Either of them ends with a policy of its own, which is at least as good as its bound says.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from gpaplan import _core
from gpaplan.solving.heuristics import make_heuristic
from gpaplan.solving.settings import RunSettings
from gpaplan.solving.solvers import ImprovedLAOStar, Solver, ValueIteration
from gpaplan.spaces.settings import SpaceSettings
from gpaplan.spaces.state_space import StateSpace
from gpaplan.tasks.task import GroundTask

__all__ = ["Proof", "Prover"]

_FIRST_TURN = 16_384
"""States that value iteration may expand in its first turn; each turn is twice as long as the one before."""
_ACTIONS_OF_A_SHARE = 32
_HIGHEST_SHARE = 64
"""LM-cut looks at all actions, so that a state that it is asked about counts as one of value iteration's for each so
many actions, and one more; at most as this many. By pattern databases alone it counts as one."""
_NAMES = {"lmcut": "lmcut", "both": "pattern databases and lmcut", "patterns": "pattern databases"}


@dataclass
class Prover:
    """A search of the whole task that gives lower bounds. It can be stopped, and goes on where it was."""

    solver: Solver
    heuristic: _core.Heuristic | None
    """None for value iteration, which asks none."""
    space: StateSpace
    search: _core.Search
    ended: bool = False
    """Whether nothing is left to do: its greedy policy is as good as it can tell."""

    def go_on(self, states: int, stop: _core.Stop) -> None:
        """Expand so many more states at the most."""
        turn = stop.part(max_states=self.space.core.expanded_count + states)
        if self.solver.run(self.search, turn):
            return
        if self.heuristic is not None and self.search.estimate() < math.inf and self.search.close_gap(turn):
            return
        self.ended = True

    @property
    def choice(self) -> str:
        """What the heuristic looks at, see `_NAMES`; ``""`` for value iteration."""
        return "" if self.heuristic is None else self.heuristic.choice

    @property
    def lower_bound(self) -> float:
        """No policy of the task costs less."""
        return self.search.estimate() if self.heuristic is not None or self.ended else 0.0

    def __str__(self) -> str:
        states = f"{self.space.core.expanded_count:,} states" + (" up to renaming" if self.space.symmetry else "")
        if self.heuristic is None:
            return f"value iteration on all {states}"
        return f"improved LAO* with {_NAMES[self.choice]}, {states}"


class Proof:
    """Searches that raise the lower bound of a task, until it is high enough or one of them has ended."""

    def __init__(
        self,
        task: GroundTask,
        settings: RunSettings,
        space_settings: SpaceSettings,
        stop: _core.Stop,
        look_at: Callable[[Prover], None],
    ) -> None:
        """``look_at`` is told which search is at work. Raises `LimitError` or ``_core.Stopped`` if a limit comes before
        the first search can begin."""
        self.task, self.settings, self.space_settings = task, settings, space_settings
        self.stop, self.look_at = stop, look_at
        self.turn = _FIRST_TURN
        """States that value iteration may expand in its next turn."""
        self.exhaustive = self._prover(ValueIteration(), make_heuristic("blind", task, stop), None)
        self.informed: Prover | None = None
        """It begins with the second round."""

    def round(self, enough: float = math.inf) -> Prover | None:
        """One turn of each search; returns the one that has ended, or whose bound is high enough, if there is one.

        Raises `LimitError` or ``_core.Stopped`` if a limit comes before a search can begin.
        """
        if self.informed is None:
            self.look_at(self.exhaustive)
            self.exhaustive.go_on(self.turn, self.stop)
            if self.exhaustive.ended or self.stop.check():
                return self.exhaustive if self.exhaustive.ended else None
            best = make_heuristic(
                "best",
                self.task,
                self.stop,
                dead_end_cost=self.settings.dead_end_cost,
                symmetry=self.space_settings.symmetry,
            )
            self.informed = self._prover(ImprovedLAOStar(), best, best)
        by_landmarks = min(1 + self.task.core.action_count // _ACTIONS_OF_A_SHARE, _HIGHEST_SHARE)
        share = 1 if self.informed.choice == "patterns" else by_landmarks
        for each, states in ((self.informed, self.turn // share), (self.exhaustive, 2 * self.turn)):
            self.look_at(each)
            each.go_on(states, self.stop)
            if each.ended or each.lower_bound >= enough:
                return each
            if self.stop.check():
                return None
        self.turn *= 2
        return None

    def run(self, enough: float) -> Prover:
        """Rounds until the bound is high enough, a search has ended, or a limit comes; returns the search with the best
        bound."""
        while not self.stop.check():
            if found := self.round(enough):
                return found
        return self.best

    @property
    def best(self) -> Prover:
        """The search with the best bound."""
        return self.exhaustive if self.exhaustive.ended or self.informed is None else self.informed

    def _prover(self, solver: Solver, made: _core.Heuristic, heuristic: _core.Heuristic | None) -> Prover:
        space = StateSpace(self.task, self.space_settings, limits=self.stop)
        search = _core.Search(
            space=space.core,
            heuristic=made,
            epsilon=solver.epsilon,
            dead_end_cost=math.inf if self.settings.dead_end_cost is None else self.settings.dead_end_cost,
            seed=self.settings.seed,
            precision=self.settings.precision,
        )
        return Prover(solver, heuristic, space, search)
