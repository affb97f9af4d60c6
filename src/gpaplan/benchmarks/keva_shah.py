"""Keva-shah(planks, height): the tower of Keva, in the vocabulary of a robot's task planner.

Planks have orientations, lie on the table, on one plank or on two, and are clear or not. A human hands over any plank,
one that is placed too, at one of two locations; the robot picks it up and puts it down somewhere, in some orientation.
Nothing says which plank is next. A plank that was put down in the wrong place stays there, and one that was placed and
is handed over again can be picked up but never put down: mistakes cannot be made good.

The tower is that of Keva. The best is to have each of its 2 h planks handed over in its turn (human-place, pick-up, one
of the ways to put it down): 6 h, whatever the human does.
"""

from __future__ import annotations

from dataclasses import replace

from gpaplan.benchmarks import keva
from gpaplan.benchmarks.family import Names, ProblemParts, atoms, lay_out


def write_problem(names: Names, planks: int, height: int) -> ProblemParts:
    """No plank is anywhere yet; the first 2 · height of them make the tower, in their order."""
    plank_names = names.number("plank", planks)
    tower = plank_names[: 2 * height]
    levels = keva.levels_of(tower)
    return ProblemParts(
        f"Keva-shah({planks}, {height}): build a tower of {height} times two planks, from {tower[0]} to {tower[-1]}.",
        {"plank": plank_names, "robot": ["robot0"]},
        ["(hand-empty) (free location1) (free location2)"],
        [
            atoms("on-table", levels[0]),
            atoms("oriented", (f"{plank} sideways" for plank in tower)),
            atoms("on-double", keva.across(levels)),
            lay_out(f"(not (clear {plank}))" for plank in tower[:-2]),
        ],
    )


FAMILY = replace(
    keva.FAMILY,
    name="keva-shah",
    description="Keva in the vocabulary of a robot's task planner, where misplaced planks are lost",
    write_problem=write_problem,
    paper_domain="keva",
)
