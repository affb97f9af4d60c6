"""Markov decision processes as PPDDL tasks: a table of states, each with its actions.

The first state is the start. States without actions that are no goals are dead ends; a set of states that no action
leaves is a trap. Each state is an atom, so a heuristic that ignores deletes sees which states can reach the goal, and
none but the blind one is fooled by a trap. With ``hidden`` every trap looks open to the heuristics: each state has a
further action that needs an atom which is true at the start and which every action deletes.
"""

from __future__ import annotations

import random
from fractions import Fraction
from typing import NamedTuple

from gpaplan import ground, parse_task
from gpaplan.tasks.task import GroundTask
from tests.chains import Row


class Process(NamedTuple):
    actions: dict[int, list[Row]]
    goals: frozenset[int]


def process_task(process: Process, *, hidden: bool = False) -> GroundTask:
    """The task of a process, with the costs of its rows."""
    rows_of = process.actions
    states = sorted({0, *rows_of, *process.goals, *(s for rows in rows_of.values() for row in rows for s in row[1])})
    schemas = [
        f"(:action a{state}-{number} :precondition (at{state}) :effect (and (not (at{state})) (not (fresh))"
        f" (increase (total-cost) {row.cost})"
        f" (probabilistic {' '.join(f'{p} (at{s})' for s, p in row.successors.items())})))"
        for state, rows in sorted(process.actions.items())
        for number, row in enumerate(rows)
    ]
    goals = " ".join(f"(at{state})" for state in sorted(process.goals))
    if hidden and process.goals:
        goal = min(process.goals)
        schemas += [
            f"(:action leave{state} :precondition (and (at{state}) (fresh) (spent)) :effect (and (not (at{state}))"
            f" (at{goal}) (increase (total-cost) 1)))"
            for state in states
            if state not in process.goals
        ]
        schemas.append(
            "(:action spend :precondition (and (fresh) (at0)) :effect (and (not (fresh)) (spent)"
            " (increase (total-cost) 1)))"
        )
    parsed = parse_task(
        "(define (domain process) (:requirements :adl :probabilistic-effects :action-costs) (:functions (total-cost))"
        f" (:predicates (fresh) (spent) {' '.join(f'(at{state})' for state in states)}) {' '.join(schemas)})"
        "(define (problem process-1) (:domain process) (:init (at0) (fresh))"
        f" (:goal (or {goals})) (:metric minimize (total-cost)))"
    )
    return ground(parsed.domain, parsed.problem, cost="metric")


def random_process(seed: int, size: int) -> Process:
    """Up to three actions a state, mostly to neighbours; some states are goals, dead ends or caught in loops."""
    source = random.Random(seed)
    actions: dict[int, list[Row]] = {}
    for state in range(size):
        actions[state] = []
        for _ in range(source.choice([0, 1, 2, 2, 3, 3])):
            near = [source.randrange(max(0, state - 3), min(size, state + 5)) for _ in range(source.choice([1, 2, 3]))]
            weights = {successor: source.choice([1, 1, 2, 3, 30]) for successor in near}
            total = sum(weights.values())
            cost = Fraction(source.choice(["1", "1", "1/2", "3", "7/4"]))
            actions[state].append(Row(cost, {s: Fraction(w, total) for s, w in sorted(weights.items())}))
    goals = {size - 1, *source.sample(range(size), source.choice([0, 0, 1, 2]))}
    if source.random() < 0.05:
        goals = {0}
    goals = set() if source.random() < 0.05 else goals
    return Process({s: rows for s, rows in actions.items() if rows and s not in goals}, frozenset(goals))
