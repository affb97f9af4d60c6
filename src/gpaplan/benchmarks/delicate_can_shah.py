"""Delicate-can-shah(cans): the cans of Delicate Can, in the vocabulary of a robot's task planner.

A can obstructs another one on a trajectory, and lies in a gripper; there is one robot, one gripper and one trajectory.
What happens is what happens in Delicate Can, but for the revival. Its three steps are known as `first` and `second`
made, and `revived`; the first may be made whenever the robot is not revived, needed or not. If it is made after the
crush of an ordinary can, it is still made at the next crush. That spares one action in four of five cases, if the next
one to be crushed is the delicate can, and has cost one: the optimal cost is that of Delicate Can.

With an empty hand there are 3^(c−1) states of the cans other than the wanted one, and but for the 2^(c−1) without a
crush `first` is true or not. The same holds of the 2 · 3^(c−2) states in which one of these cans is held and the robot
revived, but for 2^(c−2). In revival it can be in 2 ways with an ordinary can, in 4 with the delicate one. Goal states:
2 (2^c − 1). Together 3^(c−2) (6c + 2) + 2^(c−2) (7 − c) − 2.
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


def _states(cans: int) -> int:
    return int(3 ** (cans - 2) * (6 * cans + 2) + 2 ** (cans - 2) * (7 - cans) - 2)


FAMILY = replace(
    delicate_can.FAMILY,
    name="delicate-can-shah",
    description="Delicate Can in the vocabulary of a robot's task planner",
    write_problem=write_problem,
    closed_form_states=_states,
    paper_domain="delicate-can",
)
