"""Writing and reading again gives the same tree, and text that a person can read."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal, cast

import pytest
from hypothesis import given, strategies as st

from gpaplan.ppddl import parse_domain, parse_problem, parse_task, write_domain, write_problem
from gpaplan.ppddl.expressions import RESERVED, number_text
from gpaplan.ppddl.lexer import ErrorReport
from gpaplan.ppddl.parser import parse_source
from gpaplan.ppddl.syntax import (
    Add,
    And,
    AndEffect,
    Atom,
    Change,
    Constant,
    Delete,
    Domain,
    Effect,
    EffectOutcome,
    Equals,
    Exists,
    ForAll,
    ForAllEffect,
    Formula,
    Function,
    FunctionTerm,
    FunctionValue,
    Imply,
    Metric,
    Not,
    Number,
    Or,
    Predicate,
    Probabilistic,
    Problem,
    Schema,
    Term,
    TypeDeclaration,
    TypedName,
    Variable,
    When,
)
from gpaplan.source import SourceText
from tests.examples import examples

DOMAIN = """(define (domain rover)
  (:requirements :adl :probabilistic-effects :rewards)
  (:types rover place - object base - place thing - (either rover place))
  (:constants home - base)
  (:predicates (at ?r - rover ?p - place) (near ?p ?q - place) (ready))
  (:functions (distance ?p ?q - place) (total-cost))
  (:action move
    :parameters (?r - rover ?p ?q - place)
    :precondition (and
      (at ?r ?p)
      (or (near ?p ?q) (ready))
      (not (= ?p ?q))
      (forall (?x - place) (imply (at ?r ?x) (= ?x ?p)))
      (exists (?other - rover) (not (at ?other ?q))))
    :effect (and
      (increase (total-cost) (distance ?p ?q))
      (probabilistic
        0.75 (and (not (at ?r ?p)) (at ?r ?q) (when (near ?q home) (ready)))
        1/12 (probabilistic 1/3 (ready)))))
  (:action wait
    :effect (and)))
"""
PROBLEM = """(define (problem one)
  (:domain rover)
  (:objects r1 r2 - rover a b - place)
  (:init (at r1 a) (near a b) (= (distance a b) 2.5))
  (:goal (and (at r1 b) (ready)))
  (:goal-probability 0.9)
  (:goal-reward 100)
  (:metric minimize (total-cost)))
"""


def test_text_as_written() -> None:
    domain = parse_domain(DOMAIN)
    problem = parse_problem(domain, PROBLEM)
    assert write_domain(domain) == DOMAIN
    assert write_problem(problem) == PROBLEM
    assert parse_task(DOMAIN, PROBLEM).problem == problem


def test_long_lines_are_broken() -> None:
    names = tuple(TypedName(f"object-{number}", ("block" if number < 90 else "table",)) for number in range(100))
    atoms = tuple(Atom("clear", (Constant(each.name),)) for each in names)
    goal = Exists((TypedName("?x", ("block",)),), And(tuple(Not(Imply(atom, Or(atoms[:3]))) for atom in atoms[:9])))
    problem = Problem("p", "d", (), names, atoms, goal=goal)
    text = write_problem(problem)
    assert max(map(len, text.splitlines())) <= 100
    assert parse_source(SourceText(text), ErrorReport()).problems[0].problem == problem


def test_smallest_texts() -> None:
    assert write_domain(Domain("d")) == "(define (domain d))\n"
    assert write_problem(Problem("p", "d")) == "(define (problem p)\n  (:domain d)\n  (:init))\n"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(0), "0"),
        (Fraction(-12), "-12"),
        (Fraction(1, 2), "0.5"),
        (Fraction(-1, 40), "-0.025"),
        (Fraction(10**15 + 1, 1000), "1000000000000.001"),
        (Fraction(1, 10**12), "0.000000000001"),
        (Fraction(1, 10**13), "1/10000000000000"),
        (Fraction(1, 3), "1/3"),
        (Fraction(-22, 7), "-22/7"),
    ],
)
def test_numbers(value: Fraction, text: str) -> None:
    assert number_text(value) == text
    assert Fraction(text) == value


# --- random trees ------------------------------------------------------------------------------------------------

names = st.from_regex(r"[a-z][a-z0-9_-]{0,6}", fullmatch=True).filter(lambda name: name not in RESERVED)
predicate_names = names.filter(lambda name: name not in ("reward", "total-cost"))
type_tuples = st.lists(names, min_size=1, max_size=3, unique=True).map(tuple)
variable_names = names.map(lambda name: f"?{name}")
terms: st.SearchStrategy[Term] = st.one_of(variable_names.map(Variable), names.map(Constant))
constants: st.SearchStrategy[Term] = st.one_of(names, st.just("7")).map(Constant)
parameters = st.lists(st.builds(TypedName, variable_names, type_tuples), max_size=3).map(tuple)
probabilities = st.fractions(min_value=0, max_value=1)


def tuples_of(inner: st.SearchStrategy[Term]) -> st.SearchStrategy[tuple[Term, ...]]:
    return st.lists(inner, max_size=3).map(tuple)


atoms = st.builds(Atom, predicate_names, tuples_of(terms))
function_terms = st.builds(FunctionTerm, predicate_names, tuples_of(terms))


def deeper_formula(inner: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
    several = st.lists(inner, max_size=3).map(tuple)
    return st.one_of(
        st.builds(Not, inner),
        st.builds(And, several),
        st.builds(Or, several),
        st.builds(Imply, inner, inner),
        st.builds(ForAll, parameters, inner),
        st.builds(Exists, parameters, inner),
    )


formulas: st.SearchStrategy[Formula] = st.recursive(
    cast("st.SearchStrategy[Formula]", st.one_of(atoms, st.builds(Equals, terms, terms))), deeper_formula, max_leaves=8
)


@st.composite
def random_choices(draw: st.DrawFn, inner: st.SearchStrategy[Effect]) -> Probabilistic:
    left = Fraction(1)
    outcomes = []
    for effect in draw(st.lists(inner, min_size=1, max_size=3)):
        probability = draw(st.sampled_from([Fraction(0), left, left / 2, left / 3, left * draw(probabilities)]))
        left -= probability
        outcomes.append(EffectOutcome(probability, effect))
    return Probabilistic(tuple(outcomes))


def deeper_effect(inner: st.SearchStrategy[Effect]) -> st.SearchStrategy[Effect]:
    return st.one_of(
        st.builds(AndEffect, st.lists(inner, max_size=3).map(tuple)),
        st.builds(ForAllEffect, parameters, inner),
        st.builds(When, formulas, inner),
        random_choices(inner),
    )


quantities = st.sampled_from(cast("list[Literal['reward', 'total-cost']]", ["reward", "total-cost"]))
changes = st.builds(
    Change,
    st.sampled_from(cast("list[Literal['increase', 'decrease']]", ["increase", "decrease"])),
    quantities,
    st.one_of(st.builds(Number, st.fractions()), function_terms),
)
effects: st.SearchStrategy[Effect] = st.recursive(
    cast("st.SearchStrategy[Effect]", st.one_of(st.builds(Add, atoms), st.builds(Delete, atoms), changes)),
    deeper_effect,
    max_leaves=8,
)
typed_names = st.lists(st.builds(TypedName, names, type_tuples), max_size=5).map(tuple)
requirements = st.lists(names.map(lambda name: f":{name}"), max_size=3, unique=True).map(tuple)
domains = st.builds(
    Domain,
    names,
    requirements,
    st.lists(st.builds(TypeDeclaration, names, type_tuples), max_size=5).map(tuple),
    typed_names,
    st.lists(st.builds(Predicate, predicate_names, parameters), max_size=5).map(tuple),
    st.lists(st.builds(Function, predicate_names, parameters), max_size=3).map(tuple),
    st.lists(st.builds(Schema, names, parameters, formulas, effects), max_size=2).map(tuple),
)
ground_atoms = st.builds(Atom, predicate_names.filter(lambda name: name != "at"), tuples_of(constants)).filter(
    lambda atom: atom.predicate not in ("unknown",)
)
values = st.builds(FunctionValue, st.builds(FunctionTerm, predicate_names, tuples_of(constants)), st.fractions())
problems = st.builds(
    Problem,
    names,
    names,
    requirements,
    typed_names,
    st.lists(ground_atoms, max_size=5).map(tuple),
    st.lists(values, max_size=3).map(tuple),
    st.none() | formulas,
    st.none() | st.fractions(),
    st.none() | probabilities,
    st.none()
    | st.sampled_from([Metric("minimize", "total-cost"), Metric("maximize", "reward"), Metric("minimize", "reward")]),
)


@examples(40)
@given(domains)
def test_every_domain_survives(domain: Domain) -> None:
    report = ErrorReport()
    parsed = parse_source(SourceText(write_domain(domain)), report)
    assert report.errors == []
    assert [each.domain for each in parsed.domains] == [domain]


@examples(50)
@given(problems)
def test_every_problem_survives(problem: Problem) -> None:
    report = ErrorReport()
    parsed = parse_source(SourceText(write_problem(problem)), report)
    assert report.errors == []
    assert [each.problem for each in parsed.problems] == [problem]
