"""What each action is worth under a policy: against fractions, on random policies of random tasks."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from fractions import Fraction
from typing import TypeAlias

import pytest
from hypothesis import given, strategies as st

from gpaplan import Policy, StateSpace, ground
from gpaplan.ppddl.syntax import Domain, Problem
from gpaplan.tasks.task import GroundAction, GroundAtom
from tests.chains import End, exact_prospect
from tests.exact import least_cost, options_of
from tests.examples import examples
from tests.floats import at_most
from tests.reference import Interpreter, State
from tests.strategies import tasks

Rows: TypeAlias = dict[State, tuple[Fraction, Mapping[State, Fraction]] | End]

THIS_ACTION: State = frozenset({("this action",)})
THE_GOAL: State = frozenset({("the goal",)})
"""States that are added to a chain."""

MOST_STATES = 30


def named(state: State) -> frozenset[GroundAtom]:
    return frozenset(GroundAtom(name, tuple(arguments)) for name, *arguments in state)


@examples(50)
@given(tasks(), st.integers(0, 2**32), st.sampled_from([None, Fraction(7, 2), Fraction(35, 2)]))
def test_the_actions_in_a_state_cost_what_the_policy_makes_of_them(
    pair: tuple[Domain, Problem], seed: int, dead_end_cost: Fraction | None
) -> None:
    interpreter = Interpreter(*pair)
    states = interpreter.explore(MOST_STATES + 1)
    if len(states) > MOST_STATES:
        return
    task = ground(*pair, cost="unit", relevance=False)
    choose = random.Random(seed)
    rows: Rows = {}
    actions: dict[frozenset[GroundAtom], GroundAction | None] = {}
    for state in states:
        applicable = interpreter.applicable(state)
        if interpreter.is_goal(state):
            rows[state] = "goal"
        elif choose.random() < 0.05:
            rows[state], actions[named(state)] = "give-up", None
        elif not applicable or choose.random() < 0.2:
            rows[state] = "open"
        else:
            action = choose.choice(applicable)
            rows[state] = Fraction(1), interpreter.transitions(state, action)
            actions[named(state)] = GroundAction(*action)
    price = None if dead_end_cost is None else float(dead_end_cost)
    policy = Policy(task, actions, dead_end_cost=price)

    state = choose.choice(states)
    found = policy.explain(named(state))

    row = rows[state]
    kind = {"goal": "goal", "give-up": "give-up", "open": "uncovered"}
    assert found.decision == (kind[row] if isinstance(row, str) else "action")
    assert found.action == actions.get(named(state))
    options = [] if interpreter.is_goal(state) else interpreter.applicable(state)
    assert sorted(each.action for each in found.actions) == sorted(GroundAction(*action) for action in options)
    assert [each.cost for each in found.actions] == pytest.approx(sorted(each.cost for each in found.actions))
    completed = complete(rows, pair, price)
    for each in found.actions:
        action = each.action.schema, each.action.arguments
        taken: Rows = {THIS_ACTION: (Fraction(1), interpreter.transitions(state, action))}
        goal, cost = exact_prospect(rows | taken, THIS_ACTION, dead_end_cost)
        bound = exact_prospect(completed | taken, THIS_ACTION, dead_end_cost)[1]
        least = math.inf if bound is None else float(bound)
        if not leads_to_open(rows | taken, THIS_ACTION):
            assert each.exact
            assert each.goal_probability == pytest.approx(float(goal), rel=1e-9)
            assert each.cost == pytest.approx(math.inf if cost is None else float(cost), rel=1e-9)
        elif each.exact:
            assert each.cost == pytest.approx(least, rel=1e-9)
        else:
            assert each.goal_probability is None
            assert at_most(each.cost, least)
        assert each.taken == (each.action == found.action)
        if each.taken:
            assert (found.cost, found.exact) == (each.cost, each.exact)
        if found.decision in ("action", "give-up") and found.exact and math.isfinite(found.cost):
            assert each.difference == pytest.approx(each.cost - found.cost)
        else:
            assert each.difference is None


def complete(rows: Rows, pair: tuple[Domain, Problem], dead_end_cost: float | None) -> Rows:
    """The chain with the least cost there is wherever the policy is undefined."""
    task = ground(*pair, cost="unit", relevance=False)
    space = StateSpace(task)
    space.explore()
    options, goals = options_of(space)
    completed: Rows = {**rows, THE_GOAL: "goal"}
    for state, row in rows.items():
        if row == "open":
            cost = least_cost(options, goals, dead_end_cost, space.state(named(state)))
            if cost is not None:
                completed[state] = cost, {THE_GOAL: Fraction(1)}
    return completed


def leads_to_open(rows: Rows, start: State) -> bool:
    queue = [start]
    for key in queue:
        row = rows[key]
        if row == "open":
            return True
        if not isinstance(row, str):
            queue += [successor for successor, chance in row[1].items() if chance > 0 and successor not in queue]
    return False
