"""Maps and random choices: what the families share whose problems differ in more than their size.

A *map* has places, numbered from 0, and roads between them that lead both ways. Its kind is a number of θ: on a line,
a ring, a grid or a random graph the predicates are the same, so that what is learned on one of them can be tried on
the others. All maps are connected.

The *instance seed* is the last number of θ. It says which of the random problems of a size is meant, so that every
command that takes a range for θ can take several of them, and so that a closed form can be given for each. The seed of
a benchmark permutes names here as everywhere.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import isqrt
from typing import TypeVar

from gpaplan.benchmarks.family import atoms

Item = TypeVar("Item")

LINE, RING, GRID, RANDOM = 1, 2, 3, 4

KINDS = "map 1: line, 2: ring, 3: grid, 4: random"
"""For the description of a family."""


class RandomChoices:
    """Random choices that depend on nothing but what they are made for, such as a family's name and θ."""

    def __init__(self, *purpose: object) -> None:
        self._random = random.Random(" ".join(map(str, purpose)))

    def below(self, count: int) -> int:
        """A number from 0 to count − 1."""
        return int(self._random.random() * count)

    def shuffle(self, items: Sequence[Item]) -> list[Item]:
        """The items in random order."""
        left, shuffled = list(items), []
        while left:
            shuffled.append(left.pop(self.below(len(left))))
        return shuffled

    def sample(self, items: Sequence[Item], count: int) -> list[Item]:
        """So many of the items, none of them twice, in random order."""
        return self.shuffle(items)[:count]

    def journeys(self, places: int, count: int) -> tuple[tuple[int, int], ...]:
        """So many pairs of an origin and another place, the destination."""
        origins = ((self.below(places), 1 + self.below(places - 1)) for _ in range(count))
        return tuple((origin, (origin + step) % places) for origin, step in origins)


def both_ways(roads: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The roads in both directions."""
    return [way for start, end in roads for way in ((start, end), (end, start))]


@dataclass(frozen=True)
class Map:
    """Places, numbered from 0, and roads that lead both ways, each given once."""

    places: int
    roads: tuple[tuple[int, int], ...]

    def atoms(self, names: Sequence[str]) -> str:
        """The roads in both directions, in PPDDL."""
        return atoms("road", (f"{names[start]} {names[end]}" for start, end in both_ways(self.roads)))

    def distances(self, start: int) -> list[int]:
        """The number of roads from a place to each place."""
        neighbours: list[list[int]] = [[] for _ in range(self.places)]
        for one, other in both_ways(self.roads):
            neighbours[one].append(other)
        found = {start: 0}
        queue = [start]
        for place in queue:
            for other in neighbours[place]:
                if other not in found:
                    found[other] = found[place] + 1
                    queue.append(other)
        return [found[place] for place in range(self.places)]


def make_map(kind: int, places: int, instance_seed: RandomChoices) -> Map:
    """A map of this kind; only a random one depends on the instance seed."""
    line = [(place, place + 1) for place in range(places - 1)]
    if kind == LINE:
        return Map(places, tuple(line))
    if kind == RING:
        return Map(places, (*line, (0, places - 1)))
    if kind == GRID:
        return Map(places, tuple(_grid(places)))
    return Map(places, tuple(_random(places, instance_seed)))


def _grid(places: int) -> list[tuple[int, int]]:
    """Rows as long as the side of the smallest square with room for all places; the last one may be shorter."""
    width = isqrt(places - 1) + 1
    across = [(place, place + 1) for place in range(places - 1) if (place + 1) % width]
    down = [(place, place + width) for place in range(places - width)]
    return sorted(across + down)


def _random(places: int, instance_seed: RandomChoices) -> list[tuple[int, int]]:
    """A random tree, and half as many more roads as there are places, as far as there is room for them."""
    roads = {(instance_seed.below(place), place) for place in range(1, places)}
    room = places * (places - 1) // 2 - len(roads)
    more = min(places // 2, room)
    while more:
        one, other = instance_seed.below(places), instance_seed.below(places)
        if one < other and (one, other) not in roads:
            roads.add((one, other))
            more -= 1
    return sorted(roads)


def object_to_map(kind: int, places: int) -> str | None:
    """What speaks against such a map, for `Family.objection`."""
    if kind > RANDOM:
        return f"'map' must be 1 (line), 2 (ring), 3 (grid) or 4 (random), not {kind}"
    if kind == RING and places < 3:
        return f"a ring has at least 3 'places', not {places}"
    return None
