"""Proving how good a policy is, after it was found.

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

__all__ = ["Prover", "prove"]

_FIRST_TURN = 16_384
"""States that value iteration may expand in its first turn; each turn is twice as long as the one before."""
_SHARES = {"lmcut": 64, "both": 64, "patterns": 4}
"""How many of them count as much as one of improved LAO*'s, by what its heuristic looks at."""
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
    def lower_bound(self) -> float:
        """No policy of the task costs less."""
        return self.search.estimate() if self.heuristic is not None or self.ended else 0.0

    def __str__(self) -> str:
        states = f"{self.space.core.expanded_count:,} states" + (" up to renaming" if self.space.symmetry else "")
        if self.heuristic is None:
            return f"value iteration on all {states}"
        return f"improved LAO* with {_NAMES[self.heuristic.choice]}, {states}"


def prove(
    task: GroundTask,
    settings: RunSettings,
    space_settings: SpaceSettings,
    value: float,
    stop: _core.Stop,
    look_at: Callable[[Prover], None],
) -> Prover:
    """Raise the lower bound until it shows that a policy of this value is optimal, or a limit comes.

    Returns the search with the best bound; if it has ended, its policy may be better than the one that there was.
    ``look_at`` is told which search is at work. Raises `LimitError` or ``_core.Stopped`` if a limit comes before the
    searches can begin.
    """
    enough = value * (1 - settings.precision)

    def prover(solver: Solver, made: _core.Heuristic, heuristic: _core.Heuristic | None) -> Prover:
        space = StateSpace(task, space_settings, limits=stop)
        search = _core.Search(
            space=space.core,
            heuristic=made,
            epsilon=solver.epsilon,
            dead_end_cost=math.inf if settings.dead_end_cost is None else settings.dead_end_cost,
            seed=settings.seed,
            precision=settings.precision,
        )
        return Prover(solver, heuristic, space, search)

    exhaustive = prover(ValueIteration(), make_heuristic("blind", task, stop), None)
    look_at(exhaustive)
    exhaustive.go_on(_FIRST_TURN, stop)
    if exhaustive.ended or stop.check():
        return exhaustive
    best = make_heuristic("best", task, stop, dead_end_cost=settings.dead_end_cost)
    informed = prover(ImprovedLAOStar(), best, best)
    turn = _FIRST_TURN
    while not stop.check():
        for each, states in ((informed, turn // _SHARES[best.choice]), (exhaustive, 2 * turn)):
            look_at(each)
            each.go_on(states, stop)
            if each.ended or each.lower_bound >= enough:
                return each
        turn *= 2
    return informed
