"""How long concepts and rules take: the deciding rule of a state, and generating a pool.

The first table is of rule lists for deliveries: a van on a grid of places, roads between neighbours, parcels at places
or carried. The states are those of a random walk; the time is that of finding the rule that decides, and, for
comparison, that of finding the applicable actions alone. No rule of the fruitless list ever fits, so that all of them
are tried in every state. The second table is of pools of the same domain, from problems that are enumerated. The third
is of a search under rules, on Gripper without symmetry: what of its time it takes to find the deciding rules.

    python bench/concepts.py [--width 10 --height 5 --parcels 10]
"""

from __future__ import annotations

import random
from functools import partial

from gpaplan import ConstrainedStateSpace, GroundTask, RuleFilter, StateSpace, ground, parse_task, solve
from gpaplan.benchmarks import generate
from gpaplan.concepts.encoding import core_filter
from gpaplan.concepts.pool import Pool
from gpaplan.concepts.rules import RuleList
from measuring import fastest, options, print_head, print_row

DOMAIN = """
(define (domain bench-delivery)
  (:requirements :typing :probabilistic-effects :negative-preconditions)
  (:types place parcel)
  (:predicates (road ?a ?b - place) (here ?p - place) (at ?x - parcel ?p - place) (carrying ?x - parcel) (loaded))
  (:action move :parameters (?from ?to - place)
    :precondition (and (here ?from) (road ?from ?to))
    :effect (probabilistic 9/10 (and (here ?to) (not (here ?from)))))
  (:action pick :parameters (?x - parcel ?p - place)
    :precondition (and (here ?p) (at ?x ?p) (not (loaded)))
    :effect (and (carrying ?x) (loaded) (not (at ?x ?p))))
  (:action drop :parameters (?x - parcel ?p - place)
    :precondition (and (here ?p) (carrying ?x))
    :effect (and (at ?x ?p) (not (carrying ?x)) (not (loaded)))))
"""

RULES = """
drop: (is ?x (some @at here)), (is ?p @at/2)
pick: (is ?x !at/1)
move: (nearer ?to ?from (some (inverse @at) carrying) road)
move: (not loaded), (nearer ?to ?from (some (inverse at) !at/1) road)
drop: (not (empty (and carrying !at/1))), (related ?x ?p @at)
move: (not (empty (not (same at @at)))), (is ?to (not here))
"""

FRUITLESS = """
move: (nearer ?to ?from (some (inverse @at) carrying) road), (is ?to here)
move: (nearer ?to ?from (some (inverse at) !at/1) road), (is ?to here)
move: (nearer ?to ?from !at/2 (minus road (and road (inverse road)))), (is ?to here)
move: (not (empty (not (same at @at)))), (is ?to (some (plus road) here)), (is ?to here)
pick: (is ?x (every at @at/2)), (related ?x ?p @at), (is ?p (not here))
drop: (is ?x (not (same at @at))), (is ?p (not here))
"""


def delivery(width: int, height: int, parcels: int, seed: int = 1) -> GroundTask:
    """A van on a grid, and parcels that are to be elsewhere."""
    choose = random.Random(seed)
    places = [f"p{x}-{y}" for x in range(width) for y in range(height)]
    roads = [
        f"(road p{x}-{y} p{u}-{v})"
        for x in range(width)
        for y in range(height)
        for u, v in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1))
        if 0 <= u < width and 0 <= v < height
    ]
    names = [f"x{index}" for index in range(parcels)]
    at = [f"(at {name} {choose.choice(places)})" for name in names]
    goal = [f"(at {name} {choose.choice(places)})" for name in names]
    problem = f"""(define (problem grid-{width}-{height}-{parcels}) (:domain bench-delivery)
      (:objects {" ".join(places)} - place {" ".join(names)} - parcel)
      (:init (here {places[0]}) {" ".join(roads)} {" ".join(at)}) (:goal (and {" ".join(goal)})))"""
    task = parse_task(DOMAIN + problem, None)
    return ground(task.domain, task.problem)


def walked(task: GroundTask, steps: int) -> StateSpace:
    """A space with the states of a walk that picks and drops as it goes."""
    choose = random.Random(2)
    space = StateSpace(task)
    state = space.initial
    for _ in range(steps):
        transitions = space.transitions(state)
        state = max(choose.choice(transitions).outcomes).state if transitions else space.initial
    return space


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--width", type=int, default=10)
    parser.add_argument("--height", type=int, default=5)
    parser.add_argument("--parcels", type=int, default=10)
    given = parser.parse_args()
    print_head("<rules", "places", "parcels", "states", "µs a state", "µs for actions alone")
    task = delivery(given.width, given.height, given.parcels)
    space = walked(task, 20_000)
    least, _ = fastest(lambda: core_filter(task, RuleList()).decide_all(space.core))
    for name, text in (("six", RULES), ("six fruitless", FRUITLESS)):
        seconds, _ = fastest(partial(core_filter(task, RuleList.parse(text)).decide_all, space.core))
        times = [f"{1e6 * each / len(space):.2f}" for each in (seconds, least)]
        print_row(name, given.width * given.height, given.parcels, len(space), *times)
    print()
    print_head("<pool of", "problems", "states", "rows", "concepts", "relations", "literals", "s")
    for sizes in ([(2, 2, 2)], [(2, 2, 2), (3, 2, 2), (3, 2, 3)]):
        pairs = []
        for size in sizes:
            small = delivery(*size)
            explored = StateSpace(small)
            explored.explore()
            pairs.append((small, explored))
        rows = [
            (number, state, action)
            for number, (_, each) in enumerate(pairs)
            for state in range(len(each))
            if not each.is_goal(state)
            for action in each.core.applicable(state)
        ]
        seconds, pool = fastest(partial(Pool, pairs, rows), 1)
        literals = sum(len(schema.literals) for schema in pool.schemas.values())
        states = sum(len(each) for _, each in pairs)
        cells = (len(pairs), states, len(rows), len(pool.concepts), len(pool.relations), literals, f"{seconds:.2f}")
        print_row("delivery", *cells)
    print()
    share_of_search()


GRIPPER = """
drop: (related ?b ?r !ball-in)
pick: (not (related ?b ?r @ball-in))
move:
"""


def share_of_search(balls: int = 10) -> None:
    """The time of a search under rules, and of deciding in the states that it expands."""
    task = ground(generate("gripper", balls))
    automaton = RuleFilter.of(task.domain, GRIPPER)
    searched, solution = fastest(partial(solve, task, automaton=automaton, match="strict", symmetry="off"))
    space = ConstrainedStateSpace(task, automaton)
    space.explore()
    decided, _ = fastest(partial(core_filter(task, RuleList.parse(GRIPPER)).decide_all, space.core))
    decided *= solution.expanded / len(space)
    print_head("<problem", "states expanded", "search s", "deciding s", "share")
    seconds = solution.seconds["search"]
    print_row(f"gripper({balls})", solution.expanded, f"{seconds:.3f}", f"{decided:.3f}", f"{decided / seconds:.0%}")
    assert searched >= seconds


if __name__ == "__main__":
    main()
