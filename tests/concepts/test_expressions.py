"""Reading, printing and checking expressions and rules, and the messages for what is wrong."""

from __future__ import annotations

import pytest

from gpaplan.concepts import vocabulary
from gpaplan.concepts.expressions import MAX_NESTING, parse_concept, parse_literal, parse_relation
from gpaplan.concepts.rules import Rule, RuleList, parse_rule
from gpaplan.errors import UsageError
from gpaplan.ppddl import parse_domain
from tests.concepts.delivery import RULES, task

DOMAIN = task().domain


@pytest.mark.parametrize(
    ("text", "complexity"),
    [
        ("any", 1),
        ("parcel", 1),
        ("parcel:type", 1),
        ("=depot", 1),
        ("!at/2", 1),
        ("(not here)", 2),
        ("(some (inverse @at) carrying)", 3),
        ("(and place (every road (same at @at)))", 7),
    ],
)
def test_the_complexity_of_concepts(text: str, complexity: int) -> None:
    concept = parse_concept(text)
    assert (str(concept), concept.complexity) == (text, complexity)
    concept.check(DOMAIN)


@pytest.mark.parametrize(
    ("text", "complexity"),
    [
        ("loaded", 1),
        ("(not !loaded)", 1),
        ("(empty any)", 2),
        ("(not (is ?x parcel))", 2),
        ("(related ?x ?p (minus road shut))", 4),
        ("(nearer ?p ?p !at/2 road)", 3),
        ("(nearer-for ?x ?p ?p (then @at road) road)", 5),
    ],
)
def test_the_complexity_of_literals(text: str, complexity: int) -> None:
    literal = parse_literal(text)
    assert (str(literal), literal.complexity) == (text, complexity)
    assert literal.negation().negation() == literal != literal.negation()
    literal.check(DOMAIN, "drop")


def test_a_unary_predicate_needs_no_position() -> None:
    assert parse_concept("@here") == parse_concept("@here/1")
    assert parse_literal("(not (not loaded))") == parse_literal("loaded")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a concept is missing at column 1"),
        ("(and here", "a concept is missing at column 10"),
        ("(and here here", "')' is missing at column 15"),
        ("(and here here here)", "')' is missing before 'here' at column 16"),
        ("here here", "'here' is too much at column 6"),
        ("(som road any)", "'som' makes no concept at column 2;  did you mean 'some'?"),
        ("(plus road)", "'plus' makes no concept at column 2"),
        ("at/1/2", "'at/1/2' is no concept at column 1"),
        ("?x", "'?x' is no concept at column 1"),
        ("@here:type", "'@here:type' is no concept"),
        ("(some at/1 any)", "'at/1' is no relation: it has two arguments"),
        ("(not " * (MAX_NESTING + 1) + "any", f"more than {MAX_NESTING} parentheses in each other"),
    ],
)
def test_what_is_no_concept(text: str, message: str) -> None:
    with pytest.raises(UsageError) as error:
        parse_concept(text)
    assert message in str(error.value)


def test_the_place_of_a_mistake_is_shown() -> None:
    with pytest.raises(UsageError) as error:
        parse_literal("(is x here)")
    assert str(error.value).splitlines()[1:] == ["    (is x here)", "        ^"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(is ?x parcell)", "no type or unary predicate 'parcell';  did you mean 'parcel'?"),
        ("(is ?x car:type)", "no type 'car'"),
        ("(is ?x =depott)", "no constant 'depott';  did you mean 'depot'?"),
        ("(is ?x att/1)", "no predicate 'att';  did you mean 'at'?"),
        ("(is ?x at/3)", "'at/3' asks for more arguments than predicate 'at' has: 2"),
        ("(related ?x ?p shown)", "predicate 'shown' has 3 arguments;  say which two are meant, as in shown/1/2"),
        ("(related ?x ?p here)", "'here' asks for more arguments than predicate 'here' has: 1"),
        ("at", "predicate 'at' has arguments, and is no literal"),
        ("(is ?y any)", "schema 'drop' has no parameter '?y'"),
        ("(nearer-for ?y ?p ?p @at road)", "schema 'drop' has no parameter '?y'"),
        ("(nearer-for ?x ?p ?p @att road)", "no predicate 'att';  did you mean 'at'?"),
    ],
)
def test_names_that_the_domain_does_not_have(text: str, message: str) -> None:
    with pytest.raises(UsageError) as error:
        parse_literal(text).check(DOMAIN, "drop")
    assert message in str(error.value)


def test_relations_of_longer_predicates() -> None:
    relation = parse_relation("(inverse !shown/1/3)")
    relation.check(DOMAIN)
    assert (str(relation), relation.complexity) == ("(inverse !shown/1/3)", 1)


# --- rules ---


def test_rules_are_read_and_written() -> None:
    rules = RuleList.parse(RULES)
    rules.check(DOMAIN)
    assert [rule.schema for rule in rules.rules] == ["drop", "pick", "move", "open", "move", "open"]
    assert rules.rules[4].complexity == 1 + 1 + (1 + 3 + 1)
    assert rules.complexity == sum(rule.complexity for rule in rules.rules)
    assert RuleList.parse(str(rules)) == rules
    data = rules.to_json()
    assert data[0] == {"schema": "drop", "if": ["(related ?x ?p @at)"]}
    assert RuleList.from_json(data) == rules
    assert parse_rule("move:") == Rule("move")
    assert str(Rule("move")) == "move:"


@pytest.mark.parametrize("text", ["move", "(is ?x any)", ": loaded", "move there: loaded", "move: loaded here"])
def test_what_is_no_rule(text: str) -> None:
    with pytest.raises(UsageError):
        parse_rule(text)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({}, "a rule list is a list"),
        ([{"if": []}], "rule 1: it has a 'schema'"),
        ([{"schema": "move", "then": []}], "rule 1: it has a 'schema'"),
        ([{"schema": "move", "if": "loaded"}], "rule 1: 'if' is a list of literals"),
        ([{"schema": "move"}, {"schema": "move", "if": ["(is ?x"]}], "rule 2: a concept is missing at column 7"),
        ([{"schema": "move", "if": [3]}], "rule 1: an expression is a text, not 3"),
    ],
)
def test_what_is_no_rule_list(data: object, message: str) -> None:
    with pytest.raises(UsageError) as error:
        RuleList.from_json(data)  # type: ignore[arg-type]
    assert message in str(error.value)


def test_a_schema_that_the_domain_does_not_have() -> None:
    with pytest.raises(UsageError, match="no schema 'mov';  did you mean 'move'"):
        parse_rule("mov: loaded").check(DOMAIN)


def test_distances_are_also_along_all_ways_of_moving() -> None:
    domain = parse_domain(
        """(define (domain d) (:requirements :typing) (:types place van)
          (:predicates (road ?a ?b - place) (rail ?a ?b - place) (base ?v - van ?p - place) (at ?v - van ?p - place))
          (:action drive :parameters (?v - van ?a ?b - place) :precondition (and (at ?v ?a) (road ?a ?b) (base ?v ?a))
            :effect (and (at ?v ?b) (not (at ?v ?a))))
          (:action ride :parameters (?v - van ?a ?b - place) :precondition (and (at ?v ?a) (rail ?a ?b))
            :effect (and (at ?v ?b) (not (at ?v ?a)))))"""
    )
    drive, ride = ({str(along) for *_, along in vocabulary.paths(domain, each)} for each in domain.schemas)
    assert drive == {"road", "base", "(minus base at)", "(or road rail)"}
    assert ride == {"rail", "(or road rail)"}
    assert parse_relation("(or road rail)") in vocabulary.derived_relations(domain)
