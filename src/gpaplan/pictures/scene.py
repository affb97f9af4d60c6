"""Which predicates of a task are a map, towers or levels: found by rules, unless a `Look` says so.

- A *level* is a predicate that changes and relates objects to a scale, ``(fuel plane l1)``, or the only one of a scale
  that changes, if it holds of one object and moves to others, ``(battery l1)``. A scale is a static predicate whose
  pairs are one line in one direction, ``(next l0 l1)``. Two lines that an atom relates are a grid.
- Other static predicates between objects of one kind are the roads of a *map*; one that changes and can hold only where
  there is a road, ``(shut a b)``, marks them.
- Others between objects of one kind are *stacks*, ``(on a b)``, if they are a forest at the start. What can be stacked
  is no map; nor is an order, such as ``smaller``.
- One among three or more objects of one kind, ``(across a b c)``, is a *pile*: the first lies on the others.
- A predicate between objects of two kinds is a *position*: the first is in the second, if it is in one only. What has
  positions and is in none, but is the second of one other fact, ``(carrying rover s1)``, is in the first. But constants
  of which nothing else is ever said are *values*: ``(status packet served)`` is a label of the packet. So is what never
  changes, if the first has other positions that do, ``(needs patient ward)``, or the second, which nothing else is ever
  in, is itself in something, ``(fits part pump)``.
- Of three or more arguments one that is the only object of its kind is left out.
"""

from __future__ import annotations

import math
import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from itertools import cycle, permutations
from typing import Literal, get_args

from gpaplan.errors import DataError, UsageError, did_you_mean
from gpaplan.ppddl.syntax import Add, Delete, within
from gpaplan.tasks.goal import changed_predicates
from gpaplan.tasks.task import GroundAtom, GroundTask

Key = str | tuple[str, str]
"""What has a spot: an object, or a cell of a grid, as its column and its row."""
Spot = tuple[float, float]
Pairs = set[tuple[str, str]]
Depiction = Literal["map", "position", "stack", "level", "label", "hidden"]
Look = Mapping[str, Depiction]
"""What predicates are shown as, where the rules do not see it; types can be hidden too."""


def read_look(path: str | os.PathLike[str]) -> Look:
    """A `Look` from a file of TOML, such as ``road = "map"``. Raises `DataError` if it is none."""
    from gpaplan.data import parse_toml, read_text, show  # which takes long to import

    name = os.fspath(path)
    found = parse_toml(read_text(name, name, "a look"), name, "a look")
    for key, role in found.items():
        if role not in get_args(Depiction):
            raise DataError(f"{show(role)} is not known here;  there are {', '.join(get_args(Depiction))}", name, key)
    return found


def pairs_of(atoms: Iterable[GroundAtom]) -> dict[str, Pairs]:
    """The pairs of different objects that each predicate holds of."""
    found: dict[str, Pairs] = defaultdict(set)
    for predicate, names in atoms:
        if len(names) == 2 and names[0] != names[1]:
            found[predicate].add((names[0], names[1]))
    return found


def implied(pairs: Pairs) -> Pairs:
    """What two of the pairs make, one after the other."""
    after = defaultdict(set)
    for one, other in pairs:
        after[one].add(other)
    return {(a, c) for a, b in pairs for c in after.get(b, ())}


def forest_of(pairs: Pairs) -> Pairs:
    """What is directly above what, if no object is above two others or itself; else nothing."""
    direct = pairs - implied(pairs)
    below = {one: {other} for one, other in direct}
    try:
        TopologicalSorter(below).prepare()
    except CycleError:
        return set()
    return direct if len(below) == len(direct) else set()


def line_of(pairs: Pairs) -> list[str]:
    """The objects in order if the pairs are one line, in one direction or in both; else nothing."""
    both = all((b, a) in pairs for a, b in pairs)
    after: dict[str, list[str]] = defaultdict(list)
    for one, other in sorted(pairs if both else forest_of(pairs)):
        after[one].append(other)
    reached = Counter(name for each in after.values() for name in each)
    line = [name for name in after if reached[name] == both][:1]
    while line and (ahead := [name for name in after.get(line[-1], ()) if name not in line]):
        line.append(ahead[0])
    return line if len(line) > 1 and reached.total() == (len(line) - 1) * (1 + both) else []


def _upwards(line: list[str]) -> list[str]:
    """A scale with its lowest value first: if the names end in numbers, these say which it is."""
    numbers = [int(found[0]) if (found := re.search(r"\d+$", name)) else 0 for name in line]
    return line[::-1] if numbers == sorted(numbers, reverse=True) and numbers[0] else line


class Scene:
    """What the pictures of a task's states have in common."""

    def __init__(self, task: GroundTask, look: Look) -> None:
        self.task, self.look = task, look
        self.kinds = {each.name: each.types[0] for each in (*task.domain.constants, *task.problem.objects)}
        self.predicates = {each.name: [part.types for part in each.parameters] for each in task.domain.predicates}
        for name in look:
            if name not in (known := {*self.predicates, *self.kinds.values()}):
                hint = did_you_mean(name, known) or f"there are {', '.join(self.predicates)}"
                raise UsageError(f"a look names '{name}', which is not in domain '{task.domain.name}'; {hint}")
        self.changing = changed_predicates(task.domain)
        self.dull = self._dull_places()
        self.single = self._single()
        ways = Counter(tuple(self.predicates[name]) for name in self.changing)
        self.ambiguous = {name for name in self.changing if ways[tuple(self.predicates[name])] > 1}
        """Those that relate objects of the same types as others do."""
        self.static = self.shown(task.static_atoms)
        self.atoms = self.static + self.shown(task.atoms)
        self.room: dict[int, Spot] = {}
        """The largest boxes of maps so far: pictures of one scene are alike."""
        one_kind = {name: pairs for name, pairs in pairs_of(self.atoms).items() if self._is_of_one_kind(name, pairs)}
        fixed = {name: pairs for name, pairs in one_kind.items() if name not in self.changing}
        lines = {name: line for name, pairs in fixed.items() if (line := line_of(pairs))}
        self.columns, self.rows = self._axes([line for name, line in lines.items() if self._may_be(name, "map")])
        scales = [_upwards(line) for name, line in lines.items() if (line[1], line[0]) not in fixed[name]]
        axes = [{*self.columns}, {*self.rows}]
        self.levels = self._levels([line for line in scales if {*line} not in axes])
        self.off_map = {*self.columns, *self.rows, *(each for line in self.levels.values() for each in line)}
        roads = {name: one_kind[name] for name in one_kind if look.get(name, "map" if name in fixed else "") == "map"}
        orders = [
            name for name, pairs in fixed.items() if implied(pairs) and implied(pairs) <= pairs and name not in look
        ]
        roads = {n: pairs for n, pairs in roads.items() if n not in orders and not self.off_map & {a for a, _ in pairs}}
        moving = {name: pairs for name, pairs in one_kind.items() if name not in {*fixed, *look}}
        marks = [name for name, pairs in moving.items() if any(pairs <= road for road in roads.values())]
        start = pairs_of((*task.initial_state, *task.static_atoms))
        self.stacks = [name for name in moving if name not in marks and (forest_of(start[name]) or not start[name])]
        self.stacks += [name for name, role in look.items() if role == "stack"]
        self.piles = [name for name in self.predicates if self._is_pile(name)]
        stacked = {a for name in self.stacks for a, _ in one_kind.get(name, ())}
        stacked |= {each for atom in self.atoms if atom.predicate in self.piles for each in atom.arguments}
        roads = {name: pairs for name, pairs in roads.items() if name in look or not stacked & {a for a, _ in pairs}}
        dense = [
            name for name, pairs in roads.items() if len(pairs) >= max(6, len(dict(pairs)) * (len(dict(pairs)) - 1))
        ]
        drawn = [name for name in roads if name not in dense]
        self.lines = dict(zip(drawn, cycle(["road", "road dashed", "road dotted"]), strict=False))
        self.lines |= dict.fromkeys(marks, "mark")
        others = {name for name, pairs in fixed.items() if (self.off_map | stacked) & {a for a, _ in pairs}}
        self.unseen = {*roads, *marks, *(name for name in others if name not in look)}
        self.maps = self._maps(sorted({pair for pairs in roads.values() for pair in pairs}))
        self.places = {key for spots in self.maps for key in spots}
        others = {*one_kind, *self.unseen, *self.levels, *self._valued()}
        self.positions = {
            name for name in self.predicates if look.get(name, "" if name in others else "position") == "position"
        }
        self.positions -= {name for name in self.positions - self.changing if self._says_no_place(name)}
        self.movable, holding = self._placed(self.positions)
        """The kinds of things that have positions."""
        spots = {name for name, kind in self.kinds.items() if kind in holding} | self.places
        elsewhere = {atom.predicate for atom in task.atoms if not {*atom.arguments} <= spots}
        self.movers = self.single - elsewhere
        """What holds of one place and moves to others, ``(car-at p1)``."""

    def shown(self, atoms: Iterable[GroundAtom]) -> list[GroundAtom]:
        """Those that are not hidden, as they are declared: by predicate, then by objects."""
        numbers = {name: number for number, name in enumerate((*self.kinds, *self.predicates))}
        hidden = {name for name, role in self.look.items() if role == "hidden"}
        short = (GroundAtom(p, tuple(x for at, x in enumerate(o) if (p, at) not in self.dull)) for p, o in atoms)
        left = [a for a in short if not {a.predicate, *(self.kinds[x] for x in a.arguments)} & hidden]
        return sorted(left, key=lambda a: (numbers[a.predicate], [numbers[each] for each in a.arguments]))

    def _single(self) -> set[str]:
        """The predicates of which one atom holds at the start, and that some action takes from an object to another."""
        first = Counter(atom.predicate for atom in self.task.initial_state)
        found: set[str] = set()
        for effect in (schema.effect for schema in self.task.domain.schemas):
            found |= {e.atom.predicate for e in within(effect, Add)} & {
                e.atom.predicate for e in within(effect, Delete)
            }
        return {name for name in found if first[name] == 1}

    def _dull_places(self) -> set[tuple[str, int]]:
        """The places of arguments that say nothing, which are then left out of the predicates, too."""
        seen = defaultdict(set)
        for name, objects in (*self.task.static_atoms, *self.task.atoms):
            for at, each in enumerate(objects if len(objects) > 2 else ()):
                seen[name, at].add(each)
        sizes = Counter(self.kinds.values())
        dull = {place for place, (one, *others) in seen.items() if not others and sizes[self.kinds[one]] == 1}
        for name, types in self.predicates.items():
            self.predicates[name] = [each for at, each in enumerate(types) if (name, at) not in dull]
        return dull

    def _is_pile(self, predicate: str) -> bool:
        types = self.predicates[predicate]
        return len(types) > 2 and len({*types, ("object",)}) == 2 and self._may_be(predicate, "stack")

    def _valued(self) -> set[str]:
        """The predicates whose second object is a value; values have no place of their own."""
        found: dict[str, set[str]] = defaultdict(set)
        others = {each for _, names in self.atoms for each in (names if len(names) != 2 else names[:1])}
        others |= {*self.off_map, *(each.name for each in self.task.problem.objects)}
        kinds = {self.kinds[each] for each in others} | {self.kinds.get(str(each), "") for each in self.places}
        for name, objects in self.atoms:
            if len(objects) == 2 and self.kinds[objects[1]] not in kinds and self._may_be(name, "label"):
                found[name].add(objects[1])
        self.off_map |= {each for objects in found.values() for each in objects}
        return {*found}

    def _placed(self, predicates: Iterable[str]) -> tuple[set[str], set[str]]:
        """The kinds of what positions put somewhere, and of where they put it."""
        pairs = [types for name in predicates if len(types := self.predicates[name]) == 2]
        return {kind for one, _ in pairs for kind in one}, {kind for _, other in pairs for kind in other}

    def _says_no_place(self, predicate: str) -> bool:
        """Whether a predicate that never changes says something else than where things are."""
        pairs = [atom.arguments for atom in self.atoms if atom.predicate == predicate and len(atom.arguments) == 2]
        if predicate in self.look or not pairs or {other for _, other in pairs} <= self.places | self.off_map:
            return False
        moving, holding = self._placed(self.positions & self.changing)
        placed, _ = self._placed(self.positions)
        one, other = ({self.kinds[pair[at]] for pair in pairs} for at in (0, 1))
        return bool(one & moving or other & placed - holding)

    def _may_be(self, predicate: str, role: Depiction) -> bool:
        return self.look.get(predicate, role) == role

    def _is_of_one_kind(self, predicate: str, pairs: Pairs) -> bool:
        one, other = self.predicates[predicate]
        return one == other != ("object",) or not {a for a, _ in pairs}.isdisjoint(b for _, b in pairs)

    def _axes(self, lines: list[list[str]]) -> tuple[list[str], list[str]]:
        """Two lines that an atom relates, across and up."""
        for atom in self.atoms if len(lines) > 1 else ():
            met = [line for each in atom.arguments for line in lines if each in line]
            if len(met) == 2 and not {*met[0]} & {*met[1]}:
                upright = re.match("y|.*(row|floor|level|line|height)", self.kinds[met[0][0]])
                return (met[1], met[0]) if upright else (met[0], met[1])
        return [], []

    def _levels(self, scales: list[list[str]]) -> dict[str, list[str]]:
        """The scale of each level."""
        found = {}
        for name in sorted(name for name in self.changing if self._may_be(name, "level")):
            atoms = [atom.arguments for atom in self.atoms if atom.predicate == name]
            for line in scales if atoms else ():
                is_known = len(atoms[0]) == 2 or name in self.look or self._is_alone_on(line, name)
                if is_known and all(each[-1:] and each[-1] in line and not {*each[:-1]} & {*line} for each in atoms):
                    found[name] = line
        return found

    def _is_alone_on(self, line: list[str], predicate: str) -> bool:
        changing = {a.predicate for a in self.atoms if a.predicate in self.changing and {*a.arguments} & {*line}}
        return changing == {predicate} <= self.single

    def _maps(self, roads: list[tuple[str, str]]) -> list[dict[Key, Spot]]:
        """The map with the spots of its places, and the grid, which has the objects of its axes on its rim."""
        places = [name for name in self.kinds if name in {each for pair in roads for each in pair}]
        grid: dict[Key, Spot] = {name: (x, len(self.rows)) for x, name in enumerate(self.columns)}
        for y, row in enumerate(reversed(self.rows)):
            grid[row] = (-1, y)
            grid.update(((column, row), (x, y)) for x, column in enumerate(self.columns))
        return [dict(lay_out(places, roads).items()), grid]


# --- where the places of a map are drawn ---


Spots = dict[str, tuple[float, float]]
Near = Mapping[str, set[str]]

_ROW = 6
"""Places of a line that stand side by side at least."""
_CORNERS = 12
"""So many places are tried as corners of a grid; a grid without holes has four."""


def lay_out(places: Sequence[str], roads: Iterable[tuple[str, str]]) -> Spots:
    """Coordinates of places, no two nearer than one, x to the right and y down; what is not joined is side by side."""
    near: dict[str, set[str]] = {place: set() for place in places}
    for one, other in roads:
        near[one].add(other)
        near[other].add(one)
    spots: Spots = {}
    for place in places:
        if place not in spots:
            part = list(_steps_from(place, near))
            right = max((x + 1 for x, _ in spots.values()), default=0.0)
            found = _in_rows(part, near) or _folded(part, near) or _grid(part, near) or _in_columns(part, near)
            spots |= {each: (x + right, y) for each, (x, y) in found.items()}
    return spots


def _steps_from(start: str, near: Near) -> dict[str, int]:
    """The numbers of roads from a place, nearest first."""
    found = {start: 0}
    for place in (queue := [start]):
        new = sorted(near[place] - found.keys())
        found |= dict.fromkeys(new, found[place] + 1)
        queue += new
    return found


def _in_rows(places: Sequence[str], near: Near) -> Spots:
    """Places of which every two are joined; else nothing."""
    width = math.ceil(math.sqrt(1.5 * len(places)))
    complete = all(len(near[place]) == len(places) - 1 for place in places)
    return {place: (i % width, i // width) for i, place in enumerate(places)} if complete else {}


def _folded(places: Sequence[str], near: Near) -> Spots:
    """A long line in rows, every second one from right to left, so that neighbours stay neighbours; else nothing."""
    ends = [place for place in places if len(near[place]) == 1]
    if len(ends) != 2 or len(places) <= _ROW or any(len(near[place]) > 2 for place in places):
        return {}
    steps = _steps_from(ends[0], near)
    width = max(_ROW, math.ceil(math.sqrt(1.5 * len(places))))
    return {place: (width - 1 - n % width if n // width % 2 else n % width, n // width) for place, n in steps.items()}


def _grid(places: Sequence[str], near: Near) -> Spots:
    corners = {each: _steps_from(each, near) for each in sorted(places, key=lambda place: len(near[place]))[:_CORNERS]}
    for one, other in sorted(permutations(corners, 2), key=lambda pair: -corners[pair[0]][pair[1]]):
        far, back = corners[one], corners[other]
        spots = {
            each: ((far[each] - back[each] + far[other]) / 2, (far[each] + back[each] - far[other]) / 2)
            for each in places
        }
        lengths = {math.dist(spots[a], spots[b]) for a in places for b in near[a]}
        if lengths == {1.0} and len(set(spots.values())) == len(places):
            return spots
    return {}


def _in_columns(places: Sequence[str], near: Near) -> Spots:
    """From the place that is farthest from the farthest one."""
    last = list(_steps_from(places[0], near))[-1]
    columns = defaultdict(list)
    for place, steps in _steps_from(list(_steps_from(last, near))[-1], near).items():
        columns[steps].append(place)
    spots: Spots = {}
    for x, column in columns.items():
        before = {place: [spots[each][1] for each in near[place] if each in spots] for place in column}
        means = {place: sum(each) / max(1, len(each)) for place, each in before.items()}
        for number, place in enumerate(sorted(column, key=means.__getitem__)):
            spots[place] = (x, number - (len(column) - 1) / 2)
    return spots
