"""Policies are evaluated exactly: against fractions, on random chains and random tasks."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from fractions import Fraction
from typing import TypeAlias

import pytest
from hypothesis import given, strategies as st

from gpaplan import Evaluation, Policy, evaluate, ground, simulate
from gpaplan.ppddl.syntax import Domain, Problem
from gpaplan.tasks.task import GroundAction, GroundAtom
from tests.chains import End, Row, Rows, exact_prospect, policy_of, task_of
from tests.examples import examples
from tests.reference import Interpreter, State
from tests.strategies import tasks

NamedRow: TypeAlias = tuple[Fraction, Mapping[State, Fraction]]
DEAD_END_COST = Fraction(35, 2)


def check(found: Evaluation, goal: Fraction, cost: Fraction | None) -> None:
    assert found.goal_probability == pytest.approx(float(goal), rel=1e-9, abs=0)
    assert found.proper == (goal == 1)
    if cost is None:
        assert found.cost == math.inf
    else:
        assert found.cost == pytest.approx(float(cost), rel=1e-9, abs=0)


COMMON = (1, 2, 3, 5)
RARE = (*COMMON, 1000, 30000)


@st.composite
def chains(draw: st.DrawFn, relative: tuple[int, ...]) -> Rows:
    """A chain of up to ten states, cyclic more often than not, and how probable successors are to each other."""
    size = draw(st.integers(1, 10))
    weights = st.sampled_from(relative)
    rows: Rows = {}
    for state in range(size):
        end = draw(st.sampled_from([None, None, None, None, "goal", "give-up", "open"]))
        if end is not None:
            rows[state] = end  # type: ignore[assignment]
            continue
        drawn = draw(st.dictionaries(st.integers(0, size - 1), weights, min_size=1, max_size=4))
        total = sum(drawn.values())
        cost = draw(st.sampled_from([Fraction(1), Fraction(1, 2), Fraction(7)]))
        rows[state] = Row(cost, {successor: Fraction(weight, total) for successor, weight in drawn.items()})
    return rows


@examples(70)
@given(chains(RARE))
def test_random_chains(rows: Rows) -> None:
    task = task_of(rows)
    policy = policy_of(task, rows)
    goal, cost = exact_prospect(rows, 0, DEAD_END_COST)
    check(evaluate(task, policy, dead_end_cost=float(DEAD_END_COST)), goal, cost)
    check(evaluate(task, policy), *exact_prospect(rows, 0, None))


@examples(30, fixed=True)
@given(chains(COMMON), st.integers(0, 1000))
def test_trials_agree_with_the_evaluation(rows: Rows, seed: int) -> None:
    task = task_of(rows)
    policy = policy_of(task, rows, dead_end_cost=float(DEAD_END_COST))
    exact = evaluate(task, policy)
    if exact.cost > 300:
        return
    found = simulate(task, policy, trials=400, horizon=20_000, seed=seed)
    assert found.mean_cost == pytest.approx(exact.cost, abs=6 * found.sd_cost / 20 + 1e-9)
    spread = math.sqrt(exact.goal_probability * (1 - exact.goal_probability) / 400)
    assert found.goal_rate == pytest.approx(exact.goal_probability, abs=6 * spread + 0.01)


@examples(40)
@given(tasks(), st.integers(0, 2**32))
def test_random_policies_of_random_tasks(pair: tuple[Domain, Problem], seed: int) -> None:
    interpreter = Interpreter(*pair)
    task = ground(*pair, cost="unit", relevance=False)
    choose = random.Random(seed)
    actions: dict[frozenset[GroundAtom], GroundAction | None] = {}
    rows: dict[State, NamedRow | End] = {}
    queue = [interpreter.initial_state()]
    for state in queue:
        atoms = frozenset(GroundAtom(name, tuple(arguments)) for name, *arguments in state)
        applicable = interpreter.applicable(state)
        if interpreter.is_goal(state):
            rows[state] = "goal"
        elif choose.random() < 0.05:
            rows[state] = "give-up"
            actions[atoms] = None
        elif not applicable or choose.random() < 0.05 or len(rows) >= 25:
            rows[state] = "open"
        else:
            action = choose.choice(applicable)
            actions[atoms] = GroundAction(*action)
            successors = interpreter.transitions(state, action)
            rows[state] = Fraction(1), successors
            queue += [s for s, p in successors.items() if p > 0 and s not in queue]
    found = evaluate(task, Policy(task, actions, dead_end_cost=float(DEAD_END_COST)))
    assert found.states == len(rows)
    assert found.closed == ("open" not in rows.values())
    check(found, *exact_prospect(rows, interpreter.initial_state(), DEAD_END_COST))
