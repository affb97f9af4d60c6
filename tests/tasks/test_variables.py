"""Finite-domain variables, by name."""

import pytest
from hypothesis import given, strategies as st

from gpaplan import GroundAtom, LimitError, Limits, StateSpace, find_variables, ground, load
from gpaplan.benchmarks import generate
from gpaplan.ppddl.syntax import Domain, Problem
from gpaplan.tasks.variables import count_values, show_changes
from tests.examples import examples
from tests.strategies import tasks
from tests.variable_strategies import tasks_with_variables

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


@examples(40)
@given(st.one_of(tasks_with_variables(), tasks()))
def test_values_are_counted_without_names(pair: tuple[Domain, Problem]) -> None:
    task = ground(*pair, cost="unit")
    assert count_values(task) == tuple(map(len, find_variables(task)))


def test_a_limit_is_said() -> None:
    made = generate("gripper", 300)
    task = load(made.domain_text, made.problem_text)
    stop = Limits(seconds=1e-9).start()
    for find in (find_variables, count_values):
        with pytest.raises(LimitError, match="looking for variables"):
            find(task, limits=stop)


def test_changes_are_told_a_variable_at_a_time() -> None:
    made = generate("gripper", 2)
    task = ground(made.domain, made.problem)
    space = StateSpace(task)
    before = space.atoms(space.initial)
    pick = next(each for each in space.transitions(space.initial) if str(each.action) == "(pick ball1 room-a left)")
    held = space.atoms(pick.outcomes[0].state)
    variables = find_variables(task)
    assert show_changes(variables, before, held) == (
        "ball-in/held ball1: ball-in room-a → held left",
        "no longer (free left)",
    )
    assert show_changes(variables, held, before) == (
        "ball-in/held ball1: held left → ball-in room-a",
        "now (free left)",
    )
    assert show_changes(variables, before, before) == ()


def test_changes_of_impossible_states_are_told_atom_by_atom() -> None:
    made = generate("gripper", 1)
    task = ground(made.domain, made.problem)
    room_a, room_b = (GroundAtom("robot-in", (room,)) for room in ("room-a", "room-b"))
    both = frozenset({room_a, room_b})
    variables = [each for each in find_variables(task) if room_a in each.atoms]
    assert show_changes(variables, both, frozenset({room_b})) == ("no longer (robot-in room-a)",)
    assert show_changes(variables, frozenset(), frozenset({room_b})) == ("robot-in: none → room-b",)


@examples(30)
@given(st.one_of(tasks_with_variables(), tasks()))
def test_no_change_is_left_out(pair: tuple[Domain, Problem]) -> None:
    """Changes are told if and only if some atom is different, and each atom that is different has a part in one."""
    task = ground(*pair, cost="unit")
    variables = find_variables(task)
    space = StateSpace(task)
    space.explore(max_states=40)
    states = [space.atoms(state) for state in range(min(len(space), 8))]
    for before in states:
        for after in states:
            told = show_changes(variables, before, after)
            touched = [each for each in variables if each.value(before) != each.value(after)]
            assert len(told) == len(touched)
            assert {atom for each in touched for atom in each.atoms} >= before ^ after
