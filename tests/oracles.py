"""What linear programs say of a task: other mathematics than the solvers', and another program (HiGHS).

All three programs are about an explored state space, whose rows are (cost, {successor: probability}):

- the least expected cost is the largest V with V(s) <= cost + Σ p V(s') for every action that keeps to the states from
  which the goal is reached with probability one;
- with a dead-end cost D, the same for all states and actions, and V(s) <= D;
- the largest goal probability is the smallest x >= 0 with x(s) >= Σ p x(s') for every action, and 1 in the goals.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy
from scipy.optimize import linprog
from scipy.sparse import csr_matrix

from gpaplan import StateSpace

TOLERANCE = 1e-10


class Step(NamedTuple):
    """An action in a state."""

    state: int
    cost: float
    outcomes: dict[int, float]


def steps(space: StateSpace) -> list[Step]:
    """The actions in all states of an explored space; goals have none."""
    return [
        Step(state, cost, {successor: probability for probability, successor in outcomes})
        for state in range(len(space))
        if not space.is_goal(state)
        for _, cost, outcomes in space.core.transitions(state)
    ]


def certain_states(space: StateSpace) -> set[int]:
    """The states from which some policy reaches the goal with probability one.

    Such a policy stays among them, and can reach the goal from each. So of all states keep those that can reach the
    goal by actions that stay among the ones kept so far, until that takes nothing away.
    """
    kept = set(range(len(space)))
    while True:
        allowed = [step for step in steps(space) if kept.issuperset(step.outcomes)]
        reaching = {state for state in kept if space.is_goal(state)}
        while more := {s.state for s in allowed if s.state in kept and not reaching.isdisjoint(s.outcomes)} - reaching:
            reaching |= more
        if reaching == kept:
            return kept
        kept = reaching


def least_expected_cost(space: StateSpace) -> float:
    """From the initial state; infinite if no policy is proper."""
    return least_expected_costs(space)[space.initial]


def least_expected_costs(space: StateSpace) -> list[float]:
    """From each state; infinite where no policy is proper."""
    kept = certain_states(space)
    allowed = [step for step in steps(space) if step.state in kept and kept.issuperset(step.outcomes)]
    found = _largest_fixed_point(space, allowed, kept, None)
    return [found[state] if state in kept else math.inf for state in range(len(space))]


def least_cost_with_giving_up(space: StateSpace, dead_end_cost: float) -> float:
    """From the initial state, if giving up is allowed everywhere and costs that much."""
    return least_costs_with_giving_up(space, dead_end_cost)[space.initial]


def least_costs_with_giving_up(space: StateSpace, dead_end_cost: float) -> list[float]:
    """From each state, if giving up is allowed everywhere and costs that much."""
    return _largest_fixed_point(space, steps(space), set(range(len(space))), dead_end_cost)


def largest_goal_probability(space: StateSpace) -> float:
    """From the initial state."""
    bounds = [(1, 1) if space.is_goal(state) else (0, 1) for state in range(len(space))]
    table = steps(space)
    return _optimise(space, table, -1, [0.0] * len(table), bounds)[space.initial]


def _largest_fixed_point(space: StateSpace, table: list[Step], kept: set[int], most: float | None) -> list[float]:
    bounds = [(0, 0) if space.is_goal(state) or state not in kept else (0, most) for state in range(len(space))]
    return _optimise(space, table, 1, [step.cost for step in table], bounds)


def _optimise(
    space: StateSpace, table: list[Step], sign: int, right: list[float], bounds: Sequence[tuple[float, float | None]]
) -> list[float]:
    """With sign 1, the largest x with x(s) - Σ p x(s') <= right; with -1, the smallest for >=."""
    rows, columns, entries = [], [], []
    for number, step in enumerate(table):
        for state, weight in [(step.state, 1.0), *((successor, -p) for successor, p in step.outcomes.items())]:
            rows.append(number)
            columns.append(state)
            entries.append(sign * weight)
    found = linprog(
        numpy.full(len(space), -sign),
        A_ub=csr_matrix((entries, (rows, columns)), shape=(len(table), len(space))) if table else None,
        b_ub=right if table else None,
        bounds=bounds,
        method="highs-ds",
        options={"primal_feasibility_tolerance": TOLERANCE, "dual_feasibility_tolerance": TOLERANCE},
    )
    assert found.status == 0, found.message
    return [float(value) for value in found.x]
