"""Automata at coarser abstraction levels: what they keep, compared with the definition."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, strategies as st

from gpaplan import (
    CanonicalAbstraction,
    ConstrainedStateSpace,
    GroundTask,
    PolicyAutomaton,
    StateSpace,
    ground,
    learn,
    solve,
)
from gpaplan.automata.canonical import StateLabel
from gpaplan.automata.filters import Match, RelaxedMatch
from gpaplan.learning.counterexamples import Counterexample, find_counterexample
from gpaplan.ppddl.syntax import Domain, Problem
from gpaplan.tasks.task import GroundAction, GroundAtom
from tests.examples import examples
from tests.policy_automata import random_automaton
from tests.properties.test_automaton import BENCHMARKS, SMALLER, benchmark, best, explored
from tests.strategies import tasks

SHARES = st.sampled_from([0.1, 0.4, 0.8])


def actions(space: StateSpace, state: frozenset[GroundAtom]) -> list[GroundAction]:
    return [transition.action for transition in space.transitions(space.state(state))]


@examples(60)
@given(tasks(), st.booleans())
def test_a_coarser_look_is_a_coarser_abstraction(pair: tuple[Domain, Problem], goals: bool) -> None:
    """Looking at a label more coarsely gives the label of the coarser abstraction, in Python and in the core."""
    space = explored(ground(*pair, cost="unit", relevance=False))
    abstraction = CanonicalAbstraction(goals=goals)
    table = abstraction.table(space.task)
    for level, coarser in enumerate(abstraction.levels):
        own = coarser.table(space.task)
        labels, ids = [], []
        for state in range(len(space)):
            label = own.state(space, state)
            assert label == coarser.coarsened(table.state(space, state))
            labels.append(label)
            ids.append(table.core.coarsened(table.core.state(space.core, state), level))
        assert len(set(ids)) == len(set(labels)) == len(set(zip(ids, labels, strict=True)))


def defined(
    automaton: PolicyAutomaton, space: StateSpace, state: int, matches: Sequence[RelaxedMatch]
) -> list[GroundAction]:
    """What the first of these matches that keeps something keeps, by the definition."""
    table = automaton.full_abstraction.table(space.task)
    for match in matches:
        seen = automaton.coarsened(match.level)

        def label(each: int, seen: PolicyAutomaton = seen) -> StateLabel:
            found: StateLabel = seen.full_abstraction.coarsened(table.state(space, each))
            return found

        def goes(each: int, targets: frozenset[StateLabel], match: RelaxedMatch = match) -> bool:
            return label(each) in targets or (match.accepts_goals and space.is_goal(each))

        kept = []
        for action in space.core.applicable(state):
            targets = seen.targets(label(state), table.action(space, state, action))
            if targets is not None and all(goes(each, targets) for each in space.core.successors(state, action)):
                kept.append(space.task.action(action))
        if kept:
            return kept
    return []


@examples(30)
@given(tasks(), st.booleans(), SHARES, st.integers(0, 1000))
def test_what_is_kept_is_what_the_definition_keeps(
    pair: tuple[Domain, Problem], goals: bool, share: float, seed: int
) -> None:
    space = explored(ground(*pair, cost="unit", relevance=False))
    task = space.task
    automaton = random_automaton(space, goals, share, seed)
    strict = ConstrainedStateSpace(task, automaton)
    coarse = ConstrainedStateSpace(task, automaton, match="coarse")
    count = len(automaton.levels("coarse"))
    whole = [ConstrainedStateSpace(task, automaton, match="coarse", level=level) for level in range(1, count)]
    for state in range(len(space)):
        if space.is_goal(state):
            continue
        atoms = space.atoms(state)
        kept, more = actions(strict, atoms), actions(coarse, atoms)
        assert set(kept) <= set(more)
        assert kept == defined(automaton, space, state, strict.matches)
        assert more == defined(automaton, space, state, coarse.matches)
        explained = automaton.explain(task, atoms)
        assert list(explained.kept) == more
        assert coarse.match_of(coarse.state(atoms)) == explained.match or not explained.pruned
        for number, level in enumerate(whole, 1):
            everywhere = actions(level, atoms)
            assert everywhere == defined(automaton, space, state, level.matches)
            assert set(more) <= set(everywhere)
            assert list(automaton.explain(task, atoms, level=number).kept) == everywhere
            more = everywhere


def check_counterexample(task: GroundTask, automaton: PolicyAutomaton, match: Match) -> Counterexample | None:
    """If an automaton fails, the reason is one of the level at which it failed."""
    failed = solve(task, heuristic="hmax", automaton=automaton, match=match, fallback="none", symmetry="off")
    if failed.solves:
        return None
    assert failed.matching is not None
    level = failed.matching.level
    best = solve(task, heuristic="hmax", symmetry="off")
    optimum = best if best.solves else None
    found = find_counterexample(automaton, task, optimum, failed=True, match=match, level=level)
    assert found is not None
    left = ConstrainedStateSpace(task, automaton, match=match, level=level)
    kept, explanation = actions(left, frozenset(found.state)), found.explanation
    assert list(explanation.kept) == kept
    assert explanation.match == left.match_of(left.state(found.state)) or not explanation.pruned
    assert explanation.last_match == (explanation.match or left.matches[-1])
    assert (found.kind == "stuck") == (not kept and bool(explanation.pruned))
    assert found.action is None or found.action in [each.action for each in explanation.pruned]
    coarse = automaton.coarsened(explanation.last_match.level)
    sources = {edge.source for edge in coarse.edges}
    assert bool(sources) == (found.near.vertex is not None)
    assert found.near.vertex is None or found.near.vertex in sources
    assert (found.near.differences == ()) == (found.near.vertex is None or explanation.seen in sources)
    if match == "coarse" and not kept:
        assert not [
            each for each in (*found.near.differences, *found.near.outcome_differences) if each.kind == "relation"
        ]
        assert not {each.here for each in found.near.differences} & {"one", "many"}
    return found


@examples(60)
@given(tasks(), st.booleans(), SHARES, st.integers(0, 1000), st.sampled_from(["strict", "coarse"]))
def test_a_counterexample_speaks_of_the_look_at_which_the_automaton_failed(
    pair: tuple[Domain, Problem], goals: bool, share: float, seed: int, match: Match
) -> None:
    space = explored(ground(*pair, cost="unit", relevance=False))
    check_counterexample(space.task, random_automaton(space, goals, share, seed), match)


@pytest.mark.parametrize("match", ["strict", "coarse"])
def test_so_it_does_in_the_benchmarks(match: Match) -> None:
    kinds = set()
    for name, theta in SMALLER.items():
        task = benchmark(name, theta)
        space = StateSpace(task)
        space.explore()
        for seed in range(6):
            for share in (0.1, 0.3, 0.6):
                found = check_counterexample(task, random_automaton(space, False, share, seed), match)
                kinds |= set() if found is None else {(found.kind, found.action is None, found.near.outcome is None)}
    assert {("stuck", True, True), ("stuck", True, False), ("trap", False, True)} <= kinds


@pytest.mark.parametrize(("name", "theta"), BENCHMARKS)
def test_states_are_counted_by_the_way_they_were_matched(name: str, theta: tuple[int, ...]) -> None:
    task, smaller = benchmark(name, theta), benchmark(name, SMALLER[name])
    automaton = learn(task.domain, [best(smaller)])
    space = ConstrainedStateSpace(task, automaton, match="coarse")
    assert space.explore(max_states=5000).complete
    acting = [state for state in range(len(space)) if not space.is_goal(state)]
    assert sum(space.matched().values()) == len(acting)
    for state in acting[:200]:
        each = space.match_of(state)
        assert (each is None) == (not space.core.transitions(state))


def empty(abstraction: CanonicalAbstraction) -> PolicyAutomaton:
    return PolicyAutomaton.empty(benchmark("gripper", (1,)).domain, abstraction=abstraction)


def test_ways_that_see_nothing_new_are_left_out() -> None:
    assert [each.name for each in empty(CanonicalAbstraction()).matches("strict")] == ["strict"]
    names = [each.name for each in empty(CanonicalAbstraction()).matches("coarse")]
    assert names == ["strict", "goals", "counts", "extents", "relations"]
    presence = empty(CanonicalAbstraction(counts="presence", relations="none")).matches("coarse")
    assert [each.name for each in presence] == ["strict", "goals"]
    assert [len(matches) for matches in empty(CanonicalAbstraction()).levels("coarse")] == [5, 3, 2, 1]
