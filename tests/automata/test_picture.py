"""The picture of an automaton: all of it is there, nothing else is, and nobody's names are markup."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from itertools import combinations

import pytest

from gpaplan.automata.automaton import PolicyAutomaton
from gpaplan.automata.page import describe_vertex
from gpaplan.display import SvgText
from tests.policy_automata import HOSTILE, empty, grown, hostile, learned

NAMESPACE = "{http://www.w3.org/2000/svg}"
AUTOMATA = [learned("gripper", 1, 2, 3, 4), grown(40), hostile(), empty()]


def parts(automaton: PolicyAutomaton, tag: str, kind: str = "") -> list[ElementTree.Element]:
    """The elements of a picture with this tag and, if asked for, of this class."""
    root = ElementTree.fromstring(automaton.to_svg())
    return [each for each in root.iter(NAMESPACE + tag) if not kind or each.get("class") == kind]


@pytest.mark.parametrize("automaton", AUTOMATA, ids=lambda each: f"{len(each.vertices)}")
def test_every_vertex_action_and_target_is_drawn(automaton: PolicyAutomaton) -> None:
    names = [each.text for each in parts(automaton, "text", "name")]
    assert names == [f"v{number}" for number in range(len(automaton.vertices))]
    sources = {edge.source for edge in automaton.edges}
    assert len(parts(automaton, "rect", "box")) == len(names) + sum(each not in sources for each in automaton.vertices)
    assert len(parts(automaton, "rect", "pill")) == len(automaton.edges)
    assert len(parts(automaton, "path", "arrow")) == sum(1 + len(edge.targets) for edge in automaton.edges)


@pytest.mark.parametrize("automaton", AUTOMATA, ids=lambda each: f"{len(each.vertices)}")
def test_no_two_boxes_or_actions_overlap_and_all_are_in_the_picture(automaton: PolicyAutomaton) -> None:
    (picture,) = parts(automaton, "svg")
    places = []
    for each in (group.find(f"{NAMESPACE}rect") for group in parts(automaton, "g")):  # the outer line of each
        assert each is not None
        x, y, width, height = (float(each.get(name, "nan")) for name in ("x", "y", "width", "height"))
        places.append((x, y, x + width, y + height))
        assert min(x, y) >= 0
        assert x + width <= float(picture.get("width", "nan"))
        assert y + height <= float(picture.get("height", "nan"))
    for one, other in combinations(places, 2):
        assert one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]


def test_a_vertex_says_all_its_facts() -> None:
    automaton = learned("gripper", 1, 2, 3, 4)
    titles = [each.text for each in parts(automaton, "title")]
    assert titles[0] == "gripper: policy automaton"
    assert titles[1:] == ["\n".join(describe_vertex(label)) for label in automaton.vertices]


def test_names_are_text() -> None:
    svg = hostile().to_svg()
    assert HOSTILE not in svg
    assert "<script" not in svg
    assert "<img" not in svg
    assert parts(hostile(), "title")[0].text == f"{HOSTILE}: policy automaton"


def test_a_notebook_shows_it_and_the_same_automaton_gives_the_same_text() -> None:
    svg = learned("gripper", 1, 2).to_svg()
    assert isinstance(svg, SvgText)
    assert svg._repr_svg_() == svg == learned("gripper", 1, 2).to_svg()
    assert "<svg" not in repr(svg)
