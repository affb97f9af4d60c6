"""What rules are learned from: small problems, solved in every state.

A small problem is explored as a whole and solved by value iteration, so that the value of every state is known, and
not only of those that an optimal policy visits. Each applicable action of each state is a *row*; its *regret* is what
it costs to take it once and to act optimally from then on, above the optimum, in units of the cheapest action. An
action after which the goal may be lost is *forbidden*.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from operator import eq
from typing import NamedTuple

from gpaplan import _core
from gpaplan.errors import TooLargeError, UsageError
from gpaplan.learning.constants import EXACT
from gpaplan.ppddl.syntax import And, Atom, Constant
from gpaplan.solving.heuristics import make_heuristic
from gpaplan.spaces.state_space import SpaceSettings, StateSpace, named_errors
from gpaplan.tasks.grounding import ground
from gpaplan.tasks.task import GroundAtom, GroundTask

__all__ = ["FORBIDDEN", "Example", "ExampleChoice", "ExampleRow", "Examples", "another_goal", "solve_example"]

FORBIDDEN = _core.FORBIDDEN
"""The regret of an action after which the goal may be lost."""


PENALTY = 4.0
"""So many times the cheapest action it costs, for one who reaches one goal after the other, to give one up."""


class ExampleChoice(NamedTuple):
    """An applicable action: its index, its expected cost, and (probability, state) of its outcomes."""

    action: int
    cost: float
    outcomes: Sequence[tuple[float, int]]


class ExampleRow(NamedTuple):
    """An action of a training state: of which example, in which state, which action."""

    example: int
    state: int
    action: int


@dataclass
class Example:
    """A problem to learn from, or some states of one."""

    task: GroundTask
    space: StateSpace
    values: Mapping[int, float]
    """The least expected cost to the goal from each state; infinite, or the dead-end cost, where that is out of
    reach."""
    choices: dict[int, list[ExampleChoice]]
    """Of each state that is learned from, all its actions."""
    unit: float
    """The cost of the cheapest action."""
    dead_end_cost: float = math.inf
    serial: Mapping[int, Sequence[float]] = field(default_factory=dict)
    """Of each state, the regrets of its choices for one who reaches one goal after the other, in units of cost; no
    state if there are not several goals."""

    def regret(self, state: int, choice: ExampleChoice) -> float:
        """Of an action, in units of the cheapest one."""
        after = math.fsum(probability * self.values[successor] for probability, successor in choice.outcomes)
        if math.isinf(after):
            return FORBIDDEN
        return min(FORBIDDEN - 1, max(0.0, choice.cost + after - self.values[state]) / self.unit)

    def serial_regrets(self, state: int) -> list[float]:
        """Of the choices of a state, for one who reaches one goal after the other; else of one who acts optimally."""
        if state not in self.serial:
            return [self.regret(state, choice) for choice in self.choices[state]]
        units = (regret / self.unit for regret in self.serial[state])
        return [FORBIDDEN if regret == math.inf else min(FORBIDDEN - 1, regret) for regret in units]

    def only(self, states: Iterable[int]) -> Example:
        """What there is to learn from these states of it."""
        return replace(self, choices={state: self.choices[state] for state in states})

    def reachable(self, *, most_regret: float) -> set[int]:
        """The states that are reached from the initial one by actions of at most such a regret."""
        seen = {self.space.initial}
        queue = [self.space.initial]
        for state in queue:
            for choice in self.choices.get(state, ()):
                if self.regret(state, choice) > most_regret:
                    continue
                for _, successor in choice.outcomes:
                    if successor not in seen:
                        seen.add(successor)
                        queue.append(successor)
        return seen


def solve_example(
    task: GroundTask, *, max_states: int, dead_end_cost: float | None = None, stop: _core.Stop
) -> Example | None:
    """A problem solved in every state; None if it has too many states. Raises `UsageError` if there is no way."""
    space = StateSpace(task, SpaceSettings(), limits=stop)
    try:
        if not space.explore(max_states=max_states, limits=stop).complete:
            if stop.reason:
                raise _core.Stopped(stop.reason)
            return None
    except TooLargeError:
        return None
    worst = math.inf if dead_end_cost is None else dead_end_cost
    search = _core.Search(space.core, make_heuristic("blind", task), epsilon=EXACT, dead_end_cost=worst)
    with named_errors(task):
        if search.value_iteration(stop):
            raise _core.Stopped(stop.reason)
    values = dict(enumerate(search.values()))
    if values[space.initial] == math.inf:
        raise UsageError(
            f"the training problem '{task.problem.name}' has no policy that reaches the goal with probability one; "
            "leave it out, or allow giving up (--dead-end-cost D)"
        )
    choices = {
        state: [ExampleChoice(*each) for each in space.core.transitions(state)]
        for state in range(len(space))
        if values[state] < worst and not space.is_goal(state)
    }
    unit = min((choice.cost for some in choices.values() for choice in some), default=1.0)
    example = Example(task, space, values, choices, unit, worst)
    safe = example.reachable(most_regret=FORBIDDEN - 1)
    example.choices = {state: some for state, some in choices.items() if state in safe}
    met = _met_goals(space)
    if len(set(met)) > 2:
        found = _core.serial_regrets(space.core, met, search.values(), worst, PENALTY * unit, stop)
        example.serial = {state: found[state] for state in example.choices}
    return example


def another_goal(example: Example, chance: random.Random) -> GroundTask | None:
    """The problem with goals that a state of it meets: of each goal's predicate, with as many of its arguments as can
    be; None if there are none."""
    task = example.task
    true = example.space.atoms(chance.choice(list(example.choices)))
    wanted: list[GroundAtom] = []
    for goal in task.goal_atoms:
        alike: dict[int, list[GroundAtom]] = {}
        for atom in sorted(true, key=str):
            if atom.predicate == goal.predicate and atom not in wanted:
                alike.setdefault(sum(map(eq, atom.arguments, goal.arguments)), []).append(atom)
        if alike:
            wanted.append(chance.choice(alike[max(alike)]))
    if not wanted or set(wanted) >= set(task.goal_atoms):
        return None
    goals = tuple(Atom(each.predicate, tuple(map(Constant, each.arguments))) for each in wanted)
    return ground(task.domain, replace(task.problem, goal=And(goals)), cost="unit" if task.cost == "unit" else "metric")


def _met_goals(space: StateSpace) -> list[int]:
    """Of each state, the goals that are met, as bits; of goals that are the same up to symmetry, how many are."""
    classes = () if space.symmetry is None else space.symmetry.classes
    kinds = {name: str(number) for number, names in enumerate(classes) for name in names}
    orbits: dict[tuple[str, ...], list[int]] = {}
    numbers = {atom: number for number, atom in enumerate(space.task.atoms)}
    for atom in space.task.goal_atoms:
        if atom in numbers:
            key = (atom.predicate, *(kinds.get(name, "=" + name) for name in atom.arguments))
            orbits.setdefault(key, []).append(numbers[atom])
    if sum(map(len, orbits.values())) > 63:
        return []
    found = []
    for state in range(len(space)):
        atoms, bits, shift = set(space.core.atoms(state)), 0, 0
        for goals in orbits.values():
            bits |= (1 << len(atoms.intersection(goals))) - 1 << shift
            shift += len(goals)
        found.append(bits)
    return found


class Examples:
    """Training states of several examples, numbered one after the other, and their rows."""

    def __init__(self, examples: Iterable[Example]) -> None:
        self.examples = list(examples)
        self.states: list[tuple[int, int]] = []
        """The example and the state of each training state."""
        self.rows: list[ExampleRow] = []
        self.choices: list[ExampleChoice] = []
        """Of each row."""
        self.place: list[int] = []
        """Of each row, the number of its training state."""
        for number, example in enumerate(self.examples):
            for state, choices in example.choices.items():
                self.rows += [ExampleRow(number, state, choice.action) for choice in choices]
                self.choices += choices
                self.place += [len(self.states)] * len(choices)
                self.states.append((number, state))

    @cached_property
    def serial_regrets(self) -> Sequence[float]:
        """Of each row, for one who reaches one goal after the other."""
        return tuple(regret for number, state in self.states for regret in self.examples[number].serial_regrets(state))

    @cached_property
    def regrets(self) -> Sequence[float]:
        """Of each row."""
        return tuple(
            self.examples[row.example].regret(row.state, choice)
            for row, choice in zip(self.rows, self.choices, strict=True)
        )
