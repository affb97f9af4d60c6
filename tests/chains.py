"""Markov chains and small decision processes as PPDDL tasks, and their exact solution with fractions.

A chain is a table of rows; a row is a cost and the probabilities of the successors. States without a row are ends: each
is a goal, a state where the policy gives up, or one where it is undefined.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Literal, NamedTuple, TypeAlias, TypeVar

from gpaplan import Policy, ground, parse_task
from gpaplan.tasks.task import GroundAction, GroundAtom, GroundTask

Key = TypeVar("Key")
End: TypeAlias = Literal["goal", "give-up", "open"]


class Row(NamedTuple):
    cost: Fraction
    successors: dict[int, Fraction]


Rows: TypeAlias = dict[int, Row | End]


def task_of(rows: Rows) -> GroundTask:
    """A task with one action in each state that has a row; the chain starts in state 0, and `Row.cost` is its cost."""
    states = sorted({*rows, *(successor for row in rows.values() if isinstance(row, Row) for successor in row[1])})
    actions = [
        f"(:action step{state} :precondition (at{state}) :effect (and (not (at{state})) (increase (total-cost)"
        f" {row.cost}) (probabilistic {' '.join(f'{p} (at{s})' for s, p in row.successors.items())})))"
        for state, row in sorted(rows.items())
        if isinstance(row, Row)
    ]
    goals = [f"(at{state})" for state, row in rows.items() if row == "goal"]
    parsed = parse_task(
        "(define (domain chain) (:requirements :adl :probabilistic-effects :action-costs) (:functions (total-cost))"
        f" (:predicates {' '.join(f'(at{state})' for state in states)}) {' '.join(actions)})"
        "(define (problem chain-1) (:domain chain) (:init (at0))"
        f" (:goal (or {' '.join(goals)})) (:metric minimize (total-cost)))"
    )
    return ground(parsed.domain, parsed.problem, cost="metric", relevance=False)


def policy_of(task: GroundTask, rows: Rows, dead_end_cost: float | None = None) -> Policy:
    """The policy that takes the one action where there is one, and gives up where the table says so."""
    known = {*task.atoms, *task.static_atoms}
    actions = {
        frozenset({GroundAtom(f"at{state}")}): None if row == "give-up" else GroundAction(f"step{state}")
        for state, row in rows.items()
        if row not in ("goal", "open") and GroundAtom(f"at{state}") in known
    }
    return Policy(task, actions, dead_end_cost=dead_end_cost)


def exact_prospect(
    rows: Mapping[Key, tuple[Fraction, Mapping[Key, Fraction]] | End], start: Key, dead_end_cost: Fraction | None
) -> tuple[Fraction, Fraction | None]:
    """The goal probability and the expected cost (None if infinite) from a state; every successor has a row."""
    reached = _reachable(rows, start)
    ends = {end: [s for s in reached if rows[s] == end] for end in ("goal", "give-up", "open")}
    ending = _reaching(rows, reached, [s for end in ends.values() for s in end])
    to_goal = _reaching(rows, reached, ends["goal"])
    goal = _solve(rows, to_goal, {s: Fraction(s in ends["goal"]) for s in reached}, with_costs=False)[start]
    if len(ending) < len(reached) or ends["open"] or (ends["give-up"] and dead_end_cost is None):
        return goal, None
    known = {s: dead_end_cost or Fraction(0) if s in ends["give-up"] else Fraction(0) for s in reached}
    return goal, _solve(rows, reached, known, with_costs=True)[start]


def _successors(row: tuple[Fraction, Mapping[Key, Fraction]] | End) -> list[Key]:
    return [] if isinstance(row, str) else [s for s, p in row[1].items() if p > 0]


def _reachable(rows: Mapping[Key, tuple[Fraction, Mapping[Key, Fraction]] | End], start: Key) -> list[Key]:
    found = [start]
    for state in found:
        found += [s for s in dict.fromkeys(_successors(rows[state])) if s not in found]
    return found


def _reaching(
    rows: Mapping[Key, tuple[Fraction, Mapping[Key, Fraction]] | End], among: list[Key], targets: list[Key]
) -> list[Key]:
    """The states from which a target can be reached."""
    found = set(targets)
    while more := {s for s in among if s not in found and any(t in found for t in _successors(rows[s]))}:
        found |= more
    return [s for s in among if s in found]


def _solve(
    rows: Mapping[Key, tuple[Fraction, Mapping[Key, Fraction]] | End],
    states: list[Key],
    known: dict[Key, Fraction],
    *,
    with_costs: bool,
) -> dict[Key, Fraction]:
    """x(s) = cost(s) + Σ p x(t) on the given states, as known elsewhere and at the ends: Gauss and Jordan."""
    unknown = [s for s in states if not isinstance(rows[s], str)]
    place = {s: i for i, s in enumerate(unknown)}
    matrix = []
    for s in unknown:
        row = rows[s]
        assert not isinstance(row, str)
        equation = [Fraction(0)] * (len(unknown) + 1)
        equation[place[s]] += 1
        equation[-1] += row[0] if with_costs else 0
        for t, p in row[1].items():
            if t in place:
                equation[place[t]] -= p
            elif p > 0:
                equation[-1] += p * known[t]
        matrix.append(equation)
    for i in range(len(unknown)):
        pivot = next(k for k in range(i, len(unknown)) if matrix[k][i] != 0)
        matrix[i], matrix[pivot] = matrix[pivot], matrix[i]
        matrix[i] = [value / matrix[i][i] for value in matrix[i]]
        for k in range(len(unknown)):
            if k != i and matrix[k][i] != 0:
                matrix[k] = [a - matrix[k][i] * b for a, b in zip(matrix[k], matrix[i], strict=True)]
    return known | {s: matrix[place[s]][-1] for s in unknown}
