"""Triangle tireworld(size): a car on a triangle of one-way roads gets a flat tyre in half of its moves.

After the domain of this name of the competition of 2008, in our own words; sizes are numbered as there. With n, the
triangle has 2n + 1 rows, the first of 2n + 1 places and each other one shorter by one. The car starts at one end of the
first row and must get to the other end. The direct way has no spare tyres, so a flat tyre there is a dead end; the way
around the far corner has one in each place.

In odd rows roads lead along the row, and from each place but the last down to the next row; in even rows they lead down
from every other place. Roads up lead to the place one farther: from every place of even rows, from every other one of
odd rows. Even rows have spare tyres everywhere, the odd ones below the first at both ends.

The number of states grows exponentially, because each spare tyre is there or has been used.

Triangle tireworld(size) of Little and Thiébaux (2007): the competition's triangle, but no spare tyre is carried.

A tyre is changed where a spare lies, and nowhere else. So in every place that a proper policy drives to, other than the
goal, there must be a spare: with probability 1/2 the tyre is flat on arrival, and a flat car does not move.

That leaves one way. Odd rows have odd lengths, and at most their ends have a spare, so a car in (r, 1) can neither
drive along an odd row to (r, 2) nor, if r is even, up to (r - 1, 2). If r is odd, there is a spare in (r - 1, 2), but
the column is even, so the only road leads up to (r - 2, 3), which is the end of its row only if r is the last row.
Hence the car drives down the left side to the far corner, 2n moves, and up the right side, where all roads lead up, 2n
moves. It meets no place twice. Each of the first 4n - 1 arrivals takes one change of the tyre with probability 1/2, so
the optimal cost is 4n + (4n - 1) / 2.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from gpaplan.benchmarks.family import Family, Names, ProblemParts, atoms


def roads(size: int) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """The one-way roads, between places given by row and column, both from 1."""
    rows = 2 * size + 1
    for row in range(1, rows + 1):
        length = rows - row + 1
        for column in range(1, length + 1):
            if row % 2 == 1 and column < length:
                yield (row, column), (row, column + 1)
            if column < length and (row % 2 == 1 or column % 2 == 1):
                yield (row, column), (row + 1, column)
            if row > 1 and (row % 2 == 0 or column % 2 == 1):
                yield (row, column), (row - 1, column + 1)


def spares(size: int) -> Iterator[tuple[int, int]]:
    """The places with a spare tyre."""
    rows = 2 * size + 1
    for row in range(2, rows + 1):
        length = rows - row + 1
        columns = range(1, length + 1) if row % 2 == 0 else sorted({1, length})
        yield from ((row, column) for column in columns)


def write_problem(names: Names, size: int) -> ProblemParts:
    """The triangle, the car in one corner, the goal in another."""
    edges = list(roads(size))
    places = list(dict.fromkeys(place for edge in edges for place in edge))
    named = dict(zip(places, names.permute([f"p{row}-{column}" for row, column in places]), strict=True))
    return ProblemParts(
        f"Triangle tireworld({size}): from {named[1, 1]} to {named[1, 2 * size + 1]}.",
        {"place": named.values()},
        [
            f"(car-at {named[1, 1]})",
            atoms("spare-at", (named[place] for place in spares(size))),
            atoms("road", (f"{named[start]} {named[end]}" for start, end in edges)),
        ],
        f"(car-at {named[1, 2 * size + 1]})",
    )


FAMILY = Family(
    name="triangle-tireworld",
    least={"size": 1},
    description="a car with flat tyres takes the long way, where spare tyres are",
    write_problem=write_problem,
)


LITTLE = replace(
    FAMILY,
    name="triangle-tireworld-little",
    description="the same, but a tyre is changed only where a spare one lies",
    closed_form_cost=lambda size: Fraction(12 * size - 1, 2),
)
