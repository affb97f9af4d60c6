"""How automata are shown, as far as it can be seen without a browser; tests/browser has the rest."""

from __future__ import annotations

import html
import re
import shutil
import subprocess
from collections.abc import Callable
from html.parser import HTMLParser
from types import SimpleNamespace
from typing import Any

import pytest

from gpaplan.automata.automaton import Edge, PolicyAutomaton
from gpaplan.automata.canonical import AbstractState, CanonicalAbstraction, Role
from gpaplan.automata.page import describe_vertex, page_data, summary, to_dot, to_html
from gpaplan.display import counted
from gpaplan.errors import UsageError
from gpaplan.ppddl.syntax import DomainVocabulary
from tests.policy_automata import HOSTILE, empty, grown, hostile, learned


class Elements(HTMLParser):
    """The elements of a page with their attributes, and its text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data

    def named(self, name: str) -> list[str]:
        """The values of an attribute."""
        return [str(attributes[name]) for _, attributes in self.found if name in attributes]


AUTOMATA: dict[str, Callable[[], PolicyAutomaton]] = {
    "gripper": lambda: learned("gripper", 1, 2, 3),
    "hostile": hostile,
    "empty": empty,
    "grown": lambda: grown(60),
}


@pytest.fixture(params=AUTOMATA)
def automaton(request: pytest.FixtureRequest) -> PolicyAutomaton:
    return AUTOMATA[request.param]()


# --- the page ---


def test_the_page_shows_every_vertex_and_edge_at_every_level(automaton: PolicyAutomaton) -> None:
    page = Elements(to_html(automaton))
    for level, graph in enumerate(page_data(automaton)["levels"]):
        coarse = automaton.coarsened(level)
        for vertex, label in zip(graph["vertices"], coarse.vertices, strict=True):
            assert vertex["facts"] == describe_vertex(label)
            assert tuple(vertex["sections"][0]["items"]) == coarse.covers.get(label, ())
        for record, edge in zip(graph["edges"], coarse.edges, strict=True):
            assert coarse.vertices[record["source"]] == edge.source
            assert tuple(coarse.vertices[target] for target in record["targets"]) == edge.targets
            assert record["action"] == str(edge.action)
            origins = [f"{problem}: {counted(count, 'transition')}" for problem, count in edge.origins.items()]
            assert record["sections"][-1]["items"] == origins
            assert all(origin in page.text for origin in origins)
        names = [f"level{level}-v{i}" for i in range(len(coarse.vertices))]
        names += [f"level{level}-e{i}" for i in range(len(coarse.edges))]
        assert [name for name in page.named("id") if name.startswith(f"level{level}-")] == names
    boxes = {f"#{name}" for name in page.named("id") if name.startswith("level") and "-" in name}
    assert set(page.named("href")) == boxes, "every box leads to what is known of it, and no link to anything else"


def test_the_page_has_the_degrees_of_coarseness_in_words() -> None:
    automaton = learned("gripper", 1, 2, 3)
    data = page_data(automaton)
    assert [graph["words"] for graph in data["levels"]] == [
        "exactly",
        "without regard to how many objects play a role",
        "without regard to numbers, of objects and of what relations hold for",
        "by roles alone",
    ]
    sizes = [len(graph["vertices"]) for graph in data["levels"]]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] > sizes[-1]
    assert [page_data(automaton, level)["level"] for level in range(4)] == [0, 1, 2, 3]
    with pytest.raises(UsageError, match="4 levels"):
        automaton.to_html(level=4)


def test_degrees_that_see_the_same_are_one() -> None:
    base = learned("gripper", 1)
    coarse = base.coarsened(1)
    assert [graph["words"] for graph in page_data(coarse)["levels"]] == [
        "exactly",
        "without regard to numbers, of objects and of what relations hold for",
        "by roles alone",
    ]
    assert page_data(coarse, 1)["level"] == 0


def test_the_page_of_an_equal_automaton_is_the_same(automaton: PolicyAutomaton) -> None:
    again = PolicyAutomaton(
        automaton.domain_name,
        automaton.vocabulary,
        automaton.abstraction,
        reversed(automaton.edges),
        training=reversed(automaton.training),
        covers=dict(reversed(automaton.covers.items())),
        settings=automaton.settings,
    )
    assert to_html(again) == to_html(automaton)


def test_the_page_needs_nothing_else(automaton: PolicyAutomaton) -> None:
    page = to_html(automaton)
    assert not re.search(r"https?://", page)
    assert not re.search(r"@import|url\((?!#)", page)
    for tag, attributes in Elements(page).found:
        assert tag not in {"link", "iframe", "object", "embed", "base", "img"}
        assert not {"src", "action", "style"} & set(attributes), tag
        assert str(attributes.get("href", "#")).startswith("#")
    policies = [attributes for _, attributes in Elements(page).found if "http-equiv" in attributes]
    assert policies[0]["content"] is not None
    assert policies[0]["content"].startswith("default-src 'none'; ")
    assert "unsafe" not in policies[0]["content"]


def test_names_are_no_markup() -> None:
    page = to_html(hostile())
    assert HOSTILE not in page
    assert "<script>window" not in page
    assert "<img" not in page
    assert {tag for tag, _ in Elements(page).found} <= {
        tag for tag, _ in Elements(to_html(AUTOMATA["gripper"]())).found
    }


def test_the_page_is_text_that_can_be_written() -> None:
    """A lone surrogate may stand in a JSON file; it must not stop the page from being written."""
    automaton = PolicyAutomaton("\ud800\u2028\0", DomainVocabulary((), (), (), ()), CanonicalAbstraction())
    assert to_html(automaton).encode()


def test_an_abstraction_of_ones_own_is_shown_by_its_texts() -> None:
    abstraction: Any = SimpleNamespace(name="own", version=1, options={})
    edges = [Edge("few left", "take", ("none left",))]
    automaton = PolicyAutomaton("own", DomainVocabulary((), (), (), ()), abstraction, edges)
    (graph,) = page_data(automaton)["levels"]
    assert [vertex["facts"] for vertex in graph["vertices"]] == [["few left"], ["none left"]]
    assert graph["edges"][0]["schema"] == "take"
    assert [section["heading"] for section in graph["edges"][0]["sections"]] == ["Learned from"]


def test_in_a_notebook_the_page_is_in_a_frame() -> None:
    for automaton in (learned("gripper", 1, 2, 3), hostile()):
        frame = Elements(automaton._repr_html_()).found
        assert [tag for tag, _ in frame] == ["iframe"]
        assert frame[0][1]["srcdoc"] == to_html(automaton)
        assert frame[0][1]["sandbox"] == "allow-scripts"
        assert html.unescape(str(frame[0][1]["title"])) == html.unescape(repr(automaton))


# --- words ---


def test_a_vertex_in_words() -> None:
    ball, room = Role(("ball",)), Role(("=home", "room:type"))
    todo = Role(("!in/1", "@in/1"))
    label = AbstractState(
        ((room, "one"), (todo, "one"), (ball, "many"), (Role(()), "many")),
        ("!clean/0", "@clean/0", "night"),
        (("in", (ball, room), "some"), ("in", (todo, room), "all")),
    )
    assert describe_vertex(label) == [
        "clean is still to be achieved",
        "clean is part of the goal",
        "night holds",
        "one object: the constant home, of type room",
        "one object: argument 1 of a goal in still to be achieved, argument 1 of a goal in",
        "several objects: ball",
        "several objects: no feature",
        "in holds for some, but not all, of ({ball}, {=home, room:type})",
        "in holds for all of ({!in/1, @in/1}, {=home, room:type})",
    ]


def test_the_summary_counts() -> None:
    automaton = learned("gripper", 1, 2, 3)
    text = summary(automaton)
    assert "automaton for domain 'gripper'" in text
    assert f"vertices     {len(automaton.vertices)}" in text
    assert f"edges        {len(automaton.edges)}  " in text
    for example in automaton.training:
        assert f"{example.problem}: {example.states} states, expected cost {example.cost:g}" in text
    assert "vertices     0" in summary(empty())


# --- Graphviz ---


def test_dot_has_every_vertex_edge_and_target(automaton: PolicyAutomaton) -> None:
    lines = to_dot(automaton).splitlines()
    assert sum(bool(re.match(r"  v\d+ \[label=", line)) for line in lines) == len(automaton.vertices)
    assert sum(bool(re.match(r"  e\d+ \[label=", line)) for line in lines) == len(automaton.edges)
    joined = [tuple(map(int, pair)) for line in lines for pair in re.findall(r"^  e(\d+) -> v(\d+);$", line)]
    number = {label: index for index, label in enumerate(automaton.vertices)}
    assert joined == [(i, number[target]) for i, edge in enumerate(automaton.edges) for target in edge.targets]
    goals = sum("peripheries=2" in line for line in lines)
    assert goals == len(set(automaton.vertices) - {edge.source for edge in automaton.edges})


def test_dot_escapes_names() -> None:
    text = to_dot(hostile())
    for line in text.splitlines():
        unescaped = re.sub(r"\\.", "", line)
        assert unescaped.count('"') % 2 == 0, line


@pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")
def test_graphviz_reads_it(automaton: PolicyAutomaton) -> None:
    run = subprocess.run(["dot", "-Tplain"], input=to_dot(automaton), capture_output=True, text=True, check=True)
    assert run.stderr == ""
    assert run.stdout.count("\nnode ") == len(automaton.vertices) + len(automaton.edges)
