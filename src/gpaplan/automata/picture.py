"""A picture of an automaton that stands still: SVG, for notebooks, papers and hosts that run no scripts.

Vertices stand in rows, by the least number of edges from a vertex that no other leads to; below each stand its actions,
and from these arrows lead to all that may come of them. (`gpaplan.automata.page` is the page to be explored.)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from html import escape
from itertools import pairwise

from gpaplan.automata.abstraction import facts_of
from gpaplan.automata.automaton import Edge, PolicyAutomaton
from gpaplan.automata.drawing import describe_vertex
from gpaplan.display import SvgText

_LINE, _LETTER = 13, 6.1
"""The height of a line of text, and the width of a letter."""
_MOST_FACTS, _MOST_LETTERS = 3, 34
_GAP, _PILL = 18, 18
"""The space between things, and the height of an action."""
_LOOKS = {
    "text": "font:10px monospace;fill:#1a1a1a",
    ".name": "font-weight:bold",
    ".box": "fill:#eef5fc;stroke:#0b6e99",
    ".pill": "fill:#fff4d6;stroke:#a06a00",
    ".arrow": "fill:none;stroke:#6b7480",
    ".head": "fill:#6b7480",
}
_STYLE = "".join(f".gpaplan-automaton {which}{{{look}}}" for which, look in _LOOKS.items())
"""Styles hold on the whole page that a picture stands on, unless they say what they are for."""


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
    final: bool
    actions: list[tuple[str, list[int]]] = field(default_factory=list)
    """What each action is called, and the places of its targets."""
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
        return max(self.width, sum(_pill_width(name) + 8 for name, _ in self.actions))

    @property
    def depth(self) -> float:
        return self.height + (_GAP + _PILL if self.actions else 0)

    def pills(self) -> Iterator[tuple[str, list[int], float, float]]:
        """The actions with their targets and the middles of what is drawn for them."""
        x = self.x - sum(_pill_width(name) + 8 for name, _ in self.actions) / 2
        for name, targets in self.actions:
            yield name, targets, x + (_pill_width(name) + 8) / 2, self.y + self.height + _GAP + _PILL / 2
            x += _pill_width(name) + 8


def to_svg(automaton: PolicyAutomaton) -> SvgText:
    """The picture. The same automaton gives the same text."""
    boxes = _boxes(automaton)
    width, height = _put_in_place(boxes)
    arrows = [part for box in boxes for part in _arrows(box, boxes)]
    shapes = [part for box in boxes for part in _shapes(box)]
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="gpaplan-automaton" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" role="img">',
        f"<title>{_safe(automaton.domain_name)}: policy automaton</title>",
        f"<style>{_STYLE}</style>",
        _HEAD,
        '<rect width="100%" height="100%" fill="white"/>',
        *arrows,  # an arrow goes behind what is in its way
        *shapes,
        "</svg>",
    ]
    return SvgText("\n".join(lines) + "\n")


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


def _boxes(automaton: PolicyAutomaton) -> list[_Box]:
    place = {label: index for index, label in enumerate(automaton.vertices)}
    facts = [[str(fact) for fact in facts_of(label)] for label in automaton.vertices]
    held = Counter(fact for each in facts for fact in each)
    sources = {edge.source for edge in automaton.edges}
    boxes: list[_Box] = []
    for index, label in enumerate(automaton.vertices):
        telling = [fact for fact in facts[index] if held[fact] < len(facts)] or facts[index]
        more = [f"… and {len(telling) - _MOST_FACTS} more"] if len(telling) > _MOST_FACTS else []
        lines = [_shortened(fact) for fact in telling[:_MOST_FACTS]] + more
        boxes.append(_Box(f"v{index}", lines, "\n".join(describe_vertex(label)), label not in sources))
    for edge in automaton.edges:
        boxes[place[edge.source]].actions.append((_schema(edge), [place[target] for target in edge.targets]))
    return boxes


def _schema(edge: Edge) -> str:
    return _shortened(edge.action if isinstance(edge.action, str) else edge.action.schema)


def _shortened(text: str) -> str:
    return text if len(text) <= _MOST_LETTERS else text[: _MOST_LETTERS - 1] + "…"


def _rows(boxes: list[_Box]) -> list[list[int]]:
    """The places of the boxes, row by row; within a row each stands near those that lead to it."""
    reached = {target for i, box in enumerate(boxes) for _, each in box.actions for target in each if target != i}
    row_of: dict[int, int] = {}
    for start in sorted(range(len(boxes)), key=lambda i: (i in reached, not boxes[i].actions, i)):
        _walk(start, boxes, row_of)
    rows: list[list[int]] = [[] for _ in range(max(row_of.values(), default=-1) + 1)]
    for i, number in row_of.items():
        rows[number].append(i)
    for before, row in pairwise(rows):
        middle = {i: (place + 0.5) / len(before) for place, i in enumerate(before)}
        row.sort(key=lambda i: (_mean(m for j, m in middle.items() if any(i in t for _, t in boxes[j].actions)), i))
    return rows


def _walk(start: int, boxes: list[_Box], row_of: dict[int, int]) -> None:
    """Breadth first from a box that has no row yet."""
    queue = [start] if start not in row_of else []
    for i in queue:
        row = row_of.setdefault(i, 0)
        for target in (target for _, targets in boxes[i].actions for target in targets):
            if target not in row_of:
                row_of[target] = row + 1
                queue.append(target)


def _mean(values: Iterable[float]) -> float:
    found = list(values)
    return sum(found) / len(found) if found else 0.5


def _shapes(box: _Box) -> Iterator[str]:
    left, top = box.x - box.width / 2, box.y
    frame = f'<rect class="box" x="{left:.1f}" y="{top:.1f}" width="{box.width:.1f}" height="{box.height:.1f}" rx="3"/>'
    inner = (
        f'<rect class="box" x="{left + 3:.1f}" y="{top + 3:.1f}" width="{box.width - 6:.1f}" '
        f'height="{box.height - 6:.1f}" rx="2"/>'
    )
    lines = [f'<text class="name" x="{left + 7:.1f}" y="{top + 14:.1f}">{box.name}</text>']
    lines += [
        f'<text x="{left + 7:.1f}" y="{top + 14 + _LINE * number:.1f}">{_safe(line)}</text>'
        for number, line in enumerate(box.lines, 1)
    ]
    yield f"<g><title>{_safe(box.title)}</title>{frame}{inner if box.final else ''}{''.join(lines)}</g>"
    for name, _, x, y in box.pills():
        width = _pill_width(name)
        yield (
            f'<rect class="pill" x="{x - width / 2:.1f}" y="{y - _PILL / 2:.1f}" width="{width:.1f}" '
            f'height="{_PILL}" rx="9"/><text x="{x:.1f}" y="{y + 3.5:.1f}" text-anchor="middle">{_safe(name)}</text>'
        )


def _arrows(box: _Box, boxes: list[_Box]) -> Iterator[str]:
    for name, targets, x, y in box.pills():
        start = min(max(x, box.x - box.width / 2 + 6), box.x + box.width / 2 - 6)
        yield f'<path class="arrow" d="M{start:.1f} {box.y + box.height:.1f} {x:.1f} {y - _PILL / 2:.1f}"/>'
        for target in targets:
            yield f'<path class="arrow" marker-end="url(#gpaplan-head)" d="{_curve(box, boxes[target], x, y, name)}"/>'


def _curve(box: _Box, target: _Box, x: float, y: float, name: str) -> str:
    """From an action down to a box in a later row, or round its side to one that is not."""
    if target.y > box.y:
        half = (target.y - y) / 2
        end = target.x + max(-0.35, min(0.35, (x - target.x) / 400)) * target.width
        low = y + _PILL / 2
        return f"M{x:.1f} {low:.1f}C{x:.1f} {low + half:.1f} {end:.1f} {target.y - half:.1f} {end:.1f} {target.y:.1f}"
    side = 1 if x >= target.x else -1
    edge = x + side * _pill_width(name) / 2
    end = target.x + side * target.width * 0.42
    out = max(edge * side, (target.x + side * target.width / 2) * side) * side + side * 26
    low = target.y + target.height
    return f"M{edge:.1f} {y:.1f}C{out:.1f} {y:.1f} {out:.1f} {low + 30:.1f} {end:.1f} {low:.1f}"


def _pill_width(name: str) -> float:
    return 16 + _LETTER * len(name)


def _safe(text: str) -> str:
    """Text as it may stand in SVG: no marks, no characters that XML does not know."""
    return escape("".join(char if char.isprintable() or char == "\n" else "\N{REPLACEMENT CHARACTER}" for char in text))
