"""What predicates contribute."""

from __future__ import annotations

from gpaplan import CanonicalAbstraction, grow, instances_of_generator
from gpaplan.learning.features import contributions


def test_contributions_compare_the_same_problems() -> None:
    instances = instances_of_generator("gripper", "1..4")
    base, rows = contributions(instances)
    assert base.problems == 4
    assert base.edges == len(grow(instances, patience=9).automaton)
    assert {row.predicate: row.kind for row in rows} == {
        "robot-in": "role",
        "ball-in": "relation",
        "held": "relation",
        "free": "role",
    }
    for row in rows:
        assert row.without.abstraction == CanonicalAbstraction(ignore=(row.predicate,))
        assert row.without.edges <= base.edges
        assert row.without.learned_from <= base.learned_from


def test_features_that_matter_are_told_from_those_that_do_not() -> None:
    """Rover without `imaged` prunes little; in Delicate Can `crushed`, which is history, only makes for more edges."""
    base, rows = contributions(instances_of_generator("rover", "1", "3", "1..4", "2"))
    assert {row.predicate: row.without.states for row in rows}["imaged"] > 2 * base.states
    base, rows = contributions(instances_of_generator("delicate-can", "2..5", relevance=False))
    crushed = {row.predicate: row.without for row in rows}["crushed"]
    assert crushed.states == base.states
    assert crushed.edges < base.edges / 2
    assert crushed.learned_from < base.learned_from
