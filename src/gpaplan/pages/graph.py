"""Graphs, an automaton's or a policy's, as pictures and on pages.

A graph is plain data:

    counts      what is said above it, a list of texts
    terms       [[name, text], …]
    vertices    [{facts, marks, kind, sections}, …]; marks: initial, final, stuck, cut; kind: what it is, in words
    edges       [{source, action, label, targets, chances, sections}, …]; a chance is a text, or there are none

What is referred to by a number is at that place of its list. A section is {heading, items, note}.

Vertices stand in rows, by the least number of edges from a vertex that no other leads to; below each stand its actions,
and from these arrows lead to all that may come of them. On a page every box leads to what is known of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import pairwise
from statistics import fmean
from textwrap import wrap
from typing import Any

from gpaplan.display import SvgText, counted
from gpaplan.pages import assemble, read

_LINE, _LETTER = 13, 6.1
"""The height of a line of text, and the width of a letter."""
_MOST_FACTS, _MOST_LETTERS = 3, 34  # of a box
_GAP, _PILL = 18, 18
"""The space between things, and the height of an action."""
_HEAD = (
    '<defs><marker id="gpaplan-head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
    'orient="auto"><path class="head" d="M0 0 8 4 0 8z"/></marker></defs>'
)


@dataclass
class _Box:
    """A vertex as it is drawn, its actions below it."""

    name: str
    lines: list[str]
    title: str
    marks: Sequence[str]
    actions: list[tuple[str, str, list[int]]] = field(default_factory=list)
    """The name of each, what stands on it, and the places of its targets."""
    x: float = 0
    y: float = 0

    @property
    def width(self) -> float:
        return max(60.0, 14 + _LETTER * max(map(len, [self.name, *self.lines])))

    @property
    def height(self) -> float:
        return 10 + _LINE * (1 + len(self.lines))

    @property
    def span(self) -> float:
        """The width of the box and of the row of its actions, whichever is larger."""
        return max(self.width, sum(_pill_width(label) + 8 for _, label, _ in self.actions))

    @property
    def depth(self) -> float:
        return self.height + (_GAP + _PILL if self.actions else 0)

    @property
    def targets(self) -> list[int]:
        return [target for _, _, targets in self.actions for target in targets]

    def pills(self) -> Iterator[tuple[str, str, list[int], float, float]]:
        """The actions with the middles of what is drawn for them."""
        x = self.x - sum(_pill_width(label) + 8 for _, label, _ in self.actions) / 2
        for name, label, targets in self.actions:
            yield name, label, targets, x + (_pill_width(label) + 8) / 2, self.y + self.height + _GAP + _PILL / 2
            x += _pill_width(label) + 8


def to_svg(graph: dict[str, Any], title: str) -> SvgText:
    """A picture that stands by itself. The same graph gives the same text."""
    style = read("drawing.css").replace("\n", "")  # which holds on the whole page that a picture stands on
    head = f"<title>{_safe(title)}</title>\n<style>{style}</style>\n"
    return SvgText(_drawn(graph, 'xmlns="http://www.w3.org/2000/svg" ', head, "") + "\n")


def on_page(graph: dict[str, Any], prefix: str = "") -> str:
    """The picture for a page, whose boxes lead to what is known of them: ``#v3``, after a prefix."""
    return _drawn(graph, "", "", f"#{prefix}")


def _drawn(graph: dict[str, Any], namespace: str, head: str, link: str) -> str:
    boxes = _boxes(graph)
    width, height = _put_in_place(boxes)
    lines = [
        f'<svg {namespace}class="gpaplan-graph" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" role="img">',
        f'{head}{_HEAD}\n<rect width="100%" height="100%" fill="white"/>',
        *(part for box in boxes for part in _arrows(box, boxes)),  # an arrow goes behind what is in its way
        *(part for box in boxes for part in _shapes(box, link)),
    ]
    return "\n".join([*lines, "</svg>"])


def _put_in_place(boxes: list[_Box]) -> tuple[float, float]:
    """Gives each box its place; the width and the height of the whole."""
    rows = _rows(boxes)
    widths = [sum(boxes[i].span + 2 * _GAP for i in row) for row in rows]
    whole = max(widths, default=100.0) + 2 * _GAP
    y: float = _GAP
    for row, width in zip(rows, widths, strict=True):
        x = (whole - width) / 2
        for i in row:
            boxes[i].x, boxes[i].y = x + boxes[i].span / 2 + _GAP, y
            x += boxes[i].span + 2 * _GAP
        y += max(boxes[i].depth for i in row) + 2 * _GAP
    return whole, y


def _boxes(graph: dict[str, Any]) -> list[_Box]:
    """A vertex shows the facts that tell it from others, in words."""
    held = Counter(fact for vertex in graph["vertices"] for fact in vertex["facts"])
    boxes: list[_Box] = []
    for index, vertex in enumerate(graph["vertices"]):
        telling = [fact for fact in vertex["facts"] if held[fact] < len(graph["vertices"])] or vertex["facts"]
        more = [f"… and {len(telling) - _MOST_FACTS} more"] if len(telling) > _MOST_FACTS else []
        said = [wrap(fact, _MOST_LETTERS) for fact in telling[:_MOST_FACTS]]
        lines = [_shortened(line) for words in said for line in words] + more
        boxes.append(_Box(f"v{index}", lines, "\n".join(vertex["facts"]), vertex["marks"]))
    for index, edge in enumerate(graph["edges"]):
        boxes[edge["source"]].actions.append((f"e{index}", _shortened(edge["label"]), edge["targets"]))
    return boxes


def _shortened(text: str) -> str:
    return text if len(text) <= _MOST_LETTERS else text[: _MOST_LETTERS - 1] + "…"


def _rows(boxes: list[_Box]) -> list[list[int]]:
    """The places of the boxes, row by row; within a row each stands near those that lead to it."""
    reached = {target for i, box in enumerate(boxes) for target in box.targets if target != i}
    row_of: dict[int, int] = {}
    for start in sorted(range(len(boxes)), key=lambda i: (i in reached, not boxes[i].actions, i)):
        _walk(start, boxes, row_of)
    rows: list[list[int]] = [[] for _ in range(max(row_of.values(), default=-1) + 1)]
    for i, number in row_of.items():
        rows[number].append(i)
    for before, row in pairwise(rows):
        middle = {i: (place + 0.5) / len(before) for place, i in enumerate(before)}
        row.sort(key=lambda i: (fmean([m for j, m in middle.items() if i in boxes[j].targets] or [0.5]), i))
    return rows


def _walk(start: int, boxes: list[_Box], row_of: dict[int, int]) -> None:
    """Breadth first from a box that has no row yet."""
    queue = [start] if start not in row_of else []
    for i in queue:
        row = row_of.setdefault(i, 0)
        for target in boxes[i].targets:
            if target not in row_of:
                row_of[target] = row + 1
                queue.append(target)


def _shapes(box: _Box, link: str) -> Iterator[str]:
    left, top = box.x - box.width / 2, box.y
    inset = [0, 3] if "final" in box.marks else [0]
    frames = "".join(
        f'<rect class="box" x="{left + by:.1f}" y="{top + by:.1f}" width="{box.width - 2 * by:.1f}" '
        f'height="{box.height - 2 * by:.1f}" rx="3"/>'
        for by in inset
    )
    lines = [f'<text class="name" x="{left + 7:.1f}" y="{top + 14:.1f}">{box.name}</text>']
    lines += [
        f'<text x="{left + 7:.1f}" y="{top + 14 + _LINE * number:.1f}">{_safe(line)}</text>'
        for number, line in enumerate(box.lines, 1)
    ]
    shape = f"<title>{_safe(box.title)}</title>{frames}{''.join(lines)}"
    yield _linked(link, box.name, " ".join(["vertex", *box.marks]), shape)
    for name, label, _, x, y in box.pills():
        width = _pill_width(label)
        shape = (
            f'<rect class="pill" x="{x - width / 2:.1f}" y="{y - _PILL / 2:.1f}" width="{width:.1f}" '
            f'height="{_PILL}" rx="9"/><text x="{x:.1f}" y="{y + 3.5:.1f}" text-anchor="middle">{_safe(label)}</text>'
        )
        yield _linked(link, name, "action", shape)


def _linked(link: str, name: str, look: str, shape: str) -> str:
    if not link:
        return f"<g>{shape}</g>"
    return f'<a href="{link}{name}" class="{look}">{shape}</a>'


def _arrows(box: _Box, boxes: list[_Box]) -> Iterator[str]:
    for _, label, targets, x, y in box.pills():
        start = min(max(x, box.x - box.width / 2 + 6), box.x + box.width / 2 - 6)
        yield f'<path class="arrow" d="M{start:.1f} {box.y + box.height:.1f} {x:.1f} {y - _PILL / 2:.1f}"/>'
        for target in targets:
            yield f'<path class="arrow" marker-end="url(#gpaplan-head)" d="{_curve(box, boxes[target], x, y, label)}"/>'


def _curve(box: _Box, target: _Box, x: float, y: float, label: str) -> str:
    """From an action down to a box in a later row, or round its side to one that is not."""
    if target.y > box.y:
        half = (target.y - y) / 2
        end = target.x + max(-0.35, min(0.35, (x - target.x) / 400)) * target.width
        low = y + _PILL / 2
        return f"M{x:.1f} {low:.1f}C{x:.1f} {low + half:.1f} {end:.1f} {target.y - half:.1f} {end:.1f} {target.y:.1f}"
    side = 1 if x >= target.x else -1
    edge = x + side * _pill_width(label) / 2
    end = target.x + side * target.width * 0.42
    out = max(edge * side, (target.x + side * target.width / 2) * side) * side + side * 26
    low = target.y + target.height
    return f"M{edge:.1f} {y:.1f}C{out:.1f} {y:.1f} {out:.1f} {low + 30:.1f} {end:.1f} {low:.1f}"


def _pill_width(label: str) -> float:
    return 16 + _LETTER * len(label)


def _safe(text: str) -> str:
    """Text as it may stand in SVG and on a page: no marks, no characters that XML does not know."""
    return escape("".join(char if char.isprintable() or char == "\n" else "\N{REPLACEMENT CHARACTER}" for char in text))


# --- the page ---


def to_html(data: dict[str, Any]) -> str:
    """The page of a graph at one level or several: ``title``, ``name``, ``about``, ``empty``, ``unlisted``,
    ``training`` (rows of a table) and ``levels``, each a graph with its ``words``; ``level`` is shown first."""
    options = "".join(
        f"<option{' selected' if i == data['level'] else ''}>{_safe(each['words'])}</option>"
        for i, each in enumerate(data["levels"])
    )
    levels = "\n".join(_level(graph, data, f"level{i}-") for i, graph in enumerate(data["levels"]))
    return assemble("graph.html", title=_safe(data["name"]), name=_safe(data["title"]), options=options, levels=levels)


def _level(graph: dict[str, Any], data: dict[str, Any], prefix: str) -> str:
    schemas = Counter(edge["schema"] for edge in graph["edges"])
    overview = [
        _paragraph(" · ".join(graph["counts"])),
        _paragraph(data["about"] if graph["vertices"] else data["empty"]),
        _terms(graph["terms"]),
        *_section({"heading": "Training problems", "items": data["training"]}),
        *_section({"heading": "Edges by action", "items": [f"{name} {n}" for name, n in sorted(schemas.items())]}),
    ]
    vertices = (_vertex(graph, place, data["unlisted"], prefix) for place in range(len(graph["vertices"])))
    edges = (_edge(graph, place, prefix) for place in range(len(graph["edges"])))
    drawing = f'<div class="drawing">\n{on_page(graph, prefix)}\n</div>' if graph["vertices"] else ""
    details = "\n".join(["<section>", *overview, "</section>", *vertices, *edges])
    return f'<div class="level">\n{drawing}\n<div class="details">\n{details}\n</div>\n</div>'


def _vertex(graph: dict[str, Any], place: int, unlisted: str, prefix: str) -> str:
    vertex, edges = graph["vertices"][place], list(enumerate(graph["edges"]))
    out = [_arrow(prefix, i, each) for i, each in edges if each["source"] == place]
    into = [_arrow(prefix, i, each) for i, each in edges if place in each["targets"]]
    parts = [
        f'<section class="item" id="{prefix}v{place}"><h2>State v{place}</h2>',
        *([_paragraph(f"{vertex['kind'][0].upper()}{vertex['kind'][1:]}.")] if vertex["kind"] else []),
        *_section({"heading": "What holds", "items": vertex["facts"], "note": unlisted}),
        f"<h3>{counted(len(out), 'action')} from here</h3>{_list(out)}",
        f"<h3>{counted(len(into), 'action')} that may lead here</h3>{_list(into)}",
        *(line for section in vertex["sections"] for line in _section(section)),
    ]
    return "".join([*parts, "</section>"])


def _edge(graph: dict[str, Any], place: int, prefix: str) -> str:
    edge = graph["edges"][place]
    source = _to(prefix, f"v{edge['source']}")
    before = graph["vertices"][edge["source"]]["facts"]
    targets = []
    for i, target in enumerate(edge["targets"]):
        after = graph["vertices"][target]["facts"]
        changes = [f"no more: {fact}" for fact in before if fact not in after]
        changes += [f"now: {fact}" for fact in after if fact not in before]
        chance = f"{_safe(edge['chances'][i])}: " if edge["chances"] else ""
        targets.append(chance + _to(prefix, f"v{target}") + _list(map(_safe, changes)))
    parts = [
        f'<section class="item" id="{prefix}e{place}"><h2>Action e{place}</h2>',
        f"<p><code>{_safe(edge['action'])}</code></p>",
        f"<h3>From</h3><p>{source}</p><h3>May lead to</h3>{_list(targets)}",
        *(line for section in edge["sections"] for line in _section(section)),
    ]
    return "".join([*parts, "</section>"])


def _arrow(prefix: str, place: int, edge: dict[str, Any]) -> str:
    ends = ", ".join(_to(prefix, f"v{target}") for target in edge["targets"])
    source = _to(prefix, f"v{edge['source']}")
    return f"{source} {_to(prefix, f'e{place}', edge['action'])} → {ends}"


def _to(prefix: str, name: str, text: str = "") -> str:
    return f'<a href="#{prefix}{name}">{_safe(text or name)}</a>'


def _section(section: dict[str, Any]) -> Iterator[str]:
    if section["items"] or section.get("note"):
        yield f"<h3>{_safe(section['heading'])}</h3>{_list(map(_safe, section['items']))}"
        yield _paragraph(section["note"]) if section.get("note") else ""


def _list(items: Iterable[str]) -> str:
    """A list of what is escaped already; nothing if it is empty."""
    found = "".join(f"<li>{item}</li>" for item in items)
    return f"<ul>{found}</ul>" if found else ""


def _terms(pairs: Iterable[Sequence[str]]) -> str:
    return f"<dl>{''.join(f'<dt>{_safe(name)}</dt><dd>{_safe(text)}</dd>' for name, text in pairs)}</dl>"


def _paragraph(text: str) -> str:
    return f"<p>{_safe(text)}</p>"
