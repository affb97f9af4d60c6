"""Where a list leads nowhere, against walking by name; states given back; what a list leaves, solved."""

from __future__ import annotations

import math
from typing import Any

import pytest

from gpaplan import GroundTask, LAOStar, StateSpace, _core, ground, solve
from gpaplan.benchmarks import generate
from gpaplan.concepts.encoding import Evaluator
from gpaplan.concepts.rules import RuleList
from gpaplan.learning.rules.closure import check_closure, examples_of_trajectories
from gpaplan.learning.rules.examples import FORBIDDEN, solve_example
from gpaplan.learning.rules.recording import recorded_rules
from gpaplan.learning.rules.scoring import act
from gpaplan.limits import WorkBudget
from gpaplan.solving.heuristics import make_heuristic

GOOD = RuleList.parse("drop: (is ?r @ball-in/2)\npick: (not (is ?r @ball-in/2))\nmove:")
STUCK = RuleList.parse("pick:\ndrop: (is ?r @ball-in/2)")
CIRCLES = RuleList.parse("pick: (not (is ?r @ball-in/2))\nmove:")

HOW: dict[str, Any] = {"dead_end_cost": None, "budget": WorkBudget(60), "stop": _core.Stop()}


def task_of(name: str, *theta: int) -> GroundTask:
    made = generate(name, *theta)
    return ground(made.domain, made.problem)


def walk(task: GroundTask, rules: RuleList) -> tuple[int, int, int]:
    """How many states a list leads to, how many of these are stuck, and how many are lost."""
    space, evaluator = StateSpace(task), Evaluator(task)
    queue, after = [space.initial], {}
    for state in queue:
        _, kept = evaluator.fits(space, state, rules)
        after[state] = {
            to for action, _, outcomes in space.core.transitions(state) if action in kept for _, to in outcomes
        }
        queue += [to for to in sorted(after[state]) if to not in queue]
    reaching = {state for state in queue if space.is_goal(state)}
    while more := {state for state in queue if state not in reaching and after[state] & reaching}:
        reaching |= more
    stuck = sum(not after[state] and not space.is_goal(state) for state in queue)
    return len(queue), stuck, len(queue) - len(reaching)


@pytest.mark.parametrize("rules", [GOOD, STUCK, CIRCLES, RuleList()], ids=["good", "stuck", "circles", "none"])
@pytest.mark.parametrize("balls", [1, 2])
def test_closure_is_what_walking_by_name_finds(rules: RuleList, balls: int) -> None:
    task = task_of("gripper", balls)  # too few interchangeable balls for symmetry
    found = check_closure(task, rules, max_states=10_000, stop=_core.Stop())
    assert found.complete
    assert (found.states, found.stuck, found.lost) == walk(task, rules)
    assert found.closed == (rules is GOOD)
    assert bool(found.trajectories) == (found.lost > 0)
    initial = tuple(StateSpace(task).core.atoms(0))
    assert all(trajectory[-1] == initial for trajectory in found.trajectories)


def test_what_was_not_walked_through_is_not_known_to_be_lost() -> None:
    found = check_closure(task_of("gripper", 4), CIRCLES, max_states=3, stop=_core.Stop())
    assert not found.complete
    assert not found.closed
    assert found.lost == 0


def test_single_states_have_the_regrets_that_they_have_in_the_whole() -> None:
    task = task_of("triangle-tireworld", 2)
    whole = solve_example(task, max_states=5000, stop=_core.Stop())
    assert whole is not None
    states = list(whole.choices)[:: len(whole.choices) // 20]
    trajectories = [(tuple(whole.space.core.atoms(state)),) for state in states]
    part = examples_of_trajectories(task, trajectories, max_states=5000, **HOW)
    assert part is not None
    assert len(part.choices) == len(states)
    forbidden = 0
    for state, other in zip(states, part.choices, strict=True):
        assert part.space.core.atoms(other) == whole.space.core.atoms(state)
        for mine, theirs in zip(whole.choices[state], part.choices[other], strict=True):
            regret = whole.regret(state, mine)
            forbidden += regret == FORBIDDEN
            assert part.regret(other, theirs) == pytest.approx(regret, abs=1e-4)
    assert forbidden > 0


def test_states_that_are_too_far_from_the_goal_teach_nothing() -> None:
    task = task_of("blocksworld", 6)
    trajectories = [(tuple(StateSpace(task).core.atoms(0)),)]
    assert examples_of_trajectories(task, trajectories, max_states=3, **HOW) is None


def test_looking_for_values_is_counted() -> None:
    task = task_of("blocksworld", 6)
    trajectories = [(tuple(StateSpace(task).core.atoms(0)),)]
    budget = WorkBudget(1e-5)
    with pytest.raises(_core.Stopped):
        examples_of_trajectories(task, trajectories, max_states=5000, **{**HOW, "budget": budget})
    assert budget.left == 0


def test_a_way_into_a_dead_end_is_walked_back_to_where_it_could_be_avoided() -> None:
    task = task_of("triangle-tireworld", 2)
    space = StateSpace(task)
    space.explore()
    search = _core.Search(
        space=space.core, heuristic=make_heuristic("blind", task), epsilon=1e-6, dead_end_cost=math.inf, seed=0
    )
    search.value_iteration(_core.Stop())
    wrong = RuleList.parse("drive:")
    found = check_closure(task, wrong, max_states=10_000, stop=_core.Stop())
    part = examples_of_trajectories(task, found.trajectories, max_states=5000, **HOW)
    assert part is not None
    for state in part.choices:
        value = search.value(space.core.intern(part.space.core.atoms(state)))
        assert part.values[state] == pytest.approx(value)
        assert value < math.inf
    assert len(part.choices) < len(found.trajectories)


# --- what a list leaves ---


@pytest.mark.parametrize("balls", [1, 4, 7])
def test_a_good_list_leaves_the_best_policy(balls: int) -> None:
    task = task_of("gripper", balls)
    strict = solve(task, automaton=recorded_rules(task.domain, GOOD), match="strict", fallback="none")
    assert strict.status == "solved"
    assert strict.value == pytest.approx(solve(task, LAOStar(), heuristic="lmcut").value)


def test_a_bad_list_leaves_none() -> None:
    task = task_of("gripper", 2)
    strict = solve(task, automaton=recorded_rules(task.domain, CIRCLES), match="strict", fallback="none")
    assert strict.status == "no-proper-policy"


# --- acting ---


def test_acting_draws_among_the_actions_that_are_kept() -> None:
    task = task_of("gripper", 3)
    runs = act(task, GOOD, trials=400, horizon=500, seed=1, stop=_core.Stop())
    assert [end for _, _, end in runs] == ["goal"] * 400
    assert all(cost == steps for cost, steps, _ in runs)
    mean = sum(cost for cost, _, _ in runs) / 400
    assert mean == pytest.approx(2.25 * 3 + 2 * 2 - 1, abs=0.25)
    assert runs == act(task, GOOD, trials=400, horizon=500, seed=1, stop=_core.Stop())
    assert runs != act(task, GOOD, trials=400, horizon=500, seed=2, stop=_core.Stop())


def test_acting_ends_where_no_rule_fits_and_at_the_horizon() -> None:
    task = task_of("gripper", 1)
    (stuck,) = act(task, RuleList.parse("pick:"), trials=1, horizon=100, seed=0, stop=_core.Stop())
    assert stuck[2] == "undefined"
    (circling,) = act(task, RuleList.parse("move:"), trials=1, horizon=7, seed=0, stop=_core.Stop())
    assert circling == (7.0, 7, "horizon")
