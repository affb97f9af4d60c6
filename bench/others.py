"""Rules on domains with which others have tried their learners: how long learning takes, and how far a list carries.

    python bench/others.py [NAME...] [--show]

The domains have the names of those of genfond (Hofmann and Geffner, IJCAI 2024: FOND) and Moose (Chen, Hofmann, Klassen
and McIlraith, AAAI 2026: classical), and are written from their descriptions, not copied; what may happen by chance has
a probability here. Rules are learned with default options from the small problems, which are the first sizes; no
problem is named for validation. Then the list alone acts on the other sizes, five trials each, until it misses the
goal. A line has the rules, the processor seconds of learning, the largest size to learn from, and the largest on which
all trials reach the goal, next to the largest that was tried. Learning is counted in work, so that the same list is
found on every machine.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

from gpaplan import GroundTask, Limits, ground, learn_rules, load
from gpaplan.benchmarks import generate
from gpaplan.concepts.rules import RuleList
from gpaplan.learning.rules.scoring import act
from measuring import print_head, print_row

Size = tuple[int, ...]
Parts = tuple[str, list[str], list[str]]
"""Objects, initial atoms, goals."""
TRIALS = 5
STEPS = 100
"""A trial has so many steps for each object."""


class Case(NamedTuple):
    """A domain's text and its problems, or the name of a family; what the numbers of a size are; sizes."""

    whose: str
    domain: str
    draw: Callable[..., Parts] | None
    numbers: str
    small: list[Size]
    large: list[Size]


def _named(letter: str, count: int, kind: str) -> str:
    return f"{' '.join(f'{letter}{i}' for i in range(count))} - {kind}"


FERRY = """
(define (domain ferry) (:requirements :typing :negative-preconditions :equality)
  (:types car port)
  (:predicates (moored ?p - port) (waits ?c - car ?p - port) (aboard ?c - car) (laden))
  (:action sail :parameters (?a ?b - port) :precondition (and (moored ?a) (not (= ?a ?b)))
    :effect (and (moored ?b) (not (moored ?a))))
  (:action board :parameters (?c - car ?p - port) :precondition (and (moored ?p) (waits ?c ?p) (not (laden)))
    :effect (and (aboard ?c) (laden) (not (waits ?c ?p))))
  (:action leave :parameters (?c - car ?p - port) :precondition (and (moored ?p) (aboard ?c))
    :effect (and (waits ?c ?p) (not (aboard ?c)) (not (laden)))))"""


def _ferry(draw: random.Random, cars: int, ports: int) -> Parts:
    start = [f"(waits c{i} p{draw.randrange(ports)})" for i in range(cars)]
    goal = [f"(waits c{i} p{draw.randrange(ports)})" for i in range(cars)]
    return f"{_named('c', cars, 'car')} {_named('p', ports, 'port')}", ["(moored p0)", *start], goal


MICONIC = """
(define (domain miconic) (:requirements :typing :equality :negative-preconditions)
  (:types guest floor)
  (:predicates (lift-at ?f - floor) (waits ?g - guest ?f - floor) (wants ?g - guest ?f - floor) (inside ?g - guest)
    (served ?g - guest))
  (:action go :parameters (?a ?b - floor) :precondition (and (lift-at ?a) (not (= ?a ?b)))
    :effect (and (lift-at ?b) (not (lift-at ?a))))
  (:action enter :parameters (?g - guest ?f - floor) :precondition (and (lift-at ?f) (waits ?g ?f))
    :effect (and (inside ?g) (not (waits ?g ?f))))
  (:action leave :parameters (?g - guest ?f - floor) :precondition (and (lift-at ?f) (inside ?g) (wants ?g ?f))
    :effect (and (served ?g) (not (inside ?g)))))"""


def _miconic(draw: random.Random, guests: int, floors: int) -> Parts:
    journeys = [draw.sample(range(floors), 2) for _ in range(guests)]
    start = [f"(waits g{i} f{a}) (wants g{i} f{b})" for i, (a, b) in enumerate(journeys)]
    goal = [f"(served g{i})" for i in range(guests)]
    return f"{_named('g', guests, 'guest')} {_named('f', floors, 'floor')}", ["(lift-at f0)", *start], goal


BEAM = """
(define (domain {name}) (:requirements :typing :negative-preconditions :probabilistic-effects)
  (:types spot)
  (:predicates (next ?a ?b - spot) (at ?s - spot) (ladder ?s - spot) (up) (hurt))
  (:action ahead :parameters (?a ?b - spot) :precondition (and (at ?a) (next ?a ?b) (not (up)) (not (hurt)))
    :effect (and (at ?b) (not (at ?a))))
  (:action back :parameters (?a ?b - spot) :precondition (and (at ?a) (next ?b ?a) (not (up)) (not (hurt)))
    :effect (and (at ?b) (not (at ?a))))
  (:action climb :parameters (?s - spot) :precondition (and (at ?s) (ladder ?s) (not (up)) (not (hurt))) :effect (up))
  {more})"""
WALK = """(:action balance :parameters (?a ?b - spot) :precondition (and (at ?a) (next ?a ?b) (up))
    :effect (and (at ?b) (not (at ?a)) (probabilistic 0.02 (not (up)))))"""
JUMP = """(:action balance :parameters (?a ?b - spot) :precondition (and (at ?a) (next ?a ?b) (up))
    :effect (and (at ?b) (not (at ?a))))
  (:action descend :precondition (up) :effect (not (up)))
  (:action jump :parameters (?a ?b ?c - spot) :precondition (and (at ?a) (next ?a ?b) (next ?b ?c) (up))
    :effect (and (not (at ?a))
      (probabilistic 1/3 (at ?c) 1/3 (and (at ?b) (not (up))) 1/3 (and (at ?b) (not (up)) (hurt)))))"""


def _beam(draw: random.Random, spots: int) -> Parts:
    steps = [f"(next s{a} s{b})" for a, b in pairwise(range(spots))]
    return (
        _named("s", spots, "spot"),
        [f"(at s{draw.randrange(spots)})", "(ladder s0)", *steps],
        [f"(at s{spots - 1})", "(up)"],
    )


BLOCKS = """
(define (domain blocks) (:requirements :typing :negative-preconditions :equality :probabilistic-effects)
  (:types block)
  (:predicates (on ?x ?y - block) (on-table ?x - block) (clear ?x - block) (held ?x - block) (busy))
  (:action take :parameters (?x - block) :precondition (and (clear ?x) (on-table ?x) (not (busy)))
    :effect (probabilistic 1/2 (and (held ?x) (busy) (not (on-table ?x)) (not (clear ?x)))))
  (:action lay :parameters (?x - block) :precondition (held ?x)
    :effect (and (on-table ?x) (clear ?x) (not (held ?x)) (not (busy))))
  (:action stack :parameters (?x ?y - block) :precondition (and (held ?x) (clear ?y))
    :effect (and (clear ?x) (not (held ?x)) (not (busy))
      (probabilistic 1/2 (and (on ?x ?y) (not (clear ?y))) 1/2 (on-table ?x))))
  (:action lift :parameters (?x ?y - block) :precondition (and (on ?x ?y) (clear ?x) (not (busy)))
    :effect (and (clear ?y) (not (on ?x ?y))
      (probabilistic 1/2 (and (held ?x) (busy) (not (clear ?x))) 1/2 (on-table ?x)))))"""


def _towers(draw: random.Random, blocks: int) -> list[str]:
    order = draw.sample(range(blocks), blocks)
    start = [f"(on-table b{order[0]})", f"(clear b{order[-1]})"]
    for below, above in pairwise(order):
        apart = draw.random() < 0.3
        start += [f"(clear b{below})", f"(on-table b{above})"] if apart else [f"(on b{above} b{below})"]
    return start


def _clear(draw: random.Random, blocks: int) -> Parts:
    return _named("b", blocks, "block"), _towers(draw, blocks), [f"(clear b{draw.randrange(blocks)})"]


def _on(draw: random.Random, blocks: int) -> Parts:
    above, below = draw.sample(range(blocks), 2)
    return _named("b", blocks, "block"), _towers(draw, blocks), [f"(on b{above} b{below})"]


ISLANDS = """
(define (domain islands) (:requirements :typing :negative-preconditions :universal-preconditions :probabilistic-effects)
  (:types place monkey)
  (:predicates (road ?a ?b - place) (bridge ?a ?b - place) (strait ?a ?b - place) (at ?p - place) (drowned)
    (on-bridge ?m - monkey) (cage ?p - place))
  (:action walk :parameters (?a ?b - place) :precondition (and (at ?a) (road ?a ?b) (not (drowned)))
    :effect (and (at ?b) (not (at ?a))))
  (:action swim :parameters (?a ?b - place) :precondition (and (at ?a) (strait ?a ?b) (not (drowned)))
    :effect (and (at ?b) (not (at ?a)) (probabilistic 1/2 (drowned))))
  (:action lure :parameters (?m - monkey ?p - place)
    :precondition (and (at ?p) (cage ?p) (on-bridge ?m) (not (drowned)))
    :effect (not (on-bridge ?m)))
  (:action cross :parameters (?a ?b - place)
    :precondition (and (at ?a) (bridge ?a ?b) (not (drowned)) (forall (?m - monkey) (not (on-bridge ?m))))
    :effect (and (at ?b) (not (at ?a)))))"""


def _islands(draw: random.Random, places: int, monkeys: int) -> Parts:
    """Two islands, each a tree of paths."""
    trees = [(side, draw.randrange(max(0, i - 2), i), i) for side in "ab" for i in range(1, places)]
    roads = [f"(road {side}{x} {side}{y})" for side, i, j in trees for x, y in ((i, j), (j, i))]
    spots = [draw.randrange(places) for _ in range(5)]
    sea = [f"(bridge a{spots[0]} b{spots[1]})", f"(strait a{spots[2]} b{spots[3]})", f"(cage a{spots[4]})", "(at a0)"]
    objects = f"{_named('a', places, 'place')} {_named('b', places, 'place')} {_named('m', monkeys, 'monkey')}"
    start = [*roads, *sea, *(f"(on-bridge m{i})" for i in range(monkeys))]
    return objects, start, [f"(at b{places - 1})", "(not (drowned))"]


MINER = """
(define (domain miner) (:requirements :typing :negative-preconditions :probabilistic-effects)
  (:types place rock number)
  (:predicates (road ?a ?b - place) (at ?p - place) (dead) (rock-at ?r - rock ?p - place) (holding ?r - rock)
    (button ?p - place) (pressed) (safe-gold ?p - place) (loose-gold ?p - place) (have ?n - number)
    (after ?n ?m - number))
  (:action walk :parameters (?a ?b - place) :precondition (and (at ?a) (road ?a ?b) (not (dead)))
    :effect (and (at ?b) (not (at ?a))))
  (:action lift :parameters (?r - rock ?p - place) :precondition (and (at ?p) (rock-at ?r ?p) (not (dead)))
    :effect (and (holding ?r) (not (rock-at ?r ?p))))
  (:action press :parameters (?r - rock ?p - place) :precondition (and (at ?p) (button ?p) (holding ?r) (not (dead)))
    :effect (and (pressed) (rock-at ?r ?p) (not (holding ?r))))
  (:action dig :parameters (?p - place ?n ?m - number)
    :precondition (and (at ?p) (safe-gold ?p) (pressed) (have ?n) (after ?n ?m) (not (dead)))
    :effect (and (have ?m) (not (have ?n)) (not (safe-gold ?p))))
  (:action grab :parameters (?p - place ?n ?m - number)
    :precondition (and (at ?p) (loose-gold ?p) (have ?n) (after ?n ?m) (not (dead)))
    :effect (and (not (loose-gold ?p)) (probabilistic 1/2 (dead) 1/2 (and (have ?m) (not (have ?n)))))))"""


def _miner(draw: random.Random, places: int, wanted: int) -> Parts:
    tree = [(draw.randrange(max(0, i - 2), i), i) for i in range(1, places)]
    roads = [f"(road p{x} p{y})" for i, j in tree for x, y in ((i, j), (j, i))]
    gold = draw.sample(range(places), min(places, 2 * wanted))
    there = [f"({'safe' if i < wanted else 'loose'}-gold p{place})" for i, place in enumerate(gold)]
    start = ["(at p0)", "(have n0)", f"(rock-at r p{draw.randrange(places)})", f"(button p{draw.randrange(places)})"]
    count = [f"(after n{i} n{i + 1})" for i in range(wanted)]
    objects = f"{_named('p', places, 'place')} r - rock {_named('n', wanted + 1, 'number')}"
    return objects, [*roads, *there, *start, *count], [f"(have n{wanted})", "(not (dead))"]


LOGISTICS = """
(define (domain logistics) (:requirements :typing :equality :negative-preconditions)
  (:types parcel truck plane place city)
  (:predicates (in-city ?p - place ?c - city) (airport ?p - place) (at ?x - parcel ?p - place)
    (truck-at ?t - truck ?p - place) (plane-at ?a - plane ?p - place) (in-truck ?x - parcel ?t - truck)
    (in-plane ?x - parcel ?a - plane))
  (:action drive :parameters (?t - truck ?a ?b - place ?c - city)
    :precondition (and (truck-at ?t ?a) (in-city ?a ?c) (in-city ?b ?c) (not (= ?a ?b)))
    :effect (and (truck-at ?t ?b) (not (truck-at ?t ?a))))
  (:action fly :parameters (?p - plane ?a ?b - place)
    :precondition (and (plane-at ?p ?a) (airport ?a) (airport ?b) (not (= ?a ?b)))
    :effect (and (plane-at ?p ?b) (not (plane-at ?p ?a))))
  (:action load-truck :parameters (?x - parcel ?t - truck ?p - place)
    :precondition (and (at ?x ?p) (truck-at ?t ?p)) :effect (and (in-truck ?x ?t) (not (at ?x ?p))))
  (:action load-plane :parameters (?x - parcel ?a - plane ?p - place)
    :precondition (and (at ?x ?p) (plane-at ?a ?p)) :effect (and (in-plane ?x ?a) (not (at ?x ?p))))
  (:action unload-truck :parameters (?x - parcel ?t - truck ?p - place)
    :precondition (and (in-truck ?x ?t) (truck-at ?t ?p)) :effect (and (at ?x ?p) (not (in-truck ?x ?t))))
  (:action unload-plane :parameters (?x - parcel ?a - plane ?p - place)
    :precondition (and (in-plane ?x ?a) (plane-at ?a ?p)) :effect (and (at ?x ?p) (not (in-plane ?x ?a)))))"""


def _logistics(draw: random.Random, parcels: int, cities: int, places: int) -> Parts:
    """The first place of a city has the airport; a city has one truck, and there is one plane."""
    every = [f"p{city}-{place}" for city in range(cities) for place in range(places)]
    start = [f"(in-city {each} c{each[1:].split('-')[0]})" for each in every]
    start += [f"(airport p{city}-0) (truck-at t{city} p{city}-{draw.randrange(places)})" for city in range(cities)]
    ways = [(draw.choice(every), draw.choice(every)) for _ in range(parcels)]
    objects = f"{' '.join(every)} - place a - plane {_named('c', cities, 'city')} {_named('t', cities, 'truck')}"
    objects += f" {_named('x', parcels, 'parcel')}"
    start += ["(plane-at a p0-0)", *(f"(at x{i} {a})" for i, (a, _) in enumerate(ways))]
    return objects, start, [f"(at x{i} {b})" for i, (_, b) in enumerate(ways)]


CASES: dict[str, Case] = {
    "gripper": Case("Moose", "gripper", None, "balls", [(1,), (2,), (3,), (4,)], [(10,), (100,), (1000,), (5000,)]),
    "ferry": Case(
        "Moose",
        FERRY,
        _ferry,
        "cars, ports",
        [(1, 3), (2, 3), (3, 3), (2, 4)],
        [(10, 10), (50, 20), (200, 50), (300, 100)],
    ),
    "miconic": Case(
        "Moose",
        MICONIC,
        _miconic,
        "guests, floors",
        [(1, 3), (2, 3), (3, 3), (2, 4)],
        [(10, 10), (50, 20), (200, 50), (300, 100)],
    ),
    "logistics": Case(
        "Moose",
        LOGISTICS,
        _logistics,
        "parcels, cities, places of a city",
        [(1, 1, 2), (1, 2, 1), (1, 2, 2), (2, 2, 1), (2, 2, 2)],
        [(5, 3, 3), (20, 6, 4), (50, 15, 5)],
    ),
    "acrobatics": Case(
        "genfond",
        BEAM.format(name="acrobatics", more=JUMP),
        _beam,
        "spots",
        [(3,), (4,), (6,), (8,)],
        [(20,), (100,), (1000,)],
    ),
    "beam-walk": Case(
        "genfond",
        BEAM.format(name="beam-walk", more=WALK),
        _beam,
        "spots",
        [(3,), (4,), (6,), (8,)],
        [(20,), (50,), (100,)],
    ),
    "blocks-clear": Case("genfond", BLOCKS, _clear, "blocks", [(2,), (3,), (4,), (5,)], [(10,), (20,), (50,), (100,)]),
    "blocks-on": Case("genfond", BLOCKS, _on, "blocks", [(2,), (3,), (4,), (5,)], [(10,), (20,), (50,), (100,)]),
    "islands": Case(
        "genfond",
        ISLANDS,
        _islands,
        "places of an island, monkeys",
        [(3, 1), (4, 1), (4, 2), (6, 2)],
        [(20, 3), (100, 10), (500, 20)],
    ),
    "miner": Case(
        "genfond",
        MINER,
        _miner,
        "places, pieces of gold",
        [(3, 1), (4, 1), (4, 2), (6, 2)],
        [(20, 3), (100, 10), (500, 50)],
    ),
    "triangle-tireworld": Case(
        "genfond", "triangle-tireworld", None, "size", [(1,), (2,), (3,), (4,)], [(6,), (12,), (25,), (40,)]
    ),
}


def problem(name: str, size: Size, seed: int) -> GroundTask:
    """A problem of a size, by its domain's text or by its family."""
    case = CASES[name]
    if case.draw is None:
        return ground(generate(case.domain, *size))
    objects, start, goal = case.draw(random.Random(seed), *size)
    title = "-".join(map(str, (name, *size, seed)))
    kind = case.domain.split("(domain ")[1].split(")")[0]
    told = f"(:objects {objects}) (:init {' '.join(start)}) (:goal (and {' '.join(goal)}))"
    return load(case.domain, f"(define (problem {title}) (:domain {kind}) {told})")


def carries(rules: RuleList, task: GroundTask) -> bool:
    """Whether all trials of a list reach the goal."""
    horizon = STEPS * len(task.objects)
    runs = act(task, rules, trials=TRIALS, horizon=horizon, seed=1, stop=Limits().start())
    return all(end == "goal" for _, _, end in runs)


def main() -> None:
    """A line for each domain."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", default=list(CASES))
    parser.add_argument("--show", action="store_true", help="the lists, too")
    arguments = parser.parse_args()
    print_head(
        "<domain", "<with", "<size", "rules", "CPU s", "learned from, up to", "all reach the goal, up to", "tried up to"
    )
    for name in arguments.names:
        case = CASES[name]
        small = [problem(name, size, seed) for size in case.small for seed in (range(3) if case.draw else (0,))]
        began = time.process_time()
        rules = learn_rules(small[0].domain, small).rule_list
        seconds = time.process_time() - began
        reached = "none"
        for size in case.large:
            if not all(carries(rules, problem(name, size, seed)) for seed in ((101, 102) if case.draw else (0,))):
                break
            reached = ", ".join(map(str, size))
        cells = (
            len(rules),
            f"{seconds:.1f}",
            ", ".join(map(str, case.small[-1])),
            reached,
            ", ".join(map(str, case.large[-1])),
        )
        print_row(name, case.whose, case.numbers, *cells)
        if arguments.show:
            print(rules)


if __name__ == "__main__":
    main()
