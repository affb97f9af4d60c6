"""Pictures of states, as SVG: facts about no object, maps with what is there, a row for each type with the others.

What is asked for and does not hold stands, dashed, where it is to hold. Names may come from anybody: all pass `_safe`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from graphlib import CycleError, TopologicalSorter
from html import escape
from typing import NamedTuple

from gpaplan.display import SvgText, counted
from gpaplan.pictures.scene import Key, Look, Scene, Spot, forest_of, pairs_of
from gpaplan.tasks.grounding import AnyTask, given_task
from gpaplan.tasks.task import AnyAtom, GroundAtom

_ROW, _INNER, _MOST = 900, 150, 40
"""How wide a row of objects may be, and a row of what is in one; how many are shown before the others are counted."""
_LOOKS = """text{font:11px ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace;fill:#1b1f24}
.name{font-weight:700} .faint{fill:#59636e} .on-fact{fill:#fff} .on-mover{fill:#fff} .on-goal{fill:#b34300}
.box{stroke:#7d8894} .planned{fill:#fff;stroke-dasharray:4 3}
.place{fill:#fff;stroke:#0072b2} .here{fill:#cfe6f5;stroke:#0072b2} .ground{fill:#fff}
.fact{fill:#0072b2} .mover{fill:#1b1f24} .static{fill:#e8ebee}
.goal{fill:#fff;stroke:#cc4c00;stroke-width:1.4;stroke-dasharray:4 3}
path{fill:none} .road{stroke:#9aa4af;stroke-width:2} .dashed{stroke:#8250df;stroke-dasharray:7 4}
.dotted{stroke:#1a7f37;stroke-dasharray:2 3} .mark{stroke:#cc4c00;stroke-width:4;stroke-dasharray:3 3}
.one-way{marker-mid:url(#gpaplan-way)} marker path{fill:#7d8894}
.kind0{fill:#d9ecf9} .kind1{fill:#fdebc8} .kind2{fill:#d8f0e4} .kind3{fill:#f6dcec}
.kind4{fill:#e6e2f7} .kind5{fill:#e3eccb}"""
_ARROW = (
    '<marker id="gpaplan-way" viewBox="0 0 8 8" refX="5" refY="4" markerWidth="12" markerHeight="12" '
    'markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0 8 4 0 8z"/></marker>'
)
_STYLE = "".join(f".gpaplan-state {rule}}}" for rule in _LOOKS.replace("\n", " ").split("}")[:-1])
"""Styles hold on the whole page that a picture stands on, unless they say what they are for."""


class _Item(NamedTuple):
    """A part of a picture: its size, and its SVG with the upper left corner at the origin."""

    width: float
    height: float
    svg: str


def _safe(text: str) -> str:
    """Text as it may stand in SVG: no marks, no characters that XML does not know."""
    return escape("".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text))


def _words(text: str, marks: str = "faint") -> _Item:
    """A line of text; a long one is cut, and whole as a tool tip."""
    shown = text if len(text) <= 30 else text[:29] + "…"
    tip = "" if shown == text else f"<title>{_safe(text)}</title>"
    return _Item(6.7 * len(shown), 15 if text else 0, f'<text class="{marks}" y="11.5">{tip}{_safe(shown)}</text>')


def _at(item: _Item, x: float, y: float) -> str:
    return f'<g transform="translate({x:.1f} {y:.1f})">{item.svg}</g>'


def _box(inner: _Item, marks: str, least: Spot = (0, 0), pad: int = 3) -> _Item:
    width, height = max(least[0], inner.width + 10), max(least[1], inner.height + 2 * pad)
    frame = f'<rect class="{marks}" width="{width:.1f}" height="{height:.1f}" rx="{9 / pad:.0f}"/>'
    return _Item(width, height, frame + _at(inner, 5, pad))


def _chip(text: str, marks: str) -> _Item:
    return _box(_words(text, f"on-{marks}"), marks, pad=1)


def _bar(name: str, value: str, scale: list[str]) -> _Item:
    """How far up its scale something is."""
    sizes = {"place": 60, "fact": 60 * scale.index(value) / (len(scale) - 1)}
    drawn = "".join(f'<rect class="{marks}" y="2" width="{size:.1f}" height="11"/>' for marks, size in sizes.items())
    return _flow([_words(name), _Item(60, 15, drawn), _words(value, "")], _ROW)


def _flow(items: Iterable[_Item], most: float = 0, gap: float = 4) -> _Item:
    """Parts in rows no wider than ``most``, those of a row on one base; without it, below each other."""
    shown = [item for item in items if item.height]
    if len(shown) > _MOST:
        shown[_MOST:] = [_words(f"… and {len(shown) - _MOST} more")]
    rows: list[list[_Item]] = []
    for item in shown:
        if rows and sum(each.width + gap for each in rows[-1]) + item.width <= most:
            rows[-1].append(item)
        else:
            rows.append([item])
    width = y = 0.0
    parts = []
    for row in rows:
        height, x = max(item.height for item in row), 0.0
        for item in row:
            parts.append(_at(item, x, y + height - item.height))
            x += item.width + gap
        width, y = max(width, x - gap), y + height + gap
    return _Item(width, max(0.0, y - gap), "".join(parts))


def _line(start: Spot, end: Spot, marks: str, bend: float = 0) -> str:
    """A road, whose middle is moved to the right by so much."""
    middle = (start[0] + end[0]) / 2 + bend, (start[1] + end[1]) / 2
    return f'<path class="{marks}" d="M{"L".join(f"{x:.1f} {y:.1f}" for x, y in (start, middle, end))}"/>'


def draw(task: AnyTask, state: Iterable[AnyAtom] | None = None, *, look: Look | None = None) -> SvgText:
    """A picture of a state, given by its fluent atoms, as SVG that a notebook shows; the initial state without one."""
    task = given_task(task)
    whole = task if state is None else task.with_initial_state(state)
    return draw_in(Scene(task, look or {}), whole.initial_state)


def draw_in(scene: Scene, state: frozenset[GroundAtom]) -> SvgText:
    """The same, where places keep their spots, and boxes the size that they had in earlier pictures of the scene."""
    return _Drawing(scene, state).picture()


class _Drawing:
    """What one state puts where."""

    def __init__(self, scene: Scene, state: frozenset[GroundAtom]) -> None:
        self.scene = scene
        self.colours = {kind: f"kind{number % 6}" for number, kind in enumerate(dict.fromkeys(scene.kinds.values()))}
        places = [name for name in scene.kinds if name in scene.places - scene.off_map]
        self.regions: dict[Key, str] = {name: self.colours[scene.kinds[name]] for name in places}
        if len({*self.regions.values()}) == 1:
            self.regions = {}  # which would say nothing
        self.labels: dict[Key, list[_Item]] = defaultdict(list)
        self.things: dict[Key, list[str]] = defaultdict(list)
        self.above: dict[str, list[str]] = defaultdict(list)
        self.where: dict[str, tuple[Key, str]] = {}
        """Of each object that is somewhere: where, and the predicate that says so."""
        atoms = scene.shown(state) + scene.static
        self.pairs = pairs_of(atoms)
        for predicate in scene.stacks:
            for one, other in sorted(forest_of(self.pairs[predicate])):
                self.above[other].append(one)
                self.where[one] = (other, predicate)
        self.layers = self._layers(atoms)
        piled = {each for layer in self.layers for each in layer}
        self.planned = set() if scene.changing.intersection(scene.piles) else piled
        """What lies on what in the end only, as piles never change."""
        self.where |= dict.fromkeys(piled, ("", ""))
        self.cells: dict[str, dict[bool, str]] = defaultdict(dict)
        for _, names in atoms:  # what one relation puts into a column and another into a row
            if len(names) == 2 and names[1] in scene.columns + scene.rows:
                self.cells[names[0]][names[1] in scene.rows] = names[1]
        often = Counter((atom.predicate, atom.arguments[:1]) for atom in atoms)
        for atom in sorted(atoms, key=lambda atom: self._target(atom)[0] not in scene.places):
            self._show(atom, often[atom.predicate, atom.arguments[:1]] == 1)
        self.reached, holds = scene.task.is_goal(state), {*state, *scene.task.static_atoms}
        self.unmet = [] if self.reached else [atom for atom in scene.task.goal_atoms if atom not in holds]
        for atom in scene.shown(self.unmet):
            key, rest, inside = self._target(atom)
            self.labels[key].append(_chip(" ".join(["goal:", *([] if inside and rest else [atom[0]]), *rest]), "goal"))
        self.here = {atom.arguments[0] for atom in state if len(atom.arguments) == 1}

    def _target(self, atom: GroundAtom) -> tuple[Key, list[str], bool]:
        """Where an atom is shown, with which other objects, and whether it says that these are there."""
        scene, (predicate, names) = self.scene, atom
        across, up = ([name for name in names if name in axis] for axis in (scene.columns, scene.rows))
        if len(across) == len(up) == 1:
            return (across[0], up[0]), [name for name in names if name not in across + up], True
        if len(names) == 2 and predicate in scene.positions and names[0] not in scene.places:
            cell = self.cells[names[0]] if across or up else {}
            return (cell[False], cell[True]) if len(cell) == 2 else names[1], [names[0]], True
        return names[0] if names else "", [*names[1:]], False

    def _show(self, atom: GroundAtom, alone: bool) -> None:
        """Put a thing where an atom says it is, unless it is elsewhere; show any other fact as a bar or a label."""
        scene, (predicate, names) = self.scene, atom
        key, rest, inside = self._target(atom)
        if predicate in scene.unseen or (predicate in scene.stacks and names[0] in self.where):
            return
        if predicate in scene.piles and sorted(names[1:]) in map(sorted, self.layers):  # which is there to be seen
            return
        if predicate in scene.levels:
            self.labels[key if rest else ""].append(_bar(predicate, names[-1], scene.levels[predicate]))
            return
        if inside and len(rest) == 1 and alone:
            if self._put(rest[0], key, predicate):
                return
            if isinstance(key, tuple) and self.where[rest[0]][0] == key:
                return
            is_held = isinstance(key, str) and scene.kinds[key] in scene.movable and key not in scene.places
            if is_held and self._put(str(key), rest[0], predicate):
                return
        if inside and key not in scene.places:
            key, rest = names[0], [*names[1:]]
        marks = "fact" if predicate in scene.changing else "static"
        marks = "mover" if predicate in scene.movers else marks
        self.labels[key].append(_chip(" ".join([predicate, *rest]), marks))

    def _layers(self, atoms: Iterable[GroundAtom]) -> list[list[str]]:
        """What lies on others, and what is below, in layers from below; nothing if something lies on itself."""
        below = {names[0]: names[1:] for predicate, names in atoms if predicate in self.scene.piles}
        height: dict[str, int] = {}
        try:
            for name in TopologicalSorter(below).static_order():
                height[name] = max((height[each] + 1 for each in below.get(name, ())), default=0)
        except CycleError:
            return []
        names = [name for name in self.scene.kinds if name in height]
        return [[name for name in names if height[name] == at] for at in range(max(height.values(), default=-1) + 1)]

    def _put(self, name: str, key: Key, predicate: str) -> bool:
        """Put a thing somewhere, unless it is elsewhere, or what it is put into is in it."""
        around = key
        while around != name and isinstance(around, str) and around in self.where:
            around = self.where[around][0]
        if name in self.where or around == name:
            return False
        self.where[name] = (key, predicate)
        self.things[key].append(name)
        return True

    def _inner(self, key: Key, title: _Item) -> _Item:
        return _flow([title, _flow(self.labels[key], _INNER), _flow(map(self._card, self.things[key]), _INNER)])

    def _card(self, name: str) -> _Item:
        """An object, with what is in it, and on top of it what is above it."""
        title = [_words(name, "name")]
        if name in self.where and self.where[name][1] in self.scene.ambiguous:
            title.append(_words(self.where[name][1]))
        is_planned = name in self.planned and any(atom.arguments[:1] == (name,) for atom in self.unmet)
        marks = "box planned" if is_planned else f"box {self.colours[self.scene.kinds[name]]}"
        card = _box(self._inner(name, _flow(title, _ROW)), marks)
        return _flow([_flow(map(self._card, self.above[name]), _ROW), card], gap=0)

    def picture(self) -> SvgText:
        """The whole picture."""
        task, count = self.scene.task, len(self.unmet)
        goal = "the goal is reached" if self.reached else "the goal is not reached"
        goal = f"{count} of {counted(len(task.goal_atoms), 'goal')} unmet" if count else goal
        head = [_words(task.problem.name, "name"), _words(goal, "faint" if self.reached else "on-goal")]
        maps = (self._map(number, spots) for number, spots in enumerate(self.scene.maps) if spots)
        pile = _flow((_flow(map(self._card, layer), _ROW, 0) for layer in reversed(self.layers)), gap=0)
        parts = [_flow(head, _ROW, 14), _flow(self.labels[""], _ROW), *maps, pile, *self._rows(), self._legend()]
        whole = _box(_flow(parts, gap=12), "ground")
        width, height = f"{whole.width:.0f}", f"{whole.height:.0f}"
        return SvgText(
            f'<svg xmlns="http://www.w3.org/2000/svg" class="gpaplan-state" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}" role="img"><style>{_STYLE}</style>{_ARROW}{whole.svg}</svg>\n'
        )

    def _map(self, number: int, spots: dict[Key, Spot]) -> _Item:
        """The map, or the grid, all boxes as large as the largest one in this or in an earlier picture."""
        inner = {key: self._inner(key, _words(key if isinstance(key, str) else "")) for key in spots}
        sizes = [self.scene.room.get(number, (60.0, 30.0)), *((e.width + 10, e.height + 6) for e in inner.values())]
        wide, high = self.scene.room[number] = max(size[0] for size in sizes), max(size[1] for size in sizes)
        gap = 4 if number else 34
        left, top = (min(spot[axis] for spot in spots.values()) for axis in (0, 1))
        at = {key: ((x - left) * (wide + gap), (y - top) * (high + gap)) for key, (x, y) in spots.items()}
        middle = {key: (x + wide / 2, y + high / 2) for key, (x, y) in at.items()}
        parts, room = [], 0.0
        for name, marks in self.scene.lines.items():
            for one, other in sorted(pair for pair in self.pairs[name] if pair[0] in spots):
                both = (other, one) in self.pairs[name]
                far = spots[one][0] == spots[other][0] and abs(spots[one][1] - spots[other][1]) > 1
                room = max(room, at[one][0] + wide + gap / 2) if far else room
                if not both or one < other:
                    way = marks if both else f"{marks} one-way"
                    parts.append(_line(middle[one], middle[other], way, wide / 2 + gap / 2 if far else 0))
        for key, each in inner.items():
            here = isinstance(key, tuple) and self.here.issuperset(key)
            marks = (
                "here"
                if here
                else "ground"
                if key in self.scene.off_map
                else f"place {self.regions.get(key, '')}".strip()
            )
            parts.append(_at(_box(each, marks, (wide, high)), *at[key]))
        right, low = (max(spot[axis] for spot in at.values()) for axis in (0, 1))
        return _Item(max(right + wide, room), low + high, "".join(parts))

    def _rows(self) -> Iterator[_Item]:
        """A row for each type with the objects that are nowhere else, but for those that nothing is ever said of."""
        kinds = self.scene.kinds
        used = {name for atom in (*self.scene.atoms, *self.scene.shown(self.unmet)) for name in atom.arguments}
        left = [name for name in kinds if name in used - self.where.keys() - self.scene.places - self.scene.off_map]
        for kind in dict.fromkeys(kinds[name] for name in left):
            cards = [self._card(name) for name in left if kinds[name] == kind]
            yield _flow([_words(kind), _flow(cards, _ROW, 8)])

    def _legend(self) -> _Item:
        """What colours and lines mean."""
        inside = {self.scene.kinds[str(name)] for name in (*self.where, *self.regions)}
        items = [(_box(_Item(4, 8, ""), f"box {each}"), kind) for kind, each in self.colours.items() if kind in inside]
        items += [(_Item(26, 12, _line((0, 6), (26, 6), marks)), name) for name, marks in self.scene.lines.items()]
        items += [(_Item(0, 0, ""), f"stacked: {name}") for name in self.scene.stacks if self.pairs[name]]
        return _flow((_flow([drawn, _words(name)], _ROW) for drawn, name in items), _ROW, 14)
