"""The core agrees with the reference interpreter, state by state, to the last probability."""

from __future__ import annotations

from collections import deque

import pytest
from hypothesis import given, settings

from gpaplan.grounding import ground
from gpaplan.ppddl.syntax import Domain, Problem
from gpaplan.state_space import StateSpace
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
    space = StateSpace(ground(domain, problem))
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
            expected = reference.transitions(atoms, tuple(transition.action))
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


@settings(max_examples=300, deadline=None)
@given(tasks())
def test_random_tasks_have_the_reference_transitions(task: tuple[Domain, Problem]) -> None:
    assert compare(*task) >= 1
