"""An abstraction of one's own does everything that the canonical one does.

`Mirror` is canonical abstraction, written in Python and with texts for labels. Whatever is asked of automata must come
out the same with both; only labels are texts.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from gpaplan import (
    CanonicalAbstraction,
    ConstrainedStateSpace,
    GroundAction,
    GroundAtom,
    GroundTask,
    PolicyAutomaton,
    StateSpace,
    UsageError,
    ground,
    grow,
    instances_of_generator,
    learn,
    prune,
    solve,
)
from gpaplan.automata.canonical import Abstraction, CanonicalTable, full_abstraction
from gpaplan.benchmarks import DOMAINS, generate
from gpaplan.learning.counterexamples import find_counterexample
from gpaplan.learning.edges import Ties
from gpaplan.solving.solvers import LAOStar


class Mirror:
    """What canonical abstraction says, as texts."""

    name = "mirror"

    def __init__(self) -> None:
        self.options: dict[str, Any] = {}
        self._inner = CanonicalAbstraction()
        self._on = cache(self._made)

    def _made(self, task: GroundTask) -> tuple[CanonicalTable, StateSpace]:
        return self._inner.table(task), StateSpace(task)

    def state(self, task: GroundTask, atoms: frozenset[GroundAtom]) -> str:
        table, space = self._on(task)
        return str(table.state(space, space.state(atoms)))

    def action(self, task: GroundTask, atoms: frozenset[GroundAtom], action: GroundAction) -> str:
        table, space = self._on(task)
        return str(table.action(space, space.state(atoms), task.action_index(action)))


def task_of(name: str, *theta: int) -> GroundTask:
    benchmark = generate(name, *theta)
    return ground(benchmark.domain, benchmark.problem)


def texts(automaton: PolicyAutomaton) -> list[tuple[str, str, list[str], dict[str, int]]]:
    return [(str(e.source), str(e.action), sorted(map(str, e.targets)), dict(e.origins)) for e in automaton.edges]


def both() -> tuple[Abstraction, Abstraction]:
    return CanonicalAbstraction(), Mirror()


def test_both_are_abstractions() -> None:
    for abstraction in both():
        assert isinstance(abstraction, Abstraction)


def test_canonical_abstraction_has_the_verbs_of_the_protocol() -> None:
    task = task_of("gripper", 2)
    space = StateSpace(task)
    space.explore()
    canonical, mirror = both()
    table = full_abstraction(canonical).table(task)
    for state in range(len(space)):
        atoms = space.atoms(state)
        assert canonical.state(task, atoms) == table.state(space, state)
        assert str(canonical.state(task, atoms)) == mirror.state(task, atoms)
        for action in space.core.applicable(state):
            named = task.action(action)
            assert canonical.action(task, atoms, named) == table.action(space, state, action)
            assert str(canonical.action(task, atoms, named)) == mirror.action(task, atoms, named)


@pytest.mark.parametrize("ties", ["first", "harmonize", "all"])
def test_ties_are_honoured(ties: Ties) -> None:
    """Gripper is where ties matter: harmonized, an automaton of small problems costs nothing on a larger one."""
    tasks = [task_of("gripper", balls) for balls in (1, 2, 3, 4, 5)]
    examples = [solve(task, LAOStar(epsilon=1e-8), heuristic="lmcut") for task in tasks]
    automata = [learn(tasks[0].domain, examples, abstraction=each, ties=ties) for each in both()]
    assert texts(automata[0]) == texts(automata[1])


def test_gripper_with_eight_balls_costs_what_it_must() -> None:
    tasks = [task_of("gripper", balls) for balls in (1, 2, 3, 4, 5)]
    examples = [solve(task, LAOStar(epsilon=1e-8), heuristic="lmcut") for task in tasks]
    automaton = learn(tasks[0].domain, examples, abstraction=Mirror())
    found = solve(task_of("gripper", 8), heuristic="lmcut", automaton=automaton)
    assert found.fallback is False
    assert found.value == pytest.approx(DOMAINS["gripper"].optimal_cost(8))


@pytest.mark.parametrize("lenient", [False, True])
@pytest.mark.parametrize("symmetry", ["off", "on"])
def test_constraints_are_the_same(lenient: bool, symmetry: Any) -> None:
    small, large = task_of("schedule", 1, 3), task_of("schedule", 1, 5)
    counts = []
    for abstraction in both():
        automaton = learn(small.domain, [solve(small, LAOStar(), heuristic="lmcut")], abstraction=abstraction)
        found = ConstrainedStateSpace(large, automaton, lenient=lenient, symmetry=symmetry).explore()
        counts.append((found.states, found.state_action_pairs))
    assert counts[0] == counts[1]


@pytest.mark.parametrize("fallback", ["full", "local", "none"])
def test_fallbacks_are_the_same(fallback: Any) -> None:
    small, large = task_of("schedule", 1, 3), task_of("schedule", 1, 5)
    found = []
    for abstraction in both():
        automaton = learn(small.domain, [solve(small, LAOStar(), heuristic="lmcut")], abstraction=abstraction)
        solution = solve(large, heuristic="lmcut", automaton=automaton, match="strict", fallback=fallback)
        found.append((solution.status, solution.value, solution.expanded, solution.fallback))
    assert found[0] == found[1]
    assert found[0][3] is True or fallback == "none"


def test_growing_and_pruning_are_the_same() -> None:
    instances = instances_of_generator("delicate-can", "2..4")
    grown = [grow(instances, abstraction=each).automaton for each in both()]
    assert texts(grown[0]) == texts(grown[1])
    assert len(grown[0]) > 0
    pruned = [prune(instances, automaton) for automaton in grown]
    assert texts(pruned[0].automaton) == texts(pruned[1].automaton)
    assert pruned[0].checked == pruned[1].checked


def test_counterexamples_name_the_labels() -> None:
    task = task_of("schedule", 1, 3)
    found = find_counterexample(PolicyAutomaton.empty(task.domain, abstraction=Mirror()), task)
    assert found is not None
    assert found.kind == "stuck"
    small = task_of("schedule", 1, 2)
    automaton = learn(small.domain, [solve(small, LAOStar(), heuristic="lmcut")], abstraction=Mirror())
    found = find_counterexample(automaton, task_of("schedule", 1, 5))
    assert found is not None
    assert [each.kind for each in found.near.differences or found.near.outcome_differences] == ["label"]


class Numbered(Mirror):
    """A wrong one: its labels are no texts."""

    def state(self, *given: Any) -> str:
        return len(given)  # type: ignore[return-value]


def test_a_label_that_is_no_text_is_refused() -> None:
    task = task_of("gripper", 1)
    with pytest.raises(UsageError, match=r"the abstraction 'mirror' gives a state the label \d+, which is no text"):
        learn(task.domain, [solve(task, heuristic="lmcut")], abstraction=Numbered())


class Failing(Mirror):
    def action(self, *given: Any) -> str:
        raise ZeroDivisionError(f"of {len(given)}")


def test_what_goes_wrong_inside_comes_out() -> None:
    task = task_of("gripper", 1)
    with pytest.raises(ZeroDivisionError, match="of 3"):
        learn(task.domain, [solve(task, heuristic="lmcut")], abstraction=Failing())
