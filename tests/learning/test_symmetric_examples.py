"""What is learned does not depend on whether examples were solved up to symmetry of interchangeable objects."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, strategies as st

from gpaplan import GroundTask, PolicyAutomaton, Solution, SpaceSettings, ground, learn
from gpaplan.benchmarks import generate
from gpaplan.learning.solving import TRAINING, solve_to_optimality
from gpaplan.policies import policy as policies
from gpaplan.solving.run import solve_with
from gpaplan.statuses import Status
from tests.examples import examples
from tests.symmetric_tasks import symmetric_task

SIZES: dict[str, list[tuple[int, ...]]] = {
    "gripper": [(3,), (5,)],
    "delicate-can": [(3,), (6,)],
    "schedule": [(1, 3), (1, 5)],
    "rover": [(1, 3, 3, 2), (1, 4, 5, 2)],
    "keva": [(6, 2), (10, 3)],
}
TIES = ("first", "harmonize", "all")


def solved(tasks: list[GroundTask], symmetry: Any) -> list[Solution]:
    return list(solve_to_optimality(tasks, replace(TRAINING, space=SpaceSettings(symmetry=symmetry))))


def both(tasks: list[GroundTask], ties: Any) -> tuple[PolicyAutomaton, PolicyAutomaton]:
    plain, symmetric = (learn(tasks[0].domain, solved(tasks, mode), ties=ties) for mode in ("off", "on"))
    return plain, symmetric


@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("name", SIZES)
def test_the_benchmarks(name: str, ties: Any) -> None:
    tasks = [ground(generate(name, *theta, seed=3)) for theta in SIZES[name]]
    plain, symmetric = both(tasks, ties)
    assert symmetric == plain
    if ties != "all":  # then the states are told apart, and are as many
        assert symmetric.training == plain.training


@given(st.integers(0, 10**6), st.sampled_from(TIES))
@examples(25)
def test_random_tasks(seed: int, ties: Any) -> None:
    task = symmetric_task(seed)
    pair = [solve_with(task, replace(TRAINING, space=SpaceSettings(symmetry=mode))) for mode in ("off", "on")]
    if pair[0].status == Status.SOLVED:
        plain, symmetric = (learn(task.domain, [each], ties=ties) for each in pair)
        assert symmetric == plain


def test_what_has_too_many_states_is_learned_up_to_symmetry(monkeypatch: pytest.MonkeyPatch) -> None:
    tasks = [ground(generate("delicate-can", 6), relevance=False)]
    examples = solved(tasks, "on")
    monkeypatch.setattr(policies, "MOST_UNFOLDED", 5)
    automaton = learn(tasks[0].domain, examples)
    (training,) = automaton.training
    assert training.symmetry
    assert training.states < learn(tasks[0].domain, solved(tasks, "off")).training[0].states
    assert f"{training.states} states up to symmetry" in automaton.summary()
    again = PolicyAutomaton.from_json(automaton.to_json())
    assert again.training == automaton.training
    assert again.to_text() == automaton.to_text()
    plain = learn(tasks[0].domain, solved(tasks, "off"))
    assert "symmetry" not in plain.to_json()["training"][0]
