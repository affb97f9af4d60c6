"""Six domains written before the choice between roles and rules was last changed, and used only to check that change.

They are of the form of `literature_domains.py`, which writes their problems: five small ones, two larger, two large.
"""

from __future__ import annotations

import random
from itertools import pairwise

from literature_domains import Drawn, Entry, both_ways, linked_map, named

__all__ = ["DOMAINS"]

LAUNDRY = """
(define (domain laundry)
  (:requirements :typing :negative-preconditions :probabilistic-effects)
  (:types garment washer line)
  (:predicates (soiled ?g - garment) (wet ?g - garment) (dry ?g - garment) (stored ?g - garment) (delicate ?g - garment)
    (inside ?g - garment ?w - washer) (empty ?w - washer) (gentle ?w - washer) (running ?w - washer)
    (hangs ?g - garment ?l - line) (bare ?l - line))
  (:action put-in :parameters (?g - garment ?w - washer)
    :precondition (and (soiled ?g) (empty ?w)) :effect (and (inside ?g ?w) (not (empty ?w)) (not (soiled ?g))))
  (:action select-gentle :parameters (?w - washer) :precondition (not (gentle ?w)) :effect (gentle ?w))
  (:action select-hot :parameters (?w - washer) :precondition (gentle ?w) :effect (not (gentle ?w)))
  (:action wash-delicate :parameters (?g - garment ?w - washer)
    :precondition (and (inside ?g ?w) (delicate ?g) (gentle ?w) (not (wet ?g))) :effect (probabilistic 0.7 (wet ?g)))
  (:action wash :parameters (?g - garment ?w - washer)
    :precondition (and (inside ?g ?w) (not (delicate ?g)) (not (gentle ?w)) (not (wet ?g)))
    :effect (probabilistic 0.9 (wet ?g)))
  (:action hang :parameters (?g - garment ?w - washer ?l - line)
    :precondition (and (inside ?g ?w) (wet ?g) (bare ?l))
    :effect (and (hangs ?g ?l) (not (bare ?l)) (not (inside ?g ?w)) (empty ?w)))
  (:action wait :parameters (?g - garment ?l - line) :precondition (and (hangs ?g ?l) (wet ?g))
    :effect (probabilistic 0.5 (and (dry ?g) (not (wet ?g)))))
  (:action store :parameters (?g - garment ?l - line) :precondition (and (hangs ?g ?l) (dry ?g))
    :effect (and (stored ?g) (bare ?l) (not (hangs ?g ?l)))))"""


def _laundry(draw: random.Random, garments: int, washers: int, lines: int) -> Drawn:
    start = [f"(soiled g{i})" for i in range(garments)]
    start += [f"(delicate g{i})" for i in range(garments) if draw.random() < 0.5]
    start += [f"(empty w{i})" for i in range(washers)] + [f"(bare l{i})" for i in range(lines)]
    objects = f"{named('g', garments, 'garment')} {named('w', washers, 'washer')} {named('l', lines, 'line')}"
    return objects, start, [f"(stored g{i})" for i in range(garments)]


RESCUE = """
(define (domain mountain-rescue)
  (:requirements :typing :negative-preconditions :probabilistic-effects)
  (:types site climber)
  (:predicates (trail ?a ?b - site) (ledge ?a ?b - site) (hut ?s - site) (team-at ?s - site)
    (lost ?c - climber ?s - site) (carried ?c - climber) (loaded) (safe ?c - climber) (able))
  (:action walk :parameters (?a ?b - site) :precondition (and (team-at ?a) (trail ?a ?b) (able))
    :effect (and (team-at ?b) (not (team-at ?a))))
  (:action climb :parameters (?a ?b - site) :precondition (and (team-at ?a) (ledge ?a ?b) (able))
    :effect (probabilistic 0.8 (and (team-at ?b) (not (team-at ?a))) 0.2 (not (able))))
  (:action lift :parameters (?c - climber ?s - site)
    :precondition (and (team-at ?s) (lost ?c ?s) (not (loaded)) (able))
    :effect (probabilistic 0.9 (and (carried ?c) (loaded) (not (lost ?c ?s)))))
  (:action hand-over :parameters (?c - climber ?s - site)
    :precondition (and (team-at ?s) (hut ?s) (carried ?c))
    :effect (and (safe ?c) (not (carried ?c)) (not (loaded)))))"""


def _rescue(draw: random.Random, sites: int, ledges: int, huts: int, climbers: int) -> Drawn:
    start = linked_map(draw, sites, "trail", "s", sites // 5)
    pairs = [tuple(sorted(draw.sample(range(sites), 2))) for _ in range(ledges)]
    start += both_ways("ledge", [(f"s{a}", f"s{b}") for a, b in sorted(set(pairs))])
    start += [f"(hut s{i})" for i in sorted({0, *draw.sample(range(sites), huts)})]
    start += ["(able)", f"(team-at s{draw.randrange(sites)})"]
    start += [f"(lost c{i} s{draw.randrange(1, sites)})" for i in range(climbers)]
    objects = f"{named('s', sites, 'site')} {named('c', climbers, 'climber')}"
    return objects, start, [f"(safe c{i})" for i in range(climbers)]


CELLAR = """
(define (domain wine-cellar)
  (:requirements :typing :negative-preconditions :probabilistic-effects)
  (:types box shelf)
  (:predicates (upon ?a ?b - box) (bottom ?a - box ?s - shelf) (open ?a - box) (vacant ?s - shelf) (held ?a - box)
    (idle) (red ?a - box) (tasted ?a - box))
  (:action take :parameters (?a - box ?s - shelf) :precondition (and (open ?a) (bottom ?a ?s) (idle))
    :effect (and (held ?a) (vacant ?s) (not (bottom ?a ?s)) (not (open ?a)) (not (idle))))
  (:action take-off :parameters (?a ?b - box) :precondition (and (open ?a) (upon ?a ?b) (idle))
    :effect (probabilistic 0.9 (and (held ?a) (open ?b) (not (upon ?a ?b)) (not (open ?a)) (not (idle)))))
  (:action put :parameters (?a - box ?s - shelf) :precondition (and (held ?a) (vacant ?s))
    :effect (and (bottom ?a ?s) (open ?a) (idle) (not (held ?a)) (not (vacant ?s))))
  (:action put-on :parameters (?a ?b - box) :precondition (and (held ?a) (open ?b))
    :effect (and (upon ?a ?b) (open ?a) (idle) (not (held ?a)) (not (open ?b))))
  (:action taste :parameters (?a - box) :precondition (and (open ?a) (red ?a) (idle))
    :effect (probabilistic 0.8 (tasted ?a))))"""


def _cellar(draw: random.Random, boxes: int, shelves: int) -> Drawn:
    piles: list[list[int]] = [[] for _ in range(shelves)]
    for box in draw.sample(range(boxes), boxes):
        draw.choice(piles[:-1] or piles).append(box)  # the last shelf is left vacant, so that there is always a move
    start = ["(idle)"]
    for shelf, pile in enumerate(piles):
        start += [f"(bottom b{pile[0]} s{shelf})", f"(open b{pile[-1]})"] if pile else [f"(vacant s{shelf})"]
        start += [f"(upon b{above} b{below})" for below, above in pairwise(pile)]
    red = [box for box in range(boxes) if draw.random() < 0.5] or [0]
    start += [f"(red b{box})" for box in red]
    return f"{named('b', boxes, 'box')} {named('s', shelves, 'shelf')}", start, [f"(tasted b{box})" for box in red]


NETWORK = """
(define (domain network)
  (:requirements :typing :negative-preconditions :probabilistic-effects)
  (:types router)
  (:predicates (cable ?a ?b - router) (has-image ?r - router) (running ?r - router) (updated ?r - router))
  (:action copy :parameters (?a ?b - router)
    :precondition (and (cable ?a ?b) (has-image ?a) (running ?a) (running ?b) (not (has-image ?b)))
    :effect (probabilistic 0.8 (has-image ?b) 0.2 (not (running ?b))))
  (:action reboot :parameters (?r - router) :precondition (not (running ?r)) :effect (probabilistic 0.9 (running ?r)))
  (:action install :parameters (?r - router) :precondition (and (has-image ?r) (running ?r) (not (updated ?r)))
    :effect (and (updated ?r) (not (has-image ?r)) (probabilistic 0.3 (not (running ?r))))))"""


def _network(draw: random.Random, routers: int, wanted: int) -> Drawn:
    start = linked_map(draw, routers, "cable", "r", routers // 5)
    start += [f"(has-image r{draw.randrange(routers)})", *(f"(running r{i})" for i in range(routers))]
    chosen = draw.sample(range(routers), wanted)
    return named("r", routers, "router"), start, [f"(updated r{i})" for i in chosen]


MILK = """
(define (domain milk-round)
  (:requirements :typing :negative-preconditions :probabilistic-effects)
  (:types farm level)
  (:predicates (lane ?a ?b - farm) (tanker-at ?f - farm) (milk ?f - farm) (dairy ?f - farm) (filled ?l - level)
    (above ?l ?m - level) (gate-shut ?f - farm))
  (:action drive :parameters (?a ?b - farm) :precondition (and (tanker-at ?a) (lane ?a ?b))
    :effect (and (tanker-at ?b) (not (tanker-at ?a))))
  (:action open-gate :parameters (?f - farm) :precondition (and (tanker-at ?f) (gate-shut ?f))
    :effect (probabilistic 0.6 (not (gate-shut ?f))))
  (:action collect :parameters (?f - farm ?l ?m - level)
    :precondition (and (tanker-at ?f) (milk ?f) (not (gate-shut ?f)) (filled ?l) (above ?m ?l))
    :effect (and (filled ?m) (not (filled ?l)) (not (milk ?f))))
  (:action discharge :parameters (?f - farm ?l ?m - level)
    :precondition (and (tanker-at ?f) (dairy ?f) (filled ?l) (above ?l ?m))
    :effect (and (filled ?m) (not (filled ?l)))))"""


def _milk(draw: random.Random, farms: int, room: int, full: int) -> Drawn:
    start = [*linked_map(draw, farms, "lane", "f", farms // 5), "(dairy f0)", "(filled l0)"]
    start += [f"(above l{i + 1} l{i})" for i in range(room)] + [f"(tanker-at f{draw.randrange(farms)})"]
    milk = draw.sample(range(1, farms), full)
    start += [f"(milk f{i})" for i in milk] + [f"(gate-shut f{i})" for i in milk if draw.random() < 0.5]
    objects = f"{named('f', farms, 'farm')} {named('l', room + 1, 'level')}"
    return objects, start, [*(f"(not (milk f{i}))" for i in milk), "(filled l0)"]


CLINIC = """
(define (domain clinic)
  (:requirements :typing :negative-preconditions :probabilistic-effects)
  (:types room patient nurse device)
  (:predicates (next-to ?a ?b - room) (in-room ?n - nurse ?r - room) (waits ?p - patient ?r - room)
    (stands ?d - device ?r - room) (pushes ?n - nurse ?d - device) (free ?n - nurse) (needs ?p - patient ?d - device)
    (examined ?p - patient) (broken ?d - device))
  (:action go :parameters (?n - nurse ?a ?b - room) :precondition (and (in-room ?n ?a) (next-to ?a ?b))
    :effect (and (in-room ?n ?b) (not (in-room ?n ?a))))
  (:action grasp :parameters (?n - nurse ?d - device ?r - room)
    :precondition (and (in-room ?n ?r) (stands ?d ?r) (free ?n))
    :effect (and (pushes ?n ?d) (not (stands ?d ?r)) (not (free ?n))))
  (:action leave :parameters (?n - nurse ?d - device ?r - room)
    :precondition (and (in-room ?n ?r) (pushes ?n ?d)) :effect (and (stands ?d ?r) (free ?n) (not (pushes ?n ?d))))
  (:action repair :parameters (?n - nurse ?d - device) :precondition (and (pushes ?n ?d) (broken ?d))
    :effect (probabilistic 0.5 (not (broken ?d))))
  (:action examine :parameters (?n - nurse ?p - patient ?d - device ?r - room)
    :precondition (and (in-room ?n ?r) (waits ?p ?r) (pushes ?n ?d) (needs ?p ?d) (not (broken ?d)))
    :effect (probabilistic 0.8 (examined ?p) 0.2 (broken ?d))))"""


def _clinic(draw: random.Random, rooms: int, nurses: int, devices: int, patients: int) -> Drawn:
    start = linked_map(draw, rooms, "next-to", "r", rooms // 5)
    for nurse in range(nurses):
        start += [f"(in-room n{nurse} r{draw.randrange(rooms)})", f"(free n{nurse})"]
    start += [f"(stands d{i} r{draw.randrange(rooms)})" for i in range(devices)]
    for patient in range(patients):
        start += [f"(waits p{patient} r{draw.randrange(rooms)})", f"(needs p{patient} d{draw.randrange(devices)})"]
    kinds = [("r", rooms, "room"), ("n", nurses, "nurse"), ("d", devices, "device"), ("p", patients, "patient")]
    return " ".join(named(*kind) for kind in kinds), start, [f"(examined p{i})" for i in range(patients)]


DOMAINS: dict[str, Entry] = {
    "laundry": (LAUNDRY, _laundry, "1-1-1 2-1-1 2-2-1 3-1-1 3-2-2 5-2-2 6-2-2 25-3-3 40-4-4"),
    "mountain-rescue": (
        RESCUE,
        _rescue,
        "3-1-1-1 4-1-1-1 4-2-1-2 5-2-1-2 6-2-1-2 10-4-1-3 12-4-2-4 40-12-2-12 60-15-3-15",
    ),
    "wine-cellar": (CELLAR, _cellar, "2-2 3-2 3-3 4-2 4-3 6-3 7-3 18-4 25-5"),
    "network": (NETWORK, _network, "2-1 3-2 4-2 4-3 5-3 8-4 9-5 25-10 40-15"),
    "milk-round": (MILK, _milk, "3-1-1 4-1-2 4-2-2 5-2-3 6-2-3 9-2-5 10-3-6 40-4-15 60-5-25"),
    "clinic": (CLINIC, _clinic, "2-1-1-1 3-1-1-1 3-1-2-2 4-1-2-2 4-2-1-2 6-2-2-3 7-2-2-4 20-2-3-12 30-3-4-16"),
}
