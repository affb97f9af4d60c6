"""A task from another state: any set of its atoms will do, also one that can never come about; no action is missing."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, strategies as st

from gpaplan import StateSpace, ground
from gpaplan.ppddl.syntax import Domain, Problem
from gpaplan.tasks.task import GroundAction
from tests.examples import examples
from tests.reference import Interpreter
from tests.strategies import tasks


@examples(50)
@given(tasks(), st.integers(0, 2**32))
def test_transitions_from_any_set_of_atoms_are_those_of_the_definition(pair: tuple[Domain, Problem], seed: int) -> None:
    task = ground(*pair, cost="unit", relevance=False)
    interpreter = Interpreter(*pair)
    choose = random.Random(seed)
    static = frozenset((atom.predicate, *atom.arguments) for atom in task.static_atoms)
    for _ in range(5):
        chosen = frozenset((atom.predicate, *atom.arguments) for atom in task.atoms if choose.random() < 0.5)
        space = StateSpace(task.with_initial_state(chosen))
        assert {(atom.predicate, *atom.arguments) for atom in space.atoms(space.initial)} == chosen
        state = chosen | static
        assert task.is_goal(chosen) == interpreter.is_goal(state)
        if interpreter.is_goal(state):
            continue
        found = {transition.action: transition.outcomes for transition in space.transitions(space.initial)}
        assert set(found) == {GroundAction(*action) for action in interpreter.applicable(state)}
        for action, outcomes in found.items():
            expected = interpreter.transitions(state, (action.schema, action.arguments))
            named = {
                static | {(atom.predicate, *atom.arguments) for atom in space.atoms(to)}: p for p, to in outcomes if p
            }
            assert named == pytest.approx({to: float(p) for to, p in expected.items()})
