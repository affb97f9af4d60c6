"""From text to the syntax tree: every feature and every quirk of files in the wild."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from gpaplan.ppddl import parse_domain, parse_problem, parse_task
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
    TypeDeclaration,
    TypedName,
    Variable,
    When,
)

HEAD = """(define (domain d) (:requirements :adl :fluents :probabilistic-effects)
  (:types a b) (:constants k - a 7 - b)
  (:predicates (p) (q ?x) (r ?x - a ?y - b)) (:functions (f ?x - a) (g)) """
P = Atom("p")
X, K = Variable("?x"), Constant("k")
QX = Atom("q", (X,))


def schema_of(action: str) -> Schema:
    return parse_domain(f"{HEAD} (:action act {action}))").schemas[0]


def condition_of(text: str) -> Formula:
    return schema_of(f":parameters (?x - a) :precondition {text} :effect (p)").precondition


def effect_of(text: str) -> Effect:
    return schema_of(f":parameters (?x - a) :effect {text}").effect


def problem_of(sections: str) -> Problem:
    return parse_problem(parse_domain(HEAD + ")"), f"(define (problem one) (:domain d) {sections})")


def test_domain_declarations() -> None:
    domain = parse_domain(
        """(define (domain Trucks)
             (:requirements :typing :fluents :strips :typing)
             (:types truck car - vehicle vehicle place - object spot - (either place vehicle) thing)
             (:constants DEPOT - place any)
             (:predicates (at ?v - vehicle ?p - place) (near ?a ?b - place ?c) (open))
             (:functions (toll ?p - place) - number (base) (total-cost) (reward) - number))"""
    )
    obj = ("object",)
    assert domain == Domain(
        "trucks",
        (":typing", ":fluents", ":strips"),
        (
            TypeDeclaration("truck", ("vehicle",)),
            TypeDeclaration("car", ("vehicle",)),
            TypeDeclaration("vehicle", obj),
            TypeDeclaration("place", obj),
            TypeDeclaration("spot", ("place", "vehicle")),
            TypeDeclaration("thing", obj),
        ),
        (TypedName("depot", ("place",)), TypedName("any", obj)),
        (
            Predicate("at", (TypedName("?v", ("vehicle",)), TypedName("?p", ("place",)))),
            Predicate("near", (TypedName("?a", ("place",)), TypedName("?b", ("place",)), TypedName("?c", obj))),
            Predicate("open"),
        ),
        (Function("toll", (TypedName("?p", ("place",)),)), Function("base")),
    )


def test_dash_without_a_space() -> None:
    domain = parse_domain("(define (domain d) (:types zone -object) (:predicates (p ?x -zone ?y -(either zone))))")
    assert domain.predicates == (Predicate("p", (TypedName("?x", ("zone",)), TypedName("?y", ("zone",)))),)


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("()", And()),
        ("(and)", And()),
        ("(or)", Or()),
        ("p", P),
        ("(P)", P),
        ("(q ?X)", QX),
        ("(and (p) p)", And((P, P))),
        ("(not (not (p)))", Not(Not(P))),
        ("(or (p) (q ?x))", Or((P, QX))),
        ("(imply (p) (q ?x))", Imply(P, QX)),
        ("(= ?x k)", Equals(X, K)),
        ("(= ?x 7)", Equals(X, Constant("7"))),
        ("(forall () (p))", ForAll((), P)),
        ("(forall (?y - b) (r ?x ?y))", ForAll((TypedName("?y", ("b",)),), Atom("r", (X, Variable("?y"))))),
        ("(exists (?y - (either a b)) (q ?y))", Exists((TypedName("?y", ("a", "b")),), Atom("q", (Variable("?y"),)))),
    ],
)
def test_formulas(text: str, formula: Formula) -> None:
    assert condition_of(text) == formula


@pytest.mark.parametrize(
    ("text", "effect"),
    [
        ("()", AndEffect()),
        ("(and)", AndEffect()),
        ("p", Add(P)),
        ("(not p)", Delete(P)),
        ("(and (p) (not (q ?x)))", AndEffect((Add(P), Delete(QX)))),
        ("(when (q ?x) (p))", When(QX, Add(P))),
        ("(forall (?y) (q ?y))", ForAllEffect((TypedName("?y"),), Add(Atom("q", (Variable("?y"),))))),
        ("(probabilistic 1/4 (p))", Probabilistic((EffectOutcome(Fraction(1, 4), Add(P)),))),
        (
            "(probabilistic .8 p 0.1 () 100/1000 (not (p)))",
            Probabilistic(
                (
                    EffectOutcome(Fraction(4, 5), Add(P)),
                    EffectOutcome(Fraction(1, 10), AndEffect()),
                    EffectOutcome(Fraction(1, 10), Delete(P)),
                )
            ),
        ),
        (
            "(probabilistic 1 (probabilistic 0 (p)))",
            Probabilistic((EffectOutcome(Fraction(1), Probabilistic((EffectOutcome(Fraction(0), Add(P)),))),)),
        ),
        ("(decrease reward 1)", Change("decrease", "reward", Number(Fraction(1)))),
        ("(increase (total-cost) (f ?x))", Change("increase", "total-cost", FunctionTerm("f", (X,)))),
        ("(increase (total-cost) g)", Change("increase", "total-cost", FunctionTerm("g"))),
    ],
)
def test_effects(text: str, effect: Effect) -> None:
    assert effect_of(text) == effect


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3", Fraction(3)),
        ("-2", Fraction(-2)),
        ("+1", Fraction(1)),
        ("5.", Fraction(5)),
        (".5", Fraction(1, 2)),
        ("-0.25", Fraction(-1, 4)),
        ("1e-3", Fraction(1, 1000)),
        ("2E2", Fraction(200)),
        ("1e0000000003", Fraction(1000)),
        ("-10/4", Fraction(-5, 2)),
    ],
)
def test_numbers_are_exact(text: str, value: Fraction) -> None:
    assert effect_of(f"(increase (reward) {text})") == Change("increase", "reward", Number(value))


def test_action_parts_in_any_order_and_left_out() -> None:
    schema = schema_of(":effect (p) :parameters (?x ?y - a)")
    assert schema == Schema("act", (TypedName("?x", ("a",)), TypedName("?y", ("a",))), And(), Add(P))
    assert schema_of("") == Schema("act")


def test_problem_sections() -> None:
    problem = problem_of(
        """(:requirements :typing) (:objects o - a 1 2 - b)
           (:init (p) (q o) (r k 1) (not (q k)) (p) (= (f k) 2.5) (= g 3) (= (total-cost) 0) (= (reward) 0))
           (:goal (and (p))) (:goal-reward 100) (:goal-probability 0.9)
           (:metric maximize (reward)) (:length (:serial 3) (:parallel 2))"""
    )
    assert problem == Problem(
        "one",
        "d",
        (":typing",),
        (TypedName("o", ("a",)), TypedName("1", ("b",)), TypedName("2", ("b",))),
        (P, Atom("q", (Constant("o"),)), Atom("r", (K, Constant("1"))), P),
        (FunctionValue(FunctionTerm("f", (K,)), Fraction(5, 2)), FunctionValue(FunctionTerm("g"), Fraction(3))),
        And((P,)),
        Fraction(100),
        Fraction(9, 10),
        Metric("maximize", "reward"),
    )


def test_a_predicate_may_be_called_unknown() -> None:
    domain = parse_domain("(define (domain scan) (:predicates (unknown ?x)))")
    problem = parse_problem(
        domain, "(define (problem p) (:domain scan) (:objects a) (:init (unknown a)) (:goal (unknown a)))"
    )
    assert problem.init == (Atom("unknown", (Constant("a"),)),)


def test_problem_without_goal_and_init() -> None:
    problem = problem_of("(:metric minimize total-cost)")
    assert problem == Problem("one", "d", metric=Metric("minimize", "total-cost"))


def test_nodes_know_their_place() -> None:
    domain = parse_domain("(define (domain d)\n  (:predicates (p))\n  (:action a\n    :effect (and\n      (p))))")
    effect = domain.schemas[0].effect
    assert isinstance(effect, AndEffect)
    spans = [domain.span, domain.schemas[0].span, effect.span, effect.effects[0].span]
    assert [(span.line, span.column) for span in spans if span] == [(1, 1), (3, 3), (4, 13), (5, 7)]


def test_sources(tmp_path: Path) -> None:
    domain_text = HEAD + ")"
    problem_text = "(define (problem one) (:domain d) (:init (p)) (:goal (p)))"
    domain_file, problem_file = tmp_path / "d.ppddl", tmp_path / "p.ppddl"
    domain_file.write_bytes(b"\xef\xbb\xbf" + domain_text.replace("\n", "\r\n").encode())
    problem_file.write_bytes(b"; Gr\xfc\xdfe\n" + problem_text.encode())
    expected = parse_task(domain_text, problem_text)
    assert parse_task(domain_file, str(problem_file)) == expected
    assert parse_task(domain_text + problem_text) == expected
    assert parse_task(problem_text + domain_text) == expected
    domain = parse_domain(str(domain_file))
    assert (domain, parse_problem(domain, problem_file)) == (expected.domain, expected.problem)


def test_choice_among_several_problems() -> None:
    text = HEAD + ")" + "".join(f"(define (problem {name}) (:domain d) (:goal (p)))" for name in ("one", "two"))
    assert parse_task(text, problem_name="Two").problem.name == "two"
    assert parse_problem(parse_domain(text), text, "one").name == "one"


def test_domain_of_the_domain_file_counts() -> None:
    domain = HEAD + ")"
    problem = "(define (problem one) (:domain d) (:goal (p)))"
    assert parse_task(domain, domain + problem).warnings == ()
    assert parse_task(domain, domain.replace("(p)", "(p) (s)") + problem).domain == parse_domain(domain)
    (warning,) = parse_task(domain, domain.replace("(p)", "(p) (s)") + problem).warnings
    assert warning.message == "this definition of the domain 'd' is not used: it differs from the one given"
