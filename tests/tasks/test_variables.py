"""Finite-domain variables, by name."""

import pytest

from gpaplan import LimitError, Limits, find_variables, load
from gpaplan.benchmarks import generate

WALK = """
(define (domain walk)
  (:requirements :adl :probabilistic-effects)
  (:predicates (at ?x) (next ?x ?y) (lamp-on))
  (:action step
    :parameters ()
    :precondition ()
    :effect (probabilistic 1/2
      (forall (?x ?y) (when (and (at ?x) (next ?x ?y)) (and (not (at ?x)) (at ?y))))))
  (:action jump
    :parameters (?x)
    :precondition (not (at ?x))
    :effect (and (at ?x) (forall (?y) (when (and (at ?y) (not (= ?x ?y))) (not (at ?y))))))
  (:action switch
    :parameters ()
    :effect (and (when (lamp-on) (not (lamp-on))) (when (not (lamp-on)) (lamp-on)))))
(define (problem p) (:domain walk) (:objects a b c)
  (:init (at a) (next a b) (next b c)) (:goal (at c)))
"""


def test_where_things_are_in_gripper() -> None:
    made = generate("gripper", 2)
    task = load(made.domain_text, made.problem_text)
    found = {variable.name: variable for variable in find_variables(task)}
    assert list(found) == [
        "ball-in/held ball0",
        "ball-in/held ball1",
        "robot-in",
        "(free left)",
        "(free right)",
    ]
    ball = found["ball-in/held ball0"]
    assert [str(atom) for atom in ball.atoms] == [
        "(ball-in ball0 room-a)",
        "(ball-in ball0 room-b)",
        "(held ball0 left)",
        "(held ball0 right)",
    ]
    assert len(ball) == 4
    assert not ball.may_be_none
    assert str(ball.value(frozenset(ball.atoms[2:3]))) == "(held ball0 left)"
    assert ball.value(frozenset()) is None
    assert len(found["(free left)"]) == 2


def test_conditional_and_universal_effects_that_move_one_thing() -> None:
    """What a step adds depends on conditions that exclude each other; a jump empties all others by one condition each,
    which is not seen, so that only the whole domain without it has the group."""
    never = "(and (at ?x) (not (at ?x)))\n"
    without_jump = WALK.replace("(not (at ?x))\n", never, 1)
    names = [variable.name for variable in find_variables(load(without_jump, relevance=False))]
    assert names == ["at", "(lamp-on)"]
    assert "at" not in [variable.name for variable in find_variables(load(WALK))]


def test_a_limit_is_said() -> None:
    made = generate("gripper", 300)
    task = load(made.domain_text, made.problem_text)
    stop = Limits(seconds=1e-9).start()
    with pytest.raises(LimitError, match="variables"):
        find_variables(task, limits=stop)
