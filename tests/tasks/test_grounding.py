"""Grounding: what is kept, what is pruned, in which order, and what is refused."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from gpaplan import (
    CostError,
    InputError,
    LimitError,
    Limits,
    TooLargeError,
    UsageError,
    _core,
    ground,
    load,
    parse_problem,
    parse_task,
)
from gpaplan.benchmarks import generate
from gpaplan.errors import Diagnostic
from gpaplan.tasks.task import GroundTask
from tests.paths import ROOT


def task_of(domain: str, problem: str, **options: object) -> GroundTask:
    parsed = parse_task(
        f"(define (domain d) (:requirements :adl :probabilistic-effects) {domain})"
        f"(define (problem p) (:domain d) {problem})"
    )
    return ground(parsed.domain, parsed.problem, **options)  # type: ignore[arg-type]


CHAIN = """(:predicates (next ?x ?y) (at ?x) (never ?x) (lit))
  (:action step :parameters (?x ?y) :precondition (and (at ?x) (next ?x ?y)) :effect (and (not (at ?x)) (at ?y)))
  (:action dream :parameters (?x) :precondition (never ?x) :effect (lit))"""


def test_only_reachable_atoms_and_actions_are_kept() -> None:
    task = task_of(CHAIN, "(:objects a b c d) (:init (at b) (next a b) (next b c) (next c d)) (:goal (at d))")
    assert [str(action) for action in task.actions] == ["(step b c)", "(step c d)"]
    assert [str(atom) for atom in task.atoms] == ["(at b)", "(at c)", "(at d)"]
    assert [str(atom) for atom in task.static_atoms] == ["(next a b)", "(next b c)", "(next c d)"]
    assert task.actions_by_schema() == {"step": 2, "dream": 0}


def test_conditional_effects_reach_no_more_than_their_conditions_allow() -> None:
    task = task_of(
        """(:predicates (a) (b) (c) (d))
        (:action one :effect (and (when (a) (b)) (when (c) (d))))
        (:action two :precondition (or (b) (d)) :effect (not (a)))
        (:action three :precondition (or (c) (d)) :effect (a))""",
        "(:init (a)) (:goal (b))",
    )
    assert {str(atom) for atom in task.atoms} == {"(a)", "(b)"}
    assert {str(action) for action in task.actions} == {"(one)", "(two)"}


def test_order_is_declaration_order() -> None:
    task = task_of(
        "(:predicates (p ?x ?y)) (:action z :parameters (?x ?y) :effect (p ?x ?y)) (:action a :effect (and))",
        "(:objects m b) (:init) (:goal (p m m))",
        relevance=False,
    )
    assert [str(action) for action in task.actions] == ["(z m m)", "(z m b)", "(z b m)", "(z b b)", "(a)"]


def test_joins_do_not_enumerate_arguments() -> None:
    # Seven parameters over 400 objects are 1.6e18 tuples, of which the preconditions leave 394.
    size = 400
    names = [f"n{i}" for i in range(size)]
    conditions = " ".join(f"(next ?a{i} ?a{i + 1})" for i in range(6))
    parameters = " ".join(f"?a{i}" for i in range(7))
    task = task_of(
        f"(:predicates (next ?x ?y) (mark ?x)) "
        f"(:action walk :parameters ({parameters}) :precondition (and {conditions}) :effect (mark ?a6))",
        f"(:objects {' '.join(names)}) (:init {' '.join(f'(next {x} {y})' for x, y in pairwise(names))})"
        f"(:goal (mark {names[-1]}))",
        relevance=False,
    )
    assert task.core.action_count == size - 6


def test_a_thousand_balls_ground_to_their_actions() -> None:
    benchmark = generate("gripper", 1000)
    task = ground(benchmark.domain, benchmark.problem)
    assert task.core.action_count == 2 + 2 * 4 * 1000
    assert task.core.atom_count == 2 + 2 + 4 * 1000


def test_too_many_actions_are_refused() -> None:
    with pytest.raises(TooLargeError, match="more than 100 actions") as caught:
        task_of(
            "(:predicates (p ?x)) (:action a :parameters (?x ?y ?z) :effect (p ?x))",
            "(:objects o1 o2 o3 o4 o5) (:init) (:goal (p o1))",
            max_actions=100,
        )
    assert caught.value.exit_code == 34


def test_a_time_limit_stops_grounding() -> None:
    objects = " ".join(f"o{i}" for i in range(60))
    with pytest.raises(LimitError, match="grounding was stopped by the time limit") as caught:
        task_of(
            "(:predicates (p ?x)) (:action a :parameters (?x ?y ?z ?u) :effect (p ?x))",
            f"(:objects {objects}) (:init) (:goal (p o1))",
            limits=Limits(seconds=0.05),
        )
    assert caught.value.exit_code == 10


METRIC = """(:functions (distance ?x ?y) (total-cost)) (:predicates (at ?x))
  (:action go :parameters (?x ?y) :precondition (at ?x)
   :effect (and (not (at ?x)) (at ?y) (increase (total-cost) (distance ?x ?y))))"""


def test_costs_come_from_the_metric() -> None:
    problem = """(:objects a b) (:init (at a) (= (distance a b) 2.5) (= (distance b a) 1/4)
      (= (distance a a) 1) (= (distance b b) 1)) (:goal (at b)) (:metric minimize (total-cost))"""
    task = task_of(METRIC, problem, cost="metric")
    fields = task.core.fields()
    costs = {str(task.action(i)): fields["effect_costs"][effect] for i, effect in enumerate(fields["effects"])}
    assert costs == {"(go a a)": 1, "(go a b)": 2.5, "(go b a)": 0.25, "(go b b)": 1}


def test_a_missing_value_is_named() -> None:
    with pytest.raises(InputError, match=r"no value to \(distance b b\)") as caught:
        task_of(
            METRIC,
            "(:objects a b) (:init (at a) (= (distance a b) 2) (= (distance b a) 1) (= (distance a a) 1))"
            "(:goal (at b)) (:metric minimize (total-cost))",
            cost="metric",
        )
    assert "action 'go'" in str(caught.value)


def test_costs_that_are_not_positive_are_named() -> None:
    domain = """(:functions (total-cost)) (:predicates (g))
      (:action free :effect (g)) (:action paid :effect (and (g) (increase (total-cost) 2)))
      (:action gain :effect (probabilistic 1/2 (decrease (total-cost) 3)))"""
    with pytest.raises(CostError) as caught:
        task_of(domain, "(:init) (:goal (g)) (:metric minimize (total-cost))", cost="metric")
    message = str(caught.value)
    assert "(free) costs 0" in message
    assert "(gain) costs -1.5" in message
    assert "(paid)" not in message
    assert caught.value.exit_code == 33


def test_metric_costs_need_a_metric() -> None:
    with pytest.raises(UsageError, match="has no :metric"):
        task_of("(:predicates (g)) (:action a :effect (g))", "(:init) (:goal (g))", cost="metric")


def test_the_documented_form_is_complete_and_checked() -> None:
    benchmark = generate("schedule", 1, 3)
    task = ground(benchmark.domain, benchmark.problem)
    fields = task.core.fields()
    assert _core.Task.from_fields(fields) == task.core
    for name, damaged in {
        "effects": [*fields["effects"][:-1], 10**6],
        "literals": [*fields["literals"][:-1], [10**6]],
        "action_arguments": fields["action_arguments"][:-1],
        "goal": 10**6,
        "probabilities": [0.0 for _ in fields["probabilities"]],
    }.items():
        with pytest.raises(_core.InternalError, match="ground task"):
            _core.Task.from_fields({**fields, name: damaged})
    with pytest.raises(_core.InternalError, match="version"):
        _core.Task.from_fields({**fields, "version": 99})


def test_a_task_comes_from_files_from_one_text_or_from_what_was_parsed(tmp_path: Path) -> None:
    benchmark = generate("gripper", 2)
    files = benchmark.write(tmp_path)
    parsed = parse_task(*files)
    expected = ground(parsed.domain, parsed.problem).to_json()
    for task in (
        load(*files),
        load(*map(str, files)),
        load(benchmark.problem_text + benchmark.domain_text),
        load(benchmark.domain, benchmark.problem_text),
        ground(parsed),
        ground(benchmark),
    ):
        assert task.to_json() == expected


def test_loading_takes_what_grounding_takes() -> None:
    path = ROOT / "tests" / "domains" / "metric-cost.ppddl"
    assert load(path, cost="metric").cost == "metric"
    with pytest.raises(TooLargeError):
        load(path, max_actions=1)
    with pytest.raises(LimitError):
        load(*(generate("gripper", 400).domain_text, generate("gripper", 400).problem_text), limits=Limits(1e-9))
    two = ROOT / "tests" / "domains" / "two-problems.ppddl"
    assert load(two, problem_name="short").problem.name == load(two, None, "short").problem.name == "short"
    with pytest.raises(InputError, match="this file has 2 problems"):
        load(two)


def test_loading_passes_warnings_on() -> None:
    path = ROOT / "tests" / "domains" / "no-goal.ppddl"
    found: list[Diagnostic] = []
    task = load(path, on_warning=found.append)
    load(task.domain, path, on_warning=found.append)
    assert [each.message for each in found] == ["the problem has no ':goal', so no state is a goal"] * 2


def test_what_is_neither_file_nor_parsed() -> None:
    benchmark = generate("gripper", 1)
    with pytest.raises(UsageError, match="load was given the domain 'gripper', and no problem of it"):
        load(benchmark.domain)
    with pytest.raises(UsageError, match="load takes files"):
        ground(benchmark.domain)
    with pytest.raises(UsageError, match="load takes files"):
        ground("domain.ppddl")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="load takes files"):
        ground("domain.ppddl", "problem.ppddl")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="the domain first"):
        parse_problem(benchmark.problem_text, benchmark.domain)  # type: ignore[arg-type]
