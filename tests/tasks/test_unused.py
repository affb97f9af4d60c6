"""What of a domain is never used in a problem."""

from pathlib import Path

import pytest

from gpaplan import load
from gpaplan.benchmarks import FAMILIES, generate
from gpaplan.tasks.grounding import ground
from gpaplan.tasks.unused import unused_parts
from tests import commands

TEXT = """(define (domain d) (:requirements :typing :conditional-effects :probabilistic-effects)
  (:types place ghost)
  (:predicates (at ?p - place) (station ?p - place) (seen ?p - place) (wet) (lit))
  (:action go :parameters (?a ?b - place) :precondition (at ?a)
    :effect (and (at ?b) (not (at ?a)) (seen ?b) (when (wet) (probabilistic 0.5 (lit)))))
  (:action refuel :parameters (?a - place) :precondition (and (at ?a) (station ?a)) :effect (wet))
  (:action jump :parameters (?a - place) :precondition (and (at ?a) (not (at ?a))) :effect (wet)))
(define (problem p) (:domain d) (:objects a b - place) (:init (at a)) (:goal (at b)))"""


def test_types_predicates_and_actions_that_do_nothing_are_named() -> None:
    assert unused_parts(load(TEXT)) == [
        "type 'ghost' is never used: no object, parameter or type is of it",
        "predicate 'seen' is never asked for: no precondition, condition or goal has it",
        "predicate 'lit' is never asked for: no precondition, condition or goal has it",
        "action 'refuel' can never happen: no atom of (station …) is ever true",
        "action 'jump' can never happen: its preconditions are never true together",
    ]


@pytest.mark.parametrize("name", ["gripper", "rover", "delivery", "elevators", "zenotravel", "triangle-tireworld"])
def test_nothing_is_unused_in_the_benchmark_domains(name: str) -> None:
    assert unused_parts(ground(generate(name, *(least + 1 for least in FAMILIES[name].minima)))) == []


def test_strict_fails_where_something_is_unused(tmp_path: Path) -> None:
    file = tmp_path / "p.ppddl"
    file.write_text(TEXT)
    assert commands.run("check", file).returncode == 0
    strict = commands.run("check", file, "--strict")
    assert strict.returncode == 38
    assert "action 'refuel' can never happen" in strict.stdout
