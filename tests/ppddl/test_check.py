"""What is accepted with a warning, and what the checks accept in silence."""

from __future__ import annotations

import pytest

from gpaplan.errors import Diagnostic, InputError
from gpaplan.ppddl import parse_domain, parse_problem, parse_task
from gpaplan.ppddl.check import TypeHierarchy
from gpaplan.ppddl.syntax import TypeDeclaration, TypedName

ADL = "(define (domain d) (:requirements :adl :probabilistic-effects :rewards) "


def warnings_of(text: str) -> list[tuple[int | None, int | None, str, str | None]]:
    found: list[Diagnostic] = []
    parse_domain(text, on_warning=found.append)
    assert all(each.severity == "warning" for each in found)
    return [(each.line, each.column, each.message, each.hint) for each in found]


def test_hierarchy() -> None:
    types = TypeHierarchy(
        [
            TypeDeclaration("vehicle"),
            TypeDeclaration("truck", ("vehicle",)),
            TypeDeclaration("boat", ("vehicle",)),
            TypeDeclaration("amphibian", ("truck", "boat")),
            TypeDeclaration("place"),
        ]
    )
    assert types.fits(("truck",), ("vehicle",))
    assert types.fits(("truck", "boat"), ("vehicle",))
    assert types.fits(("amphibian",), ("boat",))
    assert types.fits(("place",), ("object",))
    assert types.fits(("place",), ("vehicle", "place"))
    assert not types.fits(("vehicle",), ("truck",))
    assert not types.fits(("truck", "place"), ("vehicle",))
    assert types.overlaps(("vehicle",), ("truck",))
    assert types.overlaps(("truck",), ("boat",))
    assert types.overlaps(("truck", "place"), ("vehicle",))
    assert not types.overlaps(("truck",), ("place",))
    assert types.cycle() == []


def test_cycles_of_types() -> None:
    assert TypeHierarchy([TypeDeclaration("a", ("a",))]).cycle() == ["a"]
    longer = [TypeDeclaration("x", ("a",)), TypeDeclaration("a", ("b",)), TypeDeclaration("b", ("object", "a"))]
    assert TypeHierarchy(longer).cycle() == ["a", "b"]


def test_long_chains_of_types() -> None:
    chain = [TypeDeclaration(f"t{i}", (f"t{i + 1}",)) for i in range(20_000)] + [TypeDeclaration("t20000")]
    types = TypeHierarchy(chain)
    assert types.cycle() == []
    assert types.fits(("t0",), ("t20000",))


@pytest.mark.parametrize(
    ("requirement", "body"),
    [
        (":typing", "(:types a)"),
        (":negative-preconditions", "(:action a :precondition (not (p)) :effect (p))"),
        (":equality", "(:action a :parameters (?x ?y) :precondition (not (= ?x ?y)) :effect (p))"),
        (":disjunctive-preconditions", "(:action a :precondition (or (p)) :effect (p))"),
        (":disjunctive-preconditions", "(:action a :precondition (imply (p) (p)) :effect (p))"),
        (":existential-preconditions", "(:action a :precondition (exists (?x) (p)) :effect (p))"),
        (":universal-preconditions", "(:action a :precondition (forall (?x) (p)) :effect (p))"),
        (":conditional-effects", "(:action a :effect (when (p) (p)))"),
        (":conditional-effects", "(:action a :effect (forall (?x) (p)))"),
        (":probabilistic-effects", "(:action a :effect (probabilistic 1/2 (p)))"),
        (":rewards", "(:action a :effect (increase (reward) 1))"),
        (":action-costs", "(:functions (total-cost)) (:action a :effect (increase (total-cost) 1))"),
        (":numeric-fluents", "(:functions (f))"),
    ],
)
def test_missing_requirement(requirement: str, body: str) -> None:
    domain = (
        f"(define (domain d) (:requirements :strips) (:predicates (p))\n{body}\n{body.replace('action a', 'action b')})"
    )
    if not body.startswith("(:action"):
        domain = f"(define (domain d) (:requirements :strips) (:predicates (p))\n{body})"
    ((line, _, message, hint),) = warnings_of(domain)
    assert (line, message) == (2, f"the requirement '{requirement}' is missing")
    assert hint == f"add '{requirement}' to ':requirements'"
    assert warnings_of(domain.replace(":strips", f":strips {requirement}")) == []


def test_no_requirements_at_all() -> None:
    assert warnings_of("(define (domain d) (:types a) (:predicates (p)) (:action b :effect (when (p) (p))))") == [
        (1, 17, "the domain has no ':requirements'", "this text needs (:requirements :typing :conditional-effects)")
    ]


def test_unknown_requirement() -> None:
    assert warnings_of("(define (domain d)\n  (:requirements :typping))") == [
        (2, 18, "unknown requirement ':typping'", "did you mean ':typing'?")
    ]


def test_undeclared_supertype_is_declared() -> None:
    text = ADL + "(:types truck truck2 - truck3 car - wheeled))"
    domain = parse_domain(text)
    assert domain.types[-2:] == (TypeDeclaration("truck3"), TypeDeclaration("wheeled"))
    assert [message for _, _, message, _ in warnings_of(text)] == [
        "the supertype 'truck3' is not declared",
        "the supertype 'wheeled' is not declared",
    ]


def test_object_may_be_declared() -> None:
    assert warnings_of(ADL + "(:types a - object object))") == []


def test_argument_of_a_supertype() -> None:
    text = ADL + "(:types a b - c c)\n(:predicates (p ?x - a))\n(:action act :parameters (?y - c) :effect (p ?y)))"
    assert warnings_of(text) == [
        (
            3,
            46,
            "argument 1 of 'p' must be of type 'a', but '?y' is of type 'c'",
            "some of its values do not fit",
        )
    ]


def test_hidden_parameter() -> None:
    text = ADL + "(:predicates (p ?x))\n(:action a :parameters (?x) :effect (forall (?x) (p ?x))))"
    assert warnings_of(text) == [(2, 46, "'?x' hides a parameter of the same name", None)]


def test_action_without_an_effect() -> None:
    assert warnings_of(ADL + "\n(:action wait :parameters ()))") == [(2, 10, "action 'wait' has no effect", None)]


def test_warnings_about_a_problem() -> None:
    domain = ADL + "(:constants c) (:predicates (p ?x)))"
    problem = "(define (problem one) (:domain d)\n (:objects c x)\n (:init (p c) (p x) (= (total-cost) 4)))"
    task = parse_task(domain, problem)
    assert task.problem.objects == (TypedName("x"),)
    assert [(each.line, each.message) for each in task.warnings] == [
        (1, "the problem has no ':goal', so no state is a goal"),
        (2, "the object 'c' is a constant of the domain already"),
        (3, "the initial value of 'total-cost' is ignored"),
    ]
    found: list[Diagnostic] = []
    parse_problem(parse_domain(domain), problem, on_warning=found.append)
    assert [each.render() for each in found] == [each.render() for each in task.warnings]


def test_problem_with_requirements_of_its_own() -> None:
    task = parse_task(
        "(define (domain d) (:requirements :strips) (:predicates (p)))",
        "(define (problem one) (:domain d) (:requirements :adl) (:goal (not (p))))",
    )
    assert task.warnings == ()


def test_either_and_subtypes_fit() -> None:
    text = """(:types a b - c c d) (:constants k - a)
      (:predicates (p ?x - c) (q ?x - (either a d)) (r ?x))
      (:action act :parameters (?a - a ?d - d ?e - (either a b))
        :precondition (and (p ?a) (p ?e) (q ?a) (q ?d) (q k) (r ?d) (p k)) :effect (p ?a)))"""
    assert warnings_of(ADL + text) == []


def test_costs_that_are_not_declared() -> None:
    """They are understood, but others refuse them; what is to be added is said, and can be added."""
    head = "(define (domain d) (:requirements :action-costs) (:predicates (p))"
    action = "(:action a :effect (and (p) (increase (total-cost) 1))) (:action b :effect (increase (total-cost) 2)))"
    found: list[Diagnostic] = []
    parse_domain(f"{head} {action}", on_warning=found.append)
    parse_domain(f"{head} (:functions (toll)) {action}", on_warning=found.append)
    said = [(each.message, each.hint, None if each.fix is None else each.fix.text) for each in found]
    assert said == [
        (
            "the domain has no ':functions'",
            "add (:functions (total-cost) - number)",
            "(:functions (total-cost) - number)\n  ",
        ),
        ("'total-cost' is not declared", "add (total-cost) to ':functions'", "(total-cost) "),
    ]
    parse_domain(f"{head} (:functions (total-cost) - number) {action}", on_warning=found.append)
    assert len(found) == 2


def test_a_type_that_is_not_declared_is_said_once() -> None:
    domain = "(define (domain d) (:requirements :typing) (:predicates (p ?x - spot)) (:action a :effect ()))"
    problem = "(define (problem q) (:domain d) (:objects s - spot) (:goal (p s)))"
    with pytest.raises(InputError) as caught:
        parse_task(domain, problem)
    assert [(each.message, each.hint) for each in caught.value.diagnostics] == [
        ("unknown type 'spot'", "declare it in :types")
    ]
