"""Keva-shah(planks, height): the tower of Keva, in the vocabulary of a robot's task planner.

Planks have orientations, lie on the table, on one plank or on two, and are clear or not. A human hands over any plank,
one that is placed too, at one of two locations; the robot picks it up and puts it down somewhere, in some orientation.
Nothing says which plank is next. A plank that was put down in the wrong place stays there, and one that was placed and
is handed over again can be picked up but never put down: mistakes cannot be made good.

The tower is that of Keva. The best is to have each of its 2 h planks handed over in its turn (human-place, pick-up, one
of the ways to put it down): 6 h, whatever the human does, and so without variance.
"""

from __future__ import annotations

from dataclasses import replace

from gpaplan.benchmarks import keva
from gpaplan.benchmarks.family import Names, ProblemParts, atoms, lay_out, unknown

DOMAIN = """\
; Keva, with planks that have orientations and lie on the table or on one another; what is placed stays.
(define (domain keva-shah)
  (:requirements :typing :equality :negative-preconditions :disjunctive-preconditions :quantified-preconditions
                 :conditional-effects :probabilistic-effects)
  (:types robot plank orientation region location)
  (:constants
    vertical horizontal sideways - orientation
    left-region middle-region right-region - region
    location1 location2 - location)

  (:predicates
    (on-table ?p - plank)
    (in-buffer ?p - plank)                              ; true of no plank at the start
    (on-single ?p - plank ?below - plank)
    (on-double ?p - plank ?a - plank ?b - plank)
    (clear ?p - plank)
    (oriented ?p - plank ?o - orientation)              ; at some time: this is never deleted
    (placed ?p - plank)
    (human-placed ?p - plank ?l - location)
    (free ?l - location)
    (in-gripper ?p - plank)
    (hand-empty))

  ; The human may be asked for any plank, and prefers the second location.
  (:action human-place
    :parameters (?p - plank)
    :precondition (and (hand-empty) (forall (?l - location) (free ?l)))
    :effect (and
      (oriented ?p sideways)
      (probabilistic
        0.4 (and (human-placed ?p location1) (clear ?p) (not (free location1)))
        0.6 (and (human-placed ?p location2) (clear ?p) (not (free location2))))))

  (:action pick-up
    :parameters (?r - robot ?p - plank ?g - region ?l - location)
    :precondition (and (hand-empty) (clear ?p) (or (human-placed ?p ?l) (in-buffer ?p)))
    :effect (and
      (in-gripper ?p)
      (not (hand-empty))
      (not (clear ?p))
      (not (on-table ?p))
      (not (human-placed ?p ?l))
      (not (in-buffer ?p))
      (free ?l)
      (forall (?below - plank) (when (on-single ?p ?below) (and (clear ?below) (not (on-single ?p ?below)))))))

  ; Onto the table.
  (:action put-down-vertically
    :parameters (?r - robot ?p - plank)
    :precondition (and (in-gripper ?p) (not (placed ?p)))
    :effect (and
      (not (in-gripper ?p)) (hand-empty) (clear ?p) (placed ?p) (oriented ?p vertical)
      (on-table ?p)))

  (:action put-down-horizontally
    :parameters (?r - robot ?p - plank)
    :precondition (and (in-gripper ?p) (not (placed ?p)) (or (oriented ?p vertical) (oriented ?p horizontal)))
    :effect (and
      (not (in-gripper ?p)) (hand-empty) (clear ?p) (placed ?p) (oriented ?p horizontal)
      (on-table ?p)))

  (:action put-down-sideways
    :parameters (?r - robot ?p - plank)
    :precondition (and (in-gripper ?p) (not (placed ?p)) (or (oriented ?p vertical) (oriented ?p sideways)))
    :effect (and
      (not (in-gripper ?p)) (hand-empty) (clear ?p) (placed ?p) (oriented ?p sideways)
      (on-table ?p)))

  ; Onto one plank.
  (:action put-vertically-on-one
    :parameters (?r - robot ?p - plank ?a - plank)
    :precondition (and (in-gripper ?p) (not (placed ?p)) (placed ?a))
    :effect (and
      (not (in-gripper ?p)) (hand-empty) (clear ?p) (placed ?p) (oriented ?p vertical)
      (on-single ?p ?a) (not (clear ?a))))

  (:action put-horizontally-on-one
    :parameters (?r - robot ?p - plank ?a - plank)
    :precondition (and (in-gripper ?p) (not (placed ?p)) (placed ?a))
    :effect (and
      (not (in-gripper ?p)) (hand-empty) (clear ?p) (placed ?p) (oriented ?p horizontal)
      (on-single ?p ?a) (not (clear ?a))))

  (:action put-sideways-on-one
    :parameters (?r - robot ?p - plank ?a - plank)
    :precondition (and (in-gripper ?p) (not (placed ?p)) (placed ?a))
    :effect (and
      (not (in-gripper ?p)) (hand-empty) (clear ?p) (placed ?p) (oriented ?p sideways)
      (on-single ?p ?a) (not (clear ?a))))

  ; Onto two planks that have an orientation in common.
  (:action put-horizontally-on-two
    :parameters (?r - robot ?p - plank ?a - plank ?b - plank)
    :precondition (and (in-gripper ?p) (not (placed ?p)) (placed ?a) (placed ?b) (not (= ?a ?b))
      (exists (?o - orientation) (and (oriented ?a ?o) (oriented ?b ?o))))
    :effect (and
      (not (in-gripper ?p)) (hand-empty) (clear ?p) (placed ?p) (oriented ?p horizontal)
      (on-double ?p ?a ?b) (not (clear ?a)) (not (clear ?b))))

  (:action put-sideways-on-two
    :parameters (?r - robot ?p - plank ?a - plank ?b - plank)
    :precondition (and (in-gripper ?p) (not (placed ?p)) (placed ?a) (placed ?b) (not (= ?a ?b))
      (exists (?o - orientation) (and (oriented ?a ?o) (oriented ?b ?o))))
    :effect (and
      (not (in-gripper ?p)) (hand-empty) (clear ?p) (placed ?p) (oriented ?p sideways)
      (on-double ?p ?a ?b) (not (clear ?a)) (not (clear ?b)))))
"""


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
    domain_text=DOMAIN,
    write_problem=write_problem,
    closed_form_states=unknown,
    paper_domain="keva",
)
