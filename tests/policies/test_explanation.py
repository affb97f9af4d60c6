"""Explanations of what a policy does in a state: words, symmetry, what is exact and what is not."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from gpaplan import LimitError, Limits, Policy, StateSpace, TooLargeError, UsageError, ground, solve
from gpaplan.benchmarks import generate
from gpaplan.policies.explanation import PolicyExplanation
from gpaplan.tasks.task import GroundAction, GroundAtom, GroundTask


def task_of(name: str, *theta: int) -> GroundTask:
    return ground(generate(name, *theta))


def by_action(found: PolicyExplanation) -> dict[str, Any]:
    return {str(each.action): (each.cost, each.exact, each.verdict) for each in found.actions}


def complete_policy(task: GroundTask) -> Policy:
    """An optimal action in every state that is reachable at all."""
    space = StateSpace(task)
    space.explore()
    actions: dict[frozenset[GroundAtom], GroundAction | None] = {}
    for state in range(len(space)):
        if not space.is_goal(state):
            atoms = space.atoms(state)
            policy = solve(task.with_initial_state(atoms), heuristic="lmcut", symmetry="off").policy
            actions[atoms] = policy.action(atoms)
    return Policy(task, actions)


def test_a_policy_that_covers_all_states_is_explained_exactly() -> None:
    task = task_of("gripper", 1)
    found = complete_policy(task).explain()
    assert found.state == task.initial_state
    assert (found.decision, str(found.action)) == ("action", "(pick ball0 room-a left)")
    assert found.exact
    assert (found.cost, found.goal_probability) == pytest.approx((3.25, 1))
    assert by_action(found) == {
        "(pick ball0 room-a left)": (pytest.approx(3.25), True, "taken"),
        "(pick ball0 room-a right)": (pytest.approx(3.25), True, "as good"),
        "(move room-a room-b)": (pytest.approx(5.25), True, "worse by 2"),
    }
    assert str(found) == (
        "state: {(ball-in ball0 room-a) (free left) (free right) (robot-in room-a)}\n"
        "The policy takes (pick ball0 room-a left), at an expected cost of 3.25 from here.\n"
        "  80 %: ball-in/held ball0: ball-in room-a → held left; no longer (free left)\n"
        "  20 %: nothing changes\n"
        "  (pick ball0 room-a left)   3.25  taken\n"
        "  (pick ball0 room-a right)  3.25  as good\n"
        "  (move room-a room-b)       5.25  worse by 2"
    )


def test_actions_that_leave_the_policy_have_lower_bounds() -> None:
    task = task_of("gripper", 1)
    policy = solve(task, heuristic="lmcut", symmetry="off").policy
    found = by_action(policy.explain())
    cost, exact, verdict = found["(move room-a room-b)"]
    assert (exact, verdict) == (False, "worse by at least 1")  # LM-cut: move back, pick, at 1.25, move, drop
    assert cost == 4.25
    assert found["(pick ball0 room-a right)"] == (pytest.approx(3.25), False, "as good, or worse")
    assert "≥ 4.25  worse by at least 1" in str(policy.explain())
    task = task_of("gripper", 3)
    found = by_action(solve(task, heuristic="lmcut", symmetry="off").policy.explain())
    assert all(verdict == "taken" or verdict.startswith("not known") for _, _, verdict in found.values())


def test_a_policy_that_is_not_optimal_is_told_so() -> None:
    task = task_of("gripper", 1)
    best = complete_policy(task)
    away = GroundAction("move", ("room-a", "room-b"))
    found = Policy(task, dict(best) | {task.initial_state: away}).explain()
    # From the other room the policy comes back, and would go away again: it never ends.
    assert found.decision == "action"
    assert math.isinf(found.cost)
    assert "may never reach the goal; it reaches the goal with probability 0" in found.summary
    assert by_action(found)["(pick ball0 room-a left)"][2] == "reaches the goal with probability 0.8"

    start = task.initial_state
    held = StateSpace(task)
    pick = next(each for each in held.transitions(held.initial) if str(each.action) == "(pick ball0 room-a left)")
    carrying = held.atoms(next(outcome.state for outcome in pick.outcomes if outcome.state != held.initial))
    put_back = GroundAction("drop", ("ball0", "room-a", "left"))
    other = {start: GroundAction("pick", ("ball0", "room-a", "right")), carrying: put_back}
    found = Policy(task, dict(best) | other).explain(carrying)
    assert "It is not optimal: (move room-a room-b) is better by 2.25." in found.summary


def test_goals_dead_ends_giving_up_and_states_that_are_not_covered() -> None:
    task = task_of("triangle-tireworld-little", 1)
    policy = solve(task, heuristic="lmcut").policy
    assert policy.explain(["(car-at p1-3)"]).decision == "goal"
    assert policy.explain(["(car-at p1-3)"]).summary == "The goal is reached: nothing is left to do."
    assert policy.explain(["(car-at p1-3)"]).cost == 0
    stuck = policy.explain(["(car-at p1-2)", "(flat)"])
    assert (stuck.decision, stuck.actions, stuck.cost, stuck.exact) == ("uncovered", (), math.inf, True)
    assert stuck.summary == "The goal cannot be reached from this state: it is a dead end."
    open_state = policy.explain([("car-at", "p1-2")])
    assert (open_state.decision, open_state.action, open_state.exact) == ("uncovered", None, False)
    assert [each.difference for each in open_state.actions] == [None, None]
    assert "does not cover this state" in open_state.summary

    start = policy.explain()
    assert by_action(start) == {
        "(drive p1-1 p2-1)": (pytest.approx(5.5), True, "taken"),
        "(drive p1-1 p1-2)": (math.inf, True, "may never reach the goal"),
    }
    assert start.to_json()["actions"][1]["cost"] is None

    given_up = solve(task, heuristic="lmcut", dead_end_cost=3).policy.explain()
    assert (given_up.decision, given_up.cost, given_up.exact) == ("give-up", 3, True)
    assert given_up.summary == "The policy gives up, at a cost of 3."
    assert {each.difference for each in given_up.actions if each.exact} <= {0.5, 1.0}


def test_a_policy_on_representatives_is_explained_in_the_states_themselves() -> None:
    task = task_of("gripper", 3)
    policy = solve(task, heuristic="lmcut", symmetry="on").policy
    assert policy.symmetry is not None
    found = policy.explain()
    picks = [each for each in found.actions if each.action.schema == "pick"]
    assert len(picks) == 6
    assert all(each.exact and each.cost == pytest.approx(9.75) for each in picks)
    assert [each.action for each in picks if each.taken] == [policy.action(task.initial_state)]


def test_exact_costs_under_an_optimal_policy_are_optimal_ones() -> None:
    """In every state of the policy, with and without symmetry: one action, and then the least cost there is."""
    task = task_of("gripper", 2)
    space = StateSpace(task)
    for symmetry in ("on", "off"):
        policy = solve(task, heuristic="lmcut", symmetry=symmetry).policy
        for atoms in policy.unfolded():
            costs = {each.action: each.cost for each in policy.explain(atoms).actions if each.exact}
            assert policy.action(atoms) in costs
            for transition in space.transitions(space.state(atoms)):
                if transition.action in costs:
                    later = sum(p * least_cost(task, space.atoms(state)) for p, state in transition.outcomes)
                    assert costs[transition.action] == pytest.approx(transition.cost + later)


def least_cost(task: GroundTask, atoms: frozenset[GroundAtom]) -> float:
    return solve(task.with_initial_state(atoms), heuristic="lmcut").value


def test_an_explanation_is_plain_data() -> None:
    record = solve(task_of("gripper", 1), heuristic="lmcut").policy.explain().to_json()
    assert json.loads(json.dumps(record)) == record
    assert list(record) == [
        "state", "decision", "action", "cost", "exact", "goal_probability", "actions", "outcomes", "summary",
    ]  # fmt: skip
    assert record["action"] == "(pick ball0 room-a left)"
    assert list(record["actions"][0]) == [
        "action", "taken", "cost", "exact", "goal_probability", "difference", "verdict",
    ]  # fmt: skip


def test_limits_and_what_is_wrong_with_the_question() -> None:
    task = task_of("gripper", 4)
    policy = solve(task, heuristic="lmcut").policy
    with pytest.raises(LimitError):
        policy.explain(limits=Limits(seconds=1e-9))
    with pytest.raises(UsageError, match="has no atom"):
        policy.explain(["(robot-in room-x)"])
    with pytest.raises(UsageError, match="dead-end cost"):
        policy.explain(dead_end_cost=-1)
    with pytest.raises(TooLargeError, match="joint outcomes"):
        policy.explain(max_outcomes=1)
