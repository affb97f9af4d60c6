"""Settings reach every search and every space of learning; none of them is lost on the way."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import Any

import pytest

from gpaplan import (
    Instance,
    LimitError,
    Limits,
    Solving,
    SpaceSettings,
    Status,
    TooLargeError,
    UsageError,
    find_symmetry,
    ground,
    grow,
    instances_of_generator,
    learn,
    parse_task,
    prune,
    solve,
    validate,
)
from gpaplan.benchmarks import generate
from gpaplan.learning import solving as solving_module
from gpaplan.learning.counterexamples import find_counterexample
from gpaplan.learning.instances import instance_of_task
from gpaplan.learning.solving import GROWING, TRAINING, solve_to_optimality
from gpaplan.solving.run import solve_with
from gpaplan.tasks.task import GroundTask


def up_to_symmetry() -> Solving:
    return Solving(settings=replace(GROWING, space=SpaceSettings(symmetry="on")))


def telling_apart() -> Solving:
    return Solving(settings=replace(GROWING, space=SpaceSettings(symmetry="off")))


def coins(count: int, name: str = "coins") -> Instance:
    """All coins are tossed at once, once: there are two to their number of outcomes."""
    objects = " ".join(f"c{i}" for i in range(count))
    text = f"""
    (define (domain tossing) (:requirements :typing :probabilistic-effects :conditional-effects) (:types coin)
      (:predicates (heads ?c - coin) (ready) (done))
      (:action toss :precondition (ready)
        :effect (and (not (ready)) (done) (forall (?c - coin) (probabilistic 0.5 (heads ?c))))))
    (define (problem {name}) (:domain tossing) (:objects {objects} - coin) (:init (ready)) (:goal (done)))"""
    parsed = parse_task(text)
    return instance_of_task(ground(parsed, relevance=False))


MANY = 17
WIDE = Solving(settings=replace(GROWING, space=SpaceSettings(symmetry="off", max_outcomes=2**MANY)))


# --- growing ---


def test_growing_keeps_the_fallback_heuristic(monkeypatch: pytest.MonkeyPatch) -> None:
    """The problems are too large to be solved without an automaton, so growing takes the fallback."""
    seen: set[tuple[str, Any]] = set()

    def spy(task: Any, settings: Any, *others: Any, **named: Any) -> Any:
        seen.add((settings.fallback, settings.heuristic))
        return solve_with(task, settings, *others, **named)

    monkeypatch.setattr(solving_module, "solve_with", spy)
    solving = replace(telling_apart(), budget=Limits(states=90), fallback_heuristic="ff")
    grow(instances_of_generator("gripper", "2..4"), solving=solving)
    assert seen == {("none", "lmcut"), ("local", "ff")}


def test_a_solver_that_uses_no_heuristic_may_be_given_any() -> None:
    instances = instances_of_generator("gripper", "1..2")
    grown = grow(instances, solving=Solving(settings=replace(GROWING, solver="vi", heuristic="ff")))
    assert [step.optimum for step in grown.steps] == [step.optimum for step in grow(instances).steps]


# --- pruning ---


def test_pruning_counts_states_up_to_symmetry() -> None:
    instances = instances_of_generator("gripper", "1..4")
    automaton = grow(instances, ties="all", patience=9).automaton
    plain = prune(instances, automaton, solving=telling_apart())
    symmetric = prune(instances, automaton, solving=up_to_symmetry())
    assert [each.cost_before for each in symmetric.checked] == pytest.approx(
        [each.cost_before for each in plain.checked]
    )
    assert symmetric.checked[-1].states_before < plain.checked[-1].states_before
    assert (symmetric.checked[-1].symmetry, plain.checked[-1].symmetry) == (True, False)
    for row in validate(instances, symmetric.automaton, solving=telling_apart(), compare=False):
        assert row.sufficed  # what is left holds for the states themselves


def test_pruning_takes_as_many_outcomes_as_it_is_allowed() -> None:
    instance = coins(MANY)
    automaton = grow([coins(4)]).automaton
    with pytest.raises(TooLargeError):
        prune([instance], automaton)
    result = prune([instance], automaton, solving=replace(WIDE))
    assert [each.states_before for each in result.checked] == [2**MANY + 1]


# --- counterexamples ---


def test_a_counterexample_takes_as_many_outcomes_as_it_is_allowed() -> None:
    two = coins(2, "two")
    (row,) = validate([coins(MANY)], grow([two]).automaton, solving=replace(WIDE), compare=False)
    assert row.status == "failed"
    assert row.counterexample is not None
    assert row.counterexample.kind == "stuck"


def test_a_counterexample_is_looked_for_up_to_symmetry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Among so few states one that is stuck is found only if those that differ in names count once."""
    automaton = grow(instances_of_generator("gripper", "1..3")).automaton
    (instance,) = instances_of_generator("gripper", "5")
    task = instance.task()
    optimum = solve(task, heuristic="lmcut", symmetry="on")
    settings = SpaceSettings(symmetry="on")
    monkeypatch.setattr("gpaplan.learning.counterexamples.MOST_STATES", 20)
    found = find_counterexample(automaton, task, optimum, settings)
    plain = find_counterexample(automaton, task, optimum, SpaceSettings(symmetry="off"))
    assert found is not None
    assert (found.kind, plain is None or plain.kind != "stuck") == ("stuck", True)
    assert find_symmetry(task).representative(found.state) == frozenset(found.state)
    assert "(up to symmetry)" in str(found)
    assert (found.symmetry, found.to_json()["symmetry"], plain is not None and plain.symmetry) == (True, True, False)


# --- examples are solved in one place ---


def test_examples_come_in_their_order_whatever_is_done_first() -> None:
    tasks = [each.task() for each in instances_of_generator("gripper", "1..4")][::-1]
    for jobs in (1, 3):
        found = list(solve_to_optimality(tasks, jobs=jobs))
        assert [each.space.task for each in found] == tasks
        assert all(each.guarantee == "optimal" for each in found)


def test_an_example_must_be_solved_to_optimality() -> None:
    (instance,) = instances_of_generator("gripper", "8")
    with pytest.raises(UsageError, match="needs optimal costs, and so an admissible heuristic"):
        list(solve_to_optimality([instance.task()], replace(TRAINING, heuristic="ff")))
    with pytest.raises(LimitError, match="solving the training problem 'gripper-8' was stopped by the limit of states"):
        list(solve_to_optimality([instance.task()], replace(TRAINING, limits=Limits(states=10))))


def test_a_limit_while_learning_is_one_of_ours() -> None:
    (instance,) = instances_of_generator("gripper", "6")
    solution = solve(instance.task(), heuristic="lmcut", symmetry="off")
    with pytest.raises(LimitError, match="learning was stopped by the time limit") as caught:
        learn(instance.domain, [solution], ties="all", limits=Limits(seconds=1e-9))
    assert caught.value.reason.status is Status.TIME_LIMIT


def test_problems_solved_side_by_side_end_when_nobody_wants_them() -> None:
    """An interrupt, or an error of one of them, ends the others; limits of a caller who is done stay as they were."""
    stop = Limits().start()
    small = [load_gripper(2), load_gripper(3)]
    assert [solution.status for solution in solve_to_optimality(small, replace(TRAINING, limits=stop), jobs=2)] == [
        "solved",
        "solved",
    ]
    assert stop.check() == ""
    before = set(threading.enumerate())
    solutions = solve_to_optimality([load_gripper(2), load_gripper(18), load_gripper(18)], TRAINING, jobs=3)
    assert next(solutions).status == "solved"
    workers = set(threading.enumerate()) - before
    solutions.close()  # type: ignore[attr-defined]  # it is a generator
    for worker in workers:
        worker.join(60)
        assert not worker.is_alive()


def load_gripper(balls: int) -> GroundTask:
    benchmark = generate("gripper", balls)
    return ground(benchmark.domain, benchmark.problem)
