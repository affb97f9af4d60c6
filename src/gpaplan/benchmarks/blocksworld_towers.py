"""Blocksworld-towers(blocks, instance_seed): random towers become others, by a hand that lets blocks fall.

The domain is that of `gpaplan.benchmarks.blocksworld`; here the instance seed decides both how the blocks stand and how
they are to stand: in random order, each block starts a new tower with probability 1/3, otherwise it stands on the one
before it. Where the two are the same, the goal is drawn again. No state is a dead end.

A state says which block stands on which and which one, or which tower by the block at its foot, is in the hand. A
tower in the hand can be put onto its own top, which makes a ring of at least two blocks that stands on nothing; a
ring can be taken by any of its blocks, and is a tower again. Let D(n) be the number of ways to arrange n blocks in
rings, that is of permutations without fixed points, and A(n) that in rings and towers; a tower of k of n blocks can
be chosen in n!/(n−k)! ways. So there are A(n) arrangements with an empty hand, and n!/(n−k)! A(n−k) with k blocks in
the hand. In some of them no block is in a tower or in the hand alone: D(n) with an empty hand, and n!/(n−k)! D(n−k)
with a tower of k ≥ 2 blocks in it. These are never reached, since a tower is taken off a block, which stays. All
others are reached without passing through the goal, which is a single state, if there are at least three blocks.
"""

from __future__ import annotations

from itertools import pairwise
from math import comb, factorial, perm

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


def _states(blocks: int, _instance_seed: int) -> int | None:
    if blocks < 3:
        return None
    rings = [1, 0]
    for n in range(2, blocks + 1):
        rings.append((n - 1) * (rings[n - 1] + rings[n - 2]))
    with_towers = [sum(comb(n, k) * _sets_of_towers(n - k) * rings[k] for k in range(n + 1)) for n in range(blocks + 1)]
    in_hand = [perm(blocks, k) * with_towers[blocks - k] for k in range(blocks + 1)]
    unfounded = [perm(blocks, k) * rings[blocks - k] for k in range(blocks + 1) if k != 1]
    return sum(in_hand) - sum(unfounded)


def _sets_of_towers(blocks: int) -> int:
    """In how many ways blocks can stand in towers: with t of them, n!/t! times the ways to cut a row of n into t."""
    ways = (factorial(blocks) // factorial(t) * comb(blocks - 1, t - 1) for t in range(1, blocks + 1))
    return sum(ways) if blocks else 1


FAMILY = Family(
    name=NAME,
    parameters=("blocks", "instance seed"),
    minima=(2, 0),
    description="a hand that lets blocks fall builds other towers (instance seed: which random towers)",
    write_domain=lambda *_theta: read_domain("blocksworld").replace("(domain blocksworld)", f"(domain {NAME})"),
    write_problem=write_problem,
    closed_form_states=_states,
)
