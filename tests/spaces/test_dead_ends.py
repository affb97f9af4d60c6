"""Dead ends: how many there are, and which action leads into the first one."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import assume, given, strategies as st

from gpaplan import CostError, LimitError, Limits, StateSpace, _core, find_dead_ends, ground, load
from gpaplan.benchmarks import generate
from gpaplan.ppddl.syntax import Domain, Problem
from gpaplan.solving.heuristics import make_heuristic
from tests import oracles
from tests.chains import Row
from tests.decision_processes import Process, process_task, random_process
from tests.examples import examples
from tests.paths import DOMAINS
from tests.strategies import tasks

STATES = 300


def reaching_states(space: StateSpace) -> set[int]:
    """The states from which the goal can be reached, by going on until nothing is added."""
    reaching = {state for state in range(len(space)) if space.is_goal(state)}
    table = oracles.steps(space)
    while more := {step.state for step in table if not reaching.isdisjoint(step.outcomes)} - reaching:
        reaching |= more
    return reaching


def not_ruled_out(space: StateSpace, dead_end_cost: float) -> set[int]:
    """The states that a search which knows them all does not take for dead ends."""
    blind = make_heuristic("blind", space.task)
    search = _core.Search(
        space=space.core, heuristic=blind, epsilon=1e-6, dead_end_cost=dead_end_cost, seed=0, precision=1e-6
    )
    search.mark_dead_ends()
    return {state for state in range(len(space)) if not search.is_dead_end(state)}


def check(space: StateSpace) -> None:
    found = find_dead_ends(space)
    reaching, certain = reaching_states(space), oracles.certain_states(space)
    assert not_ruled_out(space, 1e6) == reaching
    assert not_ruled_out(space, math.inf) == set(certain)
    assert found.count == len(space) - len(reaching)
    assert found.without_proper_policy == len(space) - len(certain)
    assert found.goal_states == sum(map(space.is_goal, range(len(space))))
    assert found.initial == (space.initial not in reaching)
    leading = [step for step in oracles.steps(space) if step.state in reaching and not reaching >= set(step.outcomes)]
    assert (found.action is None) == (not leading)
    if found.action is None or found.state is None or found.dead_end is None:
        return
    state = space.state(found.state)
    assert state == min(step.state for step in leading)
    assert space.state(found.dead_end) not in reaching
    (taken,) = (each for each in space.transitions(state) if each.action == found.action)
    lost = sum(each.probability for each in taken.outcomes if each.state not in reaching)
    assert found.probability == pytest.approx(lost)


@examples(60)
@given(seed=st.integers(0, 10_000), size=st.integers(2, 40), hidden=st.booleans())
def test_random_processes(seed: int, size: int, hidden: bool) -> None:
    space = StateSpace(process_task(random_process(seed, size), hidden=hidden))
    space.explore()
    check(space)


@examples(20)
@given(tasks())
def test_random_tasks(pair: tuple[Domain, Problem]) -> None:
    try:
        space = StateSpace(ground(*pair))
        assume(space.explore(max_states=STATES).complete)
    except CostError:
        assume(False)
    check(space)


def test_the_first_action_into_a_dead_end_is_named() -> None:
    found = find_dead_ends(StateSpace(load(DOMAINS / "dead-end.ppddl", relevance=False)))
    assert (found.count, found.without_proper_policy, found.goal_states, found.initial) == (1, 1, 1, False)
    assert str(found.action) == "(jump)"
    assert found.probability == pytest.approx(0.1)
    assert (list(map(str, found.state or ())), list(map(str, found.dead_end or ()))) == (
        ["(on-near-bank)"],
        ["(drowned)"],
    )


def test_a_long_line_of_states_that_may_fall_is_one_pass() -> None:
    """Each state can reach the goal, and none for sure: were they found one round each, this would take minutes."""
    size = 3000
    lines = " ".join(
        f"(:action go{i} :precondition (at{i}) :effect (and (not (at{i})) (probabilistic 0.9 (at{i + 1}))))"
        for i in range(size)
    )
    atoms = " ".join(f"(at{i})" for i in range(size + 1))
    task = load(
        f"(define (domain line) (:requirements :probabilistic-effects) (:predicates {atoms}) {lines})"
        f"(define (problem line-1) (:domain line) (:init (at0)) (:goal (at{size})))"
    )
    found = find_dead_ends(StateSpace(task))
    assert (found.count, found.without_proper_policy, found.goal_states) == (1, size + 1, 1)


@pytest.mark.parametrize("rungs", [3, 8, 9, 10, 60])
def test_a_way_out_that_leads_from_later_states_to_earlier_ones(rungs: int) -> None:
    """One may jump to any rung of a ladder and climb down; some rungs may lead to a trap as well."""
    one, half = Fraction(1), Fraction(1, 2)
    goal, trap, below = 1000, 1001, 1002
    start = {0: [Row(one, {rung: one}) for rung in range(1, rungs + 1)]}
    climb = {rung: [Row(one, {rung - 1 if rung > 1 else goal: one})] for rung in range(1, rungs + 1)}
    for rung in range(1, rungs + 1, 3):
        climb[rung].append(Row(one, {trap: half, rung: half}))
    loop = {trap: [Row(one, {below: one})], below: [Row(one, {trap: one})]}
    space = StateSpace(process_task(Process(start | climb | loop, frozenset({goal}))))
    space.explore()
    check(space)
    assert len(reaching_states(space)) < len(space)


def test_a_limit_is_an_error() -> None:
    with pytest.raises(LimitError, match="counting dead ends"):
        find_dead_ends(StateSpace(ground(generate("gripper", 12))), limits=Limits(seconds=1e-3))
