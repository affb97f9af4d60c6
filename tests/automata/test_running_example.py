"""The running example of the paper: the rover of its second section and the two states of its abstraction figure.

The domain is the one of docs/tutorial-automata.md. The rover stands at the base in both states, so that its position
makes no fifth role. The figure gives rock-at(ψ1, ψ3) = ½ and rock-at(ψ2, ψ4) = 1.
"""

from __future__ import annotations

import pytest

from building.pages import blocks
from gpaplan import CanonicalAbstraction, LAOStar, StateSpace, ground, learn, parse_task, solve
from gpaplan.automata.canonical import AbstractState, Role
from gpaplan.tasks.task import GroundTask
from tests.paths import ROOT

PAGE = ROOT / "docs" / "tutorial-automata.md"
DOMAIN = next(block.text for block in blocks(PAGE.read_text(encoding="utf-8")) if block.language == "ppddl")

ROCK = Role(("rock",))
INTERESTING_ROCK = Role(("interesting", "rock"))
LOCATION = Role(("location",))
BASE = Role(("=base", "location", "rover-at"))

INTERESTING_TO_BASE = "(forall (?r - rock) (imply (interesting ?r) (rock-at ?r base)))"


def rover(rocks: dict[str, str], interesting: set[str], locations: list[str], goal: str) -> GroundTask:
    """A problem in which the rover starts at the base and every location is connected with every other."""
    places = ["base", *locations]
    facts = ["(rover-at base)", *(f"(interesting {rock})" for rock in sorted(interesting))]
    facts += [f"(connected {x} {y})" for x in places for y in places if x != y]
    facts += [f"(rock-at {rock} {place})" for rock, place in rocks.items()]
    task = parse_task(
        f"{DOMAIN} (define (problem rover-{len(rocks)}) (:domain planetary-rover)"
        f" (:objects {' '.join(rocks)} - rock {' '.join(locations)} - location)"
        f" (:init {' '.join(facts)}) (:goal {goal}))"
    )
    return ground(task.domain, task.problem)


def abstract(task: GroundTask) -> AbstractState:
    space = StateSpace(task)
    return CanonicalAbstraction().state(task, space.atoms(space.initial))


ALL_TO_BASE = "(forall (?r - rock) (rock-at ?r base))"
FIRST = rover({"r1": "l1", "r2": "base"}, {"r2"}, ["l1", "l2"], ALL_TO_BASE)
SECOND = rover(
    {"r1": "l1", "r2": "l1", "r3": "l3", "r4": "base", "r5": "base", "r6": "base"},
    {"r4", "r5", "r6"},
    ["l1", "l2", "l3"],
    ALL_TO_BASE,
)


@pytest.mark.parametrize("task", [FIRST, SECOND], ids=["two rocks", "six rocks"])
def test_the_states_of_the_figure_have_the_values_of_the_text(task: GroundTask) -> None:
    state = abstract(task)
    assert {role for role, _ in state.roles} == {ROCK, INTERESTING_ROCK, LOCATION, BASE}
    rock_at = {roles: value for name, roles, value in state.relations if name == "rock-at"}
    assert rock_at == {(ROCK, LOCATION): "some", (INTERESTING_ROCK, BASE): "all"}
    assert state.flags == ()


def test_the_abstract_relations_of_both_states_are_the_same() -> None:
    first, second = abstract(FIRST), abstract(SECOND)
    assert first.relations == second.relations
    assert [role for role, _ in first.roles] == [role for role, _ in second.roles]


def test_counts_are_all_that_tells_the_states_apart() -> None:
    """Two rocks of two roles are one of each; with two of each the abstraction is that of the state with six rocks."""
    first, second = dict(abstract(FIRST).roles), dict(abstract(SECOND).roles)
    assert {role for role in first if first[role] != second[role]} == {ROCK, INTERESTING_ROCK}
    rocks = {"a": "l1", "b": "l2", "c": "base", "d": "base"}
    assert abstract(rover(rocks, {"c", "d"}, ["l1", "l2", "l3"], ALL_TO_BASE)) == abstract(SECOND)
    assert abstract(rover(rocks, {"c", "d"}, ["l1", "l2"], ALL_TO_BASE)) == abstract(SECOND)


def test_an_interesting_rock_elsewhere_is_another_abstract_state() -> None:
    moved = rover({"r1": "l1", "r2": "l2"}, {"r2"}, ["l1", "l2"], ALL_TO_BASE)
    assert abstract(moved) != abstract(FIRST)


def test_the_optimal_cost_of_the_example_of_the_text() -> None:
    """Two rocks away from the base: for each there and back, 1/0.8 tries to load, and the unloading."""
    task = rover({"r1": "l1", "r2": "l2"}, set(), ["l1", "l2"], ALL_TO_BASE)
    assert solve(task, LAOStar(), heuristic="lmcut").value == pytest.approx(8.5)


def fetch(count: int, locations: int) -> GroundTask:
    """So many interesting rocks, spread over the locations, and an ordinary one at each of these."""
    names = [f"l{i}" for i in range(locations)]
    rocks = {f"i{i}": names[i % locations] for i in range(count)}
    return rover(rocks | {f"o{i}": name for i, name in enumerate(names)}, set(rocks), names, INTERESTING_TO_BASE)


@pytest.mark.parametrize(("count", "locations"), [(6, 3), (6, 4), (9, 3), (9, 4)])
def test_three_small_problems_are_enough_for_larger_ones(count: int, locations: int) -> None:
    small = [fetch(each, 3) for each in (3, 4, 5)]
    automaton = learn(small[0].domain, [solve(each, LAOStar(epsilon=1e-8), heuristic="lmcut") for each in small])
    solution = solve(fetch(count, locations), heuristic="hmax", automaton=automaton)
    assert (solution.status, solution.fallback) == ("solved", False)
    assert solution.value == pytest.approx(4.25 * count)
