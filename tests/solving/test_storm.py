"""Expected costs and goal probabilities against the model checker Storm."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from gpaplan import Limits, ground, parse_task, solve
from gpaplan.benchmarks import generate
from gpaplan.solving.solvers import make_solver
from gpaplan.tasks.task import GroundTask
from tests.decision_processes import process_task, random_process
from tests.paths import DOMAINS
from tests.storm import Verdict, ask_storm
from tests.triangle_tireworld import triangle_tireworld

FEATURES = sorted(DOMAINS.glob("*.ppddl"))
RUNS = [("vi", "blind"), ("lao", "hmax"), ("ilao", "lmcut"), ("lrtdp", "hmax")]
LIMITS = Limits(seconds=120)

BENCHMARKS = [
    *(("gripper", (balls,)) for balls in (1, 3, 4, 5)),
    *(("rover", theta) for theta in ((1, 2, 1, 1), (1, 3, 3, 2), (1, 4, 2, 3), (2, 3, 1, 2), (2, 3, 2, 2))),
    *(("schedule", theta) for theta in ((1, 1), (1, 3), (1, 4), (2, 2), (2, 3), (3, 3))),
    *(("keva", theta) for theta in ((2, 1), (3, 1), (4, 2), (5, 2))),
    *(("delicate-can", (cans,)) for cans in (2, 3, 5, 6)),
]
"""23 tasks."""

SEEDS = range(60)
"""Of random processes with dead ends, traps, goals at the start, and goals that are out of reach."""


def compare(task: GroundTask, verdict: Verdict) -> None:
    for name, heuristic in RUNS:
        solution = solve(task, make_solver(name, 1e-9), heuristic=heuristic, limits=LIMITS)  # type: ignore[arg-type]
        if math.isinf(verdict.cost):
            assert solution.status == "no-proper-policy"
            assert solution.goal_probability == pytest.approx(verdict.goal_probability, abs=1e-6)
        else:
            assert solution.status == "solved"
            assert solution.value == pytest.approx(verdict.cost, rel=1e-6, abs=1e-9)
            assert verdict.goal_probability == pytest.approx(1, abs=1e-9)


@pytest.mark.parametrize(("name", "theta"), BENCHMARKS)
def test_benchmarks(name: str, theta: tuple[int, ...], tmp_path: Path) -> None:
    benchmark = generate(name, *theta)
    task = ground(benchmark.domain, benchmark.problem)
    compare(task, ask_storm(task, tmp_path))


@pytest.mark.parametrize("path", FEATURES, ids=lambda path: path.stem)
def test_feature_files(path: Path, tmp_path: Path) -> None:
    parsed = parse_task(path, None, "short" if path.stem == "two-problems" else None)
    task = ground(parsed.domain, parsed.problem)
    compare(task, ask_storm(task, tmp_path))
    if path.stem == "metric-cost":
        with_costs = ground(parsed.domain, parsed.problem, cost="metric")
        compare(with_costs, ask_storm(with_costs, tmp_path))


@pytest.mark.parametrize("size", [1, 2])
def test_triangle_tireworld(size: int, tmp_path: Path) -> None:
    task = triangle_tireworld(size)
    compare(task, ask_storm(task, tmp_path))


@pytest.mark.parametrize("seed", SEEDS)
def test_random_processes(seed: int, tmp_path: Path) -> None:
    task = process_task(random_process(seed, 3 + seed % 20), hidden=seed % 2 == 0)
    compare(task, ask_storm(task, tmp_path))


def test_the_random_processes_are_of_every_kind(tmp_path: Path) -> None:
    """Else the test above shows less than it seems to."""
    kinds = set()
    for seed in SEEDS:
        verdict = ask_storm(process_task(random_process(seed, 3 + seed % 20), hidden=seed % 2 == 0), tmp_path)
        if verdict.cost == 0:
            kinds.add("start is goal")
        elif verdict.goal_probability == 0:
            kinds.add("goal out of reach")
        elif math.isinf(verdict.cost):
            kinds.add("dead ends cannot be avoided")
        else:
            kinds.add("proper policy")
    assert kinds == {"start is goal", "goal out of reach", "dead ends cannot be avoided", "proper policy"}
