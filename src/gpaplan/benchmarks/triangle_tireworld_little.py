"""Triangle tireworld(size) of Little and Thiébaux (2007): the competition's triangle, but no spare tyre is carried.

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

from fractions import Fraction

from gpaplan.benchmarks.family import Family
from gpaplan.benchmarks.triangle_tireworld import write_problem

FAMILY = Family(
    name="triangle-tireworld-little",
    least={"size": 1},
    description="the same, but a tyre is changed only where a spare one lies",
    write_problem=write_problem,
    closed_form_cost=lambda size: Fraction(12 * size - 1, 2),
)
