"""A small delivery problem on a line of places, with a toll gate that may be shut: what the tests here
look at; and persons who walk, each to a place of their own."""

from gpaplan import GroundTask, StateSpace, ground, parse_task

DOMAIN = """
(define (domain delivery)
  (:requirements :typing :negative-preconditions :probabilistic-effects)
  (:types place item - object parcel - item)
  (:constants depot - place)
  (:predicates (road ?a ?b - place) (shut ?a ?b - place) (here ?p - place) (at ?x - item ?p - place)
               (carrying ?x - item) (loaded) (shown ?x - item ?p ?q - place))
  (:action move :parameters (?from ?to - place)
    :precondition (and (here ?from) (road ?from ?to) (not (shut ?from ?to)))
    :effect (and (here ?to) (not (here ?from))))
  (:action open :parameters (?from ?to - place)
    :precondition (and (here ?from) (shut ?from ?to))
    :effect (probabilistic 1/2 (not (shut ?from ?to))))
  (:action pick :parameters (?x - item ?p - place)
    :precondition (and (here ?p) (at ?x ?p) (not (loaded)))
    :effect (and (carrying ?x) (loaded) (not (at ?x ?p))))
  (:action drop :parameters (?x - item ?p - place)
    :precondition (and (here ?p) (carrying ?x))
    :effect (and (at ?x ?p) (not (carrying ?x)) (not (loaded)))))
"""

PROBLEM = """
(define (problem line) (:domain delivery)
  (:objects a b c d - place x y z - parcel)
  (:init (here a) (road depot a) (road a depot) (road a b) (road b a) (road b c) (road c b) (shut b c)
         (at x c) (at y depot) (at z depot))
  (:goal (and (at x depot) (at y depot) (at z c))))
"""

RULES = """
drop: (related ?x ?p @at)                               ; where it belongs
pick: (is ?x !at/1)
move: (nearer ?to ?from (some (inverse @at) carrying) road)
open: (nearer ?to ?from (some (inverse @at) carrying) road)
move: (not loaded), (nearer ?to ?from (some (inverse at) !at/1) road)
open: (nearer ?to ?from (some (inverse at) !at/1) road)
"""


WALKERS = """
(define (domain walkers)
  (:requirements :typing :negative-preconditions)
  (:types place person)
  (:predicates (road ?a ?b - place) (shut ?a ?b - place) (at ?x - person ?p - place))
  (:action walk :parameters (?x - person ?from ?to - place)
    :precondition (and (at ?x ?from) (road ?from ?to) (not (shut ?from ?to)))
    :effect (and (at ?x ?to) (not (at ?x ?from))))
  (:action open :parameters (?x - person ?from ?to - place)
    :precondition (and (at ?x ?from) (road ?from ?to) (shut ?from ?to))
    :effect (not (shut ?from ?to))))
(define (problem ring) (:domain walkers)
  (:objects a b c d e - place x y - person)
  (:init (at x b) (at y b) (shut b c) (road a b) (road b a) (road b c) (road c b) (road c d) (road d c) (road d e)
         (road e d) (road e a) (road a e))
  (:goal (and (at x d) (at y a))))
"""


def task(text: str = DOMAIN + PROBLEM) -> GroundTask:
    parsed = parse_task(text, None)
    return ground(parsed.domain, parsed.problem)


def explored() -> StateSpace:
    space = StateSpace(task())
    space.explore()
    return space
