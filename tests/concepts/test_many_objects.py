"""Sets of objects that take more than one word: the core agrees with the definition there too."""

from __future__ import annotations

from itertools import pairwise

from gpaplan import GroundTask, StateSpace, ground, parse_task
from gpaplan.concepts.encoding import Evaluator
from gpaplan.concepts.expressions import parse_concept, parse_literal, parse_relation
from gpaplan.concepts.pool import Pool
from gpaplan.concepts.rules import RuleList
from tests.concepts.delivery import DOMAIN, RULES
from tests.concepts_reference import Reference

PLACES = 70
CONCEPTS = [
    "any",
    "(not here)",
    "(and place (not (some road any)))",
    "(some road (some road here))",
    "(every (inverse road) (not here))",
    "(some (plus (minus road shut)) !at/2)",
    "(same at @at)",
    "(some (star (inverse road)) (and @at/2 (not at/2)))",
]
RELATIONS = ["(inverse at)", "(and road (inverse road))", "(minus road shut)", "(plus shut)", "(star !at)"]
LITERALS = ["(nearer ?to ?from !at/2 road)", "(nearer ?to ?from at/2 (minus road shut))", "(is ?to (some road =depot))"]


def long_line() -> GroundTask:
    """A road with one way back, a gate that is shut, and parcels at both ends."""
    places = [f"p{index}" for index in range(PLACES)]
    roads = [f"(road {a} {b})" for a, b in pairwise(places)]
    roads += [f"(road {b} {a})" for a, b in pairwise(places)][:-5]
    problem = f"""(define (problem long) (:domain delivery) (:objects {" ".join(places)} - place x y z - parcel)
      (:init (here p3) (road depot p0) {" ".join(roads)} (shut p40 p41) (at x p4) (at y p66) (at z p2))
      (:goal (and (at x p66) (at y p66) (at z p69))))"""
    parsed = parse_task(DOMAIN + problem, None)
    return ground(parsed.domain, parsed.problem)


def test_more_than_64_objects() -> None:
    task = long_line()
    space, reference, evaluator = StateSpace(task), Reference(task), Evaluator(task)
    space.explore(max_states=12)
    rules = RuleList.parse(RULES)
    for state in range(0, 12, 4):
        atoms = space.atoms(state) | frozenset(task.static_atoms)
        for concept in map(parse_concept, CONCEPTS):
            assert evaluator.concept(space, state, concept) == reference.concept(atoms, concept), concept
        for relation in map(parse_relation, RELATIONS):
            assert evaluator.relation(space, state, relation) == reference.relation(atoms, relation), relation
        moves = [action for action in space.applicable(state) if action.schema == "move"]
        assert moves
        for action in moves:
            for literal in map(parse_literal, LITERALS):
                value = evaluator.literal(space, state, literal, action)
                assert value == reference.literal(atoms, literal, action), literal
        rule, kept = evaluator.fits(space, state, rules)
        assert (rule, [task.action(each) for each in kept]) == reference.decide(atoms, space.applicable(state), rules)


def test_a_pool_of_more_than_64_objects() -> None:
    task = long_line()
    space, evaluator = StateSpace(task), Evaluator(task)
    space.explore(max_states=20)
    rows = [(0, state, action) for state in range(20) for action in space.core.applicable(state)]
    pool = Pool([(task, space)], rows, max_complexity=4, max_concepts=200)
    assert len(pool.concepts) > 100
    for schema in pool.schemas.values():
        for literal, values in list(zip(schema.literals, schema.columns, strict=True))[::7]:
            column = int.from_bytes(values, "little")
            for place, row in enumerate(schema.rows):
                _, state, action = rows[row]
                assert evaluator.literal(space, state, literal, action) == bool(column >> place & 1), literal
