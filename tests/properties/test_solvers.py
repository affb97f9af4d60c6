"""Every solver with every heuristic, on random tasks, against linear programs."""

from __future__ import annotations

import contextlib
import math
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from hypothesis import assume, example, given, strategies as st

from gpaplan import CostError, Evaluation, Limits, Policy, Solution, StateSpace, evaluate, ground, solve
from gpaplan.ppddl.syntax import Domain, Metric, Problem
from gpaplan.solving.solvers import SOLVERS, make_solver
from gpaplan.tasks.task import GroundTask
from tests import oracles
from tests.decision_processes import process_task, random_process
from tests.examples import examples
from tests.strategies import tasks

EXACT = ("vi", "lao", "ilao", "lrtdp")
ADMISSIBLE = ("blind", "hmax", "lmcut", "pdb", "best")
INADMISSIBLE = ("hadd", "ff")
STATES = 150
EPSILON = 1e-5
DEAD_END_COST = 17.5
LIMITS = Limits(seconds=60)
LONGEST = 5_000
"""Expected cost up to which a task is tried: solvers by trials need some hundred backups for each unit of it."""
SLACK = 1e-8
"""What two floating-point computations of the same number may differ by, relative to its size."""


@dataclass(frozen=True)
class Known:
    """A task, and what the linear programs say of it."""

    task: GroundTask
    cost: float
    goal_probability: float
    penalised_cost: float


def known(task: GroundTask) -> Known:
    space = StateSpace(task)
    assume(space.explore(max_states=STATES).complete)
    cost = oracles.least_expected_cost(space)
    assume(cost <= LONGEST or math.isinf(cost))
    return Known(
        task,
        cost,
        oracles.largest_goal_probability(space),
        oracles.least_cost_with_giving_up(space, DEAD_END_COST),
    )


def reread(policy: Policy) -> Policy:
    """The policy after a journey through a file."""
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        file.write(policy.to_text())
        file.flush()
        found = Policy.read(policy.task, Path(file.name))
    assert found == policy
    return found


def evaluated(solution: Solution) -> Evaluation:
    """What is true of the policy, which must be what the solution says."""
    found = evaluate(solution.space.task, reread(solution.policy))
    assert (found.closed, found.proper) == (solution.closed, solution.proper)
    assert found.cost == pytest.approx(solution.value, rel=1e-12, abs=0)
    assert found.goal_probability == pytest.approx(solution.goal_probability, rel=1e-12, abs=0)
    assert found.states == solution.policy_states
    return found


def check(task: GroundTask) -> None:
    expected = known(task)
    for name in SOLVERS:
        for heuristic in ADMISSIBLE + INADMISSIBLE if name != "vi" else ("blind",):
            solver = make_solver(name, EPSILON)
            check_default(expected, solve(task, solver, heuristic=heuristic, limits=LIMITS), exact=name in EXACT)  # type: ignore[arg-type]
            penalised = solve(task, solver, heuristic=heuristic, dead_end_cost=DEAD_END_COST, limits=LIMITS)  # type: ignore[arg-type]
            check_penalised(expected, penalised, exact=name in EXACT)


def check_default(expected: Known, solution: Solution, *, exact: bool) -> None:
    """Dead ends may not be risked."""
    found = evaluated(solution)
    if math.isinf(expected.cost):
        assert (solution.status, solution.value, solution.guarantee) == ("no-proper-policy", math.inf, "none")
        assert not found.proper
        assert found.goal_probability == pytest.approx(expected.goal_probability, abs=1e-6)
        return
    assert solution.status == "solved"
    assert found.proper
    assert found.goal_probability == 1
    compare(solution, expected.cost, exact)


def check_penalised(expected: Known, solution: Solution, *, exact: bool) -> None:
    """Giving up is allowed."""
    assert solution.status == "solved"
    evaluated(solution)
    assert solution.closed
    compare(solution, expected.penalised_cost, exact)


def compare(solution: Solution, optimum: float, exact: bool) -> None:
    slack = SLACK * (1 + optimum)
    assert solution.value >= optimum - slack
    assert solution.lower_bound <= optimum + slack
    assert solution.gap == solution.value - solution.lower_bound
    if solution.heuristic not in INADMISSIBLE and solution.solver != "wlao":
        assert solution.estimate <= optimum + slack
        assert solution.guarantee == "optimal"
        assert solution.residual is not None
        assert not exact or solution.residual <= EPSILON * (1 + 1e-9)
    if solution.guarantee == "optimal":
        assert solution.value <= optimum * (1 + 1e-6) + slack


@examples(20)
@given(tasks())
def test_random_tasks_with_unit_costs(task: tuple[Domain, Problem]) -> None:
    check(ground(*task, cost="unit", relevance=False))


@examples(60)
@given(tasks(), st.sampled_from([Metric("maximize", "reward"), Metric("minimize", "total-cost")]))
def test_random_tasks_with_metric_costs(task: tuple[Domain, Problem], metric: Metric) -> None:
    domain, problem = task
    with contextlib.suppress(CostError):
        check(ground(domain, replace(problem, metric=metric), cost="metric", relevance=False))


@examples(20)
@given(st.integers(0, 2**32), st.integers(2, 24), st.booleans())
def test_random_processes(seed: int, size: int, hidden: bool) -> None:
    check(process_task(random_process(seed, size), hidden=hidden))


@examples(60)
@given(st.integers(0, 2**32 - 1), st.integers(4, 17), st.sampled_from([1e-2, 1e-3, 1e-5]))
@example(4559, 13, 1e-5)
@example(483, 11, 1e-3)
def test_value_iteration_proves_what_it_finds(seed: int, size: int, epsilon: float) -> None:
    """Its policy and its lower bound are never further apart than the guarantee allows."""
    solution = solve(process_task(random_process(seed, size)), make_solver("vi", epsilon), limits=LIMITS)
    assert solution.guarantee == ("optimal" if solution.status == "solved" else "none")
