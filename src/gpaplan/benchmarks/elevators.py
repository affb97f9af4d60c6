"""Elevators(floors, positions, elevators, coins, gates, instance_seed): coins in a building with treacherous gates.

After the domain of this name of the competition of 2006, in our own words. Each floor is a row of positions. A walker
steps to a neighbouring position, into an elevator that is there, and out of it. An elevator stands in a shaft, which
is at the same position on all floors, and goes up or down by one floor, with the walker inside or not. Before some
positions stands a gate: who steps there gets through with probability 1/2, and otherwise falls back to the entrance,
the first position of the first floor. Gates can be tried again, so no state is a dead end.

The instance seed chooses the shafts, the floors at which the elevators are, where the coins lie and where the gates
are; there is none at the entrance.
"""

from __future__ import annotations

from typing import NamedTuple

from gpaplan.benchmarks.family import Family, Names, ProblemParts, atoms, neighbours
from gpaplan.benchmarks.maps import RandomChoices

Spot = tuple[int, int]
"""A floor and a position."""


class Layout(NamedTuple):
    """What the instance seed decides: position and floor of each elevator, where the coins lie, where gates are."""

    elevators: tuple[Spot, ...]
    coins: tuple[Spot, ...]
    gates: tuple[Spot, ...]


def lay(floors: int, positions: int, elevators: int, coins: int, gates: int, instance_seed: int) -> Layout:
    """The layout of a problem."""
    chance = RandomChoices("elevators", floors, positions, elevators, coins, gates, instance_seed)

    def somewhere() -> Spot:
        return chance.below(floors), chance.below(positions)

    placed = tuple(somewhere() for _ in range(elevators))
    lying = tuple(somewhere() for _ in range(coins))
    spots = [(floor, position) for floor in range(floors) for position in range(positions)]
    return Layout(placed, lying, tuple(sorted(chance.sample(spots[1:], gates))))


def write_problem(
    names: Names, floors: int, positions: int, elevators: int, coins: int, gates: int, instance_seed: int
) -> ProblemParts:
    """A building with shafts, coins and gates; the walker is at the entrance."""
    layout = lay(floors, positions, elevators, coins, gates, instance_seed)
    floor, position = names.number("floor", floors), names.number("position", positions)
    elevator, coin = names.number("elevator", elevators), names.number("coin", coins)

    def spot(where: Spot) -> str:
        return f"{floor[where[0]]} {position[where[1]]}"

    placed = list(zip(elevator, layout.elevators, strict=True))
    return ProblemParts(
        f"Elevators({floors}, {positions}, {elevators}, {coins}, {gates}, {instance_seed}): "
        f"the entrance is {spot((0, 0))}.",
        {"floor": floor, "position": position, "elevator": elevator, "coin": coin},
        [
            f"(walker-at {spot((0, 0))})",
            f"(entrance {spot((0, 0))})",
            atoms("next-floor", neighbours(floor)),
            atoms("beside", neighbours(position)),
            atoms("shaft", (f"{name} {position[shaft]}" for name, (_, shaft) in placed)),
            atoms("elevator-at", (f"{name} {floor[level]}" for name, (level, _) in placed)),
            atoms("coin-at", (f"{name} {spot(where)}" for name, where in zip(coin, layout.coins, strict=True))),
            atoms("gate", map(spot, layout.gates)),
        ],
        [atoms("collected", coin)],
    )


def _objection(
    floors: int, positions: int, _elevators: int, _coins: int, gates: int, _instance_seed: int
) -> str | None:
    most = floors * positions - 1
    return f"'gates' must be at most {most}, all but the entrance, not {gates}" if gates > most else None


FAMILY = Family(
    name="elevators",
    least={"floors": 2, "positions": 2, "elevators": 1, "coins": 1, "gates": 0, "instance seed": 0},
    description="a walker collects coins in a building with elevators and gates (instance seed: what is where)",
    write_problem=write_problem,
    objection=_objection,
)
