"""Pruning takes away what no problem needs, and nothing else."""

from __future__ import annotations

import pytest

from gpaplan import (
    Instance,
    PolicyAutomaton,
    UsageError,
    grow,
    instances_of_generator,
    prune,
    validate,
)
from gpaplan.learning.pruning import missing_training
from gpaplan.learning.solving import is_worse


def is_part(part: PolicyAutomaton, whole: PolicyAutomaton) -> bool:
    return all(set(edge.targets) <= (whole.targets(edge.source, edge.action) or set()) for edge in part.edges)


def check(part: PolicyAutomaton, whole: PolicyAutomaton, instances: list[Instance]) -> None:
    """The part is one, and solves all problems at the same cost, without fallback."""
    assert is_part(part, whole)
    before = validate(instances, whole, compare=False)
    after = validate(instances, part, compare=False)
    for one, other in zip(before, after, strict=True):
        assert other.sufficed
        assert one.cost is not None
        assert other.cost is not None
        assert not is_worse(other.cost, one.cost)


@pytest.mark.parametrize(
    ("name", "ranges"),
    [
        ("gripper", ["1..5"]),
        ("rover", ["1", "3..4", "1..4", "2"]),
        ("schedule", ["1", "2..5"]),
        ("keva", ["3..7..2:1..3"]),
        ("delicate-can", ["2..5"]),
    ],
)
def test_a_pruned_automaton_still_solves_its_training_problems(name: str, ranges: list[str]) -> None:
    instances = instances_of_generator(name, *ranges)
    whole = grow(instances, ties="all", patience=99).automaton
    result = prune(instances, whole)
    assert len(result.automaton) + len(result.removed) == len(whole)
    assert not result.unsolved
    assert not result.stopped_by
    assert all(not each.dearer for each in result.checked)
    check(result.automaton, whole, instances)


def test_all_ties_become_few_edges() -> None:
    instances = instances_of_generator("rover", "1", "3", "1..4", "2")
    everything = grow(instances, ties="all", patience=99).automaton
    harmonized = grow(instances, patience=99).automaton
    left = prune(instances, everything).automaton
    assert len(left) <= len(harmonized) < len(everything)
    again = prune(instances, left)
    assert again.automaton == left
    assert again.removed == ()


def test_no_edge_can_be_spared_afterwards() -> None:
    instances = instances_of_generator("rover", "1", "3", "1..2", "2")
    left = prune(instances, grow(instances, ties="all").automaton).automaton
    for missing in left.edges:
        smaller = PolicyAutomaton(
            left.domain_name, left.vocabulary, left.abstraction, [edge for edge in left.edges if edge != missing]
        )
        rows = validate(instances, smaller)
        assert not all(row.sufficed and row.optimal for row in rows)


def test_problems_that_are_not_solved_are_named_and_left_out() -> None:
    automaton = grow(instances_of_generator("gripper", "1..2")).automaton
    result = prune(instances_of_generator("gripper", "1..3"), automaton)
    assert result.unsolved == ("gripper-3",)
    assert [each.problem for each in result.checked] == ["gripper-1", "gripper-2"]
    with pytest.raises(UsageError, match="solves none of the 1 problem"):
        prune(instances_of_generator("gripper", "4"), automaton)


def test_training_problems_are_known_by_name() -> None:
    automaton = grow(instances_of_generator("gripper", "1..3")).automaton
    missing = missing_training(automaton, instances_of_generator("gripper", "2"))
    assert [example.problem for example in missing] == ["gripper-1", "gripper-3"]
