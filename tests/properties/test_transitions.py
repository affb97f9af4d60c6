"""The core agrees with the reference interpreter, state by state, to the last probability."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import assume, given

from gpaplan import CostError, parse_task
from gpaplan.benchmarks import generate
from gpaplan.ppddl.syntax import Domain, Metric, Problem
from gpaplan.spaces.state_space import StateSpace
from gpaplan.tasks.grounding import ground
from tests.examples import examples
from tests.paths import DOMAINS
from tests.reference import Interpreter, State
from tests.strategies import tasks

STATES = 60


def named(space: StateSpace, state: int) -> State:
    """A state of the core as the reference interpreter writes it, static atoms included."""
    atoms = space.atoms(state) | set(space.task.static_atoms)
    return frozenset((atom.predicate, *atom.arguments) for atom in atoms)


def compare(domain: Domain, problem: Problem) -> int:
    """Walk both state spaces side by side; returns the number of states compared."""
    reference = Interpreter(domain, problem)
    space = StateSpace(ground(domain, problem, cost="unit", relevance=False))
    assert named(space, space.initial) == reference.initial_state()
    seen = {space.initial}
    queue = deque(seen)
    while queue and len(seen) < STATES:
        state = queue.popleft()
        atoms = named(space, state)
        goal = reference.is_goal(atoms)
        assert space.is_goal(state) == goal
        assert [tuple(action) for action in space.applicable(state)] == reference.applicable(atoms)
        transitions = space.transitions(state)
        if goal:
            assert transitions == []
            continue
        assert [tuple(transition.action) for transition in transitions] == reference.applicable(atoms)
        for transition in transitions:
            expected = reference.transitions(atoms, (transition.action.schema, transition.action.arguments))
            found = {named(space, outcome.state): outcome.probability for outcome in transition.outcomes}
            assert len(found) == len(transition.outcomes)
            assert found == pytest.approx({s: float(p) for s, p in expected.items() if p > 0}, rel=1e-12, abs=0)
            assert sum(found.values()) == pytest.approx(1, rel=1e-12)
            assert transition.cost == 1
            for outcome in transition.outcomes:
                if outcome.state not in seen:
                    seen.add(outcome.state)
                    queue.append(outcome.state)
    return len(seen)


@examples(50)
@given(tasks())
def test_random_tasks_have_the_reference_transitions(task: tuple[Domain, Problem]) -> None:
    assert compare(*task) >= 1


@pytest.mark.parametrize("path", sorted(DOMAINS.glob("*.ppddl")), ids=lambda path: path.stem)
def test_the_feature_files_have_the_reference_transitions(path: Path) -> None:
    for name in ("short", "long") if path.stem == "two-problems" else (None,):
        task = parse_task(path, None, name)
        assert compare(task.domain, task.problem) > 1


@pytest.mark.parametrize(
    ("name", "theta"),
    [("gripper", (3,)), ("rover", (1, 3, 2, 2)), ("schedule", (2, 2)), ("keva", (4, 1)), ("delicate-can", (4,))],
)
def test_the_benchmarks_have_the_reference_transitions(name: str, theta: tuple[int, ...]) -> None:
    benchmark = generate(name, *theta)
    assert compare(benchmark.domain, benchmark.problem) >= STATES


@examples(50)
@given(tasks())
def test_expected_costs_are_those_of_the_reference(task: tuple[Domain, Problem]) -> None:
    """With the metric `maximize (reward)`, in the initial state, for each action whose cost is positive there."""
    domain, problem = task
    problem = replace(problem, metric=Metric("maximize", "reward"))
    reference = Interpreter(domain, problem)
    state = reference.initial_state()
    expected = {}
    for action in reference.applicable(state):
        expected[action] = -float(sum(p * reward for p, _, reward, _ in reference.outcomes(state, action)))
    assume(not reference.is_goal(state))
    try:
        space = StateSpace(ground(domain, problem, cost="metric", relevance=False))
        found = {tuple(transition.action): transition.cost for transition in space.transitions(space.initial)}
    except CostError:
        # Some reachable action may have no positive cost; if it is one of these, that is why.
        return
    assert all(cost > 0 for cost in found.values())
    assert found == pytest.approx(expected, rel=1e-9, abs=1e-12)
