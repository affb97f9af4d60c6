"""A filter of one's own prunes wherever an automaton does."""

from __future__ import annotations

import pytest

from gpaplan import Actor, ConstrainedStateSpace, GroundAction, GroundAtom, GroundTask, StateSpace, UsageError, solve
from gpaplan.automata.filters import given_filter
from gpaplan.benchmarks import generate
from gpaplan.tasks.grounding import ground


class LeftHand:
    """Only the left hand grips."""

    def keeps(self, task: GroundTask, atoms: frozenset[GroundAtom], action: GroundAction) -> bool:
        assert atoms <= set(task.atoms)
        return action.schema != "pick" or "left" in action.arguments


class Nothing:
    def keeps(self, task: GroundTask, atoms: frozenset[GroundAtom], action: GroundAction) -> bool:  # noqa: ARG002
        return False


def gripper() -> GroundTask:
    return ground(generate("gripper", 2))


def test_only_actions_exist_that_are_kept() -> None:
    task = gripper()
    plain, pruned = StateSpace(task), ConstrainedStateSpace(task, LeftHand())
    pruned.explore()
    for state in range(len(pruned)):
        atoms = pruned.atoms(state)
        kept = [each for each in plain.applicable(plain.state(atoms)) if LeftHand().keeps(task, atoms, each)]
        assert pruned.is_goal(state) or [each.action for each in pruned.transitions(state)] == kept


def test_a_task_is_solved_under_a_filter() -> None:
    task = gripper()
    whole = solve(task, heuristic="lmcut", symmetry="off")
    found = solve(task, heuristic="lmcut", symmetry="off", automaton=LeftHand())
    assert found.fallback is False
    assert found.value > whole.value
    assert all("right" not in str(action) for action in found.policy.values())
    nothing = solve(task, heuristic="lmcut", automaton=Nothing())
    assert nothing.fallback
    assert nothing.value == pytest.approx(whole.value)


def test_a_filter_is_explained_and_acted_by() -> None:
    task = gripper()
    start = task.initial_state
    explained = given_filter(LeftHand(), task.domain).explain(task, start)
    assert {each.reason for each in explained.pruned} == {"the filter does not keep it"}
    assert all("right" in each.action.arguments for each in explained.pruned)
    decision = Actor(task, LeftHand()).decide(start)
    assert decision.source == "automaton"
    assert "right" not in str(decision.action)


def test_what_is_no_filter_is_told() -> None:
    with pytest.raises(UsageError, match=r"no automaton;  pass .* or an object with a method keeps"):
        solve(gripper(), automaton=LeftHand)  # type: ignore[arg-type]
