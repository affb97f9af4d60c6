"""Learning from problems without a proper policy: giving up is allowed, and costs something."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, strategies as st

from gpaplan import Solving, UsageError, grow, learn, load, parse_problem, prune, solve
from gpaplan.benchmarks import generate
from gpaplan.learning.edges import Ties
from gpaplan.learning.instances import Instance, instances_of_files
from gpaplan.learning.loop import learn_problems
from gpaplan.learning.solving import GROWING, TRAINING, is_worse, solve_to_optimality
from gpaplan.tasks.grounding import ground
from tests.decision_processes import process_task, random_process
from tests.examples import examples
from tests.paths import DOMAINS

COST = 30.0


@examples(60)
@given(seed=st.integers(0, 10_000), size=st.integers(2, 25), ties=st.sampled_from(["first", "harmonize", "all"]))
def test_what_was_learned_suffices_at_the_optimal_cost(seed: int, size: int, ties: Ties) -> None:
    task = process_task(random_process(seed, size))
    (solution,) = solve_to_optimality([task], replace(TRAINING, dead_end_cost=COST))
    automaton = learn(task.domain, [solution], ties=ties)
    again = solve(task, heuristic="lmcut", automaton=automaton, fallback="none", dead_end_cost=COST)
    assert again.status == "solved"
    assert not is_worse(again.value, solution.value)


def test_giving_up_early_does_not_suffice_and_dead_ends_do() -> None:
    task = load(DOMAINS / "dead-end.ppddl")
    cheap = solve(task, heuristic="lmcut", dead_end_cost=0.5)
    assert (cheap.proper, cheap.solves) == (False, False)
    careless = solve(task, heuristic="lmcut", dead_end_cost=5)
    assert (careless.proper, careless.solves) == (False, True)
    automaton = learn(task.domain, [careless])
    assert automaton.settings["dead_end_cost"] == 5
    under = solve(task, automaton=automaton, dead_end_cost=5)
    assert under.fallback is False
    assert under.value == pytest.approx(1.5)
    assert solve(task, automaton=automaton, dead_end_cost=0.5).fallback is True


def fragile() -> list[Instance]:
    return list(instances_of_files(DOMAINS / "fragile-bridges.ppddl", [DOMAINS / "fragile-bridges.ppddl"]))


def test_growing_learns_once() -> None:
    solving = Solving(settings=replace(GROWING, dead_end_cost=COST))
    growth = grow([*fragile(), *fragile()], solving=solving)
    assert [step.outcome for step in growth.steps] == ["failed", "sufficed"]
    assert growth.steps[1].cost == pytest.approx(growth.steps[0].optimum)
    pruned = prune(fragile(), growth.automaton, solving=Solving(settings=replace(GROWING, dead_end_cost=COST)))
    assert not pruned.unsolved
    assert not any(each.dearer for each in pruned.checked)


def test_examples_without_a_proper_policy_are_refused_unless_giving_up_is_allowed() -> None:
    task = ground(generate("gripper", 1))
    no_goal = load(DOMAINS / "no-goal.ppddl")
    with pytest.raises(UsageError, match=r"(?s)--dead-end-cost D.*The problem has no goal"):
        list(solve_to_optimality([task, no_goal]))
    (solution,) = solve_to_optimality([no_goal], replace(TRAINING, dead_end_cost=7))
    assert solution.value == 7
    assert len(learn(no_goal.domain, [solution])) == 0


@pytest.mark.parametrize("abstraction", ["canonical", "concepts"])
def test_a_problem_without_a_proper_policy_is_left_out_as_long_as_others_are_left(abstraction: str) -> None:
    good = [ground(generate("gripper", balls)) for balls in (1, 2)]
    text = (
        "(define (problem hopeless) (:domain gripper) (:objects a b - room l - hand x - ball)"
        " (:init (robot-in a) (free l)) (:goal (ball-in x b)))"
    )
    hopeless = ground(good[0].domain, parse_problem(good[0].domain, text))
    found = learn_problems([good[0], hopeless, good[1]], abstraction=abstraction, seconds=2)
    assert found.left_out == ("hopeless",)
    wanted = learn_problems(good, abstraction=abstraction, seconds=2)
    assert wanted.left_out == ()
    assert found.automaton == wanted.automaton
    for none_left in ([hopeless], [hopeless, hopeless]):
        with pytest.raises(UsageError, match="'hopeless' has no policy"):
            learn_problems(none_left, abstraction=abstraction)


def test_what_is_no_list_of_examples_gets_a_sentence() -> None:
    with pytest.raises(UsageError, match="None is no list of examples"):
        learn(generate("gripper", 1).domain, None)  # type: ignore[call-overload]
    with pytest.raises(UsageError, match="None is no list of problems"):
        grow(None)  # type: ignore[arg-type]
