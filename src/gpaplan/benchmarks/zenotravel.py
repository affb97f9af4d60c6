"""Zenotravel(cities, people, aircraft, instance_seed): aircraft bring people to other cities, and need fuel.

After the domain of this name of the competition of 2008, in our own words. Everything takes two actions, one that
starts it and one that finishes it with some probability, else must be tried again: boarding 1/2, leaving the aircraft
1/4, refuelling by one level 1/3, a flight 1/4. A fast flight is finished with probability 1/2, but needs two levels
of fuel instead of one. An aircraft does one thing at a time. There are three levels of fuel, the lowest is an empty
tank. Any city can be reached from any other, and has fuel: no state is a dead end.

The instance seed places people and aircraft, chooses a destination for each person, which is another city, and fills
the tanks.

A state says of each aircraft where it is parked or flying to, slowly or fast, its level of fuel and what it is doing,
and of each person the city, or the aircraft and whether the person is boarding, aboard or leaving.

With one aircraft, n cities and p people: while nobody boards or leaves, each is in a city or aboard, and the aircraft
is ready with any of 3 levels of fuel, refuelling from one of 2, on a flight with one of 2 or on a fast one with 1: 8
n (n+1)^p states. While one of p boards or leaves, there are 3 n (n+1)^(p−1) each. Of the 8 n goal states those alone
are reached in which somebody has just left the aircraft, 3 for each of d different destinations. And nobody boards at
the destination while all others are at theirs, 3 states for each person, since that would start in a goal state.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from gpaplan.benchmarks.family import Family, Names, ProblemParts, atoms
from gpaplan.benchmarks.maps import RandomChoices

LEVELS = 3  # of fuel


@dataclass(frozen=True)
class Layout:
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


def _states(cities: int, people: int, aircraft: int, instance_seed: int) -> int | None:
    if aircraft > 1:
        return None
    destinations = {destination for _, destination in lay(cities, people, aircraft, instance_seed).people}
    quiet: int = 8 * cities * (cities + 1) ** people
    busy: int = 6 * people * cities * (cities + 1) ** (people - 1)
    return quiet + busy - 8 * cities + 3 * len(destinations) - 3 * people


FAMILY = Family(
    name="zenotravel",
    parameters=("cities", "people", "aircraft", "instance seed"),
    minima=(2, 1, 1, 0),
    description="aircraft that need fuel bring people to other cities (instance seed: who is where)",
    write_problem=write_problem,
    closed_form_states=_states,
)
