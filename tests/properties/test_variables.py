"""Mutex groups and variables against enumeration: no reachable state has two values of a variable."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, strategies as st

from gpaplan import StateSpace, _core, ground, parse_task
from gpaplan.benchmarks import generate
from gpaplan.ppddl.syntax import Domain, Problem
from tests.examples import drawn_from, examples
from tests.ground_tasks import random_task
from tests.paths import DOMAINS
from tests.strategies import tasks
from tests.variable_strategies import tasks_with_variables

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


@examples(70)
@given(tasks_with_variables(), st.booleans())
def test_tasks_with_variables(task: tuple[Domain, Problem], relevance: bool) -> None:
    check(ground(*task, cost="unit", relevance=relevance).core)


@examples(35)
@given(tasks_with_variables(), st.randoms(use_true_random=False))
def test_groups_hold_from_any_state_that_has_at_most_one_atom_of_each(
    pair: tuple[Domain, Problem], random: Random
) -> None:
    task = ground(*pair, cost="unit")
    groups = [set(atoms) for atoms, _ in _core.Variables(task.core).mutex_groups]
    state: set[int] = set()
    for atom in random.sample(range(task.core.atom_count), task.core.atom_count):
        if random.random() < 0.7 and all(atom not in group or state.isdisjoint(group) for group in groups):
            state.add(atom)
    space = StateSpace(task.with_initial_state([task.atoms[atom] for atom in state]))
    space.explore(max_states=STATES)
    for reached in range(len(space)):
        atoms = set(space.core.atoms(reached))
        assert all(len(atoms & group) <= 1 for group in groups)


def test_the_tasks_have_variables() -> None:
    """What is planted is found as a rule, and spoilt now and then: else the tests above would be about nothing."""
    seen: Counter[str] = Counter()
    drawn = drawn_from(tasks_with_variables(), 100)
    for number, pair in enumerate(drawn):
        task = ground(*pair, cost="unit", relevance=number % 2 == 0)
        found = _core.Variables(task.core)
        groups = found.mutex_groups
        variables = [atoms for atoms, _, _ in map(found.variable, range(len(found)))]
        planted = {atom.arguments[0] for atom in task.atoms if atom.predicate.startswith("at")}
        places = {thing: [atom for atom in task.atoms if thing in atom.arguments] for thing in planted}
        whole = {frozenset(task.atoms[atom] for atom in atoms) for atoms, _ in groups}
        seen["a group"] += bool(groups)
        seen["a group of three atoms or more"] += any(len(atoms) >= 3 for atoms, _ in groups)
        seen["a group that always has one"] += any(always_one for _, always_one in groups)
        seen["a group that may have none"] += any(not always_one for _, always_one in groups)
        seen["two groups that are variables"] += sum(len(atoms) > 1 for atoms in variables) >= 2
        seen["an atom by itself"] += any(len(atoms) == 1 for atoms in variables)
        seen["spoilt"] += any(len(atoms) > 1 and frozenset(atoms) not in whole for atoms in places.values())
        seen["dropped"] += bool(task.dropped)
    least = {
        "a group": 0.6,
        "a group of three atoms or more": 0.3,
        "a group that always has one": 0.4,
        "a group that may have none": 0.15,
        "two groups that are variables": 0.4,
        "an atom by itself": 0.3,
        "spoilt": 0.1,
        "dropped": 0.05,
    }
    assert {what: seen[what] / len(drawn) for what in least if seen[what] < least[what] * len(drawn)} == {}


@examples(300)
@given(st.integers(0, 2**32))
def test_random_ground_tasks(seed: int) -> None:
    check(random_task(seed, (1.0,)))


@examples(70)
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
