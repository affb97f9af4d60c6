"""Optimal expected costs that are known in closed form, or from other programs, with every exact solver."""

from __future__ import annotations

import pytest

from gpaplan import Limits, ground, solve
from gpaplan.benchmarks import DOMAINS, generate
from gpaplan.solving.heuristics import HeuristicName
from gpaplan.solving.solvers import SolverName, make_solver
from gpaplan.tasks.task import GroundTask
from tests.triangle_tireworld import triangle_tireworld

RUNS = [("vi", "blind"), *((solver, h) for solver in ("lao", "ilao", "lrtdp") for h in ("blind", "hmax", "lmcut"))]
LIMITS = Limits(seconds=60)

CLOSED_FORMS = [
    *(("gripper", (balls,)) for balls in (1, 2, 5, 7)),
    *(("rover", (1, 4, samples, 2)) for samples in (1, 2, 4)),
    *(("schedule", (1, packets)) for packets in (1, 2, 5)),
    *(("keva", theta) for theta in ((2, 1), (5, 2), (7, 3))),
    *(("delicate-can", (cans,)) for cans in (2, 3, 6)),
]

FURTHER_VALUES = [
    ("rover", (2, 3, 1, 2), 5.666667),
    ("rover", (2, 3, 2, 2), 9.333333),
    ("rover", (2, 3, 3, 2), 14.0),
    ("rover", (2, 4, 4, 2), 18.666667),
    ("schedule", (2, 2), 6.149338),
    ("schedule", (2, 3), 9.221187),
    ("schedule", (2, 4), 12.272744),
    ("schedule", (3, 3), 9.199723),
]


def check(
    task: GroundTask, optimum: float, solver: SolverName, heuristic: HeuristicName, dead_end_cost: float | None = None
) -> None:
    solution = solve(task, make_solver(solver, 1e-8), heuristic=heuristic, dead_end_cost=dead_end_cost, limits=LIMITS)
    assert (solution.status, solution.guarantee, solution.proper) == ("solved", "optimal", True)
    assert solution.value == pytest.approx(optimum, rel=0, abs=1e-6)
    assert solution.estimate == pytest.approx(optimum, rel=0, abs=2e-6)


@pytest.mark.parametrize(("name", "theta"), CLOSED_FORMS)
def test_closed_forms(name: str, theta: tuple[int, ...]) -> None:
    benchmark = generate(name, *theta)
    task = ground(benchmark.domain, benchmark.problem)
    optimum = DOMAINS[name].optimal_cost(*theta)
    assert optimum is not None
    for solver, heuristic in RUNS:
        check(task, optimum, solver, heuristic)  # type: ignore[arg-type]


@pytest.mark.parametrize(("name", "theta", "optimum"), FURTHER_VALUES)
def test_several_rovers_and_classes(name: str, theta: tuple[int, ...], optimum: float) -> None:
    benchmark = generate(name, *theta)
    task = ground(benchmark.domain, benchmark.problem)
    for run in [("vi", "blind"), ("ilao", "hmax"), ("lrtdp", "lmcut")]:
        check(task, optimum, *run)  # type: ignore[arg-type]


@pytest.mark.parametrize(("size", "optimum"), [(1, 6.25), (2, 11.859375), (3, 19.2177734375)])
@pytest.mark.parametrize("dead_end_cost", [None, 500.0])
def test_triangle_tireworld(size: int, optimum: float, dead_end_cost: float | None) -> None:
    task = triangle_tireworld(size)
    for solver, heuristic in RUNS:
        check(task, optimum, solver, heuristic, dead_end_cost)  # type: ignore[arg-type]
