"""What a goal cannot depend on: found as by a short reference, and left out without a change of what matters."""

from __future__ import annotations

import contextlib
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, given, strategies as st

from gpaplan import CostError, StateSpace, _core, ground
from gpaplan.benchmarks import FAMILIES, generate
from gpaplan.ppddl.syntax import Domain, Metric, Problem
from gpaplan.tasks.task import GroundTask
from tests import oracles
from tests.examples import examples
from tests.ground_tasks import random_task
from tests.strategies import tasks

STATES = 150
DEAD_END_COST = 17.5
METRICS = st.sampled_from([None, Metric("maximize", "reward"), Metric("minimize", "total-cost")])


# --- the reference ---


def irrelevant(fields: dict[str, Any]) -> tuple[list[int], list[int]]:
    """The atoms and actions of a ground task that do not matter, by its definition: round after round over all."""
    actions = range(len(fields["effects"]))
    atoms = atoms_of(fields, fields["goal"])
    if not atoms:
        return [], []
    kept: set[int] = set()
    size = -1
    while size != len(atoms) + len(kept):
        size = len(atoms) + len(kept)
        for action in actions:
            effect = fields["effects"][action]
            if changes(fields, effect) & atoms or least_cost(fields, effect) <= 0:
                kept.add(action)
                atoms |= atoms_of(fields, fields["preconditions"][action])
                for condition, inner in conditionals(fields, effect):
                    if changes(fields, inner) & atoms or has_cost(fields, inner):
                        atoms |= atoms_of(fields, condition)
    return [i for i in range(len(fields["atom_predicates"])) if i not in atoms], [a for a in actions if a not in kept]


def atoms_of(fields: dict[str, Any], condition: int) -> set[int]:
    found = {literal // 2 for literal in fields["literals"][condition]}
    for disjunction in fields["condition_disjunctions"][condition]:
        for option in fields["disjunctions"][disjunction]:
            found |= atoms_of(fields, option)
    return found


def pairs(values: list[int]) -> list[tuple[int, int]]:
    return list(zip(values[::2], values[1::2], strict=True))


def parts(fields: dict[str, Any], effect: int) -> Iterator[int]:
    """The effects that stand in an effect directly."""
    yield from (inner for _, inner in pairs(fields["conditionals"][effect]))
    for factor in fields["factors"][effect]:
        yield from (inner for _, inner in pairs(fields["outcomes"][factor]))


def conditionals(fields: dict[str, Any], effect: int) -> Iterator[tuple[int, int]]:
    """Everything in an effect that depends on a condition, with that."""
    yield from pairs(fields["conditionals"][effect])
    for inner in parts(fields, effect):
        yield from conditionals(fields, inner)


def changes(fields: dict[str, Any], effect: int) -> set[int]:
    own = {*fields["adds"][effect], *fields["deletes"][effect]}
    return own.union(*(changes(fields, inner) for inner in parts(fields, effect)))


def has_cost(fields: dict[str, Any], effect: int) -> bool:
    return fields["effect_costs"][effect] != 0 or any(has_cost(fields, inner) for inner in parts(fields, effect))


def least_cost(fields: dict[str, Any], effect: int) -> float:
    cost: float = fields["effect_costs"][effect]
    cost += sum(min(0.0, least_cost(fields, inner)) for _, inner in pairs(fields["conditionals"][effect]))
    for factor in fields["factors"][effect]:
        for number, inner in pairs(fields["outcomes"][factor]):
            cost += fields["probabilities"][number] * least_cost(fields, inner)
    return cost


# --- the properties ---


def both(pair: tuple[Domain, Problem], metric: Metric | None) -> tuple[GroundTask, GroundTask]:
    """A task with everything, and what is left of it."""
    domain, problem = pair[0], replace(pair[1], metric=metric)
    whole, part = (
        ground(domain, problem, cost="unit" if metric is None else "metric", relevance=relevance)
        for relevance in (False, True)
    )
    return whole, part


@examples(200)
@given(st.integers(0, 2**32))
def test_the_fixpoint_is_that_of_the_reference_on_random_ground_tasks(seed: int) -> None:
    task = random_task(seed, costs=(0.0, 1.0, 2.5))
    assert _core.find_irrelevant(task, _core.Stop()) == irrelevant(task.fields())


@examples(70)
@given(tasks(), METRICS)
def test_what_is_dropped_is_what_the_reference_finds(pair: tuple[Domain, Problem], metric: Metric | None) -> None:
    with contextlib.suppress(CostError):
        whole, part = both(pair, metric)
        atoms, actions = irrelevant(whole.core.fields())
        assert part.dropped_atoms == tuple(whole.atoms[i] for i in atoms)
        assert part.dropped_actions == tuple(whole.actions[i] for i in actions)
        assert [*part.atoms, *part.dropped_atoms] == sorted(
            whole.atoms, key=lambda atom: (atom in part.dropped_atoms, whole.atoms.index(atom))
        )
        assert whole.has_irrelevant_parts == part.has_irrelevant_parts == bool(atoms or actions)
        assert _core.find_irrelevant(part.core, _core.Stop()) == ([], [])
        assert not whole.dropped


@examples(50)
@given(tasks(), METRICS)
def test_a_state_and_what_is_left_of_it_go_the_same_ways(pair: tuple[Domain, Problem], metric: Metric | None) -> None:
    with contextlib.suppress(CostError):
        whole, part = both(pair, metric)
        space, small = StateSpace(whole), StateSpace(part)
        assume(space.explore(max_states=STATES).complete)
        for state in range(len(space)):
            left = small.state(space.atoms(state))
            assert small.atoms(left) == space.atoms(state) - set(part.dropped_atoms)
            assert small.is_goal(left) == space.is_goal(state)
            expected = {}
            for action, cost, outcomes in space.transitions(state):
                sums: dict[int, float] = defaultdict(float)
                for probability, successor in outcomes:
                    sums[small.state(space.atoms(successor))] += probability
                if action in part.dropped_actions:
                    assert list(sums) == [left]
                else:
                    expected[action] = (cost, sums)
            found = {action: (cost, {s: p for p, s in outcomes}) for action, cost, outcomes in small.transitions(left)}
            assert found.keys() == expected.keys()
            for action, (cost, sums) in expected.items():
                assert found[action][0] == pytest.approx(cost, rel=1e-12)
                assert found[action][1] == pytest.approx(dict(sums), rel=1e-12)


@examples(35)
@given(tasks(), METRICS)
def test_the_optimum_stays_what_it_is(pair: tuple[Domain, Problem], metric: Metric | None) -> None:
    with contextlib.suppress(CostError):
        spaces = [StateSpace(task) for task in both(pair, metric)]
        assume(spaces[0].explore(max_states=STATES).complete)
        assert spaces[1].explore().states <= len(spaces[0])
        whole, part = ([oracles.least_expected_cost(s), oracles.largest_goal_probability(s)] for s in spaces)
        assert part == pytest.approx(whole, rel=1e-6, abs=1e-6)
        penalised = [oracles.least_cost_with_giving_up(space, DEAD_END_COST) for space in spaces]
        assert penalised[1] == pytest.approx(penalised[0], rel=1e-6, abs=1e-6)


THETAS = {
    "delivery": (1, 4, 2, 1, 0),
    "rectangle-tireworld": (4, 1, 2, 2),
    "zenotravel": (3, 2, 1, 3),
    "elevators": (2, 3, 1, 2, 1, 2),
}


@pytest.mark.parametrize("name", FAMILIES)
def test_the_reference_agrees_on_the_families(name: str) -> None:
    theta = THETAS.get(name) or {1: (2,), 2: (4, 2), 4: (1, 3, 2, 2)}[len(FAMILIES[name].parameters)]
    task = ground(generate(name, *theta), relevance=False)
    assert _core.find_irrelevant(task.core, _core.Stop()) == irrelevant(task.core.fields())
