"""Domains that are not among the five: one with dead ends, one with costs from the metric.

Automata are learned from at most five small problems, and problems of three times the size are solved with them,
without fallback, at the optimal cost. That is known in closed form, and value iteration confirms it where it still can.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

from gpaplan import (
    GroundTask,
    LAOStar,
    Solution,
    StateSpace,
    ValueIteration,
    ground,
    learn,
    parse_task,
    solve,
)
from gpaplan.solving.solvers import make_solver
from tests.paths import DOMAINS


def domain_text(name: str) -> str:
    return (DOMAINS / f"{name}.ppddl").read_text(encoding="utf-8").split("(define (problem")[0]


def optimal(task: GroundTask) -> Solution:
    return solve(task, LAOStar(epsilon=1e-8), heuristic="lmcut")


# --- dead ends ---


def bridges(customers: int) -> GroundTask:
    """A parcel for each customer; two more have been delivered before."""
    names = [f"c{i}" for i in range(customers)]
    facts = [
        f"(road h {name}) (road {name} h) (bridge d {name}) (bridge {name} d) (addressed p{i} {name})"
        for i, name in enumerate(names)
    ]
    parsed = parse_task(
        f"{domain_text('fragile-bridges')} (define (problem fragile-bridges-{customers}) (:domain fragile-bridges)"
        f" (:objects d h {' '.join(names)} - place old0 old1 {' '.join(f'p{i}' for i in range(customers))} - parcel)"
        f" (:init (at d) (depot d) (hub h) (road d h) (road h d) (delivered old0) (delivered old1) {' '.join(facts)})"
        " (:goal (forall (?p - parcel) (delivered ?p))))"
    )
    return ground(parsed.domain, parsed.problem)


def bridges_cost(customers: int) -> float:
    """For each customer the tries to load, the way there, the delivery and the way back, but for the last way back."""
    return customers * (1 / 0.8 + 2 + 1 + 2) - 2


def test_the_bridges_are_dead_ends_and_the_way_around_is_optimal() -> None:
    for customers in (1, 2, 3):
        task = bridges(customers)
        assert solve(task, ValueIteration()).value == pytest.approx(bridges_cost(customers))
    crossing = solve(bridges(1), ValueIteration(), dead_end_cost=5.0)
    assert crossing.value < bridges_cost(1)
    assert crossing.goal_probability == pytest.approx(0.9)
    space = StateSpace(ground(task.domain, task.problem, relevance=False))
    space.explore()
    assert any("fallen" in str(space.atoms(state)) for state in range(len(space)))


def test_three_times_the_customers() -> None:
    small = [bridges(customers) for customers in (1, 2, 3, 4)]
    automaton = learn(small[0].domain, [optimal(task) for task in small])
    assert not any("cross" in str(edge.action) for edge in automaton.edges)
    for customers in (6, 12):
        task = bridges(customers)
        for solver in ("lrtdp", "soft-flares") if customers == 6 else ("lrtdp",):
            found = solve(task, make_solver(solver), heuristic="hmax", automaton=automaton)
            assert (found.status, found.fallback, found.goal_probability) == ("solved", False, 1.0)
            assert found.value == pytest.approx(bridges_cost(customers))
    assert solve(bridges(6), ValueIteration()).value == pytest.approx(bridges_cost(6))


# --- costs from the metric ---

PAINT = (Fraction(2), Fraction(1, 2), Fraction(3), Fraction(7, 4))


def workshop(parts: int, *, cost: str = "metric") -> GroundTask:
    names = [f"part{i}" for i in range(parts)]
    values = [f"(= (paint-cost {name}) {PAINT[i % len(PAINT)]})" for i, name in enumerate(names)]
    parsed = parse_task(
        f"{domain_text('workshop')} (define (problem workshop-{parts}) (:domain workshop)"
        f" (:objects {' '.join(names)} - part) (:init (forming) (= (total-cost) 0) {' '.join(values)})"
        f" (:goal (and {' '.join(f'(painted {name})' for name in names)})) (:metric minimize (total-cost)))"
    )
    assert cost in ("unit", "metric")
    return ground(parsed.domain, parsed.problem, cost="metric" if cost == "metric" else "unit")


def workshop_cost(parts: int) -> float:
    """Two tries at the press for each part, one change of halls, and the paint."""
    return 2 * parts + 4 + float(sum(PAINT[i % len(PAINT)] for i in range(parts)))


def test_the_metric_decides_what_is_optimal() -> None:
    for parts in (1, 2, 3):
        assert solve(workshop(parts), ValueIteration()).value == pytest.approx(workshop_cost(parts))
        counted = solve(workshop(parts, cost="unit"), ValueIteration())
        assert counted.value == pytest.approx(parts / 0.9 + 1 + parts)


def test_three_times_the_parts() -> None:
    small = [workshop(parts) for parts in (1, 2, 3, 4, 5)]
    automaton = learn(small[0].domain, [optimal(task) for task in small])
    assert {str(edge.action).split("(")[0] for edge in automaton.edges} == {"press", "go-painting", "paint"}
    for parts in (6, 15):
        found = solve(workshop(parts), heuristic="hmax", automaton=automaton)
        assert (found.status, found.fallback) == ("solved", False)
        assert found.value == pytest.approx(workshop_cost(parts))
    assert solve(workshop(6), ValueIteration()).value == pytest.approx(workshop_cost(6))


def test_automata_for_other_costs_prefer_other_actions() -> None:
    """Learned with unit costs the lathe is taken; with the metric's costs that is worse, not wrong."""
    counted = [workshop(parts, cost="unit") for parts in (1, 2, 3)]
    automaton = learn(counted[0].domain, [optimal(task) for task in counted])
    found = solve(workshop(3), heuristic="hmax", automaton=automaton)
    assert (found.status, found.fallback, found.guarantee) == ("solved", False, "hierarchically-optimal")
    assert found.value == pytest.approx(workshop_cost(3) + 3 * (3 / 0.9 - 2))
