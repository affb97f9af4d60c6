"""Growing: learns from what the automaton fails on, never loses what it has, and gives the same bytes each time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import ClassVar

import pytest
from hypothesis import given, strategies as st

from gpaplan import (
    CanonicalAbstraction,
    Instance,
    Limits,
    PolicyAutomaton,
    Solving,
    SpaceSettings,
    UsageError,
    grow,
    instances_of_generator,
    learn,
    solve,
    validate,
)
from gpaplan.learning.growth import Growth
from gpaplan.learning.solving import GROWING
from gpaplan.tasks.task import GroundAction, GroundAtom, GroundTask
from tests.examples import examples
from tests.policy_automata import of_all_actions

SMALL = {
    "gripper": ["1..9"],
    "rover": ["1", "3..4", "1..6", "2"],
    "schedule": ["1", "2..8"],
    "keva": ["3..15..2:1..7", "+", "4..16..2:1..7"],
    "delicate-can": ["2..8"],
}


def states(most: int) -> Solving:
    """A budget of states that are told apart."""
    return Solving(Limits(states=most), replace(GROWING, space=SpaceSettings(symmetry="off")))


@pytest.mark.parametrize("name", SMALL)
def test_growth_solves_larger_problems_at_the_optimal_cost(name: str) -> None:
    growth = grow(instances_of_generator(name, *SMALL[name]), patience=2)
    assert growth.stopped_by == "converged"
    assert 1 < len(growth.training) < len(growth.steps)
    largest = growth.steps[-1]
    assert largest.outcome == "sufficed"
    for step in growth.steps:
        assert step.optimum == pytest.approx(step.instance.known_cost)


@pytest.mark.parametrize("name", ["gripper", "schedule", "delicate-can"])
def test_growth_up_to_symmetry_solves_the_same_problems(name: str) -> None:
    instances = instances_of_generator(name, *SMALL[name])
    plain, growth = (
        grow(instances, patience=2, solving=Solving(settings=replace(GROWING, space=SpaceSettings(symmetry=mode))))
        for mode in ("off", "on")
    )
    assert growth.automaton == plain.automaton
    assert (plain.steps[-1].symmetry, growth.steps[-1].symmetry) == (False, True)
    assert [step.optimum for step in growth.steps] == pytest.approx([step.optimum for step in plain.steps])
    assert max(step.expanded_without or 0 for step in growth.steps) < max(s.expanded_without or 0 for s in plain.steps)
    for step in plain.steps:  # what is learned up to symmetry holds for the states themselves
        task = step.instance.task()
        found = solve(task, automaton=growth.automaton, heuristic="lmcut", fallback="none", symmetry="off")
        assert found.value == pytest.approx(step.optimum)


@pytest.mark.parametrize("name", ["schedule", "keva"])
def test_growth_is_reproducible_to_the_byte(name: str) -> None:
    first, second = (grow(instances_of_generator(name, *SMALL[name]), patience=2).automaton for _ in range(2))
    assert first.to_text() == second.to_text()


@given(sizes=st.lists(st.integers(2, 6), min_size=1, max_size=4, unique=True))
@examples(8)
def test_growing_never_loses_what_it_has(sizes: list[int]) -> None:
    """After each step all problems so far are solved without fallback at their optimal costs, in whatever order."""
    instances = [instances_of_generator("schedule", "1", str(size))[0] for size in sizes]
    seen: list[Instance] = []

    def check(_step: object, automaton: PolicyAutomaton) -> None:
        seen.append(instances[len(seen)])
        for row in validate(seen, automaton, compare=False):
            assert row.sufficed
            assert row.optimal

    grow(instances, patience=len(instances) + 1, on_step=check)
    assert len(seen) == len(instances)


def test_growth_learns_only_where_the_automaton_fails() -> None:
    instances = instances_of_generator("gripper", "1..4")
    growth = grow(instances)
    again = grow(instances, automaton=growth.automaton)
    assert [step.outcome for step in again.steps] == ["sufficed"] * 3
    assert again.stopped_by == "converged"
    assert again.automaton.to_text() == growth.automaton.to_text()


def test_a_dearer_policy_is_not_good_enough() -> None:
    """An automaton that carries one ball at a time is proper everywhere and optimal nowhere."""
    instances = instances_of_generator("gripper", "3")
    task = instances[0].task()
    everything = of_all_actions(task)
    one_hand = PolicyAutomaton(
        everything.domain_name,
        everything.vocabulary,
        everything.abstraction,
        [edge for edge in everything.edges if not _picks_a_second(str(edge.source), str(edge.action))],
    )
    dear = solve(task, heuristic="lmcut", automaton=one_hand, fallback="none")
    assert dear.proper
    assert dear.value > 9.75 + 1e-6
    (step,) = grow(instances, automaton=one_hand).steps
    assert step.outcome == "costly"
    assert step.cost == pytest.approx(dear.value)
    assert step.counterexample is not None
    assert step.counterexample.kind == "costly"
    assert step.counterexample.action is not None


def _picks_a_second(source: str, action: str) -> bool:
    return action.startswith("pick") and "held" in source


def test_too_large_problems_are_leapfrogged() -> None:
    """The optimum of the larger problems is out of reach; the automaton suffices, and they count as examples."""
    grown = grow(instances_of_generator("schedule", "1", "2..5"), patience=5).automaton
    growth = grow(instances_of_generator("schedule", "1", "6..7"), automaton=grown, solving=states(1500))
    assert [step.outcome for step in growth.steps] == ["leapfrogged"] * 2
    assert [step.optimum for step in growth.steps] == [None, None]
    assert growth.automaton == grown
    assert {example.problem for example in growth.automaton.training} >= {"schedule-1-6", "schedule-1-7"}


def test_the_fallback_is_an_example_too() -> None:
    """Blocksworld: larger towers are beyond the budget from scratch, but not for the local fallback."""
    goals = CanonicalAbstraction(goals=True)
    growth = grow(instances_of_generator("blocksworld", "2..12"), abstraction=goals, solving=states(120))
    outcomes = [step.outcome for step in growth.steps]
    assert "fallback" in outcomes
    assert outcomes[-3:] == ["leapfrogged"] * 3
    large = instances_of_generator("blocksworld", "16")
    (row,) = validate(large, growth.automaton, solving=states(2000), compare=False)
    assert row.sufficed
    assert row.cost == pytest.approx(large[0].known_cost)


class CountingAbstraction:
    """How many atoms of each predicate hold, up to three; of an action its schema."""

    name = "counting"
    options: ClassVar[dict[str, object]] = {}

    def state(self, task: GroundTask, atoms: frozenset[GroundAtom]) -> str:  # noqa: ARG002
        counts = Counter(atom.predicate for atom in atoms)
        return " ".join(f"{name}:{min(count, 3)}" for name, count in sorted(counts.items()))

    def action(self, task: GroundTask, atoms: frozenset[GroundAtom], action: GroundAction) -> str:  # noqa: ARG002
        return action.schema


def test_an_abstraction_of_ones_own_can_be_grown() -> None:
    instances = instances_of_generator("gripper", "1..6")
    growth = grow(instances, abstraction=CountingAbstraction(), solving=states(150))
    assert {step.outcome for step in growth.steps} <= {"failed", "sufficed", "leapfrogged", "fallback", "too-large"}
    assert growth.steps[0].outcome == "failed"
    (row,) = validate(instances[:1], growth.automaton, compare=False)
    assert (row.sufficed, row.optimal) == (True, True)


def test_what_is_beyond_the_budget_ends_the_growth() -> None:
    growth = grow(instances_of_generator("gripper", "1..9"), solving=states(60), patience=2)
    assert growth.stopped_by == "too-large"
    assert [step.outcome for step in growth.steps[-2:]] == ["too-large"] * 2
    assert len(growth.automaton) > 0


def test_an_interrupt_keeps_what_was_learned() -> None:
    instances = instances_of_generator("gripper", "1..6")

    def interrupted() -> Iterator[Instance]:
        yield from instances[:3]
        raise KeyboardInterrupt

    growth = grow(interrupted())
    assert growth.stopped_by == "interrupted"
    assert len(growth.steps) == 3
    assert growth.automaton == grow(instances[:3]).automaton


def test_the_time_limit_ends_the_growth() -> None:
    growth: Growth = grow(instances_of_generator("gripper", "1..12"), solving=Solving(Limits(seconds=0.2)), patience=99)
    assert growth.stopped_by in ("time-limit", "exhausted")
    assert growth.automaton.to_text()


def test_wrong_arguments_are_refused() -> None:
    instances = instances_of_generator("gripper", "1")
    with pytest.raises(UsageError, match="patience"):
        grow(instances, patience=0)
    with pytest.raises(UsageError, match="admissible"):
        grow(instances, solving=Solving(settings=replace(GROWING, heuristic="ff")))
    with pytest.raises(UsageError, match="no problems"):
        grow([])
    automaton = grow(instances).automaton
    with pytest.raises(UsageError, match="its own abstraction"):
        grow(instances, automaton=automaton, abstraction=CanonicalAbstraction(goals=True))
    with pytest.raises(UsageError, match="must be a"):
        Limits(states=0)


def test_an_empty_automaton_keeps_its_abstraction() -> None:
    """`learn` used to start from the default abstraction if the automaton it was to continue was empty."""
    (instance,) = instances_of_generator("gripper", "1")
    empty = PolicyAutomaton.empty(instance.domain, abstraction=CanonicalAbstraction(goals=True))
    learned = learn(instance.domain, [solve(instance.task(), heuristic="lmcut")], automaton=empty)
    assert learned.abstraction == CanonicalAbstraction(goals=True)
    assert any("@" in str(vertex) for vertex in learned.vertices)
