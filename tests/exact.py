"""The least expected cost, exactly: policy iteration in rational numbers, on the very doubles that the core uses.

Slow and short. For processes of up to a hundred states or so.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction
from typing import TypeAlias

from gpaplan import StateSpace

Outcomes: TypeAlias = Sequence[tuple[Fraction, int]]
Options: TypeAlias = dict[int, list[tuple[Fraction, Outcomes]]]
"""Of each state but the goals: cost and outcomes of each action."""


def options_of(space: StateSpace) -> tuple[Options, set[int]]:
    """An explored space, and its goals."""
    goals = {state for state in range(len(space)) if space.is_goal(state)}
    options: Options = {
        state: [
            (Fraction(cost), [(Fraction(probability), to) for probability, to in outcomes])
            for _, cost, outcomes in space.core.transitions(state)
        ]
        for state in range(len(space))
        if state not in goals
    }
    return options, goals


def least_cost(
    options: Options, goals: Collection[int], dead_end_cost: float | None = None, initial: int = 0
) -> Fraction | None:
    """From the initial state; None if no policy reaches a goal for sure. With a dead-end cost one may give up."""
    if initial in goals:
        return Fraction(0)
    if dead_end_cost is not None:
        end = -1
        goals = {*goals, end}
        give_up = (Fraction(dead_end_cost), [(Fraction(1), end)])
        options = {state: [*own, give_up] for state, own in options.items()}
    alive = _alive(options, set(goals))
    if initial not in alive:
        return None
    safe = {
        state: [(cost, outcomes) for cost, outcomes in options[state] if all(to in alive for _, to in outcomes)]
        for state in alive.difference(goals)
    }
    policy = _proper(safe, goals)
    while True:
        values = _evaluate(safe, policy, goals)
        better = {}
        for state, own in safe.items():
            costs = [cost + sum(p * values[to] for p, to in outcomes) for cost, outcomes in own]
            if min(costs) < values[state]:
                better[state] = costs.index(min(costs))
        if not better:
            return values[initial]
        policy |= better


def _alive(options: Options, goals: set[int]) -> set[int]:
    """States from which a goal can be reached for sure."""
    alive = {*options, *goals}
    while True:
        reach = set(goals)
        while more := {
            state
            for state in alive - reach
            for _, outcomes in options[state]
            if all(to in alive for _, to in outcomes) and any(to in reach for _, to in outcomes)
        }:
            reach |= more
        if reach == alive:
            return alive
        alive = reach


def _proper(safe: Options, goals: Collection[int]) -> dict[int, int]:
    policy: dict[int, int] = {}
    done = set(goals)
    while len(policy) < len(safe):
        for state, own in safe.items():
            for number, (_, outcomes) in enumerate(own):
                if state not in policy and any(to in done for _, to in outcomes):
                    policy[state] = number
                    done.add(state)
    return policy


def _evaluate(safe: Options, policy: dict[int, int], goals: Collection[int]) -> dict[int, Fraction]:
    return dict.fromkeys(goals, Fraction(0)) | evaluate_chain(
        {state: own[policy[state]] for state, own in safe.items()}
    )


def evaluate_chain(chain: dict[int, tuple[Fraction, Outcomes]]) -> dict[int, Fraction]:
    """The value of each state: its constant and the expected value of what follows, 0 for states that are not named.

    Linear equations by elimination, in rational numbers.
    """
    order = list(chain)
    rows = []
    for state, (constant, outcomes) in chain.items():
        row = {state: Fraction(1)}
        for probability, to in outcomes:
            if to in chain:
                row[to] = row.get(to, Fraction(0)) - probability
        rows.append((row, constant))
    for i, pivot in enumerate(order):
        row, constant = rows[i]
        factor = row[pivot]
        row = {to: value / factor for to, value in row.items() if value}
        rows[i] = (row, constant / factor)
        for j in range(len(order)):
            share = rows[j][0].get(pivot, Fraction(0))
            if j != i and share:
                target = {to: value for to, value in rows[j][0].items() if to != pivot}
                for to, value in row.items():
                    if to != pivot:
                        target[to] = target.get(to, Fraction(0)) - share * value
                rows[j] = (target, rows[j][1] - share * rows[i][1])
    return {state: rows[i][1] for i, state in enumerate(order)}
