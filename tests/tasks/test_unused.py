"""What of a domain is never used in a problem."""

from pathlib import Path

import pytest

from gpaplan import load
from gpaplan.benchmarks import FAMILIES, generate
from gpaplan.tasks.grounding import ground
from gpaplan.tasks.unused import unused_parts, why_never
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
        "action 'refuel' can never happen: its precondition (station ?a) is never true",
        "action 'jump' can never happen: its preconditions are never true together",
    ]


@pytest.mark.parametrize("name", ["gripper", "rover", "delivery", "elevators", "zenotravel", "triangle-tireworld"])
def test_nothing_is_unused_in_the_benchmark_domains(name: str) -> None:
    assert unused_parts(ground(generate(name, *(least + 1 for least in FAMILIES[name].least.values())))) == []


def test_strict_fails_where_something_is_unused(tmp_path: Path) -> None:
    file = tmp_path / "p.ppddl"
    file.write_text(TEXT)
    assert commands.run("check", file).returncode == 0
    strict = commands.run("check", file, "--strict")
    assert strict.returncode == 38
    assert "action 'refuel' can never happen" in strict.stdout


CHAIN = """(define (domain d) (:requirements :typing) (:types cup room)
  (:predicates (in ?c - cup ?r - room) (at ?r - room) (full ?c - cup) (hot ?c - cup) (oven ?r - room) (served ?c - cup))
  (:action fill :parameters (?c - cup ?r - room) :precondition (and (at ?r) (in ?c ?r)) :effect (full ?c))
  (:action heat :parameters (?c - cup ?r - room) :precondition (and (in ?c ?r) (oven ?r)) :effect (hot ?c))
  (:action serve :parameters (?c - cup) :precondition (and (full ?c) (hot ?c)) :effect (served ?c)))
(define (problem p) (:domain d) (:objects mug - cup hall den - room)
  (:init (at hall) (in mug hall) (oven den)) (:goal (served mug)))"""


def test_why_a_goal_is_never_reached_is_said_step_by_step() -> None:
    assert why_never(load(CHAIN)) == [
        "(served mug): 'serve' would add it, but its precondition (hot mug) is never true",
        "(hot mug): 'heat' would add it, but its precondition (oven ?r) is never true together with those before it",
    ]
    assert unused_parts(load(CHAIN))[0].startswith("action 'heat' can never happen: its precondition (oven ?r)")
    assert why_never(load(CHAIN.replace("(oven den)", "(oven hall)"))) == []


def test_what_nothing_adds_and_what_needs_itself_end_the_steps() -> None:
    nothing = CHAIN.replace("(:goal (served mug))", "(:goal (in mug den))").replace(
        ":effect (hot ?c)", ":effect (at ?r)"
    )
    assert why_never(load(nothing)) == []  # a predicate that no action changes is a condition
    itself = CHAIN.replace(":precondition (and (in ?c ?r) (oven ?r))", ":precondition (hot ?c)")
    assert why_never(load(itself)) == [
        "(served mug): 'serve' would add it, but its precondition (hot mug) is never true",
        "(hot mug): 'heat' would add it, but its precondition (hot mug) is never true",
    ]


def test_check_says_why_a_goal_is_never_reached(tmp_path: Path) -> None:
    file = tmp_path / "p.ppddl"
    file.write_text(CHAIN)
    assert "(hot mug): 'heat' would add it" in commands.run("check", file).stdout
    assert "(hot mug): 'heat' would add it" in commands.run("check", tmp_path, "--strict").stdout
