"""Zenotravel(cities, people, aircraft, instance_seed): aircraft bring people to other cities, and need fuel.

After the domain of this name of the competition of 2008, in our own words. Everything takes two actions, one that
starts it and one that finishes it with some probability, else must be tried again: boarding 1/2, leaving the aircraft
1/4, refuelling by one level 1/3, a flight 1/4. A fast flight is finished with probability 1/2, but needs two levels
of fuel instead of one. An aircraft does one thing at a time. There are three levels of fuel, the lowest is an empty
tank. Any city can be reached from any other, and has fuel: no state is a dead end.

The instance seed places people and aircraft, chooses a destination for each person, which is another city, and fills
the tanks.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from gpaplan.benchmarks.family import Family, Names, ProblemParts, atoms
from gpaplan.benchmarks.maps import RandomChoices

LEVELS = 3  # of fuel


class Layout(NamedTuple):
    """What the instance seed decides: the way of each person; the city and the level of fuel of each aircraft."""

    people: tuple[tuple[int, int], ...]
    aircraft: tuple[tuple[int, int], ...]


def lay(cities: int, people: int, aircraft: int, instance_seed: int) -> Layout:
    """The layout of a problem."""
    chance = RandomChoices("zenotravel", cities, people, aircraft, instance_seed)
    travels = chance.journeys(cities, people)
    return Layout(travels, tuple((chance.below(cities), chance.below(LEVELS)) for _ in range(aircraft)))


def write_problem(names: Names, cities: int, people: int, aircraft: int, instance_seed: int) -> ProblemParts:
    """People with a city and a destination, and aircraft with some fuel."""
    layout = lay(cities, people, aircraft, instance_seed)
    city, level = names.number("city", cities), names.number("level", LEVELS)
    person, plane = names.number("person", people), names.number("aircraft", aircraft)
    planes = list(zip(plane, layout.aircraft, strict=True))
    travels = list(zip(person, layout.people, strict=True))
    return ProblemParts(
        f"Zenotravel({cities}, {people}, {aircraft}, {instance_seed}): "
        f"{level[0]} is an empty tank, {level[-1]} a full one.",
        {"city": city, "person": person, "aircraft": plane, "level": level},
        [
            atoms("at", (f"{name} {city[origin]}" for name, (origin, _) in travels)),
            atoms("parked", (f"{name} {city[where]}" for name, (where, _) in planes)),
            atoms("fuel", (f"{name} {level[tank]}" for name, (_, tank) in planes)),
            atoms("ready", plane),
            atoms("below", (f"{low} {high}" for low, high in pairwise(level))),
        ],
        [atoms("at", (f"{name} {city[destination]}" for name, (_, destination) in travels))],
    )


FAMILY = Family(
    name="zenotravel",
    least={"cities": 2, "people": 1, "aircraft": 1, "instance seed": 0},
    description="aircraft that need fuel bring people to other cities (instance seed: who is where)",
    write_problem=write_problem,
)
