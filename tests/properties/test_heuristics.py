"""The heuristics on random tasks: equal to their definitions, admissible where they say so, infinite only if right."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from math import inf, isinf
from pathlib import Path

import pytest
from hypothesis import example, given, strategies as st

from gpaplan import CostError, _core, ground, parse_task
from gpaplan.benchmarks import generate
from gpaplan.ppddl.syntax import Domain, Metric, Problem
from tests.examples import examples
from tests.floats import at_most
from tests.ground_tasks import random_task
from tests.paths import DOMAINS
from tests.relaxation import ReferenceRelaxation, can_reach, optimal_costs
from tests.strategies import tasks

HEURISTICS = ("blind", "hmax", "hadd", "ff", "lmcut")
STATES = 100


def check(task: _core.Task) -> None:
    """Everything that must hold of the heuristics, in the first states of the task."""
    space = _core.StateSpace(task, 65_536)
    complete = space.explore(STATES, _core.Stop())
    found = {name: _core.Heuristic(task, name).evaluate_all(space) for name in HEURISTICS}
    reference = ReferenceRelaxation(task)
    optimal = optimal_costs(space) if complete else None
    for state in range(len(space)):
        blind, maximum, additive, relaxed_plan, landmark_cut = (found[name][state] for name in HEURISTICS)
        atoms = space.atoms(state)
        assert maximum == pytest.approx(reference.cost(atoms, additive=False), rel=1e-9)
        assert additive == pytest.approx(reference.cost(atoms, additive=True), rel=1e-9)
        assert isinf(maximum) == isinf(additive) == isinf(relaxed_plan) == isinf(landmark_cut)
        assert 0 <= blind < inf
        assert maximum >= 0
        assert at_most(maximum, landmark_cut)
        assert at_most(landmark_cut, relaxed_plan)
        assert at_most(relaxed_plan, additive)
        if space.is_goal(state):
            assert blind == maximum == additive == relaxed_plan == landmark_cut == 0
        if optimal is not None:
            assert at_most(blind, optimal[state], 1e-6)
            assert at_most(landmark_cut, optimal[state], 1e-6)
            assert not isinf(maximum) or not can_reach(space, state)


@examples(200)
@given(st.integers(0, 2**32), st.sampled_from([(1.0,), (1.0, 2.0, 5.0), (0.1, 0.3, 1.0, 7.7)]))
@example(2430, (1.0, 2.0, 5.0))  # h-max is 2, and LM-cut 2 but for rounding
def test_random_ground_tasks(seed: int, costs: tuple[float, ...]) -> None:
    check(random_task(seed, costs))


@examples(60)
@given(tasks())
def test_random_tasks(task: tuple[Domain, Problem]) -> None:
    check(ground(*task, cost="unit", relevance=False).core)
    domain, problem = task
    problem = replace(problem, metric=Metric("maximize", "reward"))
    with suppress(CostError, _core.NonPositiveCost):
        check(ground(domain, problem, cost="metric", relevance=False).core)


@pytest.mark.parametrize("path", sorted(DOMAINS.glob("*.ppddl")), ids=lambda path: path.stem)
def test_the_feature_files(path: Path) -> None:
    for name in ("short", "long") if path.stem == "two-problems" else (None,):
        task = parse_task(path, None, name)
        check(ground(task.domain, task.problem, cost="unit", relevance=False).core)
        if task.problem.metric is not None and task.problem.metric.quantity == "total-cost":
            check(ground(task.domain, task.problem, cost="metric", relevance=False).core)


@pytest.mark.parametrize(
    ("name", "theta"),
    [
        ("gripper", (1,)),
        ("gripper", (4,)),
        ("rover", (1, 3, 2, 2)),
        ("schedule", (2, 2)),
        ("schedule", (1, 9)),
        ("keva", (4, 1)),
    ],
)
def test_the_benchmarks(name: str, theta: tuple[int, ...]) -> None:
    benchmark = generate(name, *theta)
    check(ground(benchmark.domain, benchmark.problem).core)
