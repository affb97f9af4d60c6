"""Pattern databases on random tasks: never more than the optimum, and never less than blind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from math import inf, isinf
from pathlib import Path

import pytest
from hypothesis import assume, given, strategies as st

from gpaplan import (
    CostError,
    PatternDatabases,
    StateSpace,
    _core,
    ground,
    load,
    parse_task,
    solve,
)
from gpaplan.benchmarks import generate
from gpaplan.ppddl.syntax import Domain, Metric, Problem
from gpaplan.spaces.state_space import find_symmetry
from gpaplan.tasks.task import GroundTask
from tests import oracles
from tests.carrier_strategies import tasks_with_carriers
from tests.examples import drawn_from, examples
from tests.floats import at_most
from tests.ground_tasks import random_task
from tests.paths import DOMAINS
from tests.relaxation import can_reach, optimal_costs
from tests.strategies import tasks
from tests.variable_strategies import tasks_with_variables

STATES = 100
MOST_PLANTED = 400
"""States of a task with variables; where these are spoilt, there may be more than planted."""
MOST_WITH_CARRIERS = 800
PRECISION = 1e-6


def patterns(
    task: _core.Task,
    variables: int = 4,
    dead_end_cost: float = inf,
    with_landmarks: bool = False,
    orders: int = 8,
) -> _core.Heuristic:
    settings = PatternDatabases(
        variables=variables, states=2000, work=100_000, orders=orders, landmarks=with_landmarks, staged=False
    )
    return _core.Heuristic.from_patterns(task, settings, dead_end_cost)


def values_with_dead_end_cost(space: _core.StateSpace, task: _core.Task, cost: float) -> list[float]:
    """By value iteration; the space is complete."""
    search = _core.Search(
        space=space, heuristic=_core.Heuristic(task, "blind"), epsilon=1e-9, dead_end_cost=cost, seed=0
    )
    assert search.value_iteration(_core.Stop()) == ""
    return search.values()


def check(task: _core.Task) -> None:
    space = _core.StateSpace(task, 65_536)
    if not space.explore(STATES, _core.Stop()):
        return
    optimal = optimal_costs(space)
    blind = _core.Heuristic(task, "blind").evaluate_all(space)
    for state, value in enumerate(patterns(task).evaluate_all(space)):
        assert at_most(blind[state], value)
        assert at_most(value, optimal[state], PRECISION)
        assert not space.is_goal(state) or value == 0
    for cost in (2.5, 20.0):
        best = values_with_dead_end_cost(space, task, cost)
        for state, value in enumerate(patterns(task, dead_end_cost=cost).evaluate_all(space)):
            assert at_most(min(cost, value), best[state], PRECISION)
            assert not isinf(value) or not can_reach(space, state)


# --- tasks with variables of several values ---


def explored(task: GroundTask, symmetry: bool = False, most: int = MOST_PLANTED) -> StateSpace:
    space = StateSpace(task, symmetry="on" if symmetry else "off")
    assume(space.explore(max_states=most).complete)
    return space


def check_bounds(space: StateSpace, found: Sequence[float], optimal: Sequence[float], least: Sequence[float]) -> None:
    """No estimate exceeds the optimum, none is less than the blind one, and in goals it is 0."""
    for state, value in enumerate(found):
        assert at_most(least[state], value)
        assert at_most(value, optimal[state], PRECISION)
        assert not space.is_goal(state) or value == 0


def check_consistency(space: StateSpace, found: Sequence[float], dead_end_cost: float = inf) -> None:
    """No estimate exceeds what an action costs and the estimates after it; where one may give up, that price counts."""
    values = [min(dead_end_cost, value) for value in found]
    for state, value in enumerate(values):
        if space.is_goal(state) or isinf(value):
            continue
        for _, cost, outcomes in space.core.transitions(state):
            after = cost + sum(probability * values[successor] for probability, successor in outcomes)
            assert at_most(value, after, PRECISION)


@examples(35)
@given(tasks_with_variables(), st.booleans())
def test_tasks_with_variables(pair: tuple[Domain, Problem], relevance: bool) -> None:
    task = ground(*pair, cost="metric", relevance=relevance)
    space = explored(task)
    optimal = oracles.least_expected_costs(space)
    blind = _core.Heuristic(task.core, "blind").evaluate_all(space.core)
    found = patterns(task.core).evaluate_all(space.core)
    check_bounds(space, found, optimal, blind)
    check_consistency(space, found)
    check_bounds(space, patterns(task.core, with_landmarks=True).evaluate_all(space.core), optimal, blind)


@examples(20)
@given(tasks_with_variables(), st.sampled_from([2.5, 20.0]))
def test_tasks_with_variables_and_a_dead_end_cost(pair: tuple[Domain, Problem], cost: float) -> None:
    task = ground(*pair, cost="metric")
    space = explored(task)
    optimal = oracles.least_costs_with_giving_up(space, cost)
    hopeless = [not can_reach(space.core, state) for state in range(len(space))]
    found = patterns(task.core, dead_end_cost=cost).evaluate_all(space.core)
    check_consistency(space, found, cost)
    for state, value in enumerate(found):
        assert at_most(min(cost, value), optimal[state], PRECISION)
        assert hopeless[state] or not isinf(value)


@examples(20)
@given(tasks_with_variables())
def test_tasks_with_variables_up_to_symmetry(pair: tuple[Domain, Problem]) -> None:
    """A representative may have another estimate than the states that it stands for; none exceeds the optimum, which
    is the same for all of them."""
    task = ground(*pair, cost="metric")
    symmetry = find_symmetry(task)
    assume(symmetry.classes)
    space, quotient = explored(task), explored(task, symmetry=True)
    optimal = oracles.least_expected_costs(quotient)
    optimum = {quotient.atoms(state): optimal[state] for state in range(len(quotient))}
    of_states = [optimum[symmetry.representative(space.atoms(state))] for state in range(len(space))]
    blind = _core.Heuristic(task.core, "blind")
    tables = patterns(task.core)
    check_bounds(space, tables.evaluate_all(space.core), of_states, blind.evaluate_all(space.core))
    check_bounds(quotient, tables.evaluate_all(quotient.core), optimal, blind.evaluate_all(quotient.core))
    found = solve(task, "ilao", heuristic=PatternDatabases(staged=False), symmetry="on")
    assert found.value == pytest.approx(optimal[quotient.initial], rel=PRECISION)


def test_the_tasks_are_worth_their_patterns() -> None:
    """Most have a variable of several values, and in many of them patterns, several orders and larger patterns say more
    than what is simpler: else the tests above would be about nothing."""
    seen: Counter[str] = Counter()
    drawn = drawn_from(tasks_with_variables(), 100)
    for pair in drawn:
        task = ground(*pair, cost="metric")
        space = StateSpace(task, symmetry="off")
        if not space.explore(max_states=MOST_PLANTED).complete:
            continue
        blind = _core.Heuristic(task.core, "blind").evaluate_all(space.core)
        small, one_order, tables = (
            patterns(task.core, variables, orders=orders).evaluate_all(space.core)
            for variables, orders in ((1, 8), (4, 1), (4, 8))
        )
        found = _core.Variables(task.core)
        optimal = oracles.least_expected_costs(space)
        seen["variables of several values"] += any(len(found.variable(number)[0]) > 1 for number in range(len(found)))
        seen["more than blind"] += any(less + PRECISION < more < inf for less, more in zip(blind, tables, strict=True))
        seen["dead ends known"] += any(map(isinf, tables))
        seen["dead ends not known"] += any(isinf(b) and not isinf(a) for a, b in zip(tables, optimal, strict=True))
        for name, less, more in (
            ("larger patterns say more", small, tables),
            ("several orders say more", one_order, tables),
            ("less than the optimum", tables, optimal),
        ):
            seen[name] += any(a + PRECISION < b for a, b in zip(less, more, strict=True))
        seen["symmetry"] += bool(find_symmetry(task).classes)
        seen["some way to the goal"] += not isinf(optimal[space.initial])
    least = {
        "variables of several values": 0.6,
        "more than blind": 0.2,
        "dead ends known": 0.1,
        "dead ends not known": 0.05,
        "larger patterns say more": 0.08,
        "several orders say more": 0.12,
        "less than the optimum": 0.3,
        "symmetry": 0.3,
        "some way to the goal": 0.35,
    }
    assert {what: seen[what] / len(drawn) for what in least if seen[what] < least[what] * len(drawn)} == {}


# --- carriers and their stocks ---


def explored_text(text: str, symmetry: bool = False) -> StateSpace:
    return explored(load(text, cost="metric"), symmetry, MOST_WITH_CARRIERS)


@examples(30)
@given(tasks_with_carriers())
def test_tasks_with_carriers(text: str) -> None:
    space = explored_text(text)
    optimal = oracles.least_expected_costs(space)
    blind = _core.Heuristic(space.task.core, "blind").evaluate_all(space.core)
    for variables in (2, 4):
        found = patterns(space.task.core, variables=variables).evaluate_all(space.core)
        check_bounds(space, found, optimal, blind)
        check_consistency(space, found)


@examples(20)
@given(tasks_with_carriers(), st.sampled_from([5.0, 30.0]))
def test_tasks_with_carriers_and_a_dead_end_cost(text: str, cost: float) -> None:
    space = explored_text(text)
    optimal = oracles.least_costs_with_giving_up(space, cost)
    found = patterns(space.task.core, variables=2, dead_end_cost=cost).evaluate_all(space.core)
    check_consistency(space, found, cost)
    for state, value in enumerate(found):
        assert at_most(min(cost, value), optimal[state], PRECISION)
        assert not can_reach(space.core, state) or not isinf(value)


@examples(20)
@given(tasks_with_carriers())
def test_tasks_with_carriers_up_to_symmetry(text: str) -> None:
    quotient = explored_text(text, symmetry=True)
    assume(quotient.symmetry is not None)
    optimal = oracles.least_expected_costs(quotient)
    blind = _core.Heuristic(quotient.task.core, "blind").evaluate_all(quotient.core)
    tables = patterns(quotient.task.core, variables=2)
    check_bounds(quotient, tables.evaluate_all(quotient.core), optimal, blind)


def test_the_carriers_are_worth_their_patterns() -> None:
    seen: Counter[str] = Counter()
    drawn = drawn_from(tasks_with_carriers(), 60)
    for text in drawn:
        task = load(text, cost="metric")
        space = StateSpace(task, symmetry="off")
        if not space.explore(max_states=MOST_WITH_CARRIERS).complete:
            continue
        optimal = oracles.least_expected_costs(space)
        small, found = (patterns(task.core, variables=size).evaluate_all(space.core) for size in (1, 4))
        seen["larger patterns say more"] += any(a + PRECISION < b for a, b in zip(small, found, strict=True))
        seen["less than the optimum"] += any(a + PRECISION < b for a, b in zip(found, optimal, strict=True))
        seen["some way to the goal"] += 0 < optimal[space.initial] < inf
    least = {"larger patterns say more": 0.1, "less than the optimum": 0.3, "some way to the goal": 0.4}
    assert {what: seen[what] / len(drawn) for what in least if seen[what] < least[what] * len(drawn)} == {}


# --- other tasks ---


@examples(100)
@given(st.integers(0, 2**32), st.sampled_from([(1.0,), (1.0, 2.0, 5.0), (0.1, 0.3, 1.0, 7.7)]))
def test_random_ground_tasks(seed: int, costs: tuple[float, ...]) -> None:
    check(random_task(seed, costs))


@examples(40)
@given(tasks())
def test_random_tasks(task: tuple[Domain, Problem]) -> None:
    check(ground(*task, cost="unit").core)
    domain, problem = task
    problem = replace(problem, metric=Metric("maximize", "reward"))
    with suppress(CostError, _core.NonPositiveCost):
        check(ground(domain, problem, cost="metric").core)


@pytest.mark.parametrize("path", sorted(DOMAINS.glob("*.ppddl")), ids=lambda path: path.stem)
def test_the_feature_files(path: Path) -> None:
    task = parse_task(path, None, "short" if path.stem == "two-problems" else None)
    check(ground(task.domain, task.problem, cost="unit").core)


@pytest.mark.parametrize(
    ("name", "theta"),
    [("gripper", (1,)), ("gripper", (2,)), ("rover", (1, 3, 2, 2)), ("schedule", (1, 9)), ("keva", (4, 1))],
)
def test_the_benchmarks(name: str, theta: tuple[int, ...]) -> None:
    benchmark = generate(name, *theta)
    check(ground(benchmark.domain, benchmark.problem).core)
