"""Delicate Can(cans): a robot clears cans out of the way of the one it wants, and may crush them.

Can 0 is wanted; each other can obstructs it, and can 1 is delicate. Grasping crushes a can with probability 0.8 if it
is delicate and 0.1 if not. A crush must be made good before anything else is done, by three actions for the delicate
can and by one for any other; the wanted can may be crushed, for the goal is only to hold it.

Every can but the wanted one is grasped and put aside: 2 + 0.8 · 3 for the delicate can, 2 + 0.1 for each other one,
1 for the wanted can: 5.4 + 2.1 (c − 2).

Delicate-can-shah(cans): the cans of Delicate Can, in the vocabulary of a robot's task planner.

A can obstructs another one on a trajectory, and lies in a gripper; there is one robot, one gripper and one trajectory.
What happens is what happens in Delicate Can, but for the revival. Its three steps are known as `first` and `second`
made, and `revived`; the first may be made whenever the robot is not revived, needed or not. If it is made after the
crush of an ordinary can, it is still made at the next crush. That spares one action in four of five cases, if the next
one to be crushed is the delicate can, and has cost one: the optimal cost is that of Delicate Can.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from gpaplan.benchmarks.family import Family, Names, ProblemParts, atoms


def write_problem(names: Names, cans: int) -> ProblemParts:
    """The first can is wanted, all others obstruct it, the second one is delicate."""
    wanted, *others = can_names = names.number("can", cans)
    return ProblemParts(
        f"Delicate Can({cans}): {wanted} is wanted, the others obstruct it, {others[0]} is delicate.",
        {"can": can_names},
        [
            "(hand-empty) (revived)",
            f"(delicate {others[0]})",
            atoms("obstructs", (f"{can} {wanted}" for can in others)),
        ],
        f"(holding {wanted})",
    )


FAMILY = Family(
    name="delicate-can",
    least={"cans": 2},
    description="a robot clears cans out of the way of a wanted one, and may crush them",
    write_problem=write_problem,
    closed_form_cost=lambda cans: Fraction(54, 10) + Fraction(21, 10) * (cans - 2),
)


def write_shah(names: Names, cans: int) -> ProblemParts:
    """The first can is wanted, all others obstruct it, the second one is delicate."""
    wanted, *others = can_names = names.number("can", cans)
    return ProblemParts(
        f"Delicate-can-shah({cans}): {wanted} is wanted, the others obstruct it, {others[0]} is delicate.",
        {"can": can_names, "gripper": ["gripper0"], "trajectory": ["trajectory0"], "robot": ["robot0"]},
        [
            "(empty gripper0) (revived)",
            f"(delicate {others[0]})",
            atoms("obstructs", (f"trajectory0 {can} {wanted}" for can in others)),
        ],
        f"(in-gripper {wanted} gripper0)",
    )


SHAH = replace(
    FAMILY,
    name="delicate-can-shah",
    description="Delicate Can in the vocabulary of a robot's task planner",
    write_problem=write_shah,
    paper_domain="delicate-can",
)
