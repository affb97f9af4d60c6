"""Costs on the command line: the metric decides, every result says what was used, and mixed costs are refused."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from tests.commands import as_json, gpaplan

DOMAIN = """
(define (domain ways)
  (:requirements :adl :probabilistic-effects :rewards)
  (:types place)
  (:predicates (seen ?p - place))
  (:functions (total-cost) - number)
  (:action fast :parameters (?p - place) :precondition (not (seen ?p))
    :effect (and (increase (total-cost) 5) (seen ?p)))
  (:action cheap :parameters (?p - place) :precondition (not (seen ?p))
    :effect (and (increase (total-cost) 2) (probabilistic 1/2 (seen ?p)))))
"""
PROBLEM = """
(define (problem {name}) (:domain ways) (:objects {objects} - place) (:init)
  (:goal (forall (?p - place) (seen ?p))) {metric})
"""
METRIC = "(:metric minimize (total-cost))"


@pytest.fixture
def domain(tmp_path: Path) -> Path:
    path = tmp_path / "domain.ppddl"
    path.write_text(DOMAIN)
    return path


def problem(folder: Path, name: str, places: int, metric: str = METRIC) -> Path:
    path = folder / f"{name}.ppddl"
    objects = " ".join(f"p{number}" for number in range(places))
    path.write_text(PROBLEM.format(name=name, objects=objects, metric=metric))
    return path


def test_every_result_says_the_mode(domain: Path, tmp_path: Path) -> None:
    task = (domain, problem(tmp_path, "two", 2))
    policy, automaton, model = (tmp_path / name for name in ("policy.json", "gpa.json", "model.drn"))
    solve = ("solve", *task, "--output", policy, "--heuristic", "lmcut")
    learn = ("learn", *task, "-o", automaton)
    commands: list[tuple[object, ...]] = [
        ("check", *task),
        solve,
        ("evaluate", *task, "--policy", policy),
        ("simulate", *task, "--policy", policy),
        ("export", *task, "--format", "drn", "-o", model),
        learn,
        ("solve", *task, "--gpa", automaton),
        ("grow", *task, "-o", tmp_path / "grown.json"),
        ("prune", automaton, *task, "-o", tmp_path / "pruned.json"),
    ]
    for command in commands:
        record, shown = as_json(*command), gpaplan(*command)
        assert record["cost_mode"] == "metric", command
        assert "costs" in shown.stdout, command
        assert "warning" not in shown.stderr, command
    assert as_json(*solve)["value"] == 8
    assert as_json(*solve, "--cost", "unit")["value"] == 2
    for command in (("check", *task), ("simulate", *task), ("learn", *task, "-o", automaton)):
        shown = gpaplan(*command, "--cost", "unit")
        assert "unit: not those of the metric, as asked for" in shown.stdout


def test_one_line_says_why_costs_are_unit(domain: Path, tmp_path: Path) -> None:
    plain = problem(tmp_path, "plain", 1, "")
    lines = [line for line in gpaplan("solve", domain, plain).stdout.splitlines() if "unit" in line]
    assert [" ".join(line.split()) for line in lines] == ["costs unit: the problem has no :metric"]


def test_a_policy_or_an_automaton_for_other_costs_is_warned_of(domain: Path, tmp_path: Path) -> None:
    """What counts are the costs that the task has, whether or not they were asked for by name."""
    task = (domain, problem(tmp_path, "one", 1))
    policy, automaton = tmp_path / "policy.json", tmp_path / "gpa.json"
    gpaplan("solve", *task, "--cost", "unit", "--output", policy)
    gpaplan("learn", *task, "--cost", "unit", "-o", automaton)
    assert "the policy was made for unit costs, and the task has metric costs (--cost unit)" in (
        gpaplan("evaluate", *task, "--policy", policy).stderr
    )
    for command in (
        ("solve", *task, "--gpa", automaton),
        ("export", *task, "--format", "drn", "--gpa", automaton, "-o", tmp_path / "model.drn"),
        ("learn", *task, "--update", automaton, "-o", tmp_path / "more.json"),
        ("grow", *task, "--update", automaton, "-o", tmp_path / "more.json"),
        ("prune", automaton, *task, "-o", tmp_path / "less.json"),
    ):
        assert "the automaton was learned with unit costs" in gpaplan(*command).stderr, command
        assert "warning" not in gpaplan(*command, "--cost", "unit").stderr, command


def test_problems_of_different_costs_are_not_mixed(domain: Path, tmp_path: Path) -> None:
    costly, plain = problem(tmp_path, "costly", 1), problem(tmp_path, "plain", 2, "")
    message = "'costly' has metric costs and 'plain' has unit costs; choose one with --cost unit"
    output = ("-o", tmp_path / "gpa.json")
    for command in (
        ("learn", domain, costly, plain, *output),
        ("grow", domain, costly, plain, *output),
        ("grow", domain, costly, "--validate", plain, *output),
    ):
        assert message in gpaplan(*command, code=31).stderr
        gpaplan(*command, "--cost", "unit")


def test_a_suite_records_the_costs_that_its_problems_have(domain: Path) -> None:
    tmp_path = domain.parent
    problem(tmp_path, "costly", 1)
    problem(tmp_path, "plain", 2, "")
    suite = tmp_path / "suite.toml"
    text = 'runs = 1\ntrials = 5\nsolvers = ["lrtdp"]\ngpa = false\n[[domain]]\nfile = "domain.ppddl"\n'
    suite.write_text(text + 'test = ["costly.ppddl"]\n')
    results = ("-o", tmp_path / "records.csv", "--quiet")
    gpaplan("bench", suite, *results)
    with open(tmp_path / "records.csv", newline="") as file:
        records = list(csv.DictReader(file))
    assert [(each["cost_mode"], float(each["value"])) for each in records] == [("metric", 4.0)]
    suite.write_text(text + 'test = ["costly.ppddl", "plain.ppddl"]\n')
    refused = gpaplan("bench", suite, *results, code=35)
    assert "the problems have different costs: 'costly' metric and 'plain' unit" in refused.stderr
    suite.write_text(text + 'cost = "unit"\ntest = ["costly.ppddl", "plain.ppddl"]\n')
    gpaplan("bench", suite, *results)
