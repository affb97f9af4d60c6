"""Larger problems out of small ones: what is shared, what makes one row, where maps meet, and what they keep."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from gpaplan import GroundTask, LimitError, Limits, load, solve
from gpaplan.benchmarks import generate
from gpaplan.learning.drafts import Large, fact_of
from gpaplan.learning.joining import join
from gpaplan.learning.loop import learn_problems
from gpaplan.limits import started


def generated(name: str, *sizes: tuple[int, ...]) -> list[GroundTask]:
    found = [generate(name, *theta, seed=number) for number, theta in enumerate(sizes)]
    return [load(each.domain, each.problem_text) for each in found]


def is_solved(task: GroundTask) -> bool:
    return solve(task, effort="first", threads=1, limits=Limits(states=20_000)).proper


def joined(tasks: list[GroundTask], seed: int = 0) -> list[GroundTask]:
    return join(tasks, is_solved, seed=seed, stop=started(None))


def facts(task: GroundTask, predicate: str) -> set[tuple[str, ...]]:
    """What the initial state says of a predicate."""
    return {names for name, names in map(fact_of, task.problem.init) if name == predicate}


LIFT = """
(define (domain lift)
  (:requirements :typing)
  (:types floor guest)
  (:predicates (next ?a ?b - floor) (below ?a ?b - floor) (lift-at ?f - floor) (waits ?g - guest ?f - floor)
    (wants ?g - guest ?f - floor) (in ?g - guest) (there ?g - guest))
  (:action up :parameters (?a ?b - floor) :precondition (and (lift-at ?a) (next ?a ?b))
    :effect (and (lift-at ?b) (not (lift-at ?a))))
  (:action down :parameters (?a ?b - floor) :precondition (and (lift-at ?b) (next ?a ?b))
    :effect (and (lift-at ?a) (not (lift-at ?b))))
  (:action board :parameters (?g - guest ?f - floor) :precondition (and (lift-at ?f) (waits ?g ?f))
    :effect (and (in ?g) (not (waits ?g ?f))))
  (:action leave :parameters (?g - guest ?f - floor) :precondition (and (lift-at ?f) (in ?g) (wants ?g ?f))
    :effect (and (there ?g) (not (in ?g)))))
"""


def lift(number: int, floors: int, guests: int) -> GroundTask:
    names = [f"f{i}" for i in range(floors)]
    start = [f"(next {a} {b})" for a, b in pairwise(names)] + ["(lift-at f0)"]
    start += [f"(below {a} {b})" for place, a in enumerate(names) for b in names[place + 1 :]]
    start += [f"(waits g{i} f{i}) (wants g{i} f{floors - 1 - i})" for i in range(guests)]
    goals = " ".join(f"(there g{i})" for i in range(guests))
    objects = " ".join(names) + " - floor " + " ".join(f"g{i}" for i in range(guests)) + " - guest"
    return load(
        LIFT,
        f"(define (problem lift-{number}) (:domain lift) (:objects {objects}) (:init {' '.join(start)}) "
        f"(:goal (and {goals})))",
    )


def test_rows_make_one_row() -> None:
    """Floors of two buildings are floors of one, with all that is said of their order, and there is one lift."""
    found = joined([lift(1, 3, 1), lift(2, 4, 1), lift(3, 5, 2)])
    assert [task.problem.name for task in found] == [f"joined-{number}" for number in (1, 2, 3)]
    for task in found:
        large = Large(task, random.Random(0), started(None))
        row = large.rows["next"]
        assert len(facts(task, "next")) == len(row) - 1
        assert large.rows["below"] == row
        assert len(facts(task, "below")) == len(row) * (len(row) - 1) // 2
        assert len(facts(task, "lift-at")) == 1
    assert len(found[2].objects) > len(found[0].objects)


def test_maps_meet_in_one_place() -> None:
    """So that a drone and what it brings can come together: roads lead from every place to every other."""
    for task in joined(generated("delivery", (1, 4, 1, 1, 0), (1, 6, 2, 1, 0), (1, 7, 3, 1, 0))):
        roads = facts(task, "road")
        assert roads == {(b, a) for a, b in roads}
        places = {one for one, _ in roads}
        reached = [min(places)]
        for place in reached:
            reached += sorted({b for a, b in roads if a == place}.difference(reached))
        assert set(reached) == places


def test_what_all_problems_have_is_shared() -> None:
    """The robot is one, and hands are shared or not, however many balls there are; the goal is that of all parts."""
    tasks = generated("gripper", (2,), (3,), (4,))
    for task, parts in zip(joined(tasks), (2, 3, 6), strict=True):
        assert len(facts(task, "free")) in (2, 2 * parts)
        assert len(facts(task, "robot-in")) == 1
        assert 2 * parts <= len(facts(task, "ball-in")) <= 4 * parts
        assert len(task.goal_atoms) == len(facts(task, "ball-in"))


def test_towers_are_kept() -> None:
    """No block stands on two, and the arm is one."""
    for task in joined(generated("blocksworld", (3,), (4,), (5,))):
        below = [block for block, _ in facts(task, "on")]
        assert len(below) == len(set(below))


def test_the_seed_decides() -> None:
    tasks = generated("rover", (1, 2, 2, 1), (1, 3, 3, 2), (1, 4, 3, 2))
    one, again, other = (joined(tasks, seed) for seed in (1, 1, 2))
    assert [each.problem for each in one] == [each.problem for each in again]
    assert [each.problem for each in one] != [each.problem for each in other]


def test_what_is_not_accepted_is_not_made() -> None:
    tasks = [lift(1, 3, 1), lift(2, 4, 1), lift(3, 5, 2)]
    assert join(tasks, lambda _: False, seed=0, stop=started(None)) == []
    with pytest.raises(LimitError):
        join(tasks, is_solved, seed=0, stop=started(Limits(seconds=1e-9)))


RAIN = """
(define (domain rain)
  (:requirements :typing :universal-preconditions :probabilistic-effects)
  (:types plant)
  (:predicates (wet ?p - plant) (picked ?p - plant))
  (:action rain :parameters () :precondition (and) :effect (forall (?p - plant) (probabilistic 0.5 (wet ?p))))
  (:action pick :parameters (?p - plant) :precondition (wet ?p) :effect (picked ?p)))
"""


def test_what_has_too_many_outcomes_is_not_made() -> None:
    """Of two plants there are four outcomes, of thirty a billion; learning goes on without such problems."""
    tasks = []
    for number in (2, 3, 4, 5):
        names = [f"p{i}" for i in range(number)]
        goal = " ".join(f"(picked {name})" for name in names)
        head = f"(define (problem rain-{number}) (:domain rain) (:objects {' '.join(names)} - plant)"
        tasks.append(load(RAIN, f"{head} (:init) (:goal (and {goal})))"))
    found = learn_problems(tasks, seconds=5)
    assert found.choice is not None
    assert found.choice.joined < 4
    assert found.choice.score.goal_rate == 1
