"""Delicate Can(cans): a robot clears cans out of the way of the one it wants, and may crush them.

Can 0 is wanted; each other can obstructs it, and can 1 is delicate. Grasping crushes a can with probability 0.8 if it
is delicate and 0.1 if not. A crush must be made good before anything else is done, by three actions for the delicate
can and by one for any other; the wanted can may be crushed, for the goal is only to hold it.

Every can but the wanted one is grasped and put aside: 2 + 0.8 · 3 for the delicate can, 2 + 0.1 for each other one,
1 for the wanted can: 5.4 + 2.1 (c − 2).
"""

from __future__ import annotations

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
