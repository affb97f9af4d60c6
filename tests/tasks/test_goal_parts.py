"""Which parts of a goal can never be reached."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from hypothesis import assume, given

from gpaplan import CostError, StateSpace, ground, load
from gpaplan.ppddl.syntax import And, Domain, Formula, Problem
from gpaplan.tasks.goal import GoalPart, goal_parts
from tests.examples import examples
from tests.paths import DOMAINS
from tests.strategies import tasks

DOMAIN = """
(define (domain lamps)
  (:requirements :adl :probabilistic-effects)
  (:types lamp)
  (:predicates (lit ?l - lamp) (wired ?l - lamp) (dark) (power) (fuse))
  (:action light :parameters (?l - lamp) :precondition (and (wired ?l) (power))
    :effect (probabilistic 0.5 (and (lit ?l) (not (dark)))))
  (:action cut :parameters () :precondition (and (not (power)) (fuse)) :effect (not (fuse))))
"""


def parts(goal: str) -> list[GoalPart]:
    problem = (
        "(define (problem one) (:domain lamps) (:objects a b c - lamp)"
        f" (:init (wired a) (wired b) (dark) (power) (fuse))\n(:goal {goal}))"
    )
    return list(goal_parts(load(DOMAIN + problem)))


def unreachable(goal: str) -> list[tuple[str, str | None]]:
    return [(part.text, part.instance) for part in parts(goal) if not part.reachable]


def test_atoms_negations_and_connectives() -> None:
    assert unreachable("(and (lit a) (not (dark)) (dark))") == []
    assert unreachable("(and (lit a) (and (lit c) (lit b)))") == [("(lit c)", None)]
    assert unreachable("(and (wired c) (not (wired a)))") == [("(wired c)", None), ("(not (wired a))", None)]
    assert unreachable("(or (lit c) (lit b))") == []
    assert unreachable("(or (lit c) (wired c))") == [("(or (lit c) (wired c))", None)]
    assert unreachable("(and (lit a) (imply (wired c) (lit c)))") == []
    assert unreachable("(and (imply (wired a) (lit c)))") == [("(imply (wired a) (lit c))", None)]


def test_quantifiers_name_the_first_objects() -> None:
    everywhere = "(forall (?l - lamp) (lit ?l))"
    assert unreachable(everywhere) == [(everywhere, "?l = c")]
    assert unreachable("(forall (?l - lamp) (imply (wired ?l) (lit ?l)))") == []
    assert unreachable("(exists (?l - lamp) (lit ?l))") == []
    nowhere = "(exists (?l - lamp) (and (lit ?l) (not (wired ?l))))"
    assert unreachable(nowhere) == [(nowhere, None)]


def test_what_needs_an_atom_to_be_false_that_never_is() -> None:
    """Grounding keeps the action that cuts the fuse only if it may be applied; the power never goes off."""
    assert unreachable("(not (fuse))") == [("(not (fuse))", None)]


def test_parts_have_their_place(tmp_path: Path) -> None:
    file = tmp_path / "lamps.ppddl"
    problem = "(define (problem one) (:domain lamps) (:objects c - lamp) (:init (power))\n"
    file.write_text(f"{DOMAIN}{problem} (:goal (and (power)\n   (lit c))))")
    first, second = goal_parts(load(file))
    assert (first.reachable, first.line, first.column) == (True, 10, 14)
    assert (second.reachable, second.line, second.column) == (False, 11, 4)
    assert str(second) == f"{file}:11: (lit c)"


def test_a_problem_without_a_goal_has_no_parts() -> None:
    assert goal_parts(load(DOMAINS / "no-goal.ppddl")) == ()


def conjuncts(goal: Formula) -> list[Formula]:
    return [part for each in goal.operands for part in conjuncts(each)] if isinstance(goal, And) else [goal]


@examples(50)
@given(tasks())
def test_what_is_called_out_of_reach_holds_nowhere(pair: tuple[Domain, Problem]) -> None:
    domain, problem = pair
    assume(problem.goal is not None)
    assert problem.goal is not None
    try:
        found = goal_parts(ground(domain, problem))
    except CostError:
        assume(False)
    wanted = conjuncts(problem.goal)
    assert len(found) == len(wanted)
    for part, formula in zip(found, wanted, strict=True):
        if not part.reachable:
            space = StateSpace(ground(domain, replace(problem, goal=formula)))
            space.explore(max_states=2000)
            assert not any(map(space.is_goal, range(len(space)))), part
