"""Delivery(map, places, parcels, doors, instance_seed): a vehicle brings parcels where they belong, one at a time.

The vehicle drives along roads. It carries one parcel; to pick one up fails with probability 1/5 and may be tried
again; it can be dropped anywhere. Some roads have a door, which is shut at first and seen from both ends; to open it
fails with probability 3/10 and may be tried again, and it stays open. The map is a line, a ring, a grid or a random
graph with the same predicates (`gpaplan.benchmarks.maps`). The instance seed places the vehicle, the parcels, their
destinations, which are never where they lie, and the doors. No state is a dead end.

With one parcel the vehicle drives to it, picks it up in 5/4 tries, drives on and drops it. Without doors that is two
shortest ways. On a line the way is the only one, and each door on it is opened once, in 10/7 tries. With more parcels
there is no closed form: it can be better to drop a parcel on the way, to bring another one first.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from gpaplan.benchmarks.family import Family, Names, ProblemParts, atoms
from gpaplan.benchmarks.maps import KINDS, LINE, Map, RandomChoices, both_ways, make_map, object_to_map

PICK = Fraction(4, 5)
OPEN = Fraction(7, 10)


class Layout(NamedTuple):
    """What the instance seed decides: the map, where the vehicle is, the way of each parcel, roads with a door."""

    map: Map
    start: int
    parcels: tuple[tuple[int, int], ...]
    doors: tuple[tuple[int, int], ...]


def lay(kind: int, places: int, parcels: int, doors: int, instance_seed: int) -> Layout:
    """The layout of a problem."""
    chance = RandomChoices("delivery", kind, places, parcels, doors, instance_seed)
    roads = make_map(kind, places, chance)
    start = chance.below(places)
    pairs = chance.journeys(places, parcels)
    return Layout(roads, start, pairs, tuple(sorted(chance.sample(roads.roads, doors))))


def write_problem(names: Names, kind: int, places: int, parcels: int, doors: int, instance_seed: int) -> ProblemParts:
    """A map, a vehicle, parcels with origin and destination, and shut doors."""
    layout = lay(kind, places, parcels, doors, instance_seed)
    place = names.number("place", places)
    parcel = names.number("parcel", parcels)
    pairs = list(zip(parcel, layout.parcels, strict=True))
    return ProblemParts(
        f"Delivery({kind}, {places}, {parcels}, {doors}, {instance_seed}): the vehicle is at {place[layout.start]}.",
        {"place": place, "parcel": parcel},
        [
            f"(vehicle-at {place[layout.start]})",
            "(empty)",
            atoms("at", (f"{name} {place[origin]}" for name, (origin, _) in pairs)),
            layout.map.atoms(place),
            atoms("shut", (f"{place[one]} {place[other]}" for one, other in both_ways(layout.doors))),
        ],
        [atoms("at", (f"{name} {place[destination]}" for name, (_, destination) in pairs))],
    )


def _cost(kind: int, places: int, parcels: int, doors: int, instance_seed: int) -> Fraction | None:
    if parcels != 1 or (doors and kind != LINE):
        return None
    layout = lay(kind, places, parcels, doors, instance_seed)
    from_origin = layout.map.distances(layout.parcels[0][0])
    moves = from_origin[layout.start] + from_origin[layout.parcels[0][1]]
    stops = [layout.start, *layout.parcels[0]]
    doors_on_the_way = sum(min(stops) <= one < max(stops) for one, _ in layout.doors)
    return moves + 1 / PICK + 1 + doors_on_the_way / OPEN


def _objection(kind: int, places: int, parcels: int, doors: int, instance_seed: int) -> str | None:
    message = object_to_map(kind, places)
    if message is not None:
        return message
    roads = len(lay(kind, places, parcels, 0, instance_seed).map.roads)
    return f"'doors' must be at most {roads}, the number of roads, not {doors}" if doors > roads else None


FAMILY = Family(
    name="delivery",
    least={"map": 1, "places": 2, "parcels": 1, "doors": 0, "instance seed": 0},
    description="a vehicle brings parcels where they belong; some roads have doors "
    f"({KINDS}; instance seed: what is where)",
    write_problem=write_problem,
    closed_form_cost=_cost,
    objection=_objection,
)
