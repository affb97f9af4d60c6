"""`gpaplan test`: each kind of expectation, met and not met, and files that are wrong."""

import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import pytest

from gpaplan.automata.rules import RuleFilter
from gpaplan.benchmarks import generate
from gpaplan.errors import DataError
from gpaplan.expectations import Expectation, Finding, check_expectations, junit_xml, read_expectations
from gpaplan.limits import Limits
from gpaplan.solving.run import solve
from gpaplan.statuses import Status
from gpaplan.tasks.grounding import ground


def findings(folder: Path, **expected: object) -> list[Finding]:
    generate("gripper", 2).write(folder)
    return list(check_expectations([Expectation(domain="domain.ppddl", problem="gripper-2.ppddl", **expected)], folder))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("expected", "holds"),
    [
        ({}, True),
        ({"proper": False}, False),
        ({"cost_at_most": 5.5}, True),
        ({"cost_at_most": 5.4}, False),
        ({"goal_probability_at_least": 1.0}, True),
        ({"never": ["drop"]}, False),
        ({"never": ["(pick ball1 left roomb)"]}, True),
        ({"first": "pick"}, True),
        ({"first": "move"}, False),
    ],
)
def test_expectations_of_a_policy(tmp_path: Path, expected: dict[str, object], holds: bool) -> None:
    assert all(each.holds for each in findings(tmp_path, **expected)) == holds


def test_a_limit_proves_nothing_and_an_interrupt_ends_it_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    generate("gripper", 4).write(tmp_path)
    expected = Expectation(domain="domain.ppddl", problem="gripper-4.ppddl", proper=False)
    (found,) = check_expectations([expected], tmp_path, Limits(states=1))
    assert (found.holds, found.found.split(",")[0]) == (False, "state-limit")
    generate("gripper", 20).write(tmp_path)
    never = Expectation(domain="domain.ppddl", problem="gripper-20.ppddl", proper=False, never=["(fly)"])
    *_, found = check_expectations([never], tmp_path, Limits(states=1))
    assert not found.holds
    assert found.found.startswith("it takes others as far as it was found (state-limit")
    small = generate("gripper", 1)
    stopped = replace(solve(ground(small.domain, small.problem)), status=Status.INTERRUPTED)
    monkeypatch.setattr("gpaplan.expectations.solve", lambda *_, **__: stopped)
    with pytest.raises(KeyboardInterrupt):
        list(check_expectations([expected], tmp_path))


def test_a_state_takes_the_place_of_the_initial_one(tmp_path: Path) -> None:
    (tmp_path / "d.ppddl").write_text(
        """(define (domain d) (:predicates (at-start) (mid) (done))
        (:action one :precondition (at-start) :effect (and (mid) (not (at-start))))
        (:action two :precondition (mid) :effect (done)))
        (define (problem p) (:domain d) (:init (at-start)) (:goal (done)))"""
    )
    expected = Expectation(domain="d.ppddl", state=["(mid)"], cost_at_most=1, first="two")
    assert all(each.holds for each in check_expectations([expected], tmp_path))


def test_rules_must_reach_the_goal_in_every_trial(tmp_path: Path) -> None:
    rules = "pick: (is ?b !ball-in/1)\ndrop: (is ?r @ball-in/2)\nmove:\n"
    RuleFilter.of(generate("gripper", 2).domain, rules).write(tmp_path / "rules.json")
    (found,) = findings(tmp_path, gpa="rules.json", trials=3)
    assert found.holds
    assert found.found == "in 3 of 3"


def test_what_cannot_be_checked_is_not_met(tmp_path: Path) -> None:
    (found,) = check_expectations([Expectation(domain="none.ppddl")], tmp_path)
    assert not found.holds
    assert "none.ppddl" in found.found


def test_a_wrong_key_is_told_with_what_was_meant(tmp_path: Path) -> None:
    file = tmp_path / "tests.toml"
    file.write_text('[[expect]]\ndomain = "d.ppddl"\ncost_at_mots = 3\n')
    with pytest.raises(DataError, match=r"cost_at_mots.*did you mean 'cost_at_most'"):
        read_expectations(file)


def test_junit_has_a_case_for_each_finding() -> None:
    suite = ET.fromstring(junit_xml([Finding("p", "it <holds>", True, ""), Finding("p", "b", False, "it is c & d")]))
    assert (suite.get("tests"), suite.get("failures")) == ("2", "1")
    assert [case.find("failure") is None for case in suite] == [True, False]
