"""Lenient constraints, the local fallback, and searches that end at a number of states."""

from __future__ import annotations

from functools import partial

import pytest
from hypothesis import given, strategies as st

from gpaplan import (
    CanonicalAbstraction,
    ConstrainedStateSpace,
    Limits,
    PolicyAutomaton,
    StateSpace,
    UsageError,
    ValueIteration,
    ground,
    learn,
    solve,
)
from gpaplan.benchmarks import generate
from gpaplan.learning.growth import grow
from gpaplan.learning.instances import instances_of_generator
from gpaplan.solving.settings import Fallback
from gpaplan.tasks.task import GroundTask
from tests.examples import examples
from tests.policy_automata import of_all_actions

KINDS: tuple[Fallback, ...] = ("local", "full")
PROBLEMS = [("gripper", (3,)), ("rover", (1, 3, 2, 2)), ("schedule", (1, 3)), ("delicate-can", (4,)), ("keva", (5, 2))]


def task_of(name: str, theta: tuple[int, ...]) -> GroundTask:
    benchmark = generate(name, *theta)
    return ground(benchmark.domain, benchmark.problem)


@given(st.sampled_from(PROBLEMS), st.data())
@examples(40)
def test_a_lenient_constraint_is_lifted_exactly_where_it_keeps_nothing(
    problem: tuple[str, tuple[int, ...]], data: st.DataObject
) -> None:
    task = task_of(*problem)
    whole = learn(task.domain, [solve(task, heuristic="lmcut")], ties="all")
    kept = data.draw(st.lists(st.sampled_from(whole.edges), unique_by=id, min_size=1))
    automaton = PolicyAutomaton(whole.domain_name, whole.vocabulary, whole.abstraction, kept)
    strict, lenient = (ConstrainedStateSpace(task, automaton, lenient=each) for each in (False, True))
    lenient.explore(max_states=200)
    free = StateSpace(task)
    for state in range(min(len(lenient), 100)):
        atoms = lenient.atoms(state)
        allowed = [action for action, _, _ in strict.transitions(strict.state(atoms))]
        everything = [action for action, _, _ in free.transitions(free.state(atoms))]
        assert [action for action, _, _ in lenient.transitions(state)] == (allowed or everything)


@pytest.mark.parametrize("fallback", ["full", "local", "none"])
def test_fallbacks(fallback: Fallback) -> None:
    """What is learned from four packets does not suffice for six: no fallback finds nothing, the others a policy."""
    automaton = grow(instances_of_generator("schedule", "1", "2..4")).automaton
    solution = solve(task_of("schedule", (1, 6)), "lrtdp", automaton=automaton, match="strict", fallback=fallback)
    if fallback == "none":
        assert (solution.status, solution.fallback, solution.proper) == ("no-proper-policy", False, False)
    else:
        assert (solution.status, solution.fallback, solution.proper) == ("solved", True, True)
        assert solution.guarantee == "none"
        assert solution.value >= 18 / 0.94 - 1e-6
        assert isinstance(solution.space, ConstrainedStateSpace) == (fallback == "local")


def test_the_local_fallback_falls_back_on_the_whole_task() -> None:
    """An automaton that keeps moving to and fro: its constraint leaves actions everywhere, and no way to the goal."""
    task = task_of("gripper", (1,))
    everything = of_all_actions(task)
    moves = [edge for edge in everything.edges if str(edge.action).startswith("move")]
    automaton = PolicyAutomaton(everything.domain_name, everything.vocabulary, everything.abstraction, moves)
    assert not solve(task, automaton=automaton, match="strict", fallback="none").proper
    solution = solve(task, automaton=automaton, match="strict", fallback="local")
    assert (solution.proper, solution.fallback) == (True, True)
    assert solution.value == pytest.approx(3.25)


def test_the_local_fallback_proves_nothing_about_the_whole_task() -> None:
    automaton = learn(generate("gripper", 1).domain, [solve(task_of("gripper", (1,)), heuristic="lmcut")])
    task = task_of("gripper", (4,))
    found = {kind: solve(task, ValueIteration(), automaton=automaton, match="strict", fallback=kind) for kind in KINDS}
    assert all(solution.fallback and solution.proper for solution in found.values())
    assert found["full"].guarantee == "optimal"
    assert found["full"].value == pytest.approx(12.0)
    assert isinstance(found["local"].space, ConstrainedStateSpace)
    assert found["local"].guarantee == "none"
    assert found["local"].lower_bound <= 12


def test_an_unknown_fallback_is_refused() -> None:
    with pytest.raises(UsageError, match="unknown fallback 'some'"):
        solve(task_of("gripper", (1,)), fallback="some")


@pytest.mark.parametrize("solver", ["vi", "lao", "ilao", "lrtdp", "soft-flares", "ssipp"])
def test_a_search_ends_at_the_limit_of_states(solver: str) -> None:
    from gpaplan.solving.solvers import make_solver

    task = task_of("gripper", (8,))
    solve_plain = partial(solve, task, make_solver(solver), heuristic="hmax", symmetry="off")
    found = [solve_plain(limits=Limits(states=500)) for _ in range(2)]
    assert [each.status for each in found] == ["state-limit"] * 2
    assert found[0].expanded == found[1].expanded
    assert 500 < found[0].expanded < 800
    assert solve_plain(limits=Limits(states=11_775)).status == "solved"
    with pytest.raises(UsageError, match="states must be a whole number of at least 1"):
        Limits(states=0)


def test_ignored_predicates_must_exist() -> None:
    task = task_of("gripper", (1,))
    with pytest.raises(UsageError, match="has no predicate 'hold' to ignore;  did you mean 'held'"):
        CanonicalAbstraction(ignore=("hold",)).table(task)
    assert CanonicalAbstraction(ignore=("held", "free", "held")).options == {"goals": False, "ignore": ["free", "held"]}
