"""Heuristics from Python: values known by hand, costs, names and misuse."""

from __future__ import annotations

from math import inf
from typing import Any

import pytest

from gpaplan import _core, ground, parse_task, solve
from gpaplan.benchmarks import generate
from gpaplan.tasks.task import GroundTask
from tests.floats import at_most
from tests.paths import DOMAINS

HEURISTICS = ("blind", "hmax", "hadd", "ff", "lmcut")


def initial_values(task: GroundTask) -> dict[str, float]:
    space = _core.StateSpace(task.core, 65_536)
    return {name: _core.Heuristic(task.core, name).evaluate(space, space.initial) for name in HEURISTICS}


def values(blind: float, hmax: float, hadd: float, ff: float, lmcut: float) -> Any:
    """To be compared with, up to rounding."""
    return pytest.approx({"blind": blind, "hmax": hmax, "hadd": hadd, "ff": ff, "lmcut": lmcut}, rel=1e-12)


def task_of(domain: str, problem: str, cost: str = "unit", *, relevance: bool = True) -> GroundTask:
    parsed = parse_task(
        f"(define (domain d) (:requirements :adl :probabilistic-effects :action-costs) {domain})"
        f"(define (problem p) (:domain d) {problem})"
    )
    return ground(parsed.domain, parsed.problem, cost=cost, relevance=relevance)  # type: ignore[arg-type]


def feature(name: str, cost: str = "unit") -> GroundTask:
    parsed = parse_task(DOMAINS / f"{name}.ppddl")
    return ground(parsed.domain, parsed.problem, cost=cost)  # type: ignore[arg-type]


@pytest.mark.parametrize("balls", [1, 2, 5])
def test_gripper(balls: int) -> None:
    """Each ball needs a pick and a drop, all of them one move; before a drop comes a pick or a move.

    A pick succeeds with 0.8, and else changes nothing: 1.25 of them are needed.
    """
    benchmark = generate("gripper", balls)
    task = ground(benchmark.domain, benchmark.problem)
    plan = 2.25 * balls + 1
    assert initial_values(task) == values(blind=1, hmax=2.25, hadd=3.25 * balls, ff=plan, lmcut=plan)


@pytest.mark.parametrize(
    ("effect", "tries"),
    [
        ("(probabilistic 1/4 (a))", 4),
        ("(probabilistic 1/4 (a) 1/2 (and))", 4),
        ("(probabilistic 1/4 (a) 1/4 (b))", 2),  # either may be what is wanted
        ("(probabilistic 1/4 (a) 3/4 (not (b)))", 1),  # something changes, which might help
        ("(probabilistic 1/4 (a) 3/4 (p))", 4),  # p holds already wherever the action is applicable
        ("(and (p) (probabilistic 1/4 (a)))", 4),
        ("(and (probabilistic 1/2 (a)) (probabilistic 1/2 (b)))", 4 / 3),
        ("(probabilistic 1/2 (probabilistic 1/2 (a)))", 4),
        ("(when (b) (probabilistic 1/4 (a)))", 4),
        ("(and (probabilistic 1/4 (a)) (when (b) (q)))", 1),
        ("(probabilistic 1/1000000 (a))", 1_000_000),
        ("(probabilistic 3/5 (a))", 5 / 3),
    ],
)
def test_an_action_is_tried_until_something_changes(effect: str, tries: float) -> None:
    task = task_of(
        f"""(:predicates (a) (b) (p) (q))
        (:action act :precondition (p) :effect {effect})
        (:action spoil :effect (not (p))) (:action mend :effect (and (p) (b))) (:action lose :effect (not (b)))""",
        "(:init (p) (b)) (:goal (and (a) (p)))",
        relevance=False,
    )
    found = initial_values(task)
    assert [found[name] for name in ("hmax", "hadd", "ff", "lmcut")] == pytest.approx([tries] * 4)
    assert at_most(found["lmcut"], solve(task, "vi").value)


def test_estimates_of_thirds_do_not_exceed_the_optimum_by_rounding() -> None:
    """Costs are counted in a common unit, which is a third of a thousandth here, or so."""
    odds = ("3/5", "3/7", "9/11", "1/3")
    actions = "".join(
        f"(:action a{i} :precondition (p{i}) :effect (probabilistic {p} (p{i + 1})))" for i, p in enumerate(odds)
    )
    task = task_of(f"(:predicates (p0) (p1) (p2) (p3) (p4)) {actions}", "(:init (p0)) (:goal (p4))")
    optimum = 5 / 3 + 7 / 3 + 11 / 9 + 3
    found = initial_values(task)
    for name in ("hmax", "hadd", "ff", "lmcut"):
        assert found[name] == pytest.approx(optimum, rel=1e-9)
        assert found[name] <= optimum * (1 + 1e-15)


def test_only_some_are_admissible() -> None:
    task = feature("conditional")
    admissible = {name for name in HEURISTICS if _core.Heuristic(task.core, name).admissible}
    assert admissible == {"blind", "hmax", "lmcut"}


def test_the_parts_of_a_conditional_effect_are_paid_by_one_action() -> None:
    """Three presses: for light, for warmth, for the fuse. All cuts charge the one action, so h-max says more."""
    assert initial_values(feature("conditional")) == values(blind=1, hmax=3, hadd=4, ff=3, lmcut=3)


def test_one_application_pays_for_all_its_conditional_effects() -> None:
    """FF, which need not be admissible, counts them one by one."""
    task = task_of(
        """(:predicates (a) (b) (p) (q))
        (:action act :effect (and (when (p) (a)) (when (q) (b))))
        (:action spoil :effect (and (not (p)) (not (q))))""",
        "(:init (p) (q)) (:goal (and (a) (b)))",
    )
    assert initial_values(task) == values(blind=1, hmax=1, hadd=2, ff=2, lmcut=1)


OUTCOMES = "(:predicates (a) (b)) (:action act :effect {})"


def test_outcomes_of_one_choice_are_paid_one_by_one() -> None:
    task = task_of(OUTCOMES.format("(probabilistic 1/2 (a) 1/2 (b))"), "(:init) (:goal (and (a) (b)))")
    assert initial_values(task) == values(blind=1, hmax=1, hadd=2, ff=2, lmcut=2)


def test_independent_outcomes_are_paid_together() -> None:
    task = task_of(
        OUTCOMES.format("(and (probabilistic 1/2 (a)) (probabilistic 1/2 (b)))"), "(:init) (:goal (and (a) (b)))"
    )
    found, tries = initial_values(task), 4 / 3  # until something changes
    assert found == values(blind=1, hmax=tries, hadd=2 * tries, ff=tries, lmcut=tries)


def test_an_atom_becomes_false_by_a_delete_that_no_add_overrides() -> None:
    task = task_of(
        """(:predicates (a) (b) (c))
        (:action keep :effect (and (a) (not (a)) (c)))
        (:action drop :precondition (b) :effect (not (a)))
        (:action take :precondition (c) :effect (b))""",
        "(:init (a)) (:goal (not (a)))",
    )
    assert initial_values(task) == values(blind=1, hmax=3, hadd=3, ff=3, lmcut=3)


def test_the_cheaper_option_of_a_disjunction_counts() -> None:
    task = task_of(
        """(:predicates (a) (b) (c) (g))
        (:action one :effect (a))
        (:action two :precondition (a) :effect (b))
        (:action three :effect (c))
        (:action finish :precondition (or (and (a) (or (b) (g))) (and (a) (c))) :effect (g))""",
        "(:init) (:goal (g))",
    )
    assert initial_values(task) == values(blind=1, hmax=2, hadd=3, ff=3, lmcut=3)


@pytest.mark.parametrize("far", ["7", "7.1"])
def test_metric_costs(far: str) -> None:
    """By way of the market: 3 + 1.5, and 1/4 each for the toll. All are multiples of 1/4, but not 7.1."""
    text = (DOMAINS / "metric-cost.ppddl").read_text(encoding="utf-8")
    parsed = parse_task(text.replace("(distance home station) 7)", f"(distance home station) {far})"))
    task = ground(parsed.domain, parsed.problem, cost="metric")
    assert initial_values(task) == values(1.75, 5, 5, 5, 5)
    assert initial_values(feature("metric-cost")) == values(1, 1, 1, 1, 1)


@pytest.mark.parametrize("name", HEURISTICS)
def test_without_a_goal_nothing_but_blindness_is_finite(name: str) -> None:
    task = feature("no-goal")
    space = _core.StateSpace(task.core, 65_536)
    space.explore(1000, _core.Stop())
    expected = 1 if name == "blind" else inf
    assert set(_core.Heuristic(task.core, name).evaluate_all(space)) == {expected}


def test_a_goal_that_always_holds() -> None:
    task = task_of("(:predicates (a)) (:action act :effect (a))", "(:init) (:goal (and))")
    assert initial_values(task) == values(0, 0, 0, 0, 0)


@pytest.mark.parametrize("cost", ["unit", "metric"])
def test_sums_that_double_with_each_step_stay_finite(cost: str) -> None:
    """Step i needs two atoms, both of which need step i − 1: h-add doubles each time; a plan has 3 actions a step."""
    steps = 1100
    names = " ".join(f"s{i}" for i in range(steps + 1))
    task = task_of(
        """(:predicates (next ?x ?y) (at ?x) (left ?x) (right ?x)) (:functions (total-cost))
        (:action go-left :parameters (?x) :precondition (at ?x) :effect (and (left ?x) (increase (total-cost) 0.1)))
        (:action go-right :parameters (?x) :precondition (at ?x) :effect (and (right ?x) (increase (total-cost) 1)))
        (:action step :parameters (?x ?y) :precondition (and (left ?x) (right ?x) (next ?x ?y))
          :effect (and (at ?y) (increase (total-cost) 0.3)))""",
        f"(:objects {names}) (:init (at s0) {' '.join(f'(next s{i} s{i + 1})' for i in range(steps))})"
        f"(:goal (at s{steps})) (:metric minimize (total-cost))",
        cost,
    )
    each, longest = (3, 2) if cost == "unit" else (1.4, 1.3)
    found = initial_values(task)
    additive = found.pop("hadd")
    assert at_most(2**30 * (1 if cost == "unit" else 0.1), additive)
    assert additive < inf
    blind = 1 if cost == "unit" else 0.1
    expected = {"blind": blind, "hmax": longest * steps, "ff": each * steps, "lmcut": each * steps}
    assert found == pytest.approx(expected, rel=1e-9)


def test_values_do_not_depend_on_what_was_evaluated_before() -> None:
    benchmark = generate("rover", 1, 3, 2, 2)
    task = ground(benchmark.domain, benchmark.problem)
    space = _core.StateSpace(task.core, 65_536)
    space.explore(1000, _core.Stop())
    for name in HEURISTICS:
        heuristic = _core.Heuristic(task.core, name)
        forwards = heuristic.evaluate_all(space)
        backwards = [heuristic.evaluate(space, state) for state in reversed(range(len(space)))]
        assert forwards == backwards[::-1]


def test_misuse_is_named() -> None:
    task, other = feature("conditional"), feature("no-goal")
    with pytest.raises(ValueError, match="there is no 'fast' among blind hmax hadd ff lmcut"):
        _core.Heuristic(task.core, "fast")
    heuristic = _core.Heuristic(task.core, "ff")
    with pytest.raises(ValueError, match="another task"):
        heuristic.evaluate(_core.StateSpace(other.core, 1000), 0)
    with pytest.raises(IndexError):
        heuristic.evaluate(_core.StateSpace(task.core, 1000), 1)
