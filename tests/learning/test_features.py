"""What predicates contribute, and what is advised where features are too few or too many."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gpaplan import CanonicalAbstraction, Solving, SpaceSettings, grow, instances_of_generator, parse_domain
from gpaplan.benchmarks import FAMILIES
from gpaplan.concepts.vocabulary import map_relation
from gpaplan.learning.features import advise, contributions
from gpaplan.learning.solving import GROWING


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


def test_a_coarse_abstraction_is_said_to_be_so() -> None:
    """Of equal balls an automaton leaves all ways to name them, unless the search does not tell them apart."""
    instances = instances_of_generator("gripper", "1..9")
    assert advise(grow(instances)) == []
    solving = Solving(settings=replace(GROWING, space=SpaceSettings(symmetry="off")))
    (advice,) = advise(grow(instances, solving=solving), solving=solving)
    assert advice.finding == "too-coarse"
    assert [option for option, _ in advice.tried] == ["--goals"]
    assert advice.suggestion is None  # which ball is where is left open with goals too
    assert "prunes next to nothing" in str(advice)


def test_a_good_abstraction_is_left_alone() -> None:
    assert advise(grow(instances_of_generator("schedule", "1", "2..8"))) == []


def test_a_fine_abstraction_is_said_to_be_so() -> None:
    """Towers of Keva up to four levels all need new edges; some predicates could be spared."""
    growth = grow(instances_of_generator("keva", "3..9..2:1..4"))
    (advice,) = advise(growth)
    assert advice.finding == "too-fine"
    assert all(trial.learned_from < advice.current.learned_from for _, trial in advice.tried) or not advice.suggestion
    assert advice.suggestion is None or advice.suggestion.startswith("--ignore ")
    assert advice.to_json()["finding"] == "too-fine"


def test_on_a_map_concepts_are_suggested_and_no_predicate_is_ignored() -> None:
    """Without `technician-at` all places look alike: fewer edges, and no way is learned."""
    growth = grow(instances_of_generator("maintenance", "1", "3..6", "2", "3"))
    (advice,) = advise(growth)
    assert advice.suggestion == "--abstraction concepts"
    assert advice.tried == ()
    assert "roles do not tell the places of a map (by 'road') apart as to where they lead" in str(advice)
    assert "suggestion: --abstraction concepts" in str(advice)
    assert "--ignore" not in str(advice)


MAPS = {"delivery": "road", "maintenance": "road", "rover": "path", "elevators": "beside", "cosanostra": "road"}


@pytest.mark.parametrize("name", ["gripper", "schedule", "keva", "delicate-can", "blocksworld", *MAPS])
def test_what_a_map_is(name: str) -> None:
    text = FAMILIES[name].domain_text
    assert isinstance(text, str)
    assert map_relation(parse_domain(text)) == MAPS.get(name)
