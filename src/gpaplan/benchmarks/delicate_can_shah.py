"""Delicate-can-shah(cans): the cans of Delicate Can, in the vocabulary of a robot's task planner.

A can obstructs another one on a trajectory, and lies in a gripper; there is one robot, one gripper and one trajectory.
What happens is what happens in Delicate Can, but for the revival. Its three steps are known as `first` and `second`
made, and `revived`; the first may be made whenever the robot is not revived, needed or not. If it is made after the
crush of an ordinary can, it is still made at the next crush. That spares one action in four of five cases, if the next
one to be crushed is the delicate can, and has cost one: the optimal cost and its variance are those of Delicate Can.

With an empty hand there are 3^(c−1) states of the cans other than the wanted one, and but for the 2^(c−1) without a
crush `first` is true or not. The same holds of the 2 · 3^(c−2) states in which one of these cans is held and the robot
revived, but for 2^(c−2). In revival it can be in 2 ways with an ordinary can, in 4 with the delicate one. Goal states:
2 (2^c − 1). Together 3^(c−2) (6c + 2) + 2^(c−2) (7 − c) − 2.
"""

from __future__ import annotations

from dataclasses import replace

from gpaplan.benchmarks import delicate_can
from gpaplan.benchmarks.family import Names, ProblemParts, atoms

DOMAIN = """\
; Delicate Can, with grippers and trajectories: clear the cans that obstruct the way to the wanted one.
(define (domain delicate-can-shah)
  (:requirements :typing :negative-preconditions :universal-preconditions
                 :conditional-effects :probabilistic-effects)
  (:types can gripper trajectory robot)

  (:predicates
    (obstructs ?t - trajectory ?c - can ?other - can)
    (empty ?g - gripper)
    (in-gripper ?c - can ?g - gripper)
    (delicate ?c - can)
    (crushed ?c - can)          ; at some time: this is never deleted
    ; After a crush the robot must be revived, in three steps, before it moves again.
    (revived)
    (first)                     ; the first step is made
    (second))                   ; so is the second, or it need not be

  ; A delicate can that is crushed needs all three steps, an ordinary one the last.
  (:action grasp
    :parameters (?c - can ?r - robot ?g - gripper ?t - trajectory)
    :precondition (and (empty ?g) (revived) (forall (?other - can) (not (obstructs ?t ?other ?c))))
    :effect (and
      (not (empty ?g))
      (in-gripper ?c ?g)
      (forall (?other - can) (not (obstructs ?t ?c ?other)))
      (when (delicate ?c)
        (probabilistic 0.8 (and (crushed ?c) (not (revived)))))
      (when (not (delicate ?c))
        (probabilistic 0.1 (and (crushed ?c) (not (revived)) (second))))))

  (:action put
    :parameters (?c - can ?r - robot ?g - gripper ?t - trajectory)
    :precondition (and (in-gripper ?c ?g) (revived))
    :effect (and (not (in-gripper ?c ?g)) (empty ?g)))

  (:action revive-first
    :parameters ()
    :precondition (not (revived))
    :effect (first))

  (:action revive-second
    :parameters ()
    :precondition (and (not (revived)) (first))
    :effect (and (not (first)) (second)))

  (:action revive-third
    :parameters ()
    :precondition (and (not (revived)) (second))
    :effect (and (not (second)) (revived))))
"""


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
    count: int = 3 ** (cans - 2) * (6 * cans + 2) + 2 ** (cans - 2) * (7 - cans) - 2
    return count


FAMILY = replace(
    delicate_can.FAMILY,
    name="delicate-can-shah",
    description="Delicate Can in the vocabulary of a robot's task planner",
    domain_text=DOMAIN,
    write_problem=write_problem,
    closed_form_states=_states,
    paper_domain="delicate-can",
)
