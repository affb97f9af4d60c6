"""Costs that span many digits, and numbers beyond the range of doubles.

The files in `reproducers/` are tasks on which an answer was missing, late, or wrong. Whether it is late is told by the
work that was done, not by the clock.
"""

from __future__ import annotations

from math import inf
from pathlib import Path

import pytest

from gpaplan import InputError, Limits, Solution, load, solve
from gpaplan.errors import OutOfRangeError
from gpaplan.solving.solvers import SOLVERS
from gpaplan.spaces.state_space import SymmetryMode
from gpaplan.tasks.task import GroundTask

REPRODUCERS = Path(__file__).parent / "reproducers"
HEURISTICS = ("blind", "hmax", "hadd", "ff", "lmcut", "pdb", "best")
ADMISSIBLE = ("blind", "hmax", "lmcut", "pdb", "best")
RUNS = [
    ("vi", "blind"),
    *((solver, heuristic) for solver in SOLVERS if solver not in ("vi", "wlao") for heuristic in HEURISTICS),
]
A_MOMENT = 100_000
"""Work that takes about a tenth of a second at the most."""
LIMITS = Limits(seconds=120)


def reproducer(name: str) -> GroundTask:
    return load(REPRODUCERS / f"{name}.ppddl", cost="metric")


def line(*costs: str, more: str = "") -> GroundTask:
    """From c0 to the last of the c by one way, at these costs, and by what else there is."""
    predicates = " ".join(f"(c{i})" for i in range(len(costs) + 1))
    steps = " ".join(
        f"(:action a{i} :precondition (c{i}) :effect (and (not (c{i})) (c{i + 1}) (increase (total-cost) {cost})))"
        for i, cost in enumerate(costs)
    )
    return one_goal(predicates, steps + more, f"(c{len(costs)})")


def heads(count: int, cost: str) -> GroundTask:
    """A coin that must show heads so many times in a row."""
    predicates = " ".join(f"(c{i})" for i in range(count + 1))
    tosses = " ".join(
        f"(:action a{i} :precondition (c{i}) :effect (and (not (c{i})) (increase (total-cost) {cost})"
        f" (probabilistic 1/2 (c{i + 1}) 1/2 (c0))))"
        for i in range(count)
    )
    return one_goal(predicates, tosses, f"(c{count})")


def one_goal(predicates: str, actions: str, goal: str) -> GroundTask:
    return load(
        "(define (domain d) (:requirements :adl :probabilistic-effects :fluents) (:functions (total-cost))"
        f"(:predicates {predicates}) {actions})"
        f"(define (problem p) (:domain d) (:init (c0)) (:goal {goal}) (:metric minimize (total-cost)))",
        cost="metric",
    )


# --- costs that span many digits ---


def is_proven(solution: Solution, optimum: float) -> bool:
    return solution.guarantee == "optimal" and solution.value == pytest.approx(optimum, rel=1e-12)


@pytest.mark.parametrize(
    ("name", "optimum"),
    # by tests/exact.py, in some seconds
    [("prove-fails-464-states", 3343.5715326168274), ("prove-fails-600-states", 38.52341947185183)],
)
def test_policies_are_proven_optimal_although_costs_differ_by_nine_digits(name: str, optimum: float) -> None:
    task = reproducer(name)
    assert is_proven(solve(task, prove=True), optimum)
    for solver, heuristic in RUNS:
        solution = solve(task, solver, heuristic=heuristic, limits=LIMITS)  # type: ignore[arg-type]
        assert is_proven(solution, optimum) or heuristic not in ADMISSIBLE
        assert solution.lower_bound <= optimum * (1 + 1e-12)


@pytest.mark.parametrize("symmetry", ["auto", "off"])
@pytest.mark.parametrize(
    ("name", "optimum"),
    [
        ("lao-creeps-64-states", inf),
        ("slow-cheap-actions-693-states", 125.65579033897897),
        ("left-states-138-states", 20000.000052006668),
        ("nineteen-digits-72-states", 28000000003.161682),
    ],
)
def test_every_search_converges(name: str, optimum: float, symmetry: SymmetryMode) -> None:
    task = reproducer(name)
    most = 10 * max(A_MOMENT, solve(task, "vi", symmetry=symmetry).search.work)
    for solver, heuristic in RUNS:
        solution = solve(task, solver, heuristic=heuristic, symmetry=symmetry, limits=LIMITS)  # type: ignore[arg-type]
        assert solution.value == pytest.approx(optimum, rel=1e-6), (solver, heuristic)
        assert solution.status == ("solved" if optimum < inf else "no-proper-policy"), (solver, heuristic)
        assert solution.search.work < most, (solver, heuristic)


def test_many_states_of_about_the_same_cost_are_solved_together() -> None:
    task = reproducer("plateau-1996-states")
    most = 10 * max(A_MOMENT, solve(task, "vi", symmetry="off").search.work)
    for solver in SOLVERS.keys() - {"wlao"}:
        solution = solve(task, solver, heuristic="blind", symmetry="off", limits=LIMITS)  # type: ignore[arg-type]
        assert is_proven(solution, 83.00104), solver
        assert solution.search.work < most, solver


# --- the range of doubles ---


@pytest.mark.parametrize(
    "task",
    [
        reproducer("overflow-cost"),
        line("1e308", "1e308"),
        heads(100, "1e290"),
    ],
    ids=["slow and dear", "dear", "slow"],
)
def test_a_policy_that_costs_more_than_a_double_holds_is_no_missing_policy(task: GroundTask) -> None:
    message = "the policy reaches the goal with probability 1, but its expected cost is more than the largest double"
    for solver, heuristic in RUNS:
        with pytest.raises(OutOfRangeError, match=message) as raised:
            solve(task, solver, heuristic=heuristic, limits=LIMITS)  # type: ignore[arg-type]
        assert raised.value.diagnostics[0].span == task.problem.metric.span  # type: ignore[union-attr]
    cheap = solve(task, dead_end_cost=7.0)  # where one may give up, it has an answer
    assert (cheap.value, cheap.proper) == (7, False)


def test_with_unit_costs_the_same_is_solved() -> None:
    solution = solve(load(REPRODUCERS / "overflow-cost.ppddl", cost="unit"))
    assert solution.guarantee == "optimal"
    assert solution.value == pytest.approx(1e9)


def test_what_is_too_dear_for_a_double_is_avoided() -> None:
    tasks = {
        5.0: line("1e308", "1e308", more="(:action b :precondition (c0) :effect (and (c2) (increase (total-cost) 5)))"),
        3e300: line("1e300", "1e300", "1e300"),
        1e308: line("9e307", "1e307"),
    }
    for optimum, task in tasks.items():
        for solver, heuristic in RUNS:
            solution = solve(task, solver, heuristic=heuristic)  # type: ignore[arg-type]
            assert solution.status == "solved", (solver, heuristic)
            assert solution.value == pytest.approx(optimum), (solver, heuristic)


def test_the_cost_of_an_action_must_be_a_double() -> None:
    increase = "(increase (total-cost) 1e308)"
    with pytest.raises(OutOfRangeError, match=r"action \(a\) costs more than the largest double") as raised:
        one_goal("(c0) (c1)", f"(:action a :effect (and (c1) {increase} {increase}))", "(c1)")
    assert raised.value.diagnostics[0].line == 1
    both = f"(when (c0) {increase}) (when (not (c1)) {increase})"
    sometimes = one_goal("(c0) (c1)", f"(:action a :effect (and (c1) (increase (total-cost) 1) {both}))", "(c1)")
    with pytest.raises(OutOfRangeError, match=r"action \(a\) costs more than the largest double"):
        solve(sometimes)


def test_no_outcome_becomes_impossible() -> None:
    rare = "(probabilistic 1e-200 (c1)) (probabilistic 1e-200 (c2)) (increase (total-cost) 1)"
    task = one_goal("(c0) (c1) (c2)", f"(:action a :effect (and {rare}))", "(and (c1) (c2))")
    with pytest.raises(OutOfRangeError, match=r"an outcome of action \(a\) has a probability of less than the least"):
        solve(task)


def test_a_probability_that_is_too_small_for_a_double_is_refused_where_it_is_read() -> None:
    with pytest.raises(InputError, match=r":1:156: the number '1e-324' is too close to 0"):
        reproducer("underflow-probability")
