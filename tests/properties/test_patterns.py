"""Pattern databases on random tasks: never more than the optimum, however combined, and never less than blind."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from math import inf, isinf
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpaplan import CostError, _core, ground, parse_task
from gpaplan.benchmarks import generate
from gpaplan.ppddl.syntax import Domain, Metric, Problem
from tests.ground_tasks import random_task
from tests.paths import DOMAINS
from tests.relaxation import can_reach, optimal_costs
from tests.strategies import tasks

STATES = 100


def patterns(
    task: _core.Task, combination: str = "saturated", variables: int = 4, dead_end_cost: float = inf
) -> _core.Heuristic:
    return _core.Heuristic.from_patterns(
        task,
        combination=combination,
        max_variables=variables,
        max_states=2000,
        max_work=100_000,
        max_orders=8,
        dead_end_cost=dead_end_cost,
    )


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
    for combination in _core.combination_names():
        found = patterns(task, combination).evaluate_all(space)
        for state, value in enumerate(found):
            assert blind[state] <= value
            assert value <= optimal[state] + 1e-6, combination
            assert not space.is_goal(state) or value == 0
    for cost in (2.5, 20.0):
        best = values_with_dead_end_cost(space, task, cost)
        for combination in _core.combination_names():
            found = patterns(task, combination, dead_end_cost=cost).evaluate_all(space)
            for state, value in enumerate(found):
                assert min(cost, value) <= best[state] + 1e-6, combination
                assert not isinf(value) or not can_reach(space, state)


@settings(max_examples=600, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from([(1.0,), (1.0, 2.0, 5.0), (0.1, 0.3, 1.0, 7.7)]))
def test_random_ground_tasks(seed: int, costs: tuple[float, ...]) -> None:
    check(random_task(seed, costs))


@settings(max_examples=200, deadline=None)
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


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 2**32))
def test_larger_patterns_never_give_less(seed: int) -> None:
    """With the maximum, in which each pattern stands for itself: what there was stays there."""
    task = random_task(seed, (1.0, 2.0))
    space = _core.StateSpace(task, 65_536)
    space.explore(STATES, _core.Stop())
    small, medium, large = (patterns(task, "maximum", size).evaluate_all(space) for size in (1, 2, 4))
    for first, second, third in zip(small, medium, large, strict=True):
        assert first <= second + 1e-5
        assert second <= third + 1e-5
