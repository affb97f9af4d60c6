"""Canonical abstraction: the core agrees with the definition, and forgets exactly names and numbers of objects."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from gpaplan import StateSpace, ground, parse_task
from gpaplan.automata.canonical import AbstractState, CanonicalAbstraction
from gpaplan.benchmarks import generate
from gpaplan.ppddl.syntax import Atom, Constant, Domain, Problem
from gpaplan.tasks.task import GroundAtom, GroundTask
from tests.abstraction_reference import ReferenceAbstraction
from tests.examples import examples
from tests.paths import DOMAINS
from tests.strategies import tasks

STATES = 30
BENCHMARKS = [
    ("gripper", (3,)),
    ("rover", (1, 3, 2, 2)),
    ("rover", (2, 3, 2, 1)),
    ("schedule", (2, 3)),
    ("keva", (5, 2)),
    ("delicate-can", (4,)),
]


def all_atoms(space: StateSpace, state: int) -> frozenset[GroundAtom]:
    return space.atoms(state) | frozenset(space.task.static_atoms)


def check(task: GroundTask, goals: bool, most: int = STATES, **options: Any) -> int:
    """Compare core and reference on states spread over the space; returns how many abstract states there are."""
    space = StateSpace(task)
    space.explore(max_states=20 * most)
    table = CanonicalAbstraction(goals=goals, **options).table(task)
    reference = ReferenceAbstraction(task, goals=goals, **options)
    seen = set()
    for state in range(0, len(space), max(1, len(space) // most)):
        atoms = all_atoms(space, state)
        label = table.state(space, state)
        assert label == reference.state(atoms)
        assert table.state_id(label) == table.core.state(space.core, state)
        assert table.state_label(table.state_id(label)) == label
        for action in space.core.applicable(state):
            assert table.action(space, state, action) == reference.action(atoms, task.action(action))
        seen.add(label)
    return len(seen)


@examples(50)
@given(tasks(), st.booleans(), st.data())
def test_random_tasks(pair: tuple[Domain, Problem], goals: bool, data: st.DataObject) -> None:
    task = ground(*pair, cost="unit", relevance=False)
    names = [predicate.name for predicate in task.domain.predicates]
    ignore = data.draw(st.lists(st.sampled_from(names), unique=True, max_size=2)) if names else []
    options: dict[str, Any] = {
        "counts": data.draw(st.sampled_from(["one-many", "presence"])),
        "relations": data.draw(st.sampled_from(["all-some", "presence", "none"])),
        "types": data.draw(st.sampled_from([True, False])),
    }
    assert check(task, goals, ignore=tuple(ignore), **options) >= 1


@pytest.mark.parametrize("goals", [False, True])
@pytest.mark.parametrize(("name", "theta"), BENCHMARKS)
def test_the_benchmarks(name: str, theta: tuple[int, ...], goals: bool) -> None:
    benchmark = generate(name, *theta)
    assert check(ground(benchmark.domain, benchmark.problem), goals, most=400) > 5


@pytest.mark.parametrize("path", sorted(DOMAINS.glob("*.ppddl")), ids=lambda path: path.stem)
def test_the_feature_files(path: Path) -> None:
    for name in ("short", "long") if path.stem == "two-problems" else (None,):
        task = parse_task(path, None, name)
        for goals in (False, True):
            check(ground(task.domain, task.problem, cost="unit", relevance=False), goals)


def test_ids_are_of_the_whole_abstract_state() -> None:
    """Distinct abstract states have distinct ids, in a table that knows them and in one that does not."""
    benchmark = generate("gripper", 3)
    task = ground(benchmark.domain, benchmark.problem)
    space = StateSpace(task)
    space.explore()
    table, other = CanonicalAbstraction().table(task), CanonicalAbstraction().table(task)
    labels = {table.state(space, state) for state in range(len(space))}
    backwards = sorted(labels, key=str, reverse=True)
    assert len({other.state_id(label) for label in backwards}) == len(labels)
    assert [other.state_label(other.state_id(label)) for label in backwards] == backwards


# --- names ---


def renamed(node: Any, names: Mapping[str, str]) -> Any:
    """A syntax tree with other names for objects."""
    if isinstance(node, tuple):
        return tuple(renamed(each, names) for each in node)
    if isinstance(node, Constant):
        return replace(node, name=names.get(node.name, node.name))
    if is_dataclass(node) and not isinstance(node, type):
        inner = {f.name: renamed(getattr(node, f.name), names) for f in fields(node) if f.name != "span"}
        return replace(node, **inner)
    return node


def shuffled(problem: Problem, seed: int) -> tuple[Problem, dict[str, str]]:
    """The problem with other object names, and with objects and facts in another order."""
    choose = random.Random(seed)
    old = [each.name for each in problem.objects]
    new = [f"x{index}" for index in choose.sample(range(len(old)), len(old))]
    names = dict(zip(old, new, strict=True))
    turned: Problem = renamed(problem, names)
    objects = [replace(each, name=names[each.name]) for each in problem.objects]
    choose.shuffle(objects)
    init = choose.sample(turned.init, len(turned.init))
    return replace(turned, objects=tuple(objects), init=tuple(init)), names


def compare_renamed(domain: Domain, problem: Problem, goals: bool, seed: int, most: int) -> None:
    turned, names = shuffled(problem, seed)
    space, other = (
        StateSpace(ground(domain, problem, cost="unit", relevance=False)),
        StateSpace(ground(domain, turned, cost="unit", relevance=False)),
    )
    space.explore(max_states=most)
    mine = CanonicalAbstraction(goals=goals).table(space.task)
    theirs = CanonicalAbstraction(goals=goals).table(other.task)
    for state in range(len(space)):
        atoms = [
            GroundAtom(atom.predicate, tuple(names.get(o, o) for o in atom.arguments)) for atom in space.atoms(state)
        ]
        assert mine.state(space, state) == theirs.state(other, other.state(atoms))


@examples(20)
@given(tasks(), st.booleans(), st.integers(0, 1000))
def test_names_do_not_matter_in_random_tasks(pair: tuple[Domain, Problem], goals: bool, seed: int) -> None:
    compare_renamed(*pair, goals, seed, most=20)


@pytest.mark.parametrize("goals", [False, True])
@pytest.mark.parametrize(("name", "theta"), BENCHMARKS)
def test_names_do_not_matter_in_the_benchmarks(name: str, theta: tuple[int, ...], goals: bool) -> None:
    benchmark = generate(name, *theta)
    compare_renamed(benchmark.domain, benchmark.problem, goals, seed=7, most=200)


@pytest.mark.parametrize(("name", "theta"), BENCHMARKS)
def test_a_seed_of_a_benchmark_gives_the_same_abstract_states(name: str, theta: tuple[int, ...]) -> None:
    found = []
    for seed in (0, 7):
        benchmark = generate(name, *theta, seed=seed)
        space = StateSpace(ground(benchmark.domain, benchmark.problem))
        space.explore()
        table = CanonicalAbstraction(goals=True).table(space.task)
        found.append({table.state(space, state) for state in range(len(space))})
    assert found[0] == found[1]


# --- numbers ---


def with_twin(problem: Problem, atoms: frozenset[GroundAtom], name: str) -> Problem:
    """The problem that starts in a state, with a second object of which the same holds as of the one named."""
    twin = next(replace(each, name="twin") for each in problem.objects if each.name == name)
    copies = {
        GroundAtom(atom.predicate, arguments)
        for atom in atoms
        for arguments in product(*((o, "twin") if o == name else (o,) for o in atom.arguments))
    }
    init = tuple(Atom(atom.predicate, tuple(map(Constant, atom.arguments))) for atom in sorted(copies))
    return replace(problem, objects=(*problem.objects, twin), init=init)


def initial(domain: Domain, problem: Problem) -> AbstractState:
    space = StateSpace(ground(domain, problem, cost="unit", relevance=False))
    return CanonicalAbstraction().state(space.task, space.atoms(space.initial))


def compare_with_twins(domain: Domain, problem: Problem, states: int) -> set[str]:
    """Give each object a twin in some reachable states; returns whether roles of one or of many objects were met."""
    space = StateSpace(ground(domain, problem, cost="unit", relevance=False))
    space.explore(max_states=10 * states)
    reference = ReferenceAbstraction(space.task)
    met = set()
    for state in range(0, len(space), max(1, len(space) // states)):
        atoms = all_atoms(space, state)
        before, roles = reference.state(atoms), reference.roles(atoms)
        for each in problem.objects:
            after = initial(domain, with_twin(problem, atoms, each.name))
            counts = dict(before.roles)
            met.add(counts[roles[each.name]])
            counts[roles[each.name]] = "many"
            assert after == replace(before, roles=tuple(sorted(counts.items())))
    return met


@examples(40)
@given(tasks())
def test_a_twin_changes_at_most_one_into_many_in_random_tasks(pair: tuple[Domain, Problem]) -> None:
    compare_with_twins(*pair, states=3)


@pytest.mark.parametrize(("name", "theta"), BENCHMARKS)
def test_a_twin_changes_at_most_one_into_many_in_the_benchmarks(name: str, theta: tuple[int, ...]) -> None:
    benchmark = generate(name, *theta)
    assert compare_with_twins(benchmark.domain, benchmark.problem, states=5) == {"one", "many"}


def test_an_object_that_differs_in_a_relation_only_is_seen_in_the_relation() -> None:
    """Not a twin: a third ball elsewhere turns 'all' into 'some'."""
    benchmark = generate("gripper", 3)
    before = initial(benchmark.domain, benchmark.problem)
    moved = renamed(benchmark.problem, {})
    (ball, room), *_ = [atom.arguments for atom in moved.init if atom.predicate == "ball-in"]
    elsewhere = next(each for each in moved.objects if each.types == ("room",) and each.name != room.name)
    init = tuple(
        Atom("ball-in", (ball, Constant(elsewhere.name))) if atom == Atom("ball-in", (ball, room)) else atom
        for atom in moved.init
    )
    after = initial(benchmark.domain, replace(moved, init=init))
    assert before.roles == after.roles
    assert sorted(value for *_, value in before.relations) == ["all"]
    assert sorted(value for *_, value in after.relations) == ["some", "some"]
