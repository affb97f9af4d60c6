"""Which costs a problem has unless told otherwise: those of its metric where that asks for the least cost, else 1."""

from __future__ import annotations

import pytest

from gpaplan import CostError, GroundTask, InputError, UsageError, ground, load, parse_domain, parse_problem, solve
from gpaplan.benchmarks import FAMILIES, generate
from gpaplan.ppddl import Domain, Problem
from gpaplan.tasks.grounding import check_same_costs, costs_asked_for, costs_of

DOMAIN = """
(define (domain ways)
  (:requirements :adl :probabilistic-effects :rewards)
  (:predicates (there))
  (:functions (length))
  (:action short :parameters () :precondition (not (there)) :effect (and (there) {short}))
  (:action long :parameters () :precondition (not (there))
    :effect (probabilistic 1/2 (and (there) {long}) 1/2 (and {long}))))
"""
PROBLEM = "(define (problem ways-1) (:domain ways) (:init {init}) (:goal (there)) {metric})"

MINIMIZE = "(:metric minimize (total-cost))"
MAXIMIZE = "(:metric maximize (reward))"


def parsed(short: str, long: str, metric: str, init: str = "") -> tuple[Domain, Problem]:
    domain = parse_domain(DOMAIN.format(short=short, long=long))
    return domain, parse_problem(domain, PROBLEM.format(metric=metric, init=init))


@pytest.mark.parametrize(
    ("short", "long", "metric", "mode", "reason"),
    [
        ("(increase (total-cost) 2)", "(increase (total-cost) 2)", "", "unit", "the problem has no :metric"),
        ("(increase (total-cost) 2)", "(increase (total-cost) 2)", MINIMIZE, "metric", ""),
        ("(decrease (reward) 2)", "(decrease (reward) 3)", MAXIMIZE, "metric", ""),
        ("(decrease (reward) (length))", "(increase (reward) -3)", MAXIMIZE, "metric", ""),
        ("(decrease (reward) 2)", "(increase (reward) 1)", MAXIMIZE, "unit", "which action 'long' increases"),
        ("(decrease (reward) -2)", "(decrease (reward) 1)", MAXIMIZE, "unit", "which action 'short' increases"),
        ("(increase (reward) (length))", "", MAXIMIZE, "unit", "which action 'short' increases"),
        ("(decrease (reward) 2)", "", MAXIMIZE, "unit", "which action 'long' leaves as it is"),
        ("(decrease (reward) 2)", "", f"(:goal-reward 9) {MAXIMIZE}", "unit", "a reward for the goal"),
        ("(decrease (reward) 2)", "", "(:metric minimize (reward))", "unit", "minimises a reward"),
    ],
)
def test_the_metric_decides(short: str, long: str, metric: str, mode: str, reason: str) -> None:
    found = costs_asked_for(*parsed(short, long, metric, "(= (length) 4)"))
    assert found.mode == mode
    assert reason in found.reason
    assert bool(found.reason) == (mode == "unit")


def test_a_function_that_is_negative_somewhere_increases_what_it_decreases() -> None:
    pair = parsed("(decrease (reward) (length))", "(decrease (reward) 1)", MAXIMIZE, "(= (length) -1)")
    assert "'short' increases" in costs_asked_for(*pair).reason


def ways(metric: str, **options: str) -> GroundTask:
    short, long = "(increase (total-cost) 5)", "(increase (total-cost) 2)"
    return ground(*parsed(short, long, metric), **options)  # type: ignore[arg-type]


def test_a_task_is_grounded_with_the_costs_asked_for() -> None:
    by_metric = ways(MINIMIZE)
    assert (by_metric.cost, str(costs_of(by_metric))) == ("metric", "metric")
    assert solve(by_metric).value == 4
    assert solve(by_metric).cost_mode == solve(by_metric).to_json()["cost_mode"] == "metric"
    unit = ways(MINIMIZE, cost="unit")
    assert (unit.cost, solve(unit).value, solve(unit).policy.cost) == ("unit", 1, "unit")
    assert str(costs_of(unit)) == "unit: not those of the metric, as asked for"
    assert str(costs_of(ways(""))) == "unit: the problem has no :metric"
    with pytest.raises(UsageError, match=r"has no :metric .* use unit costs \(--cost unit\)"):
        ways("", cost="metric")
    with pytest.raises(UsageError, match="it is 'auto', 'unit' or 'metric'"):
        ways("", cost="free")


def test_an_action_without_a_cost_is_refused_and_unit_costs_are_offered() -> None:
    with pytest.raises(CostError, match="--cost unit") as raised:
        ground(*parsed("(increase (total-cost) 2)", "", MINIMIZE))
    assert "(long) costs 0" in str(raised.value)
    with pytest.raises(CostError, match="--cost unit"):
        ground(*parsed("(decrease (reward) 2)", "(decrease (reward) 0)", MAXIMIZE))


def test_the_total_cost_is_not_to_be_maximised() -> None:
    with pytest.raises(InputError, match="the total cost cannot be maximised: no policy would be best") as raised:
        parsed("", "", "(:metric maximize (total-cost))")
    assert "write (:metric minimize (total-cost)) or (:metric maximize (reward))" in str(raised.value)


@pytest.mark.parametrize("name", list(FAMILIES))
def test_the_benchmarks_have_unit_costs(name: str) -> None:
    """Their closed forms are of unit costs."""
    sizes = {"keva": (4, 2), "rover": (1, 3, 1, 2), "schedule": (1, 2), "triangle-tireworld": (1,), "blocksworld": (3,)}
    sizes |= {"schedule-ippc": (1, 2), "keva-shah": (4, 2), "blocksworld-towers": (3, 1), "delivery": (1, 3, 1, 1, 0)}
    sizes |= {"maintenance": (1, 3, 1, 0), "rectangle-tireworld": (3, 1, 1, 0), "zenotravel": (2, 1, 1, 0)}
    sizes |= {"elevators": (2, 2, 1, 1, 0, 0)}
    benchmark = generate(name, *sizes.get(name, (2,)))
    assert load(benchmark.domain_text, benchmark.problem_text).cost == "unit"


def test_mixed_costs_are_said_clearly() -> None:
    check_same_costs([("a", "unit"), ("b", "unit")])
    with pytest.raises(UsageError, match="'a' has unit costs and 'c' has metric costs; choose one with --cost unit"):
        check_same_costs([("a", "unit"), ("b", "unit"), ("c", "metric")])
