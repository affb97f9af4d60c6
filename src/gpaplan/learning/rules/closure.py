"""Where a rule list leads nowhere, found by exhausting what it leaves of a problem.

Acting sees what happens often. What happens rarely is seen by walking through all states that the actions kept by the
list can lead to: a state is *stuck* if it is no goal and no rule fits, and *lost* if no way leads from it to a goal any
more. A list is *closed* on a problem if it leads to no such state; it then reaches the goal with probability one,
whichever of the kept actions are taken, as long as each has its chance.

Such states are given back as training. In a small problem they are known already, and count more from then on; in a
larger one their actions are valued by solving the problem from where these lead.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from gpaplan import _core
from gpaplan.concepts.rules import RuleList
from gpaplan.errors import GpaplanError
from gpaplan.learning.rules.examples import Choice, Example
from gpaplan.learning.rules.strict import constrained_space
from gpaplan.solving.heuristics import make_heuristic
from gpaplan.spaces.settings import SpaceSettings
from gpaplan.spaces.state_space import StateSpace, named_errors
from gpaplan.tasks.task import GroundTask

__all__ = ["Closure", "check_closure", "examples_of_states"]


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
    """States from which no way leads to a goal any more, those that are stuck among them."""
    examples: tuple[tuple[int, ...], ...] = ()
    """Some of these, as the atoms that hold there, by index: first those that are stuck."""

    @property
    def closed(self) -> bool:
        """Whether it is certain that the list always leads to the goal."""
        return self.complete and self.lost == 0


def check_closure(
    task: GroundTask, rules: RuleList, *, max_states: int, stop: _core.Stop, examples: int = 20
) -> Closure:
    """Walk through what a list leaves of a problem, up to so many states."""
    space = constrained_space(task, rules, stop)
    with named_errors(task):
        complete = space.explore(max_states, stop)
    if stop.reason:
        raise _core.Stopped(stop.reason)
    successors = [_successors(space, state) for state in range(len(space))]
    stuck = [
        state
        for state, after in enumerate(successors)
        if not after and space.is_expanded(state) and not space.is_goal(state)
    ]
    lost = _lost(space, successors)
    entries = _entries(successors, lost)
    chosen = list(dict.fromkeys((*stuck[: examples // 2], *entries, *stuck)))[:examples]
    return Closure(
        task.problem.name,
        len(space),
        complete,
        len(stuck),
        len(lost),
        tuple(tuple(space.atoms(state)) for state in chosen),
    )


def _successors(space: _core.StateSpace, state: int) -> list[int]:
    if not space.is_expanded(state):
        return []
    return sorted({after for _, _, outcomes in space.transitions(state) for _, after in outcomes})


def _lost(space: _core.StateSpace, successors: Sequence[Sequence[int]]) -> list[int]:
    """The states from which neither a goal nor anything that was not walked through can be reached."""
    before: list[list[int]] = [[] for _ in successors]
    for state, after in enumerate(successors):
        for each in after:
            before[each].append(state)
    queue = [state for state in range(len(successors)) if space.is_goal(state) or not space.is_expanded(state)]
    reaching = set(queue)
    for state in queue:
        for each in before[state]:
            if each not in reaching:
                reaching.add(each)
                queue.append(each)
    return [state for state in range(len(successors)) if state not in reaching]


def _entries(successors: Sequence[Sequence[int]], lost: Sequence[int]) -> list[int]:
    """Of the lost states, those that other states lead to come first: there things went wrong last."""
    among = set(lost)
    entered = {each for state, after in enumerate(successors) if state not in among for each in after}
    return sorted(lost, key=lambda state: (state not in entered, state))


def examples_of_states(
    task: GroundTask,
    states: Sequence[Sequence[int]],
    *,
    max_states: int,
    dead_end_cost: float | None,
    stop: _core.Stop,
) -> Example | None:
    """Single states of a problem with the regrets of their actions, as far as these are found within so many states.

    The states are lists of atoms, by index. States from which the goal is out of reach teach nothing.
    """
    worst = math.inf if dead_end_cost is None else dead_end_cost
    try:
        space = StateSpace(task, SpaceSettings(), limits=stop)
        heuristic = make_heuristic("lmcut", task, stop)
    except GpaplanError:
        return None
    search = _core.Search(space=space.core, heuristic=heuristic, epsilon=1e-6, dead_end_cost=worst, seed=0)
    values: dict[int, float] = {}

    def value(state: int, part: _core.Stop) -> float | None:
        if state not in values:
            if space.is_goal(state):
                values[state] = 0.0
                return 0.0
            search.root = state
            if search.lrtdp(part, 1 << 40):
                return None
            values[state] = search.value(state)
        return values[state]

    choices: dict[int, list[Choice]] = {}
    for atoms in states:
        state = space.core.intern(list(atoms))
        part = stop.part(max_states=space.core.expanded_count + max_states)
        with named_errors(task):
            found = [Choice(*each) for each in space.core.transitions(state)]
            own = value(state, part)
            known = own is not None and all(
                value(after, part) is not None for choice in found for _, after in choice.outcomes
            )
        if stop.reason:
            raise _core.Stopped(stop.reason)
        if known and own is not None and own < worst:
            choices[state] = found
    if not choices:
        return None
    unit = min(choice.cost for some in choices.values() for choice in some)
    return Example(task, space, values, choices, False, unit, worst)
