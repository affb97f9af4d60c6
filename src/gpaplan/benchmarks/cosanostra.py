"""CosaNostra(booths): deliver a pizza through toll booths and come back; who did not pay meets an angry operator.

After the domain of this name by Toyer, Trevizan, Thiébaux and Xie (*Action schema networks*, 2018), in our own words.
The toll booths stand in a row between the shop and a home. At a booth one can pay before one drives on. Who does not
makes the operator angry, for good; an angry operator slashes the tyres of a car that drives on with probability 1/2,
and a car with slashed tyres stays where it is. So one should pay on the way out, and need not on the way back.

Every booth must be passed at least twice, once in each direction. Who does not pay the first time passes an angry
operator the second time, so a policy that reaches the goal for sure pays once at each booth. It needs no more than 2
(booths + 1) drives, one payment for each booth, and to load and unload: 3 booths + 4 actions, without any chance.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from gpaplan.benchmarks.family import Family, Names, ProblemParts, atoms


def write_problem(names: Names, booths: int) -> ProblemParts:
    """The shop, the booths and the home in a row."""
    booth_names = names.number("booth", booths)
    row = pairwise(["shop", *booth_names, "home"])
    roads = (way for one, other in row for way in (f"{one} {other}", f"{other} {one}"))
    return ProblemParts(
        f"CosaNostra({booths}): bring the pizza home and come back to the shop.",
        {"stop": ["shop", "home"], "booth": booth_names},
        ["(car-at shop)", "(pizza-at shop)", "(tyres-intact)", atoms("road", roads)],
        "(and (pizza-at home) (car-at shop))",
    )


FAMILY = Family(
    name="cosanostra",
    least={"booths": 1},
    description="a pizza is delivered through toll booths, whose operators should be paid on the way out",
    write_problem=write_problem,
    closed_form_cost=lambda booths: Fraction(3 * booths + 4),
)
