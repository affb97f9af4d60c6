"""Expressions in plain English: each kind to the letter; and whoever reads the words finds what was meant."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest
from hypothesis import given, strategies as st

from gpaplan import RuleFilter, ground, parse_task
from gpaplan.concepts.expressions import Literal
from gpaplan.concepts.rules import Rule, RuleList, parse_rule
from gpaplan.tasks.task import GroundAction, GroundAtom
from tests.concepts.delivery import task
from tests.concepts_reference import Reference
from tests.examples import examples
from tests.expression_strategies import literals
from tests.sentence_reading import says

DELIVERY = task().domain
SENTENCES = [
    # flags
    ("loaded", "loaded is true"),
    ("(not loaded)", "loaded is false"),
    ("@loaded", "loaded is a goal"),
    ("(not @loaded)", "loaded is not a goal"),
    ("!loaded", "loaded is an unmet goal"),
    ("(not !loaded)", "loaded is not an unmet goal"),
    # what an argument is
    ("(is ?to any)", "?to is an object"),
    ("(is ?to here)", "?to is here"),
    ("(not (is ?to here))", "?to is not here"),
    ("(is ?to place)", "?to is a place"),
    ("(is ?to item)", "?to is an item"),
    ("(is ?to place:type)", "?to is of type place"),
    ("(is ?to =depot)", "?to is the constant depot"),
    ("(is ?to (not here))", "?to is not here"),
    ("(not (is ?to (not here)))", "?to is here"),
    ("(is ?to (and place (not here)))", "?to is both a place and not here"),
    ("(is ?to (not (and place here)))", "?to is not both a place and here"),
    # arguments of atoms, of which some are open
    ("(is ?to shut/1)", "some (shut ?to …) holds"),
    ("(not (is ?to shut/1))", "no (shut ?to …) holds"),
    ("(is ?to @at/2)", "there is a goal (at … ?to)"),
    ("(not (is ?to @at/2))", "there is no goal (at … ?to)"),
    ("(is ?to !at/2)", "there is an unmet goal (at … ?to)"),
    ("(not (is ?to !at/2))", "there is no unmet goal (at … ?to)"),
    ("(is ?to !here/1)", "(here ?to) is an unmet goal"),
    ("(not (is ?to @here/1))", "(here ?to) is not a goal"),
    ("(is ?to shown/2)", "some (shown … ?to …) holds"),
    ("(is ?to (some road any))", "some (road ?to …) holds"),
    # some and every
    ("(is ?to (some (inverse @at) carrying))", "(at X ?to) is a goal for some X that is carrying"),
    ("(not (is ?to (some (inverse @at) carrying)))", "(at X ?to) is a goal for no X that is carrying"),
    ("(is ?to (every road shut/1))", "(road ?to X) holds only for X with (shut X …)"),
    ("(not (is ?to (every road shut/1)))", "(road ?to X) holds for some X without (shut X …)"),
    ("(is ?to (some shown/2/3 @here/1))", "(shown … ?to X) holds for some X with goal (here X)"),
    (
        "(is ?to (some road (every (inverse !at) (not carrying))))",
        "(road ?to X) holds for some X with unmet goal (at Y X) only for Y that is not carrying",
    ),
    (
        "(is ?to (some road (not (some (inverse at) !at/1))))",
        "(road ?to X) holds for some X with (at Y X) for no Y with unmet goal (at Y …)",
    ),
    (
        "(is ?to (every road (and here !at/2)))",
        "(road ?to X) holds only for X where X is here and there is an unmet goal (at … X)",
    ),
    ("(is ?to (and here (some road shut/1)))", "?to is here, and (road ?to X) holds for some X with (shut X …)"),
    (
        "(not (is ?to (and here (some road shut/1))))",
        "either ?to is not here or [(road ?to X) holds for no X with (shut X …)]",
    ),
    (
        "(is ?to (same road shut))",
        "(road ?to X) holds for one or more X and (shut ?to X) holds for exactly these X",
    ),
    (
        "(not (is ?to (same road shut)))",
        "not [(road ?to X) holds for one or more X and (shut ?to X) holds for exactly these X]",
    ),
    # whether there is such an object
    ("(not (empty carrying))", "something is carrying"),
    ("(empty (and item carrying))", "nothing is both an item and carrying"),
    ("(empty !at/1)", "there is no unmet goal (at … …)"),
    ("(not (empty shut/1))", "some (shut … …) holds"),
    ("(empty (some (inverse at) here))", "(at X …) holds for no X that is here"),
    ("(not (empty (every road shut/1)))", "there is some X with (road X Y) only for Y with (shut Y …)"),
    # pairs
    ("(related ?to ?from road)", "(road ?to ?from) holds"),
    ("(not (related ?to ?from road))", "(road ?to ?from) does not hold"),
    ("(related ?to ?from (inverse @shut))", "(shut ?from ?to) is a goal"),
    ("(not (related ?to ?from !shut))", "(shut ?to ?from) is not an unmet goal"),
    ("(related ?to ?from shown/3/2)", "some (shown … ?from ?to) holds"),
    ("(not (related ?to ?from @shown/3/2))", "there is no goal (shown … ?from ?to)"),
    ("(related ?to ?from shown/2/2)", "some (shown … ?to …) holds and ?to is ?from"),
    ("(related ?to ?from (plus road))", "one or more steps of road lead from ?to to ?from"),
    ("(not (related ?to ?from (plus road)))", "no steps of road lead from ?to to ?from"),
    ("(related ?to ?from (star @shut))", "zero or more steps of goal shut lead from ?to to ?from"),
    ("(not (related ?to ?from (star road)))", "not [zero or more steps of road lead from ?to to ?from]"),
    ("(related ?to ?from (and road shut))", "(road ?to ?from) holds and (shut ?to ?from) holds"),
    ("(related ?to ?from (or road shut))", "either (road ?to ?from) holds or (shut ?to ?from) holds"),
    ("(not (related ?to ?from (or road shut)))", "(road ?to ?from) does not hold and (shut ?to ?from) does not hold"),
    ("(related ?to ?from (then road shut))", "(road ?to X) holds for some X where (shut X ?from) holds"),
    ("(related ?to ?from (into road here))", "(road ?to ?from) holds and ?from is here"),
    (
        "(nearer ?to ?from here (or (into road shut/1) (then road shut)))",
        "?to is nearer than ?from by [road into [Y with (shut Y …)]] or [road and then shut] to the nearest X "
        "that is here",
    ),
    ("(related ?to ?from (minus road shut))", "(road ?to ?from) holds and (shut ?to ?from) does not hold"),
    ("(not (related ?to ?from (minus road shut)))", "either (road ?to ?from) does not hold or (shut ?to ?from) holds"),
    ("(is ?to (some (plus road) here))", "one or more steps of road lead from ?to to some X that is here"),
    ("(is ?to (every (star road) here))", "zero or more steps of road lead from ?to only to X that is here"),
    (
        "(is ?to (some (inverse (plus road)) here))",
        "one or more steps of road lead from X to ?to for some X that is here",
    ),
    (
        "(is ?to (some (minus road shut) here))",
        "[(road ?to X) holds and (shut ?to X) does not hold] for some X that is here",
    ),
    # distances
    ("(nearer ?to ?from here road)", "?to is nearer than ?from by road to the nearest X that is here"),
    (
        "(not (nearer ?to ?from !at/2 (inverse road)))",
        "?to is not nearer than ?from by road reversed to the nearest X with unmet goal (at … X)",
    ),
    (
        "(nearer ?to ?from (some (inverse at) !at/1) (minus road (plus shown/2/3)))",
        "?to is nearer than ?from by road but not [one or more steps of shown from argument 2 to 3] to the nearest X "
        "with (at Y X) for some Y with unmet goal (at Y …)",
    ),
    (
        "(nearer-for ?to ?to ?from (inverse !at) road)",
        "?to is nearer than ?from by road to the nearest X with unmet goal (at X ?to)",
    ),
    (
        "(not (nearer-for ?to ?to ?from (then @at (inverse at)) road))",
        "?to is not nearer than ?from by road to the nearest X where (at ?to Y) is a goal for some Y where (at X Y) "
        "holds",
    ),
]


@pytest.mark.parametrize(("literal", "words"), SENTENCES)
def test_a_literal_in_words(literal: str, words: str) -> None:
    assert parse_rule(f"move: {literal}").words(DELIVERY) == f"move, if {words}"


def test_letters_are_not_used_again_in_a_rule() -> None:
    rule = parse_rule("move: (is ?to (some road here)), (nearer ?to ?from (some (inverse at) any) road), (empty any)")
    assert rule.words(DELIVERY) == (
        "move, if (road ?to X) holds for some X that is here, and ?to is nearer than ?from by road to the nearest Y "
        "with (at … Y), and nothing is an object"
    )


def test_rules_are_numbered_and_may_have_no_conditions() -> None:
    rules = RuleList.parse("drop: (related ?x ?p @at)\nopen:")
    assert rules.words(DELIVERY).splitlines() == ["1. drop, if (at ?x ?p) is a goal", "2. open"]


def test_a_filter_says_the_same_words_as_its_rules() -> None:
    rules = RuleList.parse("pick: (is ?x (some !at (some shown/3/2 here)))\nmove: (nearer ?to ?from @at/2 road)")
    given = RuleFilter.of(DELIVERY, rules)
    assert [given.words(each.rule) for each in given.named()] == [each.words(DELIVERY) for each in rules.rules]


SHOP = """
(define (domain shop)
  (:types thing - object box - thing)
  (:constants top - thing)
  (:predicates (on ?x ?y) (between ?x ?y ?z) (held ?x) (car-at ?x) (done))
  (:action change :parameters (?x ?y ?z)
    :effect (and (on ?x ?y) (between ?x ?y ?z) (held ?x) (car-at ?y) (done))))
(define (problem shop) (:domain shop)
  (:objects a b - box)
  (:init)
  (:goal (and (on a b) (on b top) (on top top) (between a b top) (between b b a) (held a) (car-at b) (done))))
"""
PARSED = parse_task(SHOP, None)
TASK = ground(PARSED.domain, PARSED.problem)
REFERENCE = Reference(TASK)
ATOMS = [
    GroundAtom(predicate.name, arguments)
    for predicate in TASK.domain.predicates
    for arguments in product(("a", "b", "top"), repeat=len(predicate.parameters))
]
PARAMETERS = ("?x", "?y", "?z")


def random_state(random: Random) -> frozenset[GroundAtom]:
    """Few of the atoms or many, and each of the goal's as likely as not."""
    share = random.choice((0.1, 0.3, 0.6))
    met = (atom for atom in TASK.goal_atoms if random.random() < 0.5)
    return frozenset((*met, *(atom for atom in ATOMS if random.random() < share)))


@examples(140)
@given(literals(TASK.domain, "change"), st.integers(0, 2**32))
def test_the_words_say_what_the_expressions_say(literal: Literal, seed: int) -> None:
    """A random condition in random states: whoever reads the sentence comes to what the definition says."""
    random = Random(seed)
    rule = Rule("change", (literal,))
    words = rule.words(TASK.domain).removeprefix("change, if ")
    for _ in range(12):
        state = random_state(random)
        arguments = tuple(random.choices(("a", "b", "top"), k=3))
        meaning = dict(zip(PARAMETERS, arguments, strict=True))
        expected = REFERENCE.fits(state, rule, GroundAction("change", arguments))
        assert says(words, REFERENCE, state, meaning) == expected
