"""The world that is acted in: its draws are those of the reference interpreter, and a seed repeats them."""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given

from gpaplan import _core, ground, parse_task
from gpaplan.benchmarks import generate
from gpaplan.ppddl.syntax import Domain, Problem
from gpaplan.tasks.task import GroundTask
from tests.examples import examples
from tests.paths import DOMAINS
from tests.reference import Interpreter, State
from tests.strategies import tasks

DRAWS = 300


def named(task: GroundTask, atoms: list[int]) -> State:
    """A state of the core as the reference interpreter writes it, static atoms included."""
    held = [*(task.atoms[index] for index in atoms), *task.static_atoms]
    return frozenset((atom.predicate, *atom.arguments) for atom in held)


def compare(domain: Domain, problem: Problem, seed: int = 1, steps: int = 8) -> int:
    """Walk by chance; at each state, its actions and how often their outcomes are drawn. The number of actions seen."""
    reference = Interpreter(domain, problem)
    task = ground(domain, problem, cost="unit", relevance=False)
    world = _core.World(task.core, seed)
    compared = 0
    for step in range(steps):
        atoms = world.atoms()
        state = named(task, atoms)
        assert world.is_goal() == reference.is_goal(state)
        applicable = world.applicable()
        assert [tuple(task.action(index)) for index in applicable] == reference.applicable(state)
        assert [index for index in range(task.core.action_count) if world.is_applicable(index)] == applicable
        for index in applicable[:6]:
            check_draws(reference, task, world, atoms, index)
            compared += 1
        if not applicable:
            break
        world.set_state(atoms)
        world.step(applicable[step % len(applicable)])
    return compared


def check_draws(reference: Interpreter, task: GroundTask, world: _core.World, atoms: list[int], index: int) -> None:
    """No impossible state is drawn, and each about as often as it should be, up to what chance may explain."""
    action = task.action(index)
    expected = reference.transitions(named(task, atoms), (action.schema, action.arguments))
    drawn: Counter[State] = Counter()
    for _ in range(DRAWS):
        world.set_state(atoms)
        assert world.step(index) == 1
        drawn[named(task, world.atoms())] += 1
    for successor in {*drawn, *expected}:
        probability = float(expected.get(successor, 0))
        assert drawn[successor] == 0 or probability > 0
        assert abs(drawn[successor] - DRAWS * probability) <= 6 * math.sqrt(DRAWS * probability) + 4


@examples(60, fixed=True)
@given(tasks())
def test_random_tasks_are_drawn_as_in_the_reference(task: tuple[Domain, Problem]) -> None:
    compare(*task, steps=3)


@pytest.mark.parametrize("path", sorted(DOMAINS.glob("*.ppddl")), ids=lambda path: path.stem)
def test_the_feature_files_are_drawn_as_in_the_reference(path: Path) -> None:
    task = parse_task(path, None, "long" if path.stem == "two-problems" else None)
    assert compare(task.domain, task.problem) > 0


def gripper() -> GroundTask:
    return ground(generate("gripper", 3))


def walk(world: _core.World, steps: int) -> list[list[int]]:
    """The states of a walk that takes the applicable actions in turn."""
    states = []
    for step in range(steps):
        applicable = world.applicable()
        assert world.step(applicable[step % len(applicable)]) == 1
        states.append(world.atoms())
    return states


def test_a_seed_repeats_a_walk() -> None:
    core = gripper().core
    first, other = walk(_core.World(core, 7), 50), walk(_core.World(core, 8), 50)
    world = _core.World(core, 0)
    assert first != other
    walk(world, 20)
    world.reset()
    world.reseed(8)
    assert walk(world, 50) == other


def test_a_walk_goes_on_from_the_state_of_its_random_numbers() -> None:
    core = gripper().core
    world, twin = _core.World(core, 7), _core.World(core, 0)
    walk(world, 20)
    twin.random_state = world.random_state
    twin.set_state(world.atoms())
    assert walk(twin, 50) == walk(world, 50)


def test_costs_are_those_of_the_metric() -> None:
    """Also where they are drawn: on average they are the expected ones."""
    task = ground(parse_task(DOMAINS / "metric-cost.ppddl"))
    world = _core.World(task.core, 0)
    space = _core.StateSpace(task.core, 1000)
    several = 0
    for action, cost, _ in space.transitions(space.initial):
        drawn = []
        for _ in range(2000):
            world.reset()
            drawn.append(world.step(action))
        several += len(set(drawn)) > 1
        assert sum(drawn) / len(drawn) == pytest.approx(cost, rel=0.03)
    assert several > 0


def test_a_world_says_what_is_wrong() -> None:
    task = gripper()
    world = _core.World(task.core, 0)
    drop = task.action_index("(drop ball0 room-a left)")
    before = world.atoms()
    with pytest.raises(ValueError, match="not applicable"):
        world.step(drop)
    assert world.atoms() == before
    for call in (world.step, world.is_applicable):
        with pytest.raises(IndexError):
            call(task.core.action_count)
    with pytest.raises(IndexError):
        world.set_state([task.core.atom_count])
    with pytest.raises(ValueError, match="is 0"):
        world.random_state = [0, 0, 0, 0]
    large = ground(generate("gripper", 2000))
    with pytest.raises(_core.Stopped):
        _core.World(large.core, 0, _core.Stop(seconds=0.0))
