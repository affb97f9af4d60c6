"""Two automata or rule lists on the same problems: which does better, and where they first differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gpaplan.acting.trials import ActingSimulation, choose_horizon, simulate_acting
from gpaplan.automata.filters import ConstrainedStateSpace, TransitionFilter
from gpaplan.display import Shown, as_record
from gpaplan.limits import AnyLimits, Limits, started
from gpaplan.policies.policy import show_state
from gpaplan.tasks.task import GroundTask

__all__ = ["FirstDifference", "ProblemComparison", "compare_filters"]

_TRIALS = 20
"""Trials of each; two rates of 20 trials that differ by less than a quarter may do so by chance."""
_STATES = 2_000
"""States that the first of the two leads to, nearest first, among which a difference is looked for."""


@dataclass(frozen=True, slots=True)
class FirstDifference:
    """The nearest state in which two filters keep different actions."""

    state: str
    """The atoms that hold there."""
    steps: int
    """From the initial state, as the first of them acts."""
    kept: tuple[tuple[str, ...], tuple[str, ...]]
    """The actions that each keeps there."""

    def __str__(self) -> str:
        said = " or ".join(self.kept[0]) or "nothing", " or ".join(self.kept[1]) or "nothing"
        return f"after {self.steps} steps, in {self.state}: the first keeps {said[0]}, the second {said[1]}"


@dataclass(frozen=True, slots=True)
class ProblemComparison(Shown):
    """How two filters do on a problem."""

    problem: str
    acted: tuple[ActingSimulation, ActingSimulation]
    """Trials of acting with each, with the same seeds."""
    difference: FirstDifference | None
    """None if none was found among the states nearest to the initial one."""

    @property
    def better(self) -> int | None:
        """0 or 1 for the one that reaches the goal more often or, if both do so equally often, at less cost, by more
        than a twentieth; None if neither is better."""
        one, other = self.acted
        if one.goal_rate != other.goal_rate:
            return int(other.goal_rate > one.goal_rate)
        if abs(one.mean_cost - other.mean_cost) <= 0.05 * min(one.mean_cost, other.mean_cost):
            return None
        return int(other.mean_cost < one.mean_cost)

    def to_json(self) -> dict[str, Any]:
        """The same as plain data."""
        difference = None if self.difference is None else as_record(self.difference)
        return as_record(self, difference=difference, better=self.better)


def compare_filters(
    first: TransitionFilter, second: TransitionFilter, tasks: Sequence[GroundTask], *, limits: Limits | None = None
) -> list[ProblemComparison]:
    """How two automata or rule lists do on each of some problems."""
    found = []
    for task in tasks:
        horizon = choose_horizon(task, limits)
        one, other = (
            simulate_acting(task, each, trials=_TRIALS, horizon=horizon, limits=limits) for each in (first, second)
        )
        found.append(ProblemComparison(task.problem.name, (one, other), _difference(first, second, task, limits)))
    return found


def _difference(
    first: TransitionFilter, second: TransitionFilter, task: GroundTask, limits: AnyLimits
) -> FirstDifference | None:
    stop = started(limits)
    space, other = (ConstrainedStateSpace(task, each, limits=stop) for each in (first, second))
    queue, steps = [space.initial], {space.initial: 0}
    for state in queue:
        if len(queue) > _STATES or stop.check():
            break
        transitions, atoms = space.transitions(state), space.atoms(state)
        kept = tuple(
            tuple(str(each.action) for each in found) for found in (transitions, other.transitions(other.state(atoms)))
        )
        if set(kept[0]) != set(kept[1]):
            return FirstDifference(show_state(atoms), steps[state], (kept[0], kept[1]))
        for transition in transitions:
            for outcome in transition.outcomes:
                if outcome.state not in steps:
                    steps[outcome.state] = steps[state] + 1
                    queue.append(outcome.state)
    return None
