"""Delicate-can-shah(cans): the cans of Delicate Can, in the vocabulary of a robot's task planner.

A can obstructs another one on a trajectory, and lies in a gripper; there is one robot, one gripper and one trajectory.
What happens is what happens in Delicate Can, but for the revival. Its three steps are known as `first` and `second`
made, and `revived`; the first may be made whenever the robot is not revived, needed or not. If it is made after the
crush of an ordinary can, it is still made at the next crush. That spares one action in four of five cases, if the next
one to be crushed is the delicate can, and has cost one: the optimal cost is that of Delicate Can.
"""

from __future__ import annotations

from dataclasses import replace

from gpaplan.benchmarks import delicate_can
from gpaplan.benchmarks.family import Names, ProblemParts, atoms


def write_problem(names: Names, cans: int) -> ProblemParts:
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


FAMILY = replace(
    delicate_can.FAMILY,
    name="delicate-can-shah",
    description="Delicate Can in the vocabulary of a robot's task planner",
    write_problem=write_problem,
    paper_domain="delicate-can",
)
