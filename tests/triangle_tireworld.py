"""Triangle tireworld: a car on a triangle of one-way roads gets a flat tyre in half of its moves.

With n, the triangle has 2n + 1 rows, the first of 2n + 1 places and each other one shorter by one; the car starts at
one end of the first row and must get to the other end. The direct way has no spare tyres, so a flat tyre there is a
dead end; the way around the far corner has one in each place.

In odd rows roads lead along the row, and from each place but the last down to the next row; in even rows they lead down
from every other place. Roads up lead to the place one farther: from every place of even rows, from every other one of
odd rows. Even rows have spare tyres everywhere, the odd ones below the first at both ends.
"""

from __future__ import annotations

from collections.abc import Iterator

from gpaplan import ground, parse_task
from gpaplan.task import GroundTask

DOMAIN = """
(define (domain triangle-tireworld)
  (:requirements :typing :negative-preconditions :probabilistic-effects)
  (:types place)
  (:predicates (car-at ?p - place) (road ?from ?to - place) (spare-at ?p - place) (flat) (spare-in-car))
  (:action drive
    :parameters (?from ?to - place)
    :precondition (and (car-at ?from) (road ?from ?to) (not (flat)))
    :effect (and (not (car-at ?from)) (car-at ?to) (probabilistic 1/2 (flat))))
  (:action load
    :parameters (?p - place)
    :precondition (and (car-at ?p) (spare-at ?p))
    :effect (and (spare-in-car) (not (spare-at ?p))))
  (:action change
    :precondition (spare-in-car)
    :effect (and (not (spare-in-car)) (not (flat)))))
"""


def roads(size: int) -> Iterator[tuple[str, str]]:
    rows = 2 * size + 1
    for row in range(1, rows + 1):
        length = rows - row + 1
        for column in range(1, length + 1):
            if row % 2 == 1 and column < length:
                yield f"p{row}-{column}", f"p{row}-{column + 1}"
            if column < length and (row % 2 == 1 or column % 2 == 1):
                yield f"p{row}-{column}", f"p{row + 1}-{column}"
            if row > 1 and (row % 2 == 0 or column % 2 == 1):
                yield f"p{row}-{column}", f"p{row - 1}-{column + 1}"


def spares(size: int) -> Iterator[str]:
    rows = 2 * size + 1
    for row in range(2, rows + 1):
        length = rows - row + 1
        columns = range(1, length + 1) if row % 2 == 0 else sorted({1, length})
        yield from (f"p{row}-{column}" for column in columns)


def triangle_tireworld(size: int) -> GroundTask:
    """The problem with the number `size` of the competition of 2008."""
    edges = list(roads(size))
    places = list(dict.fromkeys(place for edge in edges for place in edge))
    parsed = parse_task(
        f"""{DOMAIN}
        (define (problem triangle-{size}) (:domain triangle-tireworld) (:objects {" ".join(places)} - place)
          (:init (car-at p1-1) {" ".join(f"(road {start} {end})" for start, end in edges)}
                 {" ".join(f"(spare-at {place})" for place in spares(size))})
          (:goal (car-at p1-{2 * size + 1})))"""
    )
    return ground(parsed.domain, parsed.problem)
