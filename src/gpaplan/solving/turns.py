"""Two searches that take turns: one under an automaton, one of the whole task.

Nobody knows beforehand whether an automaton suffices, and a search that fails under it may take longer than one that
never looked at it. So the constrained search goes first and alone, as long as it takes but a moment. Then the search of
the whole task catches up, and both go on by turns, each as long as a share of all that was done. Whichever ends first
has the answer: it takes about twice the time of the faster one at the most. Turns are counted in work or in states, not
in seconds, so that the same is found on every machine.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from gpaplan import _core
from gpaplan.solving.solvers import Solver
from gpaplan.spaces.state_space import StateSpace

__all__ = ["ALONE", "Side", "Turns", "measure_of", "take_turn"]

ALONE = {"work": 500_000, "states": 20_000}
"""How much a search may do before another one starts beside it, by what turns are counted in."""
_SHARE = 4
"""A turn is one part in so many of all that was done."""


@dataclass
class Side:
    """A search that can be stopped and goes on where it was, and the seconds that it took."""

    space: StateSpace
    heuristic: _core.Heuristic
    search: _core.Search
    seconds: float = 0.0

    def run(self, solver: Solver, stop: _core.Stop) -> str:
        """Run the solver; returns what stopped it, ``""`` if nothing did."""
        begun = time.perf_counter()
        try:
            return solver.run(self.search, stop)
        finally:
            self.seconds += time.perf_counter() - begun

    def done(self, measure: str) -> int:
        """How much it did so far."""
        return self.search.work if measure == "work" else self.space.core.expanded_count


def measure_of(solver: Solver) -> str | None:
    """What the turns of a solver are counted in; None if it takes none."""
    return getattr(solver, "turns", None)


def take_turn(side: Side, solver: Solver, measure: str, amount: int, stop: _core.Stop) -> bool:
    """Let a search do so much more; returns whether it has ended, or was stopped by more than its turn's end."""
    most = side.done(measure) + amount
    part = stop.part(max_work=most) if measure == "work" else stop.part(max_states=most)
    return not side.run(solver, part) or bool(stop.reason)


class Turns:
    """Runs constrained searches, and the whole one beside them if the solver can take turns; None: never."""

    def __init__(self, solver: Solver | None, make_whole: Callable[[], Side]) -> None:
        self.measure = None if solver is None else measure_of(solver)
        self.make_whole = make_whole
        self.whole: Side | None = None
        """The search of the whole task, if it was begun."""
        self.spent = 0
        """By all constrained searches before the present one."""

    def run(self, solver: Solver, side: Side, stop: _core.Stop, look_at: Callable[[Side], None]) -> tuple[Side, str]:
        """Run a constrained search; returns the one that ended, this or the whole, and what stopped it, if anything.

        ``look_at`` is told which of them is at work.
        """
        measure = self.measure
        if measure is None:
            return side, side.run(solver, stop)
        while True:
            done = self.spent + side.done(measure)
            turn = max(1, ALONE[measure] - done)
            if self.whole is not None:
                turn = max(turn, (done + self.whole.done(measure)) // _SHARE)
            look_at(side)
            if take_turn(side, solver, measure, turn, stop):
                self.spent += side.done(measure)
                return side, stop.reason
            if self.whole is None:
                self.whole = self.make_whole()
            look_at(self.whole)
            behind = self.spent + side.done(measure) - self.whole.done(measure)
            if behind > 0 and take_turn(self.whole, solver, measure, behind, stop):
                return self.whole, stop.reason
