"""Fifteen domains that nothing was tuned on: written after the learner, from other fields than the benchmarks.

    problem(name, number)    the text of the domain, and of its problem of that number

The problems of a domain are all of one size, and large: `self_taught.py` learns from the first, and tries what it
learned on the others. They differ in what is drawn: maps, places, what is wanted.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import pairwise

__all__ = ["DOMAINS", "problem"]

Writer = Callable[[random.Random], tuple[str, list[str], list[str]]]
"""Draws a problem: its objects, initial atoms and goals."""


def _named(letter: str, count: int, kind: str) -> str:
    return f"{' '.join(f'{letter}{i}' for i in range(count))} - {kind}"


def _tree(draw: random.Random, count: int, link: str, letter: str, more: int = 0) -> list[str]:
    """Links both ways that make a tree, and a few more of them."""
    pairs = {(draw.randrange(max(0, i - 3), i), i) for i in range(1, count)}
    pairs |= {(a, b) for a, b in (sorted(draw.sample(range(count), 2)) for _ in range(more))}
    return [f"({link} {letter}{a} {letter}{b})" for one, two in sorted(pairs) for a, b in ((one, two), (two, one))]


ORCHARD = """
(define (domain orchard)
  (:requirements :typing :negative-preconditions :probabilistic-effects)
  (:types spot)
  (:predicates (path ?a ?b - spot) (picker-at ?s - spot) (ripe ?s - spot) (barn ?s - spot) (basket-full))
  (:action walk :parameters (?a ?b - spot) :precondition (and (picker-at ?a) (path ?a ?b))
    :effect (and (picker-at ?b) (not (picker-at ?a))))
  (:action pick :parameters (?s - spot) :precondition (and (picker-at ?s) (ripe ?s) (not (basket-full)))
    :effect (probabilistic 0.8 (and (not (ripe ?s)) (basket-full))))
  (:action unload :parameters (?s - spot) :precondition (and (picker-at ?s) (barn ?s) (basket-full))
    :effect (not (basket-full))))"""


def _orchard(draw: random.Random) -> tuple[str, list[str], list[str]]:
    ripe = draw.sample(range(1, 25), 8)
    start = ["(barn s0)", "(picker-at s0)", *(f"(ripe s{i})" for i in ripe)]
    goal = [f"(not (ripe s{i}))" for i in ripe]
    return _named("s", 25, "spot"), _tree(draw, 25, "path", "s", 4) + start, [*goal, "(not (basket-full))"]


LABORATORY = """
(define (domain laboratory)
  (:requirements :typing :negative-preconditions :probabilistic-effects)
  (:types sample centrifuge)
  (:predicates (raw ?s - sample) (in ?s - sample ?c - centrifuge) (spun ?s - sample) (analysed ?s - sample)
    (free ?c - centrifuge) (dirty ?c - centrifuge))
  (:action insert :parameters (?s - sample ?c - centrifuge)
    :precondition (and (raw ?s) (free ?c) (not (dirty ?c)))
    :effect (and (in ?s ?c) (not (raw ?s)) (not (free ?c))))
  (:action spin :parameters (?s - sample ?c - centrifuge) :precondition (and (in ?s ?c) (not (spun ?s)))
    :effect (and (probabilistic 0.9 (spun ?s)) (probabilistic 0.4 (dirty ?c))))
  (:action take-out :parameters (?s - sample ?c - centrifuge) :precondition (and (in ?s ?c) (spun ?s))
    :effect (and (not (in ?s ?c)) (free ?c)))
  (:action clean :parameters (?c - centrifuge) :precondition (and (dirty ?c) (free ?c)) :effect (not (dirty ?c)))
  (:action analyse :parameters (?s - sample ?c - centrifuge) :precondition (and (spun ?s) (not (in ?s ?c)) (free ?c))
    :effect (probabilistic 0.95 (analysed ?s))))"""


def _laboratory(draw: random.Random) -> tuple[str, list[str], list[str]]:
    count = 12
    dirty = [f"(dirty c{i})" for i in range(2) if draw.random() < 0.5]
    start = [*(f"(raw s{i})" for i in range(count)), "(free c0)", "(free c1)", *dirty]
    goal = [f"(analysed s{i})" for i in range(count)]
    return f"{_named('s', count, 'sample')} {_named('c', 2, 'centrifuge')}", start, goal


SNOW = """
(define (domain snow-plough)
  (:requirements :typing :negative-preconditions :probabilistic-effects)
  (:types junction)
  (:predicates (road ?a ?b - junction) (plough-at ?j - junction) (snowed-in ?j - junction) (depot ?j - junction))
  (:action drive :parameters (?a ?b - junction) :precondition (and (plough-at ?a) (road ?a ?b) (not (snowed-in ?a)))
    :effect (and (plough-at ?b) (not (plough-at ?a))))
  (:action clear :parameters (?j - junction) :precondition (and (plough-at ?j) (snowed-in ?j))
    :effect (probabilistic 0.7 (not (snowed-in ?j)))))"""


def _snow(draw: random.Random) -> tuple[str, list[str], list[str]]:
    count = 20
    snowed = draw.sample(range(1, count), 9)
    start = ["(depot j0)", "(plough-at j0)", *(f"(snowed-in j{i})" for i in snowed)]
    goal = ["(plough-at j0)", *(f"(not (snowed-in j{i}))" for i in snowed)]
    return _named("j", count, "junction"), _tree(draw, count, "road", "j", 3) + start, goal


BAKERY = """
(define (domain bakery)
  (:requirements :typing :negative-preconditions :probabilistic-effects)
  (:types loaf oven)
  (:predicates (flour ?l - loaf) (dough ?l - loaf) (risen ?l - loaf) (in-oven ?l - loaf ?o - oven) (baked ?l - loaf)
    (sold ?l - loaf) (empty ?o - oven) (hot ?o - oven))
  (:action knead :parameters (?l - loaf) :precondition (flour ?l) :effect (and (dough ?l) (not (flour ?l))))
  (:action wait :parameters (?l - loaf) :precondition (dough ?l)
    :effect (probabilistic 0.6 (and (risen ?l) (not (dough ?l)))))
  (:action heat :parameters (?o - oven) :precondition (not (hot ?o)) :effect (hot ?o))
  (:action load :parameters (?l - loaf ?o - oven) :precondition (and (risen ?l) (empty ?o))
    :effect (and (in-oven ?l ?o) (not (empty ?o)) (not (risen ?l))))
  (:action bake :parameters (?l - loaf ?o - oven) :precondition (and (in-oven ?l ?o) (hot ?o))
    :effect (and (not (in-oven ?l ?o)) (empty ?o) (probabilistic 0.9 (baked ?l) 0.1 (flour ?l))
      (probabilistic 0.3 (not (hot ?o)))))
  (:action sell :parameters (?l - loaf) :precondition (baked ?l) :effect (and (sold ?l) (not (baked ?l)))))"""


def _bakery(draw: random.Random) -> tuple[str, list[str], list[str]]:
    count = 10
    stage = [draw.choice(["flour", "flour", "dough"]) for _ in range(count)]
    start = [*(f"({stage[i]} l{i})" for i in range(count)), *(f"(empty o{i})" for i in range(2))]
    return f"{_named('l', count, 'loaf')} {_named('o', 2, 'oven')}", start, [f"(sold l{i})" for i in range(count)]


LIBRARY = """
(define (domain library)
  (:requirements :typing :negative-preconditions :probabilistic-effects)
  (:types floor book)
  (:predicates (stairs ?a ?b - floor) (cart-at ?f - floor) (on-floor ?b - book ?f - floor) (on-cart ?b - book)
    (belongs ?b - book ?f - floor) (shelved ?b - book) (room-on-cart))
  (:action roll :parameters (?a ?b - floor) :precondition (and (cart-at ?a) (stairs ?a ?b))
    :effect (probabilistic 0.9 (and (cart-at ?b) (not (cart-at ?a)))))
  (:action load :parameters (?b - book ?f - floor)
    :precondition (and (cart-at ?f) (on-floor ?b ?f) (room-on-cart) (not (shelved ?b)))
    :effect (and (on-cart ?b) (not (on-floor ?b ?f)) (not (room-on-cart))))
  (:action shelve :parameters (?b - book ?f - floor) :precondition (and (cart-at ?f) (on-cart ?b) (belongs ?b ?f))
    :effect (and (shelved ?b) (not (on-cart ?b)) (room-on-cart))))"""


def _library(draw: random.Random) -> tuple[str, list[str], list[str]]:
    floors, books = 8, 10
    stairs = [f"(stairs f{a} f{b})" for i in range(floors - 1) for a, b in ((i, i + 1), (i + 1, i))]
    start = ["(room-on-cart)", f"(cart-at f{draw.randrange(floors)})"]
    for book in range(books):
        here, there = draw.sample(range(floors), 2)
        start += [f"(on-floor b{book} f{here})", f"(belongs b{book} f{there})"]
    goal = [f"(shelved b{i})" for i in range(books)]
    return f"{_named('f', floors, 'floor')} {_named('b', books, 'book')}", stairs + start, goal


PASS = """
(define (domain mountain-pass)
  (:requirements :typing :negative-preconditions :probabilistic-effects)
  (:types camp)
  (:predicates (trail ?a ?b - camp) (ridge ?a ?b - camp) (climber-at ?c - camp) (well) (flag ?c - camp)
    (wanted ?c - camp))
  (:action hike :parameters (?a ?b - camp) :precondition (and (climber-at ?a) (trail ?a ?b) (well))
    :effect (and (climber-at ?b) (not (climber-at ?a))))
  (:action traverse :parameters (?a ?b - camp) :precondition (and (climber-at ?a) (ridge ?a ?b) (well))
    :effect (and (climber-at ?b) (not (climber-at ?a)) (probabilistic 0.2 (not (well)))))
  (:action plant :parameters (?c - camp) :precondition (and (climber-at ?c) (wanted ?c) (well)) :effect (flag ?c)))"""


def _pass(draw: random.Random) -> tuple[str, list[str], list[str]]:
    count = 30
    ridges = [sorted(draw.sample(range(count), 2)) for _ in range(20)]
    start = [f"(ridge c{a} c{b})" for one, two in ridges for a, b in ((one, two), (two, one))]
    flags = draw.sample(range(1, count), 12)
    start += ["(well)", "(climber-at c0)", *(f"(wanted c{i})" for i in flags)]
    return _named("c", count, "camp"), _tree(draw, count, "trail", "c") + start, [f"(flag c{i})" for i in flags]


MUSEUM = """
(define (domain museum)
  (:requirements :typing :negative-preconditions :probabilistic-effects)
  (:types room)
  (:predicates (door ?a ?b - room) (guard-at ?r - room) (lit ?r - room) (broken ?r - room) (stock ?r - room) (has-bulb))
  (:action go :parameters (?a ?b - room) :precondition (and (guard-at ?a) (door ?a ?b))
    :effect (and (guard-at ?b) (not (guard-at ?a))))
  (:action switch :parameters (?r - room) :precondition (and (guard-at ?r) (not (lit ?r)) (not (broken ?r)))
    :effect (probabilistic 0.7 (lit ?r) 0.3 (broken ?r)))
  (:action fetch :parameters (?r - room) :precondition (and (guard-at ?r) (stock ?r)) :effect (has-bulb))
  (:action replace :parameters (?r - room) :precondition (and (guard-at ?r) (broken ?r) (has-bulb))
    :effect (and (not (broken ?r)) (not (has-bulb)))))"""


def _museum(draw: random.Random) -> tuple[str, list[str], list[str]]:
    count = 14
    broken = [f"(broken r{i})" for i in range(count) if draw.random() < 0.2]
    start = [f"(guard-at r{draw.randrange(count)})", f"(stock r{draw.randrange(count)})", *broken]
    goal = [f"(lit r{i})" for i in range(count)]
    return _named("r", count, "room"), _tree(draw, count, "door", "r", 2) + start, goal


RELAY = """
(define (domain relay)
  (:requirements :typing :negative-preconditions :probabilistic-effects)
  (:types station message)
  (:predicates (line ?a ?b - station) (at ?m - message ?s - station) (for ?m - message ?s - station) (read ?m - message)
    (powered ?s - station))
  (:action send :parameters (?m - message ?a ?b - station) :precondition (and (at ?m ?a) (line ?a ?b) (powered ?a))
    :effect (and (probabilistic 0.9 (and (at ?m ?b) (not (at ?m ?a)))) (probabilistic 0.1 (not (powered ?a)))))
  (:action restart :parameters (?s - station) :precondition (not (powered ?s)) :effect (powered ?s))
  (:action read-out :parameters (?m - message ?s - station) :precondition (and (at ?m ?s) (for ?m ?s))
    :effect (read ?m)))"""


def _relay(draw: random.Random) -> tuple[str, list[str], list[str]]:
    stations, messages = 12, 6
    start = [f"(powered s{i})" for i in range(stations) if draw.random() < 0.7]
    for message in range(messages):
        here, there = draw.sample(range(stations), 2)
        start += [f"(at m{message} s{here})", f"(for m{message} s{there})"]
    objects = f"{_named('s', stations, 'station')} {_named('m', messages, 'message')}"
    return objects, _tree(draw, stations, "line", "s", 3) + start, [f"(read m{i})" for i in range(messages)]


STAGE = """
(define (domain stage)
  (:requirements :typing :negative-preconditions :probabilistic-effects)
  (:types piece hoist)
  (:predicates (down ?p - piece) (up ?p - piece) (hooked ?p - piece ?h - hoist) (free ?h - hoist) (jammed ?h - hoist)
    (locked ?p - piece))
  (:action hook :parameters (?p - piece ?h - hoist) :precondition (and (down ?p) (free ?h) (not (jammed ?h)))
    :effect (and (hooked ?p ?h) (not (free ?h))))
  (:action raise :parameters (?p - piece ?h - hoist) :precondition (and (hooked ?p ?h) (down ?p) (not (jammed ?h)))
    :effect (probabilistic 0.75 (and (up ?p) (not (down ?p))) 0.15 (jammed ?h)))
  (:action free-hoist :parameters (?h - hoist) :precondition (jammed ?h) :effect (not (jammed ?h)))
  (:action lock :parameters (?p - piece ?h - hoist) :precondition (and (hooked ?p ?h) (up ?p))
    :effect (and (locked ?p) (not (hooked ?p ?h)) (free ?h))))"""


def _stage(draw: random.Random) -> tuple[str, list[str], list[str]]:
    pieces, hoists = 12, 3
    jammed = [f"(jammed h{i})" for i in range(hoists) if draw.random() < 0.5]
    start = [*(f"(down p{i})" for i in range(pieces)), *(f"(free h{i})" for i in range(hoists)), *jammed]
    objects = f"{_named('p', pieces, 'piece')} {_named('h', hoists, 'hoist')}"
    return objects, start, [f"(locked p{i})" for i in range(pieces)]


IRRIGATION = """
(define (domain irrigation)
  (:requirements :typing :negative-preconditions :probabilistic-effects)
  (:types field)
  (:predicates (flows ?a ?b - field) (water ?f - field) (open ?f - field) (watered ?f - field) (blocked ?f - field))
  (:action open-gate :parameters (?f - field) :precondition (and (not (open ?f)) (not (blocked ?f)))
    :effect (probabilistic 0.8 (open ?f) 0.2 (blocked ?f)))
  (:action dig :parameters (?f - field) :precondition (blocked ?f) :effect (not (blocked ?f)))
  (:action let-in :parameters (?a ?b - field) :precondition (and (water ?a) (open ?a) (flows ?a ?b))
    :effect (water ?b))
  (:action flood :parameters (?f - field) :precondition (and (water ?f) (open ?f)) :effect (watered ?f)))"""


def _irrigation(draw: random.Random) -> tuple[str, list[str], list[str]]:
    count = 18
    flows = [f"(flows f{draw.randrange(max(0, i - 3), i)} f{i})" for i in range(1, count)]
    blocked = [f"(blocked f{i})" for i in range(count) if draw.random() < 0.3]
    wanted = draw.sample(range(1, count), 6)
    return _named("f", count, "field"), [*flows, "(water f0)", *blocked], [f"(watered f{i})" for i in wanted]


SHUNTING = """
(define (domain shunting)
  (:requirements :typing :negative-preconditions :probabilistic-effects)
  (:types wagon track)
  (:predicates (before ?w ?v - wagon) (at-buffer ?w - wagon) (on ?w - wagon ?t - track) (front ?w - wagon)
    (empty ?t - track) (coupled ?w - wagon) (engine-free))
  (:action pull-last :parameters (?w - wagon ?t - track)
    :precondition (and (engine-free) (front ?w) (at-buffer ?w) (on ?w ?t))
    :effect (probabilistic 0.9 (and (coupled ?w) (not (engine-free)) (not (front ?w)) (not (at-buffer ?w))
      (not (on ?w ?t)) (empty ?t))))
  (:action pull :parameters (?w ?v - wagon ?t - track)
    :precondition (and (engine-free) (front ?w) (before ?w ?v) (on ?w ?t))
    :effect (probabilistic 0.9 (and (coupled ?w) (not (engine-free)) (not (front ?w)) (not (before ?w ?v))
      (not (on ?w ?t)) (front ?v))))
  (:action push-first :parameters (?w - wagon ?t - track) :precondition (and (coupled ?w) (empty ?t))
    :effect (and (on ?w ?t) (at-buffer ?w) (front ?w) (engine-free) (not (coupled ?w)) (not (empty ?t))))
  (:action push :parameters (?w ?v - wagon ?t - track) :precondition (and (coupled ?w) (front ?v) (on ?v ?t))
    :effect (and (on ?w ?t) (before ?w ?v) (front ?w) (engine-free) (not (coupled ?w)) (not (front ?v)))))"""


def _shunting(draw: random.Random) -> tuple[str, list[str], list[str]]:
    wagons, tracks = 12, 5
    order = draw.sample(range(wagons), wagons)
    start = ["(engine-free)"]
    for track in range(3):
        own = order[4 * track : 4 * track + 4]
        start += [f"(on w{wagon} t{track})" for wagon in own] + [f"(front w{own[0]})", f"(at-buffer w{own[-1]})"]
        start += [f"(before w{one} w{other})" for one, other in pairwise(own)]
    start += [f"(empty t{track})" for track in range(3, tracks)]
    goal = [f"(on w{wagon} t4)" for wagon in sorted(draw.sample(range(wagons), 5))]
    return f"{_named('w', wagons, 'wagon')} {_named('t', tracks, 'track')}", start, goal


RECYCLING = """
(define (domain recycling)
  (:requirements :typing :negative-preconditions :probabilistic-effects)
  (:types place item material)
  (:predicates (street ?a ?b - place) (cart-at ?p - place) (lies ?i - item ?p - place) (of ?i - item ?m - material)
    (loaded ?i - item) (dirty ?i - item) (cart-free) (container ?m - material ?p - place) (full ?m - material)
    (tap ?p - place) (recycled ?i - item))
  (:action go :parameters (?a ?b - place) :precondition (and (cart-at ?a) (street ?a ?b))
    :effect (and (cart-at ?b) (not (cart-at ?a))))
  (:action collect :parameters (?i - item ?p - place) :precondition (and (cart-at ?p) (lies ?i ?p) (cart-free))
    :effect (and (loaded ?i) (not (lies ?i ?p)) (not (cart-free))))
  (:action wash :parameters (?i - item ?p - place) :precondition (and (cart-at ?p) (tap ?p) (loaded ?i) (dirty ?i))
    :effect (probabilistic 0.8 (not (dirty ?i))))
  (:action throw :parameters (?i - item ?m - material ?p - place)
    :precondition (and (cart-at ?p) (loaded ?i) (of ?i ?m) (container ?m ?p) (not (dirty ?i)) (not (full ?m)))
    :effect (and (recycled ?i) (not (loaded ?i)) (cart-free) (probabilistic 0.3 (full ?m))))
  (:action call-lorry :parameters (?m - material) :precondition (full ?m) :effect (not (full ?m))))"""


def _recycling(draw: random.Random) -> tuple[str, list[str], list[str]]:
    places, items, materials = 15, 8, 3
    start = ["(cart-at p0)", "(cart-free)", f"(tap p{draw.randrange(places)})"]
    start += [f"(container m{material} p{draw.randrange(places)})" for material in range(materials)]
    for item in range(items):
        start += [f"(lies i{item} p{draw.randrange(places)})", f"(of i{item} m{draw.randrange(materials)})"]
        start += [f"(dirty i{item})"] * (draw.random() < 0.5)
    objects = f"{_named('p', places, 'place')} {_named('i', items, 'item')} {_named('m', materials, 'material')}"
    return objects, _tree(draw, places, "street", "p", 3) + start, [f"(recycled i{i})" for i in range(items)]


MAIL = """
(define (domain mail-sorting)
  (:requirements :typing :negative-preconditions :probabilistic-effects)
  (:types letter chute)
  (:predicates (waiting ?l - letter) (on-belt ?l - letter) (belt-free) (for ?l - letter ?c - chute) (read ?l - letter)
    (jammed ?c - chute) (sorted ?l - letter))
  (:action feed :parameters (?l - letter) :precondition (and (waiting ?l) (belt-free))
    :effect (and (on-belt ?l) (not (waiting ?l)) (not (belt-free))))
  (:action scan :parameters (?l - letter) :precondition (and (on-belt ?l) (not (read ?l)))
    :effect (probabilistic 0.8 (read ?l)))
  (:action drop :parameters (?l - letter ?c - chute)
    :precondition (and (on-belt ?l) (read ?l) (for ?l ?c) (not (jammed ?c)))
    :effect (and (not (on-belt ?l)) (belt-free) (probabilistic 0.85 (sorted ?l) 0.15 (and (waiting ?l) (jammed ?c)))))
  (:action put-back :parameters (?l - letter) :precondition (on-belt ?l)
    :effect (and (waiting ?l) (belt-free) (not (on-belt ?l))))
  (:action clear-jam :parameters (?c - chute) :precondition (jammed ?c)
    :effect (probabilistic 0.9 (not (jammed ?c)))))"""


def _mail(draw: random.Random) -> tuple[str, list[str], list[str]]:
    letters, chutes = 10, 4
    start = ["(belt-free)", *(f"(waiting l{i})" for i in range(letters))]
    start += [f"(for l{i} c{draw.randrange(chutes)})" for i in range(letters)]
    start += [f"(jammed c{i})" for i in range(chutes) if draw.random() < 0.3]
    objects = f"{_named('l', letters, 'letter')} {_named('c', chutes, 'chute')}"
    return objects, start, [f"(sorted l{i})" for i in range(letters)]


RIGGING = """
(define (domain rigging)
  (:requirements :typing :negative-preconditions :probabilistic-effects)
  (:types lamp bar)
  (:predicates (in-store ?l - lamp) (hung ?l - lamp ?b - bar) (plan ?l - lamp ?b - bar) (low ?b - bar) (high ?b - bar)
    (lit ?l - lamp) (blown ?l - lamp))
  (:action lower :parameters (?b - bar) :precondition (high ?b) :effect (and (low ?b) (not (high ?b))))
  (:action raise :parameters (?b - bar) :precondition (low ?b)
    :effect (probabilistic 0.9 (and (high ?b) (not (low ?b)))))
  (:action hang :parameters (?l - lamp ?b - bar) :precondition (and (in-store ?l) (plan ?l ?b) (low ?b))
    :effect (and (hung ?l ?b) (not (in-store ?l))))
  (:action light :parameters (?l - lamp ?b - bar)
    :precondition (and (hung ?l ?b) (high ?b) (not (lit ?l)) (not (blown ?l)))
    :effect (probabilistic 0.75 (lit ?l) 0.25 (blown ?l)))
  (:action change-bulb :parameters (?l - lamp ?b - bar) :precondition (and (hung ?l ?b) (blown ?l) (low ?b))
    :effect (not (blown ?l))))"""


def _rigging(draw: random.Random) -> tuple[str, list[str], list[str]]:
    lamps, bars = 8, 3
    start = [f"({'low' if draw.random() < 0.5 else 'high'} b{i})" for i in range(bars)]
    for lamp in range(lamps):
        start += [f"(in-store l{lamp})", f"(plan l{lamp} b{draw.randrange(bars)})"]
    objects = f"{_named('l', lamps, 'lamp')} {_named('b', bars, 'bar')}"
    return objects, start, [f"(lit l{i})" for i in range(lamps)]


FIRE = """
(define (domain fire-brigade)
  (:requirements :typing :negative-preconditions :probabilistic-effects)
  (:types corner engine)
  (:predicates (street ?a ?b - corner) (at ?e - engine ?c - corner) (burning ?c - corner) (hydrant ?c - corner)
    (water ?e - engine))
  (:action drive :parameters (?e - engine ?a ?b - corner) :precondition (and (at ?e ?a) (street ?a ?b))
    :effect (and (at ?e ?b) (not (at ?e ?a))))
  (:action fill :parameters (?e - engine ?c - corner) :precondition (and (at ?e ?c) (hydrant ?c) (not (water ?e)))
    :effect (water ?e))
  (:action spray :parameters (?e - engine ?c - corner) :precondition (and (at ?e ?c) (burning ?c) (water ?e))
    :effect (and (not (water ?e)) (probabilistic 0.7 (not (burning ?c))))))"""


def _fire(draw: random.Random) -> tuple[str, list[str], list[str]]:
    corners, engines = 20, 2
    burning = sorted(draw.sample(range(corners), 6))
    start = [f"(at e{i} c0)" for i in range(engines)] + [f"(burning c{i})" for i in burning]
    start += [f"(hydrant c{i})" for i in draw.sample(range(corners), 3)]
    objects = f"{_named('c', corners, 'corner')} {_named('e', engines, 'engine')}"
    return objects, _tree(draw, corners, "street", "c", 4) + start, [f"(not (burning c{i}))" for i in burning]


DOMAINS: dict[str, tuple[str, Writer]] = {
    "orchard": (ORCHARD, _orchard),
    "laboratory": (LABORATORY, _laboratory),
    "snow-plough": (SNOW, _snow),
    "bakery": (BAKERY, _bakery),
    "library": (LIBRARY, _library),
    "mountain-pass": (PASS, _pass),
    "museum": (MUSEUM, _museum),
    "relay": (RELAY, _relay),
    "stage": (STAGE, _stage),
    "irrigation": (IRRIGATION, _irrigation),
    "shunting": (SHUNTING, _shunting),
    "recycling": (RECYCLING, _recycling),
    "mail-sorting": (MAIL, _mail),
    "rigging": (RIGGING, _rigging),
    "fire-brigade": (FIRE, _fire),
}


def problem(name: str, number: int) -> tuple[str, str]:
    """The text of a domain, and of its problem of that number."""
    domain, writer = DOMAINS[name]
    objects, start, goal = writer(random.Random(f"{name} {number}"))
    text = f"""(define (problem {name}-{number}) (:domain {name})
  (:objects {objects})
  (:init {" ".join(start)})
  (:goal (and {" ".join(goal)})))"""
    return domain, text
