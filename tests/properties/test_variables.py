"""Mutex groups and variables against enumeration: no reachable state has two values of a variable."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpaplan import _core, ground, parse_task
from gpaplan.benchmarks import generate
from gpaplan.ppddl.syntax import Domain, Problem
from tests.ground_tasks import random_task
from tests.paths import DOMAINS
from tests.strategies import tasks

STATES = 300


def check(task: _core.Task) -> None:
    space = _core.StateSpace(task, 65_536)
    space.explore(STATES, _core.Stop())
    found = _core.Variables(task)
    states = [set(space.atoms(state)) for state in range(len(space))]
    for atoms, always_one in found.mutex_groups:
        counts = {len(state.intersection(atoms)) for state in states}
        assert counts <= ({1} if always_one else {0, 1})
    variables = [found.variable(number) for number in range(len(found))]
    assert sorted(atom for atoms, _, _ in variables for atom in atoms) == list(range(task.atom_count))
    for atoms, may_be_none, _ in variables:
        counts = {len(state.intersection(atoms)) for state in states}
        assert counts <= ({0, 1} if may_be_none else {1})


@settings(max_examples=500, deadline=None)
@given(st.integers(0, 2**32))
def test_random_ground_tasks(seed: int) -> None:
    check(random_task(seed, (1.0,)))


@settings(max_examples=200, deadline=None)
@given(tasks())
def test_random_tasks(task: tuple[Domain, Problem]) -> None:
    check(ground(*task, cost="unit").core)


@pytest.mark.parametrize("path", sorted(DOMAINS.glob("*.ppddl")), ids=lambda path: path.stem)
def test_the_feature_files(path: Path) -> None:
    task = parse_task(path, None, "short" if path.stem == "two-problems" else None)
    check(ground(task.domain, task.problem, cost="unit").core)


@pytest.mark.parametrize(
    ("name", "theta"), [("gripper", (3,)), ("rover", (1, 3, 2, 2)), ("schedule", (2, 2)), ("keva", (4, 1))]
)
def test_the_benchmarks(name: str, theta: tuple[int, ...]) -> None:
    benchmark = generate(name, *theta)
    check(ground(benchmark.domain, benchmark.problem).core)
