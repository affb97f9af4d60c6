"""Blocksworld-towers(blocks, instance_seed): random towers become others, by a hand that lets blocks fall.

The domain is that of `gpaplan.benchmarks.blocksworld`; here the instance seed decides both how the blocks stand and how
they are to stand: in random order, each block starts a new tower with probability 1/3, otherwise it stands on the one
before it. Where the two are the same, the goal is drawn again. No state is a dead end.
"""

from __future__ import annotations

from itertools import pairwise

from gpaplan.benchmarks.family import Family, Names, ProblemParts, atoms, lay_out, read_domain
from gpaplan.benchmarks.maps import RandomChoices

NAME = "blocksworld-towers"

Towers = list[list[int]]
"""Each from its foot to its top."""


def towers(blocks: int, instance_seed: int) -> tuple[Towers, Towers]:
    """How the blocks stand, and how they are to stand."""
    chance = RandomChoices(NAME, blocks, instance_seed)
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


def write_problem(names: Names, blocks: int, instance_seed: int) -> ProblemParts:
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


FAMILY = Family(
    name=NAME,
    least={"blocks": 2, "instance seed": 0},
    description="a hand that lets blocks fall builds other towers (instance seed: which random towers)",
    write_domain=lambda *_theta: read_domain("blocksworld").replace("(domain blocksworld)", f"(domain {NAME})"),
    write_problem=write_problem,
)
