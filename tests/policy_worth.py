"""What a policy is worth, by the reference interpreter and in rational numbers: nothing of it is the core's."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from gpaplan import Policy
from gpaplan.errors import NoActionError
from tests.exact import evaluate_chain
from tests.reference import Interpreter, State


class Worth(NamedTuple):
    """Cost and goal probability are those of the initial state."""

    closed: bool
    proper: bool
    goal_probability: Fraction
    cost: Fraction | None
    """None if neither the goal nor giving up, at a dead-end cost, is certain."""
    states: int


def worth_of(policy: Policy, dead_end_cost: float | None) -> Worth:
    """Follow a policy from the initial state, state by state."""
    interpreter = Interpreter(policy.task.domain, policy.task.problem)
    start = interpreter.initial_state()
    numbers: dict[State, int] = {start: 0}
    steps: dict[int, tuple[Fraction, list[tuple[Fraction, int]]]] = {}
    goals, ends, open_states = set(), set(), set()
    for state in (queue := [start]):
        number = numbers[state]
        if interpreter.is_goal(state):
            goals.add(number)
            continue
        try:
            action = policy.action(state)
        except NoActionError:
            open_states.add(number)
            continue
        if action is None:
            ends.add(number)
            continue
        outcomes = interpreter.outcomes(state, (action.schema, action.arguments))
        merged: dict[int, Fraction] = {}
        for probability, successor, _, _ in outcomes:
            if successor not in numbers:
                numbers[successor] = len(numbers)
                queue.append(successor)
            merged[numbers[successor]] = merged.get(numbers[successor], Fraction(0)) + probability
        cost = sum((probability * paid for probability, _, _, paid in outcomes), Fraction(0))
        steps[number] = cost, [(probability, to) for to, probability in merged.items() if probability]
    is_closed = not open_states
    alive = _leading_to(goals | ends, steps)
    transient = {state: step for state, step in steps.items() if state in alive}
    chances = evaluate_chain(
        {
            state: (sum((p for p, to in outcomes if to in goals), Fraction(0)), outcomes)
            for state, (_, outcomes) in transient.items()
        }
    )
    certain = is_closed and len(transient) == len(steps)
    costs: dict[int, Fraction] = {}
    if certain and (dead_end_cost is not None or not ends):
        give_up = Fraction(dead_end_cost or 0)
        costs = evaluate_chain(
            {
                state: (cost + sum((p * give_up for p, to in outcomes if to in ends), Fraction(0)), outcomes)
                for state, (cost, outcomes) in transient.items()
            }
        )
        costs |= dict.fromkeys(goals, Fraction(0)) | dict.fromkeys(ends, give_up)
    chance = Fraction(1) if 0 in goals else chances.get(0, Fraction(0))
    return Worth(is_closed, certain and not ends, chance, costs.get(0), len(numbers))


def _leading_to(ends: set[int], steps: dict[int, tuple[Fraction, list[tuple[Fraction, int]]]]) -> set[int]:
    """The states from which one of the ends may be reached."""
    found = set(ends)
    while more := {
        s for s, (_, outcomes) in steps.items() if s not in found and any(to in found for _, to in outcomes)
    }:
        found |= more
    return found
