"""Maintenance(map, places, machines, instance_seed): a technician walks from machine to machine and puts them in order.

A doubtful machine must be inspected: in half of the cases it is in order, otherwise it is broken. To repair a broken
one succeeds with probability 3/4 and may be tried again. The map is a line, a ring, a grid or a random graph with the
same predicates (`gpaplan.benchmarks.maps`). The instance seed places the technician and the machines, several of which
may be at one place, and makes each of them doubtful or broken. No state is a dead end.

Every machine needs at least one action at its place, so all those places must be visited, and that is enough. The
cost is the length of a shortest walk through all of them, 4/3 for each broken machine and 1 + 1/2 · 4/3 for each
doubtful one. The walk is found by dynamic programming over sets of places, of which there must not be too many.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from gpaplan.benchmarks.family import Family, Names, ProblemParts, atoms, lay_out
from gpaplan.benchmarks.maps import KINDS, Map, RandomChoices, make_map, object_to_map

MOST_STOPS = 12
"""The shortest walk is sought through at most so many places."""


class Layout(NamedTuple):
    """What the instance seed decides: the map, where the technician and the machines are, and which are doubtful."""

    map: Map
    start: int
    machines: tuple[int, ...]
    doubtful: tuple[bool, ...]


def lay(kind: int, places: int, machines: int, instance_seed: int) -> Layout:
    """The layout of a problem."""
    chance = RandomChoices("maintenance", kind, places, machines, instance_seed)
    roads = make_map(kind, places, chance)
    start = chance.below(places)
    located = tuple(chance.below(places) for _ in range(machines))
    return Layout(roads, start, located, tuple(chance.below(2) == 0 for _ in range(machines)))


def write_problem(names: Names, kind: int, places: int, machines: int, instance_seed: int) -> ProblemParts:
    """A map, a technician, and machines that are doubtful or broken."""
    layout = lay(kind, places, machines, instance_seed)
    place = names.number("place", places)
    machine = names.number("machine", machines)
    status = ["doubtful" if each else "broken" for each in layout.doubtful]
    return ProblemParts(
        f"Maintenance({kind}, {places}, {machines}, {instance_seed}): the technician is at {place[layout.start]}.",
        {"place": place, "machine": machine},
        [
            f"(technician-at {place[layout.start]})",
            atoms("located", (f"{name} {place[where]}" for name, where in zip(machine, layout.machines, strict=True))),
            lay_out(f"({word} {name})" for word, name in zip(status, machine, strict=True)),
            layout.map.atoms(place),
        ],
        [atoms("in-order", machine)],
    )


def shortest_walk(roads: Map, start: int, stops: Sequence[int]) -> int:
    """The length of a shortest walk from a place through all of these, ending anywhere (Held and Karp)."""
    ways = [roads.distances(stop) for stop in stops]
    ends = {(frozenset({last}), last): ways[last][start] for last in range(len(stops))}
    for _ in stops[1:]:
        longer: dict[tuple[frozenset[int], int], int] = {}
        for (visited, last), length in ends.items():
            for onward in range(len(stops)):
                if onward not in visited:
                    key, through = (visited | {onward}, onward), length + ways[last][stops[onward]]
                    longer[key] = min(through, longer.get(key, through))
        ends = longer
    return min(ends.values())


def _cost(kind: int, places: int, machines: int, instance_seed: int) -> Fraction | None:
    layout = lay(kind, places, machines, instance_seed)
    stops = sorted(set(layout.machines))
    if len(stops) > MOST_STOPS:
        return None
    work = sum((Fraction(5, 3) if doubtful else Fraction(4, 3) for doubtful in layout.doubtful), Fraction(0))
    return shortest_walk(layout.map, layout.start, stops) + work


FAMILY = Family(
    name="maintenance",
    least={"map": 1, "places": 2, "machines": 1, "instance seed": 0},
    description=f"a technician walks to machines, inspects and repairs them ({KINDS}; instance seed: what is where)",
    write_problem=write_problem,
    closed_form_cost=_cost,
    objection=lambda kind, places, _machines, _instance_seed: object_to_map(kind, places),
)
