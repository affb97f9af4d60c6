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

Blocksworld-towers(blocks, instance_seed): random towers become others, by a hand that lets blocks fall.

The instance seed decides both how the blocks stand and how they are to stand: in random order, each block starts a new
tower with probability 1/3, otherwise it stands on the one before it. Where the two are the same, the goal is drawn
again. No state is a dead end.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from gpaplan.benchmarks.family import Family, Names, ProblemParts, atoms, lay_out, read_domain
from gpaplan.benchmarks.maps import RandomChoices


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


_TOWERS = "blocksworld-towers"
Towers = list[list[int]]
"""Each from its foot to its top."""


def towers(blocks: int, instance_seed: int) -> tuple[Towers, Towers]:
    """How the blocks stand, and how they are to stand."""
    chance = RandomChoices(_TOWERS, blocks, instance_seed)
    start = _stack(blocks, chance)
    goal = _stack(blocks, chance)
    while sorted(goal) == sorted(start):
        goal = _stack(blocks, chance)
    return start, goal


def _stack(blocks: int, chance: RandomChoices) -> Towers:
    stacked: Towers = []
    for block in chance.shuffle(range(blocks)):
        if not stacked or chance.below(3) == 0:
            stacked.append([block])
        else:
            stacked[-1].append(block)
    return stacked


def write_towers(names: Names, blocks: int, instance_seed: int) -> ProblemParts:
    """Towers at the start and other towers as the goal."""
    block_names = names.number("block", blocks)
    start, goal = towers(blocks, instance_seed)

    def standing(stacked: Towers) -> str:
        foot = (f"(on-table {block_names[tower[0]]})" for tower in stacked)
        above = (f"(above {block_names[up]} {block_names[low]})" for tower in stacked for low, up in pairwise(tower))
        return lay_out([*foot, *above])

    return ProblemParts(
        f"Blocksworld-towers({blocks}, {instance_seed}): {len(start)} tower(s) at the start, {len(goal)} in the goal.",
        {"block": block_names},
        ["(hand-empty)", atoms("top", (block_names[tower[-1]] for tower in start)), standing(start)],
        [standing(goal)],
    )


TOWERS = Family(
    name=_TOWERS,
    least={"blocks": 2, "instance seed": 0},
    description="a hand that lets blocks fall builds other towers (instance seed: which random towers)",
    write_domain=lambda *_theta: read_domain("blocksworld").replace("(domain blocksworld)", f"(domain {_TOWERS})"),
    write_problem=write_towers,
)
