"""The heuristics on random tasks: equal to their definitions, admissible where they say so, infinite only if right."""

from __future__ import annotations

from dataclasses import replace
from math import inf, isinf
from pathlib import Path

import pytest
from hypothesis import given, settings

from gpaplan import CostError, _core, ground, parse_task
from gpaplan.benchmarks import generate
from gpaplan.ppddl.syntax import Domain, Metric, Problem
from gpaplan.task import GroundTask
from tests.relaxation import ReferenceRelaxation, can_reach, optimal_costs
from tests.strategies import tasks

HEURISTICS = ("blind", "hmax", "hadd", "ff", "lmcut")
STATES = 60


def check(task: GroundTask) -> None:
    """Everything that must hold of the heuristics, in the first states of the task."""
    space = _core.StateSpace(task.core, 65_536)
    complete = space.explore(STATES, _core.Stop())
    found = {name: _core.Heuristic(task.core, name).evaluate_all(space) for name in HEURISTICS}
    reference = ReferenceRelaxation(task.core)
    optimal = optimal_costs(space) if complete else None
    for state in range(len(space)):
        blind, maximum, additive, relaxed_plan, landmark_cut = (found[name][state] for name in HEURISTICS)
        atoms = space.atoms(state)
        assert maximum == pytest.approx(reference.cost(atoms, additive=False), rel=1e-9)
        assert additive == pytest.approx(reference.cost(atoms, additive=True), rel=1e-9)
        assert isinf(maximum) == isinf(additive) == isinf(relaxed_plan) == isinf(landmark_cut)
        assert 0 <= blind < inf
        assert 0 <= maximum <= landmark_cut
        assert maximum <= relaxed_plan + 1e-9
        assert landmark_cut <= relaxed_plan + 1e-6
        assert relaxed_plan <= additive + 1e-9
        if space.is_goal(state):
            assert blind == maximum == additive == relaxed_plan == landmark_cut == 0
        if optimal is not None:
            assert blind <= optimal[state] + 1e-6
            assert landmark_cut <= optimal[state] + 1e-6
            assert not isinf(maximum) or not can_reach(space, state)


@settings(max_examples=300, deadline=None)
@given(tasks())
def test_random_tasks_with_unit_costs(task: tuple[Domain, Problem]) -> None:
    check(ground(*task))


@settings(max_examples=300, deadline=None)
@given(tasks())
def test_random_tasks_with_metric_costs(task: tuple[Domain, Problem]) -> None:
    domain, problem = task
    for metric in (Metric("maximize", "reward"), Metric("minimize", "total-cost")):
        try:
            check(ground(domain, replace(problem, metric=metric), cost="metric"))
        except (CostError, _core.NonPositiveCost):
            continue


@pytest.mark.parametrize(
    "path", sorted(Path(__file__).parent.parent.glob("domains/*.ppddl")), ids=lambda path: path.stem
)
def test_the_feature_files(path: Path) -> None:
    for name in ("short", "long") if path.stem == "two-problems" else (None,):
        task = parse_task(path, None, name)
        check(ground(task.domain, task.problem))
        if task.problem.metric is not None and task.problem.metric.quantity == "total-cost":
            check(ground(task.domain, task.problem, cost="metric"))


@pytest.mark.parametrize(
    ("name", "theta"),
    [("gripper", (1,)), ("gripper", (4,)), ("rover", (1, 3, 2, 2)), ("schedule", (2, 2)), ("keva", (4, 1))],
)
def test_the_benchmarks(name: str, theta: tuple[int, ...]) -> None:
    benchmark = generate(name, *theta)
    check(ground(benchmark.domain, benchmark.problem))
