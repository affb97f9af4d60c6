"""Where a rule list leads nowhere, found by exhausting what it leaves of a problem.

Acting sees what happens often. What happens rarely is seen by walking through all states that the actions kept by the
list can lead to: a state is *stuck* if it is no goal and no rule fits, and *lost* if no trajectory leads from it to a
goal any more. A list is *closed* on a problem if it leads to no such state; it then reaches the goal with probability
one, whichever of the kept actions are taken, as long as each has its chance.

Such states of problems that are too large to be solved in every state are given back as training; their actions are
valued by solving the problem from where these lead.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import TypeAlias

from gpaplan import _core
from gpaplan.concepts.encoding import core_filter
from gpaplan.concepts.rules import RuleList
from gpaplan.errors import TooLargeError
from gpaplan.learning.rules.examples import Example, ExampleChoice
from gpaplan.limits import SEARCH_UNITS, WorkBudget
from gpaplan.solving.heuristics import make_heuristic
from gpaplan.spaces.state_space import MAX_OUTCOMES, SpaceSettings, StateSpace, named_errors, symmetry_of
from gpaplan.tasks.task import GroundTask

__all__ = ["Closure", "Trajectory", "Walk", "check_closure", "examples_of_trajectories", "sample_states"]


_FAILED = 2
"""So many states that cannot be valued end the search for others of a problem."""

Trajectory: TypeAlias = tuple[tuple[int, ...], ...]
"""States, as the atoms that hold in them, by index: from one in which a list leads nowhere back to the initial one."""


@dataclass(frozen=True, slots=True)
class Closure:
    """What a list leaves of a problem."""

    problem: str
    states: int
    """That the list leads to, as far as they were walked through."""
    complete: bool
    """Whether these are all."""
    stuck: int
    """States that are no goals and where no rule fits."""
    lost: int
    """States from which no trajectory leads to a goal any more, those that are stuck among them."""
    trajectories: tuple[Trajectory, ...] = ()
    """How the list leads to some of these."""

    @property
    def closed(self) -> bool:
        """Whether it is certain that the list always leads to the goal."""
        return self.complete and self.lost == 0


def check_closure(
    task: GroundTask, rules: RuleList, *, max_states: int, stop: _core.Stop, trajectories: int = 20
) -> Closure:
    """Walk through what a list leaves of a problem, up to so many states, and so many trajectories to where it fails.

    Nothing is known where an action has too many outcomes to be enumerated.
    """
    try:
        with named_errors(task):
            space = _constrained_space(task, rules, stop)
            complete = space.explore(max_states, stop)
    except TooLargeError:
        return Closure(task.problem.name, 0, False, 0, 0)
    if stop.reason:
        raise _core.Stopped(stop.reason)
    walk = Walk(space)
    chosen = _most_telling(walk)[:trajectories]
    return Closure(
        task.problem.name,
        len(space),
        complete,
        len(walk.stuck),
        len(walk.lost),
        tuple(tuple(tuple(space.atoms(each)) for each in walk.back(state)) for state in chosen),
    )


def _constrained_space(task: GroundTask, rules: RuleList, stop: _core.Stop) -> _core.StateSpace:
    """The states of a task in which only actions exist that a list keeps.

    What a list says does not depend on the names of interchangeable objects, so that states are met up to these.
    """
    symmetry = symmetry_of(task, "auto", stop)
    classes = None if symmetry is None else symmetry.core
    return _core.StateSpace(task.core, MAX_OUTCOMES, classes, core_filter(task, rules), stop)


class Walk:
    """The states that a list leads to, as far as they are expanded, and the first way to each."""

    def __init__(self, space: _core.StateSpace) -> None:
        known = [space.transitions(state) if space.is_expanded(state) else [] for state in range(len(space))]
        self.kept = [[action for action, _, _ in each] for each in known]
        self.successors = [sorted({after for _, _, outcomes in each for _, after in outcomes}) for each in known]
        self.order = [space.initial]
        """All of them, the nearest first."""
        self.parents: dict[int, tuple[int, int]] = {}
        """Of each but the first, the state before it and the action there."""
        before: list[list[int]] = [[] for _ in known]
        for state in self.order:
            for action, _, outcomes in known[state]:
                for _, after in outcomes:
                    before[after].append(state)
                    if after != space.initial and after not in self.parents:
                        self.order.append(after)
                        self.parents[after] = (state, action)
        hopeful = [state for state in range(len(known)) if space.is_goal(state) or not space.is_expanded(state)]
        reaching = set(hopeful)
        for state in hopeful:
            new = [each for each in dict.fromkeys(before[state]) if each not in reaching]
            reaching.update(new)
            hopeful += new
        self.lost = [state for state in range(len(known)) if state not in reaching]
        """Neither a goal nor anything that was not walked through can be reached from there."""
        self.stuck = [state for state in self.lost if not known[state]]

    def back(self, state: int) -> Iterator[int]:
        """The states from one back to the first."""
        yield state
        while state in self.parents:
            state, _ = self.parents[state]
            yield state


def _most_telling(walk: Walk) -> list[int]:
    """Lost states, and states in which a kept action loses the goal, by turns: the ones that teach most come first.

    Where the goal is out of reach of any policy the mistake was made before; elsewhere it is made there, first of all
    where the list is stuck, or where it enters states that it never leaves.
    """
    successors, among = walk.successors, set(walk.lost)
    before = [state for state, after in enumerate(successors) if state not in among and not among.isdisjoint(after)]
    entered = {each for state in before for each in successors[state]} & among
    there = [*walk.stuck, *sorted(entered), *walk.lost]
    turns = [state for pair in zip_longest(dict.fromkeys(there), before) for state in pair if state is not None]
    return list(dict.fromkeys(turns))


def sample_states(
    task: GroundTask, rules: RuleList, *, steps: int, most: int, seed: int, stop: _core.Stop
) -> tuple[Trajectory, ...]:
    """States that acting with a list leads to in so many steps, each by itself, at most so many of them."""
    chance = random.Random(seed)
    space = StateSpace(task, SpaceSettings(symmetry="off"), limits=stop)
    decider = core_filter(task, rules)
    state, met = space.initial, {space.initial: None}
    with named_errors(task):
        for _ in range(steps):
            _, kept = decider.decide(space.core, state)
            if not kept:
                break
            action = chance.choice(kept)
            outcomes = next(each for number, _, each in space.core.transitions(state) if number == action)
            state = chance.choices([after for _, after in outcomes], [probability for probability, _ in outcomes])[0]
            met.setdefault(state)
    states = [each for each in met if not space.is_goal(each)]
    return tuple((tuple(space.core.atoms(each)),) for each in chance.sample(states, min(most, len(states))))


def examples_of_trajectories(
    task: GroundTask,
    trajectories: Sequence[Trajectory],
    *,
    max_states: int,
    dead_end_cost: float | None,
    budget: WorkBudget,
    stop: _core.Stop,
) -> Example | None:
    """Single states of a problem with the regrets of their actions, as far as these are found within so many states.

    Of each trajectory it is the first state from which the goal can still be reached for sure: there the list goes
    wrong.
    """
    values = _Values(task, max_states, math.inf if dead_end_cost is None else dead_end_cost, budget, stop)
    choices: dict[int, list[ExampleChoice]] = {}
    failed = 0
    for trajectory in trajectories:
        for atoms in trajectory:
            state = values.space.core.intern(list(atoms))
            if state in choices:
                break
            value = values.value(state)
            if value is not None and value >= values.worst:
                continue
            found = None if value is None else values.choices(state)
            if found:
                choices[state] = found
            failed += not found
            break
        if failed == _FAILED:
            break
    if not choices:
        return None
    unit = min(choice.cost for some in choices.values() for choice in some)
    return Example(task, values.space, values.known, choices, unit, values.worst)


class _Values:
    """The values of single states of a problem, each found by a search from there."""

    def __init__(self, task: GroundTask, max_states: int, worst: float, budget: WorkBudget, stop: _core.Stop) -> None:
        self.space = StateSpace(task, SpaceSettings(), limits=stop)
        self.worst = worst
        self.known: dict[int, float] = {}
        self._max_states = max_states
        self._budget, self._stop = budget, stop
        heuristic = make_heuristic("lmcut", task, stop)
        self._search = _core.Search(self.space.core, heuristic, epsilon=1e-6, dead_end_cost=worst)

    def value(self, state: int) -> float | None:
        """None if it takes too many states."""
        if state not in self.known:
            if not self.space.is_goal(state):
                self._search.root = state
                before, left = self._search.work, int(SEARCH_UNITS * self._budget.left)
                most = self.space.core.expanded_count + self._max_states
                part = self._stop.part(max_states=most, max_work=before + left)
                with named_errors(self.space.task):
                    is_stopped = self._search.lrtdp(part)
                self._budget.spend((self._search.work - before) / SEARCH_UNITS)
                if is_stopped:
                    if self._stop.reason:
                        raise _core.Stopped(self._stop.reason)
                    return None
            self.known[state] = 0.0 if self.space.is_goal(state) else self._search.value(state)
        return self.known[state]

    def choices(self, state: int) -> list[ExampleChoice] | None:
        """The actions of a state; None if the value of what one leads to is not found."""
        with named_errors(self.space.task):
            found = [ExampleChoice(*each) for each in self.space.core.transitions(state)]
        known = all(self.value(after) is not None for choice in found for _, after in choice.outcomes)
        return found if known else None
