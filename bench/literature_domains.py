"""Twelve domains of the classical and FOND literature, written from their descriptions after the learner.

    problem(name, label, DOMAINS[name])    the text of the domain, and of its problem with this label
    python literature_domains.py FOLDER    writes them all

Each has probabilities of its own. Small problems are such as one would write by hand; large ones are beyond exhaustive
search. Labels are the seeds: what is drawn differs from problem to problem, and so do the sizes of the small ones.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

__all__ = ["DOMAINS", "LABELS", "Drawn", "Entry", "Writer", "both_ways", "linked_map", "named", "problem", "write"]

Drawn = tuple[str, list[str], list[str]]
"""Objects, initial atoms and goals."""
Writer = Callable[..., Drawn]
"""Draws a problem of a size."""
LABELS = (*(f"small{i}" for i in range(1, 6)), "medium1", "medium2", "large1", "large2")


def named(letter: str, count: int, kind: str) -> str:
    return f"{' '.join(f'{letter}{i}' for i in range(count))} - {kind}" if count else ""


def both_ways(link: str, pairs: list[tuple[str, str]]) -> list[str]:
    return [f"({link} {a} {b})" for one, two in pairs for a, b in ((one, two), (two, one))]


def linked_map(draw: random.Random, count: int, link: str, letter: str, more: int = 0) -> list[str]:
    """Links both ways that make a tree, and a few more of them."""
    pairs = {(draw.randrange(max(0, i - 3), i), i) for i in range(1, count)}
    pairs |= {(a, b) for a, b in (sorted(draw.sample(range(count), 2)) for _ in range(more))}
    return both_ways(link, [(f"{letter}{a}", f"{letter}{b}") for a, b in sorted(pairs)])


def _grid(width: int, height: int, link: str = "next", letter: str = "c") -> list[str]:
    """Cells c0, c1, ... row by row, each linked to those beside, above and below it."""
    across = [(y * width + x, y * width + x + 1) for y in range(height) for x in range(width - 1)]
    down = [(y * width + x, y * width + x + width) for y in range(height - 1) for x in range(width)]
    return both_ways(link, [(f"{letter}{a}", f"{letter}{b}") for a, b in across + down])


MINER = """
(define (domain gold-miner)
  (:requirements :typing :negative-preconditions :conditional-effects :probabilistic-effects)
  (:types cell)
  (:predicates (next ?a ?b - cell) (miner-at ?c - cell) (soft ?c - cell) (hard ?c - cell) (clear ?c - cell)
    (gold ?c - cell) (camp ?c - cell) (laser-at ?c - cell) (has-laser) (has-bomb) (carries ?c - cell) (arm-empty)
    (brought ?c - cell))
  (:action move :parameters (?a ?b - cell) :precondition (and (miner-at ?a) (next ?a ?b) (clear ?b))
    :effect (and (miner-at ?b) (not (miner-at ?a))))
  (:action take-laser :parameters (?c - cell) :precondition (and (miner-at ?c) (laser-at ?c) (arm-empty))
    :effect (and (has-laser) (not (laser-at ?c)) (not (arm-empty))))
  (:action put-laser :parameters (?c - cell) :precondition (and (miner-at ?c) (has-laser))
    :effect (and (laser-at ?c) (arm-empty) (not (has-laser))))
  (:action take-bomb :parameters (?c - cell) :precondition (and (miner-at ?c) (camp ?c) (arm-empty))
    :effect (and (has-bomb) (not (arm-empty))))
  (:action fire :parameters (?a ?b - cell) :precondition (and (miner-at ?a) (next ?a ?b) (has-laser) (not (clear ?b)))
    :effect (and (clear ?b) (not (soft ?b)) (not (hard ?b)) (when (gold ?b) (probabilistic 0.6 (not (gold ?b))))))
  (:action blast :parameters (?a ?b - cell) :precondition (and (miner-at ?a) (next ?a ?b) (has-bomb) (soft ?b))
    :effect (and (not (has-bomb)) (arm-empty) (probabilistic 0.8 (and (clear ?b) (not (soft ?b))))))
  (:action pick :parameters (?c - cell) :precondition (and (miner-at ?c) (gold ?c) (arm-empty))
    :effect (and (carries ?c) (not (gold ?c)) (not (arm-empty))))
  (:action bring :parameters (?g ?c - cell) :precondition (and (miner-at ?c) (camp ?c) (carries ?g))
    :effect (and (brought ?g) (arm-empty) (not (carries ?g)))))"""


def _miner(draw: random.Random, width: int, height: int, golds: int) -> Drawn:
    cells = width * height
    gold = sorted(draw.sample([y * width + width - 1 for y in range(height)], golds))
    start = ["(camp c0)", "(miner-at c0)", "(arm-empty)", "(laser-at c0)"]
    for cell in range(cells):
        column = cell % width
        kind = "clear" if column == 0 else "soft" if cell in gold else "hard" if draw.random() < 0.3 else "soft"
        start.append(f"({kind} c{cell})")
    start += [f"(gold c{i})" for i in gold]
    return named("c", cells, "cell"), _grid(width, height) + start, [f"(brought c{i})" for i in gold]


RESPONDERS = """
(define (domain first-responders)
  (:requirements :typing :negative-preconditions :probabilistic-effects)
  (:types place unit victim - object engine ambulance - unit)
  (:predicates (road ?a ?b - place) (at ?u - unit ?p - place) (fire ?p - place) (hydrant ?p - place)
    (hospital ?p - place) (water ?e - engine) (lies ?v - victim ?p - place) (in ?v - victim ?a - ambulance)
    (free ?a - ambulance) (hurt ?v - victim) (dying ?v - victim) (healthy ?v - victim))
  (:action drive :parameters (?u - unit ?a ?b - place) :precondition (and (at ?u ?a) (road ?a ?b))
    :effect (and (at ?u ?b) (not (at ?u ?a))))
  (:action fill :parameters (?e - engine ?p - place) :precondition (and (at ?e ?p) (hydrant ?p) (not (water ?e)))
    :effect (water ?e))
  (:action put-out :parameters (?e - engine ?p - place) :precondition (and (at ?e ?p) (fire ?p) (water ?e))
    :effect (and (probabilistic 0.75 (not (fire ?p))) (probabilistic 0.5 (not (water ?e)))))
  (:action treat :parameters (?u - unit ?v - victim ?p - place)
    :precondition (and (at ?u ?p) (lies ?v ?p) (hurt ?v) (not (fire ?p)))
    :effect (probabilistic 0.6 (and (healthy ?v) (not (hurt ?v))) 0.2 (and (dying ?v) (not (hurt ?v)))))
  (:action lift-in :parameters (?v - victim ?a - ambulance ?p - place)
    :precondition (and (at ?a ?p) (lies ?v ?p) (free ?a) (not (fire ?p)))
    :effect (and (in ?v ?a) (not (lies ?v ?p)) (not (free ?a))))
  (:action hand-over :parameters (?v - victim ?a - ambulance ?p - place)
    :precondition (and (at ?a ?p) (in ?v ?a) (hospital ?p))
    :effect (and (lies ?v ?p) (free ?a) (healthy ?v) (not (in ?v ?a)) (not (hurt ?v)) (not (dying ?v)))))"""


def _responders(draw: random.Random, places: int, engines: int, ambulances: int, fires: int, victims: int) -> Drawn:
    burning = draw.sample(range(1, places), fires)
    start = [f"(fire p{i})" for i in burning] + ["(hospital p0)", f"(hydrant p{draw.randrange(places)})"]
    start += [f"(at e{i} p{draw.randrange(places)})" for i in range(engines)]
    for i in range(ambulances):
        start += [f"(at a{i} p{draw.randrange(places)})", f"(free a{i})"]
    for i in range(victims):
        where = draw.choice(burning) if draw.random() < 0.6 else draw.randrange(1, places)
        start += [f"(lies v{i} p{where})", f"({'dying' if draw.random() < 0.3 else 'hurt'} v{i})"]
    kinds = [("p", places, "place"), ("e", engines, "engine"), ("a", ambulances, "ambulance"), ("v", victims, "victim")]
    goal = [f"(healthy v{i})" for i in range(victims)] + [f"(not (fire p{i}))" for i in sorted(burning)]
    roads = linked_map(draw, places, "road", "p", places // 5)
    return " ".join(named(*kind) for kind in kinds), roads + start, goal


ISLANDS = """
(define (domain islands)
  (:requirements :typing :negative-preconditions :probabilistic-effects)
  (:types cell person monkey)
  (:predicates (path ?a ?b - cell) (bridge ?a ?b - cell) (strait ?a ?b - cell) (at ?p - person ?c - cell)
    (blocks ?m - monkey ?c - cell) (blocked ?c - cell) (tree ?c - cell) (leads ?p - person ?m - monkey)
    (alone ?p - person) (sits ?m - monkey) (drowned ?p - person))
  (:action walk :parameters (?p - person ?a ?b - cell) :precondition (and (at ?p ?a) (path ?a ?b))
    :effect (and (at ?p ?b) (not (at ?p ?a))))
  (:action cross :parameters (?p - person ?a ?b - cell)
    :precondition (and (at ?p ?a) (bridge ?a ?b) (not (blocked ?a)) (not (blocked ?b)))
    :effect (and (at ?p ?b) (not (at ?p ?a))))
  (:action swim :parameters (?p - person ?a ?b - cell) :precondition (and (at ?p ?a) (strait ?a ?b))
    :effect (probabilistic 0.6 (and (at ?p ?b) (not (at ?p ?a))) 0.2 (and (drowned ?p) (not (at ?p ?a)))))
  (:action call :parameters (?p - person ?m - monkey ?c - cell)
    :precondition (and (at ?p ?c) (blocks ?m ?c) (alone ?p))
    :effect (probabilistic 0.7 (and (leads ?p ?m) (not (alone ?p)) (not (blocks ?m ?c)) (not (blocked ?c)))))
  (:action leave :parameters (?p - person ?m - monkey ?c - cell) :precondition (and (at ?p ?c) (tree ?c) (leads ?p ?m))
    :effect (and (sits ?m) (alone ?p) (not (leads ?p ?m)))))"""


def _islands(draw: random.Random, islands: int, side: int, persons: int, monkeys: int) -> Drawn:
    """A chain of square islands; each bridge may have a monkey at its near end, and there is a tree on each island."""
    cells = side * side
    start: list[str] = []
    ends = []
    landed = -1
    for island in range(islands):
        offset = island * cells
        across = [(y * side + x, y * side + x + 1) for y in range(side) for x in range(side - 1)]
        down = [(y * side + x, y * side + x + side) for y in range(side - 1) for x in range(side)]
        start += both_ways("path", [(f"c{offset + a}", f"c{offset + b}") for a, b in across + down])
        start.append(f"(tree c{offset + draw.randrange(cells)})")
        if island:
            near, far = draw.sample(range(cells), 2)
            while near == landed:  # a monkey there would let nobody onto the island
                near = draw.randrange(cells)
            landed = far
            ends.append(offset - cells + near)
            start += both_ways("bridge", [(f"c{ends[-1]}", f"c{offset + far}")])
            start += both_ways(
                "strait", [(f"c{offset - cells + draw.randrange(cells)}", f"c{offset + draw.randrange(cells)}")]
            )
    for i in range(monkeys):
        start += [f"(blocks m{i} c{ends[i % len(ends)]})", f"(blocked c{ends[i % len(ends)]})"]
    goal = []
    for i in range(persons):
        start += [f"(at p{i} c{draw.randrange(cells)})", f"(alone p{i})"]
        goal.append(f"(at p{i} c{(islands - 1) * cells + draw.randrange(cells)})")
    kinds = [("c", islands * cells, "cell"), ("p", persons, "person"), ("m", monkeys, "monkey")]
    return " ".join(named(*kind) for kind in kinds), start, goal


ACROBATICS = """
(define (domain acrobatics)
  (:requirements :typing :negative-preconditions :probabilistic-effects)
  (:types spot ring)
  (:predicates (after ?a ?b - spot) (at ?s - spot) (up) (injured) (ladder ?s - spot) (hangs ?r - ring ?s - spot)
    (caught ?r - ring))
  (:action go-on-ground :parameters (?a ?b - spot) :precondition (and (at ?a) (not (up)) (after ?a ?b) (not (injured)))
    :effect (and (at ?b) (not (at ?a))))
  (:action go-back-on-ground :parameters (?a ?b - spot)
    :precondition (and (at ?b) (not (up)) (after ?a ?b) (not (injured))) :effect (and (at ?a) (not (at ?b))))
  (:action climb :parameters (?s - spot) :precondition (and (at ?s) (ladder ?s) (not (up)) (not (injured)))
    :effect (up))
  (:action climb-down :parameters (?s - spot) :precondition (and (at ?s) (ladder ?s) (up)) :effect (not (up)))
  (:action balance :parameters (?a ?b - spot) :precondition (and (at ?a) (up) (after ?a ?b))
    :effect (and (at ?b) (not (at ?a)) (probabilistic 0.1 (not (up)))))
  (:action somersault :parameters (?a ?b ?c - spot) :precondition (and (at ?a) (up) (after ?a ?b) (after ?b ?c))
    :effect (and (at ?c) (not (at ?a)) (probabilistic 0.15 (and (not (up)) (injured)))))
  (:action catch :parameters (?r - ring ?s - spot) :precondition (and (at ?s) (up) (hangs ?r ?s))
    :effect (probabilistic 0.8 (and (caught ?r) (not (hangs ?r ?s))))))"""


def _acrobatics(draw: random.Random, spots: int, rings: int) -> Drawn:
    ladders = {0, *draw.sample(range(spots), max(1, spots // 6))}
    start = [f"(after s{i} s{i + 1})" for i in range(spots - 1)] + [f"(ladder s{i})" for i in sorted(ladders)]
    start += [f"(at s{draw.randrange(spots)})"]
    start += [f"(hangs r{i} s{draw.randrange(1, spots)})" for i in range(rings)]
    goal = [f"(caught r{i})" for i in range(rings)] + ["(up)", f"(at s{spots - 1})"]
    return f"{named('s', spots, 'spot')} {named('r', rings, 'ring')}", start, goal


DEPOTS = """
(define (domain depots)
  (:requirements :typing :negative-preconditions :probabilistic-effects)
  (:types place truck hoist surface - object crate pallet - surface)
  (:predicates (truck-at ?t - truck ?p - place) (hoist-at ?h - hoist ?p - place) (at ?s - surface ?p - place)
    (on ?c - crate ?s - surface) (clear ?s - surface) (in ?c - crate ?t - truck) (lifting ?h - hoist ?c - crate)
    (idle ?h - hoist))
  (:action drive :parameters (?t - truck ?a ?b - place) :precondition (and (truck-at ?t ?a) (not (truck-at ?t ?b)))
    :effect (and (truck-at ?t ?b) (not (truck-at ?t ?a))))
  (:action lift :parameters (?h - hoist ?c - crate ?s - surface ?p - place)
    :precondition (and (hoist-at ?h ?p) (idle ?h) (at ?c ?p) (on ?c ?s) (clear ?c))
    :effect (probabilistic 0.85 (and (lifting ?h ?c) (clear ?s) (not (idle ?h)) (not (at ?c ?p)) (not (on ?c ?s))
      (not (clear ?c)))))
  (:action put :parameters (?h - hoist ?c - crate ?s - surface ?p - place)
    :precondition (and (hoist-at ?h ?p) (lifting ?h ?c) (at ?s ?p) (clear ?s))
    :effect (and (idle ?h) (on ?c ?s) (at ?c ?p) (clear ?c) (not (lifting ?h ?c)) (not (clear ?s))))
  (:action load :parameters (?h - hoist ?c - crate ?t - truck ?p - place)
    :precondition (and (hoist-at ?h ?p) (lifting ?h ?c) (truck-at ?t ?p))
    :effect (and (in ?c ?t) (idle ?h) (not (lifting ?h ?c))))
  (:action unload :parameters (?h - hoist ?c - crate ?t - truck ?p - place)
    :precondition (and (hoist-at ?h ?p) (idle ?h) (truck-at ?t ?p) (in ?c ?t))
    :effect (probabilistic 0.85 (and (lifting ?h ?c) (not (in ?c ?t)) (not (idle ?h))))))"""


def _piles(draw: random.Random, crates: int, pallets: int) -> list[list[int]]:
    piles: list[list[int]] = [[] for _ in range(pallets)]
    for crate in draw.sample(range(crates), crates):
        draw.choice(piles).append(crate)
    return piles


def _depots(draw: random.Random, places: int, trucks: int, pallets: int, crates: int) -> Drawn:
    start = [f"(hoist-at h{i} p{i})" for i in range(places)] + [f"(idle h{i})" for i in range(places)]
    start += [f"(truck-at t{i} p{draw.randrange(places)})" for i in range(trucks)]
    for pallet, pile in enumerate(_piles(draw, crates, pallets)):
        start.append(f"(at q{pallet} p{pallet % places})")
        start += [f"(at c{crate} p{pallet % places})" for crate in pile]
        tower = [f"q{pallet}", *(f"c{crate}" for crate in pile)]
        start += [f"(on {upper} {lower})" for lower, upper in pairwise(tower)] + [f"(clear {tower[-1]})"]
    goal: list[str] = []
    while set(goal) <= set(start):
        towers = [[f"q{i}", *(f"c{crate}" for crate in pile)] for i, pile in enumerate(_piles(draw, crates, pallets))]
        goal = [f"(on {upper} {lower})" for tower in towers for lower, upper in pairwise(tower)]
    kinds = [("p", places, "place"), ("h", places, "hoist"), ("t", trucks, "truck"), ("q", pallets, "pallet")]
    return " ".join(named(*kind) for kind in [*kinds, ("c", crates, "crate")]), start, sorted(goal)


FERRY = """
(define (domain ferry)
  (:requirements :typing :negative-preconditions :probabilistic-effects)
  (:types port car)
  (:predicates (lane ?a ?b - port) (ferry-at ?p - port) (at ?c - car ?p - port) (on ?c - car) (empty) (storm))
  (:action sail :parameters (?a ?b - port) :precondition (and (ferry-at ?a) (lane ?a ?b) (not (storm)))
    :effect (and (ferry-at ?b) (not (ferry-at ?a)) (probabilistic 0.2 (storm))))
  (:action wait :parameters () :precondition (storm) :effect (probabilistic 0.6 (not (storm))))
  (:action board :parameters (?c - car ?p - port) :precondition (and (ferry-at ?p) (at ?c ?p) (empty))
    :effect (and (on ?c) (not (at ?c ?p)) (not (empty))))
  (:action debark :parameters (?c - car ?p - port) :precondition (and (ferry-at ?p) (on ?c))
    :effect (and (at ?c ?p) (empty) (not (on ?c)))))"""


def _ferry(draw: random.Random, ports: int, cars: int) -> Drawn:
    start = ["(empty)", f"(ferry-at p{draw.randrange(ports)})"]
    goal = []
    for car in range(cars):
        here, there = draw.sample(range(ports), 2)
        start.append(f"(at c{car} p{here})")
        goal.append(f"(at c{car} p{there})")
    objects = f"{named('p', ports, 'port')} {named('c', cars, 'car')}"
    return objects, linked_map(draw, ports, "lane", "p", ports // 4) + start, goal


VISIT = """
(define (domain visit-all)
  (:requirements :typing :universal-preconditions :probabilistic-effects)
  (:types cell)
  (:predicates (next ?a ?b - cell) (robot-at ?c - cell) (visited ?c - cell))
  (:action move :parameters (?a ?b - cell) :precondition (and (robot-at ?a) (next ?a ?b))
    :effect (probabilistic 0.8 (and (robot-at ?b) (visited ?b) (not (robot-at ?a))))))"""


def _visit(draw: random.Random, width: int, height: int) -> Drawn:
    at = draw.randrange(width * height)
    start = [f"(robot-at c{at})", f"(visited c{at})"]
    return named("c", width * height, "cell"), _grid(width, height) + start, ["(forall (?c - cell) (visited ?c))"]


CHILDSNACK = """
(define (domain childsnack)
  (:requirements :typing :negative-preconditions :probabilistic-effects)
  (:types child bread content sandwich tray place)
  (:constants kitchen - place)
  (:predicates (bread-there ?b - bread) (content-there ?c - content) (free-bread ?b - bread) (free-content ?c - content)
    (not-made ?s - sandwich) (fresh ?s - sandwich) (gluten-free ?s - sandwich) (on ?s - sandwich ?t - tray)
    (at ?t - tray ?p - place) (waits ?c - child ?p - place) (allergic ?c - child) (served ?c - child))
  (:action make :parameters (?s - sandwich ?b - bread ?c - content)
    :precondition (and (bread-there ?b) (content-there ?c) (not-made ?s))
    :effect (probabilistic 0.9 (and (fresh ?s) (not (bread-there ?b)) (not (content-there ?c)) (not (not-made ?s)))))
  (:action make-gluten-free :parameters (?s - sandwich ?b - bread ?c - content)
    :precondition (and (bread-there ?b) (content-there ?c) (not-made ?s) (free-bread ?b) (free-content ?c))
    :effect (probabilistic 0.9 (and (fresh ?s) (gluten-free ?s) (not (bread-there ?b)) (not (content-there ?c))
      (not (not-made ?s)))))
  (:action put :parameters (?s - sandwich ?t - tray) :precondition (and (fresh ?s) (at ?t kitchen))
    :effect (and (on ?s ?t) (not (fresh ?s))))
  (:action carry :parameters (?t - tray ?a ?b - place) :precondition (and (at ?t ?a) (not (at ?t ?b)))
    :effect (and (at ?t ?b) (not (at ?t ?a))))
  (:action serve :parameters (?s - sandwich ?c - child ?t - tray ?p - place)
    :precondition (and (waits ?c ?p) (not (allergic ?c)) (on ?s ?t) (at ?t ?p) (not (served ?c)))
    :effect (and (served ?c) (not (on ?s ?t))))
  (:action serve-gluten-free :parameters (?s - sandwich ?c - child ?t - tray ?p - place)
    :precondition (and (waits ?c ?p) (allergic ?c) (gluten-free ?s) (on ?s ?t) (at ?t ?p) (not (served ?c)))
    :effect (and (served ?c) (not (on ?s ?t)))))"""


def _childsnack(draw: random.Random, children: int, allergic: int, trays: int, places: int) -> Drawn:
    """As much bread and content as children: what is free of gluten is needed for those who are allergic."""
    start = [f"(at t{i} kitchen)" for i in range(trays)]
    for kind, letter in (("bread", "b"), ("content", "f")):
        start += [f"({kind}-there {letter}{i})" for i in range(children)]
        start += [f"(free-{kind} {letter}{i})" for i in range(allergic)]
    start += [f"(not-made s{i})" for i in range(children)] + [f"(allergic k{i})" for i in range(allergic)]
    start += [f"(waits k{i} p{draw.randrange(places)})" for i in range(children)]
    kinds = [("k", children, "child"), ("b", children, "bread"), ("f", children, "content")]
    kinds += [("s", children, "sandwich"), ("t", trays, "tray"), ("p", places, "place")]
    return " ".join(named(*kind) for kind in kinds), start, [f"(served k{i})" for i in range(children)]


GRID = """
(define (domain grid)
  (:requirements :typing :negative-preconditions :probabilistic-effects)
  (:types cell key shape)
  (:predicates (next ?a ?b - cell) (robot-at ?c - cell) (locked ?c - cell ?s - shape) (open ?c - cell)
    (lies ?k - key ?c - cell) (has ?k - key) (of ?k - key ?s - shape) (hand-empty))
  (:action move :parameters (?a ?b - cell) :precondition (and (robot-at ?a) (next ?a ?b) (open ?b))
    :effect (and (robot-at ?b) (not (robot-at ?a))))
  (:action unlock :parameters (?a ?b - cell ?k - key ?s - shape)
    :precondition (and (robot-at ?a) (next ?a ?b) (has ?k) (of ?k ?s) (locked ?b ?s))
    :effect (probabilistic 0.7 (and (open ?b) (not (locked ?b ?s)))))
  (:action pick-up :parameters (?k - key ?c - cell) :precondition (and (robot-at ?c) (lies ?k ?c) (hand-empty))
    :effect (and (has ?k) (not (lies ?k ?c)) (not (hand-empty))))
  (:action put-down :parameters (?k - key ?c - cell) :precondition (and (robot-at ?c) (has ?k))
    :effect (and (lies ?k ?c) (hand-empty) (not (has ?k)))))"""


def _keys(draw: random.Random, width: int, height: int, walls: int, wanted: int) -> Drawn:
    """Columns of locked cells part the grid; the key of a column lies before it."""
    cells = width * height
    columns = sorted(draw.sample(range(1, width - 1), walls)) if walls else []
    start = ["(hand-empty)", f"(robot-at c{draw.randrange(height) * width})"]
    for cell in range(cells):
        column = cell % width
        start.append(f"(locked c{cell} s{columns.index(column)})" if column in columns else f"(open c{cell})")
    keys = walls + wanted
    goal = []
    for key in range(keys):
        free = [i for i in range(cells) if i % width not in columns]
        before = [i for i in free if i % width < columns[key]] if key < walls else free
        start += [f"(lies k{key} c{draw.choice(before)})", f"(of k{key} s{min(key, max(0, walls - 1))})"]
        if key >= walls:
            goal.append(f"(lies k{key} c{draw.choice(free)})")
    kinds = [("c", cells, "cell"), ("k", keys, "key"), ("s", max(1, walls), "shape")]
    return " ".join(named(*kind) for kind in kinds), _grid(width, height) + start, goal


BRIEFCASE = """
(define (domain briefcase)
  (:requirements :adl :typing :probabilistic-effects)
  (:types place thing)
  (:predicates (street ?a ?b - place) (case-at ?p - place) (at ?t - thing ?p - place) (inside ?t - thing)
    (home ?t - thing ?p - place) (shut))
  (:action carry :parameters (?a ?b - place) :precondition (and (case-at ?a) (street ?a ?b) (shut))
    :effect (and (case-at ?b) (not (case-at ?a))
      (forall (?t - thing) (when (inside ?t) (and (at ?t ?b) (not (at ?t ?a)))))
      (probabilistic 0.1 (not (shut)))))
  (:action close :parameters () :precondition (not (shut)) :effect (probabilistic 0.9 (shut)))
  (:action unlatch :parameters () :precondition (shut) :effect (not (shut)))
  (:action put-in :parameters (?t - thing ?p - place)
    :precondition (and (case-at ?p) (at ?t ?p) (not (inside ?t)) (not (shut))) :effect (inside ?t))
  (:action take-out :parameters (?t - thing) :precondition (and (inside ?t) (not (shut)))
    :effect (not (inside ?t))))"""


def _briefcase(draw: random.Random, places: int, things: int) -> Drawn:
    start = [f"(case-at p{draw.randrange(places)})", "(shut)"]
    for thing in range(things):
        here, there = draw.sample(range(places), 2)
        start += [f"(at t{thing} p{here})", f"(home t{thing} p{there})"]
    goal = [
        "(forall (?t - thing ?p - place) (imply (home ?t ?p) (at ?t ?p)))",
        "(not (exists (?t - thing) (inside ?t)))",
    ]
    objects = f"{named('p', places, 'place')} {named('t', things, 'thing')}"
    return objects, linked_map(draw, places, "street", "p", places // 5) + start, goal


SATELLITE = """
(define (domain satellite)
  (:requirements :typing :negative-preconditions :probabilistic-effects)
  (:types satellite instrument mode direction)
  (:predicates (on-board ?i - instrument ?s - satellite) (supports ?i - instrument ?m - mode)
    (target ?i - instrument ?d - direction) (pointing ?s - satellite ?d - direction) (power ?s - satellite)
    (on ?i - instrument) (calibrated ?i - instrument) (image ?d - direction ?m - mode))
  (:action turn :parameters (?s - satellite ?a ?b - direction)
    :precondition (and (pointing ?s ?a) (not (pointing ?s ?b)))
    :effect (probabilistic 0.9 (and (pointing ?s ?b) (not (pointing ?s ?a)))))
  (:action switch-on :parameters (?i - instrument ?s - satellite) :precondition (and (on-board ?i ?s) (power ?s))
    :effect (and (on ?i) (not (power ?s)) (not (calibrated ?i))))
  (:action switch-off :parameters (?i - instrument ?s - satellite) :precondition (and (on-board ?i ?s) (on ?i))
    :effect (and (power ?s) (not (on ?i))))
  (:action calibrate :parameters (?s - satellite ?i - instrument ?d - direction)
    :precondition (and (on-board ?i ?s) (on ?i) (pointing ?s ?d) (target ?i ?d))
    :effect (probabilistic 0.8 (calibrated ?i)))
  (:action take-image :parameters (?s - satellite ?i - instrument ?d - direction ?m - mode)
    :precondition (and (on-board ?i ?s) (on ?i) (calibrated ?i) (supports ?i ?m) (pointing ?s ?d))
    :effect (probabilistic 0.85 (image ?d ?m) 0.15 (not (calibrated ?i)))))"""


def _satellite(
    draw: random.Random, satellites: int, instruments: int, modes: int, directions: int, images: int
) -> Drawn:
    start = [f"(power s{i})" for i in range(satellites)]
    start += [f"(pointing s{i} d{draw.randrange(directions)})" for i in range(satellites)]
    for i in range(instruments):
        start += [f"(on-board i{i} s{i % satellites})", f"(target i{i} d{draw.randrange(directions)})"]
        start += [f"(supports i{i} m{mode})" for mode in sorted({i % modes, draw.randrange(modes)})]
    wanted = draw.sample([(d, m) for d in range(directions) for m in range(min(modes, instruments))], images)
    kinds = [("s", satellites, "satellite"), ("i", instruments, "instrument"), ("m", modes, "mode")]
    objects = " ".join(named(*kind) for kind in [*kinds, ("d", directions, "direction")])
    return objects, start, [f"(image d{d} m{m})" for d, m in sorted(wanted)]


TRANSPORT = """
(define (domain transport)
  (:requirements :typing :negative-preconditions :probabilistic-effects)
  (:types place vehicle package number)
  (:predicates (road ?a ?b - place) (at ?v - vehicle ?p - place) (lies ?k - package ?p - place)
    (in ?k - package ?v - vehicle) (room ?v - vehicle ?n - number) (less ?m ?n - number))
  (:action drive :parameters (?v - vehicle ?a ?b - place) :precondition (and (at ?v ?a) (road ?a ?b))
    :effect (probabilistic 0.9 (and (at ?v ?b) (not (at ?v ?a)))))
  (:action load :parameters (?k - package ?v - vehicle ?p - place ?m ?n - number)
    :precondition (and (at ?v ?p) (lies ?k ?p) (room ?v ?n) (less ?m ?n))
    :effect (and (in ?k ?v) (room ?v ?m) (not (lies ?k ?p)) (not (room ?v ?n))))
  (:action unload :parameters (?k - package ?v - vehicle ?p - place ?m ?n - number)
    :precondition (and (at ?v ?p) (in ?k ?v) (room ?v ?m) (less ?m ?n))
    :effect (and (lies ?k ?p) (room ?v ?n) (not (in ?k ?v)) (not (room ?v ?m)))))"""


def _transport(draw: random.Random, places: int, vehicles: int, packages: int, room: int) -> Drawn:
    start = [f"(less n{i} n{i + 1})" for i in range(room)]
    for vehicle in range(vehicles):
        start += [f"(at v{vehicle} p{draw.randrange(places)})", f"(room v{vehicle} n{draw.randint(1, room)})"]
    goal = []
    for package in range(packages):
        here, there = draw.sample(range(places), 2)
        start.append(f"(lies k{package} p{here})")
        goal.append(f"(lies k{package} p{there})")
    kinds = [("p", places, "place"), ("v", vehicles, "vehicle"), ("k", packages, "package"), ("n", room + 1, "number")]
    return " ".join(named(*kind) for kind in kinds), linked_map(draw, places, "road", "p", places // 4) + start, goal


Entry = tuple[str, Writer, str]
"""The text of a domain, what draws its problems, and their sizes, in the order of `LABELS`."""

DOMAINS: dict[str, Entry] = {
    "gold-miner": (MINER, _miner, "2-1-1 3-1-1 3-2-1 2-3-2 3-3-1 4-3-2 4-4-2 7-6-4 8-7-5"),
    "first-responders": (
        RESPONDERS,
        _responders,
        "2-1-1-1-1 3-1-1-1-1 3-1-1-1-2 4-1-1-2-1 4-1-1-2-2 6-1-1-3-3 7-2-1-3-3 20-2-3-7-9 25-3-3-8-10",
    ),
    "islands": (ISLANDS, _islands, "2-2-1-1 2-2-1-0 2-2-2-1 3-2-1-2 2-3-1-1 2-3-2-1 3-3-2-2 5-4-5-4 6-5-6-5"),
    "acrobatics": (ACROBATICS, _acrobatics, "3-1 5-1 6-2 7-2 8-3 15-6 20-7 40-18 60-25"),
    "depots": (DEPOTS, _depots, "2-1-2-1 2-1-2-2 2-1-3-2 3-1-3-2 2-1-3-3 3-1-4-4 3-2-4-4 5-2-8-12 6-3-10-15"),
    "ferry": (FERRY, _ferry, "2-1 3-1 3-2 4-2 4-3 8-4 8-5 20-15 30-20"),
    "visit-all": (VISIT, _visit, "2-2 3-2 4-2 3-3 5-2 4-4 5-4 9-9 12-10"),
    "childsnack": (
        CHILDSNACK,
        _childsnack,
        "1-0-1-1 1-1-1-1 2-1-1-1 2-1-1-2 2-0-2-2 3-1-1-2 4-2-2-2 10-4-3-3 13-5-3-4",
    ),
    "grid": (GRID, _keys, "2-2-0-1 3-1-1-1 3-2-1-1 4-2-1-1 4-2-1-2 6-3-2-2 6-4-2-2 9-6-3-4 10-7-4-5"),
    "briefcase": (BRIEFCASE, _briefcase, "2-1 3-1 3-2 4-2 4-3 8-4 8-5 20-12 25-15"),
    "satellite": (
        SATELLITE,
        _satellite,
        "1-1-1-2-1 1-1-1-3-2 1-2-2-3-2 2-2-2-3-2 1-2-2-4-3 2-3-2-5-4 2-4-3-6-5 3-7-4-20-14 4-9-5-25-18",
    ),
    "transport": (TRANSPORT, _transport, "2-1-1-1 3-1-1-2 3-1-2-1 3-1-2-2 4-1-2-2 6-2-3-2 7-2-4-2 20-3-10-3 30-3-14-4"),
}


def problem(name: str, label: str, entry: Entry) -> tuple[str, str]:
    """The text of a domain, and of its problem with that label."""
    domain, writer, sizes = entry
    size = sizes.split()[LABELS.index(label)].split("-")
    objects, start, goal = writer(random.Random(f"{name} {label}"), *map(int, size))
    text = f"""(define (problem {name}-{label}) (:domain {name})
  (:objects {objects})
  (:init {" ".join(start)})
  (:goal (and {" ".join(goal)})))"""
    return domain, text


def write(folder: Path, name: str, entry: Entry) -> None:
    """Write a domain and its problems into a folder of its name."""
    (folder / name).mkdir(parents=True, exist_ok=True)
    for label in LABELS:
        domain, text = problem(name, label, entry)
        (folder / name / "domain.ppddl").write_text(domain.lstrip() + "\n")
        (folder / name / f"{label}.ppddl").write_text(text + "\n")


if __name__ == "__main__":
    for each in DOMAINS:
        write(Path(sys.argv[1]), each, DOMAINS[each])
