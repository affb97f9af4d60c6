"""Gripper(balls): a robot with two slippery hands carries balls from one room to another.

A pick fails with probability 0.2 and may be tried again, so a ball costs 1/0.8 picks and one drop, and a trip for two
balls costs one move each way, but for the last way back: 2.25 b + 2 ⌈b/2⌉ − 1 actions.
"""

from __future__ import annotations

from fractions import Fraction

from gpaplan.benchmarks.family import Family, Names, ProblemParts, atoms


def write_problem(names: Names, balls: int) -> ProblemParts:
    """All balls and the robot start in the first room; all balls belong in the second."""
    start, goal = names.permute(["room-a", "room-b"])
    ball_names = names.number("ball", balls)
    hands = names.permute(["left", "right"])
    return ProblemParts(
        f"Gripper({balls}): carry all balls from {start} to {goal}.",
        {"room": [start, goal], "ball": ball_names, "hand": hands},
        [f"(robot-in {start})", atoms("ball-in", (f"{ball} {start}" for ball in ball_names)), atoms("free", hands)],
        [atoms("ball-in", (f"{ball} {goal}" for ball in ball_names))],
    )


FAMILY = Family(
    name="gripper",
    least={"balls": 1},
    description="a robot with two slippery hands carries balls from one room to another",
    write_problem=write_problem,
    closed_form_cost=lambda balls: Fraction(9, 4) * balls + 2 * -(-balls // 2) - 1,
)
