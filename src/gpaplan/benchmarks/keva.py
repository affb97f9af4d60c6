"""Keva(planks, height): a robot builds a tower from planks that a human hands over.

A level of the tower is two planks; those of the first lie on the table, those of the others across the two below. The
planks have a fixed order. The human may be asked for any plank in the box, and lays it at one of two spots; a plank
that is not next goes onto a shelf, from where it can be taken back. Planks that are not part of the tower are spare.

The best is to ask for each of the 2 h planks in its turn (human-place, pick, put): 6 h, whatever the human does.

Keva-shah(planks, height): the tower of Keva, in the vocabulary of a robot's task planner.

Planks have orientations, lie on the table, on one plank or on two, and are clear or not. A human hands over any plank,
one that is placed too, at one of two locations; the robot picks it up and puts it down somewhere, in some orientation.
Nothing says which plank is next. A plank that was put down in the wrong place stays there, and one that was placed and
is handed over again can be picked up but never put down: mistakes cannot be made good.

The tower is that of Keva. The best is to have each of its 2 h planks handed over in its turn (human-place, pick-up, one
of the ways to put it down): 6 h, whatever the human does.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

from gpaplan.benchmarks.family import Family, Names, ProblemParts, atoms, lay_out


def write_problem(names: Names, planks: int, height: int) -> ProblemParts:
    """All planks are in the box; the first 2 · height of them make the tower, in their order."""
    plank_names = names.number("plank", planks)
    tower = plank_names[: 2 * height]
    levels = levels_of(tower)
    return ProblemParts(
        f"Keva({planks}, {height}): build a tower of {height} times two planks, from {tower[0]} to {tower[-1]}.",
        {"plank": plank_names},
        [
            "(hand-empty) (free near) (free far)",
            atoms("in-box", plank_names),
            f"(next-up {tower[0]})",
            atoms("follows", (f"{after} {before}" for before, after in pairwise(tower))),
            lay_out([*(f"(ground {plank})" for plank in levels[0]), *(f"(across {each})" for each in across(levels))]),
        ],
        [atoms("placed", tower)],
    )


def levels_of(tower: list[str]) -> list[list[str]]:
    """The planks of each level, from below."""
    return [tower[index : index + 2] for index in range(0, len(tower), 2)]


def across(levels: list[list[str]]) -> list[str]:
    """Each plank above the first level, with the two that it lies across."""
    return [f"{plank} {' '.join(below)}" for below, level in pairwise(levels) for plank in level]


def _objection(planks: int, height: int) -> str | None:
    if planks < 2 * height:
        return f"'planks' must be at least {2 * height}, two for each level of the 'height' {height}, not {planks}"
    return None


FAMILY = Family(
    name="keva",
    least={"planks": 2, "height": 1},
    description="a robot builds a tower from planks that a human hands over",
    write_problem=write_problem,
    closed_form_cost=lambda _planks, height: Fraction(6 * height),
    objection=_objection,
)


def write_shah(names: Names, planks: int, height: int) -> ProblemParts:
    """No plank is anywhere yet; the first 2 · height of them make the tower, in their order."""
    plank_names = names.number("plank", planks)
    tower = plank_names[: 2 * height]
    levels = levels_of(tower)
    return ProblemParts(
        f"Keva-shah({planks}, {height}): build a tower of {height} times two planks, from {tower[0]} to {tower[-1]}.",
        {"plank": plank_names, "robot": ["robot0"]},
        ["(hand-empty) (free location1) (free location2)"],
        [
            atoms("on-table", levels[0]),
            atoms("oriented", (f"{plank} sideways" for plank in tower)),
            atoms("on-double", across(levels)),
            lay_out(f"(not (clear {plank}))" for plank in tower[:-2]),
        ],
    )


SHAH = replace(
    FAMILY,
    name="keva-shah",
    description="Keva in the vocabulary of a robot's task planner, where misplaced planks are lost",
    write_problem=write_shah,
    paper_domain="keva",
)
