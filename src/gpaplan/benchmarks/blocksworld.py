"""Blocksworld(blocks): turn a tower upside down with a hand that lets blocks fall.

After the domain of this name of the competitions of 2006 and 2008, in our own words. To pick a block off another one,
or to put it onto one, succeeds with probability 3/4; otherwise it falls onto the table. A whole tower that stands on
another block can be taken by the block at its foot with probability 1/10, else nothing happens; it is put onto a block
with the same probability, else it comes to stand on the table.

The blocks stand in one tower, and are to stand in one tower in the opposite order. Every state can be left towards the
goal, and all orders of towers can be reached: their number grows faster than the factorial of the number of blocks.

Every block must be moved by itself. The topmost goes onto the table: one pick, and in three of four cases a put-down,
7/4. From the table onto a block takes T = 4/3 + 1 + T/4 = 28/9, and so does the way from a tower onto a block, namely
1 + 3/4 (1 + T/4) + T/4. Together that is 7/4 + 28/9 (blocks − 1).
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from gpaplan.benchmarks.family import Family, Names, ProblemParts, atoms


def write_problem(names: Names, blocks: int) -> ProblemParts:
    """One tower; the goal is the same tower upside down."""
    block_names = names.number("block", blocks)
    tower = list(pairwise(block_names))
    return ProblemParts(
        f"Blocksworld({blocks}): {block_names[0]} is on top, and is to be at the foot.",
        {"block": block_names},
        [
            "(hand-empty)",
            f"(top {block_names[0]})",
            atoms("above", (f"{upper} {lower}" for upper, lower in tower)),
            f"(on-table {block_names[-1]})",
        ],
        [f"(on-table {block_names[0]})", atoms("above", (f"{lower} {upper}" for upper, lower in tower))],
    )


FAMILY = Family(
    name="blocksworld",
    least={"blocks": 2},
    description="a hand that lets blocks fall turns a tower upside down",
    write_problem=write_problem,
    closed_form_cost=lambda blocks: Fraction(7, 4) + Fraction(28, 9) * (blocks - 1),
)
