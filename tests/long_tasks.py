"""Texts and tasks on which one phase takes long: far longer than any test waits."""

from __future__ import annotations

_WAYS = """
(define (domain ways) (:requirements :strips :typing :probabilistic-effects) (:types place)
  (:predicates (way ?x ?y - place) (at ?x - place))
  (:action go :parameters (?x ?y - place) :precondition (and (at ?x) (way ?x ?y))
    :effect (probabilistic 1/2 (and (at ?y) (not (at ?x))))))
"""

_COINS = """
(define (domain coins) (:requirements :adl :probabilistic-effects)
  (:predicates (heads ?x))
  (:action toss :effect (forall (?x) (probabilistic 1/2 (heads ?x)))))
"""

_ROWS = """
(define (domain rows) (:requirements :adl) (:predicates (next ?x ?y) (done))
  (:action look :precondition (exists (?a ?b ?c ?d ?e) (and (next ?a ?b) (next ?b ?c) (next ?c ?d) (next ?d ?e)
      (next ?e ?a) (not (next ?e ?b)) (not (= ?a ?a))))
    :effect (done)))
"""


def long_text(facts: int) -> str:
    """A domain and a problem with so many facts: long to read."""
    places = " ".join(f"p{i}" for i in range(1000))
    init = "\n".join(f"(way p{i % 1000} p{(7 * i + i // 1000 + 1) % 1000})" for i in range(facts))
    problem = f"(define (problem long) (:domain ways) (:objects {places} - place) (:init (at p0)\n{init})"
    return f"{_WAYS}{problem} (:goal (at p999)))"


def many_outcomes(coins: int) -> str:
    """One action with 2^coins joint outcomes."""
    names = " ".join(f"c{i}" for i in range(coins))
    return (
        f"{_COINS}(define (problem toss) (:domain coins) (:objects {names}) (:init) (:goal (forall (?x) (heads ?x))))"
    )


def deep_quantifiers(objects: int) -> str:
    """A precondition that looks at objects^5 tuples before it turns out to be false: no action comes of it."""
    names = " ".join(f"o{i}" for i in range(objects))
    init = " ".join(f"(next o{i} o{j})" for i in range(objects) for j in range(objects))
    return f"{_ROWS}(define (problem row) (:domain rows) (:objects {names}) (:init {init}) (:goal (done)))"
