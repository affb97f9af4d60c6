"""Where the places of a map are drawn: a grid as a grid, other maps in columns by the number of roads from one end.

A long line is folded. A map is a grid if two places with few neighbours are corners of one side: the distances from
them give coordinates in which every road is a step along an axis. In a column, places stand near their neighbours in
the column before.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import permutations

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
