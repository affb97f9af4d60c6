"""Rectangle-tireworld(size, lanes, dangers, instance_seed): a car crosses a square from one corner to the opposite one.

After the domain of this name of the competition of 2008, in our own words. The car drives to a neighbouring field,
along its row or its column. In one of the safe rows, or safe columns, that is sure, elsewhere it fails with
probability 1/5, and the car stays. A short cut to the diagonal neighbour is faster, but wrecks the car with
probability 1/5. Whatever it does, a car that leaves a dangerous field is wrecked. A wrecked car never moves again;
the car must arrive intact.

There are as many safe rows as safe columns (lanes). The instance seed chooses them and the dangerous fields, so that
some way of 2 (size − 1) moves is free of danger.

A policy that arrives for sure takes no short cut and enters no dangerous field. What remains is a shortest way, on
which a move costs 1 in a lane and 5/4 elsewhere: a failed move changes nothing.
"""

from __future__ import annotations

from fractions import Fraction
from heapq import heappop, heappush
from typing import NamedTuple

from gpaplan.benchmarks.family import Family, Names, ProblemParts, atoms, lay_out, neighbours
from gpaplan.benchmarks.maps import RandomChoices

NAME = "rectangle-tireworld"

Field = tuple[int, int]
"""Its column and its row."""


class Layout(NamedTuple):
    """What the instance seed decides: the safe columns, the safe rows and the dangerous fields."""

    columns: tuple[int, ...]
    rows: tuple[int, ...]
    dangers: tuple[Field, ...]


def lay(size: int, lanes: int, dangers: int, instance_seed: int) -> Layout:
    """The layout of a problem."""
    chance = RandomChoices(NAME, size, lanes, dangers, instance_seed)
    columns, rows = (tuple(sorted(chance.sample(range(size), lanes))) for _ in range(2))
    x = y = 0
    free = {(x, y)}
    for along_row in chance.shuffle([True, False] * (size - 1)):
        x, y = (x + 1, y) if along_row else (x, y + 1)
        free.add((x, y))
    others = [(x, y) for x in range(size) for y in range(size) if (x, y) not in free]
    return Layout(columns, rows, tuple(sorted(chance.sample(others, dangers))))


def write_problem(names: Names, size: int, lanes: int, dangers: int, instance_seed: int) -> ProblemParts:
    """The square, its lanes and its dangerous fields; from the first to the last column and row."""
    layout = lay(size, lanes, dangers, instance_seed)
    column, row = names.number("column", size), names.number("row", size)
    safe = [f"(safe-column {column[x]})" for x in layout.columns] + [f"(safe-row {row[y]})" for y in layout.rows]
    return ProblemParts(
        f"Rectangle tireworld({size}, {lanes}, {dangers}, {instance_seed}): to {column[-1]} and {row[-1]}.",
        {"column": column, "row": row},
        [
            "(intact)",
            f"(in-column {column[0]})",
            f"(in-row {row[0]})",
            atoms("next-column", neighbours(column)),
            atoms("next-row", neighbours(row)),
            lay_out(safe),
            atoms("danger", (f"{column[x]} {row[y]}" for x, y in layout.dangers)),
        ],
        f"(and (in-column {column[-1]}) (in-row {row[-1]}) (intact))",
    )


def _cost(size: int, lanes: int, dangers: int, instance_seed: int) -> Fraction:
    """A shortest way (Dijkstra)."""
    layout = lay(size, lanes, dangers, instance_seed)
    closed = set(layout.dangers)
    queue: list[tuple[Fraction, Field]] = [(Fraction(0), (0, 0))]
    while True:
        cost, (x, y) = heappop(queue)
        if (x, y) == (size - 1, size - 1):
            return cost
        if (x, y) in closed:
            continue
        closed.add((x, y))
        along_row = Fraction(1) if y in layout.rows else Fraction(5, 4)
        along_column = Fraction(1) if x in layout.columns else Fraction(5, 4)
        for step in (-1, 1):
            if 0 <= x + step < size:
                heappush(queue, (cost + along_row, (x + step, y)))
            if 0 <= y + step < size:
                heappush(queue, (cost + along_column, (x, y + step)))


def _objection(size: int, lanes: int, dangers: int, _instance_seed: int) -> str | None:
    if lanes > size:
        return f"'lanes' must be at most the 'size' {size}, not {lanes}"
    most = (size - 1) ** 2
    return f"'dangers' must be at most {most}, so that a way remains, not {dangers}" if dangers > most else None


FAMILY = Family(
    name=NAME,
    least={"size": 2, "lanes": 0, "dangers": 0, "instance seed": 0},
    description="a car crosses a square with safe lanes, dangerous fields and short cuts (instance seed: which fields)",
    write_problem=write_problem,
    closed_form_cost=_cost,
    objection=_objection,
)
