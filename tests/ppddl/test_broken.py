"""Broken PPDDL: each text gives the right message at the right place, and nothing else.

In the texts of `CASES` the sign ``§`` stands before each place that must be reported, in the order of the text.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field

import pytest

from gpaplan.errors import InputError, UnsupportedError
from gpaplan.ppddl import parse_domain, parse_task

HEAD = """(define (domain rover)
  (:requirements :adl :probabilistic-effects :rewards)
  (:types rover place - object rock - object)
  (:constants home - place)
  (:predicates (at ?r - rover ?p - place) (rock-at ?k - rock ?p - place) (ready))
  (:functions (distance ?a ?b - place) - number)
"""
MOVE = "(:action move :parameters (?r - rover ?p - place) "
TASK = f"{HEAD})\n(define (problem one) (:domain rover)\n"
NO_DEFINITION = "there is no '(define (domain …) …)' in this file"


@dataclass(frozen=True)
class Case:
    """A text with marks, and what must be reported at each mark."""

    name: str
    text: str
    messages: tuple[str, ...]
    hints: tuple[str | None, ...] = ()
    context: tuple[str, ...] = ()
    unsupported: bool = False
    marks: list[tuple[int, int]] = field(default_factory=list)


def case(
    name: str,
    text: str,
    *messages: str,
    hint: str | None = None,
    context: tuple[str, ...] = (),
    unsupported: bool = False,
) -> Case:
    return Case(name, text, messages, (hint,), context, unsupported)


def unsupported(name: str, text: str, *messages: str, hint: str | None = None) -> Case:
    return case(name, text, *messages, hint=hint, unsupported=True)


CASES = [
    # --- parentheses and characters
    case("unclosed definition", "§(define (domain a)\n  (:predicates (p))\n", "this '(' is never closed"),
    case(
        "unclosed action",
        "(define (domain a) (:predicates (p))\n  §(:action one :precondition (p) :effect (and (p))\n"
        "  (:action two :effect (p)))",
        "this '(' is never closed",
        hint="a ')' is missing before '(:action' in line 3",
        context=("'(define (domain a)' of line 1",),
    ),
    case(
        "unclosed inner group",
        "(define (domain a) (:predicates (p))\n  (:action one :effect §(and (p)\n  (:action two :effect (p)))",
        "this '(' is never closed",
        hint="a ')' is missing before '(:action' in line 3",
        context=("'(define (domain a)' of line 1", "'(:action one' of line 2"),
    ),
    case(
        "unclosed definition before another",
        "§(define (domain a) (:predicates (p))\n(define (problem b) (:domain a) (:init) (:goal (p)))",
        "this '(' is never closed",
        hint="a ')' is missing before '(define' in line 2",
    ),
    case(
        "superfluous at the end",
        "(define (domain a) (:predicates (p)))\n§)",
        "superfluous ')'",
        hint="'(define (domain a)' of line 1 is closed in line 1, column 37 already",
    ),
    case("superfluous at the start", "§)(define (domain a) (:predicates (p)))", "superfluous ')'"),
    case(
        "closed too early",
        "(define (domain a)\n  (:predicates (p)))\n  §(:action one :effect (p)))",
        "the section '(:action' stands outside of any '(define …)'",
        hint="'(define (domain a)' of line 1 is closed in line 2, column 20: is there a ')' too many?",
    ),
    case(
        "action closed too early",
        "(define (domain a) (:predicates (p))\n  (:action one :precondition (and (p)))\n  §:effect §(p))",
        "expected a section such as '(:action …)', found ':effect'",
        "expected a section such as '(:action …)', found '(p…)'",
        hint="'(:action one' of line 2 is closed before it",
    ),
    case("text outside", "§hello world\n(define (domain a))", "text outside of any '(define …)': 'hello'"),
    case("foreign character", "(define (domain a) (:predicates (p§,q)))", "the character ',' cannot stand in PPDDL"),
    case("control character", "(define (domain a) (:predicates (p§\0q)))", "the character U+0000 cannot stand in PPDDL"),
    case("not a definition", "§(defin (domain a))", "expected '(define …)', found '(defin (domain a)…)'"),
    case(
        "no header",
        "(define §(domian a))",
        "'(define' must be followed by '(domain NAME)' or '(problem NAME)'",
        hint="did you mean 'domain'?",
    ),
    case("no name", "(define §(domain))", "expected '(domain NAME)'"),
    case("deep nesting", "(" * 100 + "§" + "(" * 99_900, "parentheses are nested deeper than 100"),
    case("deep nesting, closed", "(" * 100 + "§(" + "(" * 50_000 + ")" * 50_101, "parentheses are nested deeper than 100"),
    # --- sections
    case(
        "unknown section",
        "(define (domain a) (§:predicate (p)) (:action x :precondition (q) :effect (p)))",
        "unknown section ':predicate'",
        hint="did you mean ':predicates'?",
    ),
    case(
        "goals",
        TASK + "(:init) (§:goals (ready)))",
        "unknown section ':goals'",
        hint="did you mean ':goal'?",
    ),
    case(
        "two predicate sections",
        "(define (domain a)\n  (:predicates (p))\n  §(:predicates (q)))",
        "a second section ':predicates'",
        hint="the first is in line 2",
    ),
    case(
        "unknown part of an action",
        HEAD + MOVE + "§:precond (at ?r ?p) :effect (ready)))",
        "unknown part ':precond' of an action",
        hint="did you mean ':precondition'?",
        context=("action 'move'",),
    ),
    case("nothing after a keyword", HEAD + MOVE + "§:precondition :effect (ready)))", "nothing follows ':precondition'"),
    case("action without a name", HEAD + "§(:action))", "an action without a name"),
    case("no domain name in a problem", HEAD + ")\n§(define (problem one) (:init) (:goal (ready)))", "the problem does not say '(:domain NAME)'"),
    case("requirement without a colon", "(define (domain a) (:requirements §typing))", "expected a requirement such as ':typing', found 'typing'", hint="did you mean ':typing'?"),
    # --- lists and names
    case(
        "parameter without a question mark",
        HEAD + "(:action move :parameters (§r - rover) :effect (ready)))",
        "expected a variable such as '?x', found 'r'",
        hint="variables begin with a question mark: did you mean '?r'?",
    ),
    case("dash at the end", "(define (domain a) (:types b §-))", "'-' without a type after it", context=("types",)),
    case("type without a name", "(define (domain a) (:types §- b))", "a type without a name before it"),
    case("predicate without parentheses", "(define (domain a) (:predicates §p))", "expected a predicate declaration, found 'p'"),
    case("reserved name", "(define (domain a) (:predicates (§and ?x)))", "'and' is a word of the language and cannot be a predicate name"),
    case(
        "missing and",
        HEAD + MOVE + ":precondition (§(at ?r ?p) (ready)) :effect (ready)))",
        "expected a predicate or connective, found '(at ?r…)'",
        hint="a list of conditions or effects begins with 'and'",
    ),
    # --- unknown names
    case(
        "unknown predicate",
        HEAD + MOVE + ":precondition (and (§att ?r ?p)) :effect (ready)))",
        "unknown predicate 'att'",
        hint="did you mean 'at'?",
        context=("action 'move'", "precondition"),
    ),
    case(
        "unknown predicate without parentheses",
        HEAD + MOVE + ":effect §redy))",
        "unknown predicate 'redy'",
        hint="did you mean 'ready'?",
        context=("action 'move'", "effect"),
    ),
    case(
        "unknown variable",
        HEAD + MOVE + ":effect (at ?r §?place)))",
        "unknown variable '?place'",
        context=("action 'move'", "effect"),
    ),
    case("variable for object", HEAD + MOVE + ":effect (at §r ?p)))", "unknown object 'r'", hint="did you mean '?r'?"),
    case("unknown type", "(define (domain a) (:requirements :typing) (:types rover) (:predicates (p ?x - §rovr)))", "unknown type 'rovr'", hint="did you mean 'rover'?", context=("predicate 'p'",)),
    case("near miss of a supertype", "(define (domain a) (:requirements :typing) (:types vehicle car - §vehicel))", "unknown type 'vehicel'", hint="did you mean 'vehicle'?"),
    case("unknown object", TASK + "(:objects r1 - rover) (:init (at §r2 home)) (:goal (ready)))", "unknown object 'r2'", hint="did you mean 'r1'?", context=("init",)),
    case("unknown function", HEAD + MOVE + ":effect (decrease (reward) (§distanc home ?p))))", "unknown function 'distanc'", hint="did you mean 'distance'?"),
    case("number for an unknown function", TASK + "(:init (= (§dist home home) 3)) (:goal (ready)))", "unknown function 'dist'"),
    case("predicate of the goal", TASK + "(:init) (:goal (or (ready) (§raedy))))", "unknown predicate 'raedy'", hint="did you mean 'ready'?", context=("goal",)),
    # --- arity and types
    case(
        "too few arguments",
        HEAD + MOVE + ":effect §(at ?r)))",
        "predicate 'at' takes 2 arguments, not 1",
        hint="declared as (at ?r - rover ?p - place) in line 5",
    ),
    case("too many arguments", TASK + "(:init §(ready home)) (:goal (ready)))", "predicate 'ready' takes 0 arguments, not 1", hint="declared as (ready) in line 5"),
    case("arity of a function", TASK + "(:init (= §(distance home) 3)) (:goal (ready)))", "function 'distance' takes 2 arguments, not 1"),
    case(
        "wrong type of a variable",
        HEAD + MOVE + ":effect (at ?r §?r)))",
        "argument 2 of 'at' must be of type 'place', but '?r' is of type 'rover'",
        hint="declared as (at ?r - rover ?p - place) in line 5",
    ),
    case("wrong type of an object", TASK + "(:objects k - rock) (:init (at §k home)) (:goal (ready)))", "argument 1 of 'at' must be of type 'rover', but 'k' is of type 'rock'"),
    case("object without a type", TASK + "(:objects r1) (:init (at §r1 home)) (:goal (ready)))", "argument 1 of 'at' must be of type 'rover', but 'r1' is of type 'object'"),
    case("cyclic types", "(define (domain a) (:requirements :typing) (:types §b - c c - d d - b))", "the type 'b' is its own supertype: b - c - d - b"),
    # --- declared twice
    case("type twice", "(define (domain a) (:requirements :typing) (:types b c §b))", "type 'b' is declared twice", hint="the first declaration is in line 1"),
    case("predicate twice", "(define (domain a) (:requirements :adl)\n(:predicates (p)\n(§p ?x)))", "predicate 'p' is declared twice", hint="the first declaration is in line 2"),
    case("action twice", HEAD + "(:action one :effect (ready))\n(:action §one :effect (ready)))", "action 'one' is declared twice", hint="the first declaration is in line 7"),
    case("parameter twice", HEAD + "(:action one :parameters (?x §?x - place) :effect (ready)))", "parameter '?x' is declared twice"),
    case("object twice", TASK + "(:objects r s §r - rover) (:init) (:goal (ready)))", "object 'r' is declared twice"),
    case("constant as an object of another type", TASK + "(:objects §home - rock) (:init) (:goal (ready)))", "the object 'home' is a constant of the domain, of type 'place'"),
    case("function twice", "(define (domain a) (:requirements :fluents) (:functions (f) (§f)))", "function 'f' is declared twice"),
    case("two values", TASK + "(:init (= (distance home home) 1) §(= (distance home home) 2)) (:goal (ready)))", "the function term (distance home home) has two values, 1 and 2"),
    case("true and false", TASK + "(:init (ready) (not §(ready))) (:goal (ready)))", "the atom (ready) is listed as true and as false"),
    # --- probabilities and numbers
    case("probability over 1", HEAD + MOVE + ":effect (probabilistic §1.5 (ready))))", "the probability '1.5' is over 1", context=("action 'move'", "effect", "outcome 1")),
    case("negative probability", HEAD + MOVE + ":effect (probabilistic §-1/2 (ready))))", "the probability '-1/2' is negative"),
    case(
        "sum over 1",
        HEAD + MOVE + ":effect (probabilistic 0.5 (ready) 1/4 (at ?r ?p) §0.3 (ready))))",
        "the probabilities add up to 1.05, over 1",
        context=("action 'move'", "effect", "outcome 3"),
    ),
    case("a hair over 1", HEAD + MOVE + ":effect (probabilistic 1 (ready) §1e-30 (ready))))", "the probabilities add up to 1000000000000000000000000000001/1000000000000000000000000000000, over 1"),
    case("not a probability", HEAD + MOVE + ":effect (probabilistic §abc (ready))))", "expected a probability, found 'abc'", hint="a probability is a number from 0 to 1, such as 0.5, .8 or 1/4"),
    case("division by zero", HEAD + MOVE + ":effect (probabilistic §1/0 (ready))))", "division by zero in '1/0'"),
    case("huge exponent", HEAD + MOVE + ":effect (increase (reward) §1e999999999)))", "the exponent of '1e999999999' is too large"),
    case("long number", HEAD + MOVE + f":effect (increase (reward) §{'1' * 500})))", "expected a number, found a word of 500 characters"),
    case("swapped", HEAD + MOVE + ":effect (probabilistic (ready) §0.5)))", "effect and probability are swapped", hint="write (probabilistic 0.8 (effect) 0.2 (effect))"),
    case("no outcomes", HEAD + MOVE + ":effect §(probabilistic)))", "'probabilistic' without outcomes"),
    case("probability without an effect", HEAD + MOVE + ":effect (probabilistic 0.5 (ready) §0.5)))", "the probability '0.5' has no effect"),
    case("effect without a probability", HEAD + MOVE + ":effect (probabilistic 0.5 (ready) §(at ?r ?p))))", "a probability is missing before '(at ?r…)'"),
    case("goal probability", TASK + "(:init) (:goal (ready)) (:goal-probability §2))", "the probability '2' is not between 0 and 1"),
    case("goal reward", TASK + "(:init) (:goal (ready)) (:goal-reward §lots))", "expected a number, found 'lots'"),
    # --- formulas and effects
    case("not with two", HEAD + MOVE + ":precondition §(not (ready) (ready)) :effect (ready)))", "'not' takes 1 operand, not 2", hint="several operands need an 'and' around them"),
    case("imply with one", HEAD + MOVE + ":precondition §(imply (ready)) :effect (ready)))", "'imply' takes 2 operands, not 1"),
    case("when with one", HEAD + MOVE + ":effect §(when (ready))))", "'when' takes 2 operands, not 1"),
    case("when in a condition", HEAD + MOVE + ":precondition (§when (ready) (ready)) :effect (ready)))", "'when' is part of an effect and cannot stand here", hint="did you mean 'imply'?"),
    case("or in an effect", HEAD + MOVE + ":effect (§or (ready) (ready))))", "'or' is a condition and cannot be an effect"),
    case("not and in an effect", HEAD + MOVE + ":effect (not §(and (ready)))))", "in an effect, 'not' takes an atom and not 'and'"),
    case("variable in init", TASK + "(:init (at §?r home)) (:goal (ready)))", "the variable '?r' cannot stand in the initial state"),
    case("two goals", TASK + "(:init) §(:goal (ready) (ready)))", "':goal' takes 1 condition, not 2", hint="several conditions need an 'and' around them"),
    case("metric without direction", TASK + "(:init) (:goal (ready)) §(:metric (reward)))", "':metric' takes 'minimize' or 'maximize' and a quantity"),
    case("problem of another domain", HEAD + ")\n(define (problem one) (:domain §rovers) (:init) (:goal (ready)))", "the problem is of the domain 'rovers', not of 'rover'", hint="did you mean 'rover'?"),
    # --- several errors
    case(
        "several errors",
        HEAD + MOVE + ":precondition (§redy) :effect (probabilistic §2 (at §?x ?p)))\n(:action §move :effect §(at home)))",
        "unknown predicate 'redy'",
        "the probability '2' is over 1",
        "unknown variable '?x'",
        "action 'move' is declared twice",
        "predicate 'at' takes 2 arguments, not 1",
        hint="did you mean 'ready'?",
    ),
    case(
        "errors of domain and problem",
        "(define (domain a) (:requirements :strips) (:predicates (p) §q))\n"
        "(define (problem b) (:domain a) (:objects x) (:init (q) (r x) (p §y)) (:goal (p §?z)))",
        "expected a predicate declaration, found 'q'",
    ),
    # --- not supported
    unsupported("derived", "(define (domain a) (:predicates (p)) §(:derived (q) (p)))", "derived predicates (':derived') are not supported"),
    unsupported("durative action", "(define (domain a) §(:durative-action b))", "durative actions (':durative-action') are not supported"),
    unsupported("constraints", TASK + "(:init) (:goal (ready)) §(:constraints (always (ready))))", "trajectory constraints (':constraints') are not supported"),
    unsupported("process", "(define (domain a) §(:process b))", "processes (':process') are not supported"),
    unsupported("event", "(define (domain a) §(:event b))", "events (':event') are not supported"),
    unsupported("numeric condition", HEAD + MOVE + ":precondition §(< (distance home ?p) 3) :effect (ready)))", "numeric conditions ('<') are not supported"),
    unsupported("numeric equality", HEAD + MOVE + ":precondition §(= (distance home ?p) 3) :effect (ready)))", "numeric conditions ('=' on numbers) are not supported"),
    unsupported("assign", HEAD + MOVE + ":effect §(assign (distance home ?p) 3)))", "'assign' is not supported"),
    unsupported("scale-up", HEAD + MOVE + ":effect §(scale-up (reward) 3)))", "'scale-up' is not supported"),
    unsupported("other quantity", HEAD + MOVE + ":effect (increase §(fuel ?r) 3)))", "'increase' of '(fuel ?r…)' is not supported"),
    unsupported("arithmetic", HEAD + MOVE + ":effect (increase (reward) §(+ 1 2))))", "arithmetic ('(+ 1…)') is not supported"),
    unsupported("object fluents", HEAD + MOVE + ":effect (at ?r §(home-of ?r))))", "'(home-of ?r…)' as an argument (object fluents) is not supported"),
    unsupported("object function", "(define (domain a) (:requirements :typing) (:types b) (:functions (f) §- b))", "functions with values other than numbers (object fluents) are not supported"),
    unsupported("oneof", HEAD + MOVE + ":effect §(oneof (ready) (at ?r ?p))))", "non-deterministic effects ('oneof') are not supported"),
    unsupported("observe", HEAD + MOVE + "§:observe (ready)))", "observations (':observe') are not supported"),
    unsupported("vars", HEAD + MOVE + "§:vars (?x - place) :effect (ready)))", "variables outside of the parameters (':vars') are not supported"),
    unsupported("probabilistic init", TASK + "(:init §(probabilistic 0.5 (ready))) (:goal (ready)))", "a probabilistic initial state is not supported"),
    unsupported("timed literal", TASK + "(:init §(at 5 (ready))) (:goal (ready)))", "timed initial literals are not supported"),
    unsupported("preference", TASK + "(:init) (:goal §(preference p1 (ready))))", "preferences are not supported"),
    unsupported("other metric", TASK + "(:init) (:goal (ready)) (:metric minimize §(total-time)))", "a metric over '(total-time…)' is not supported"),
]  # fmt: skip


def errors_of(text: str) -> InputError:
    """The error that reading a text raises: as a task if it holds a problem, else as a domain."""
    with pytest.raises(InputError) as raised:
        parse_task(text) if "(problem" in text else parse_domain(text)
    return raised.value


def places(marked: str) -> tuple[str, list[tuple[int, int]]]:
    """A text without its marks, and the line and column of each."""
    parts = marked.split("§")
    found = []
    text = parts[0]
    for part in parts[1:]:
        found.append((text.count("\n") + 1, len(text) - text.rfind("\n")))
        text += part
    return text, found


@pytest.mark.parametrize("broken", CASES, ids=lambda broken: broken.name)
def test_broken_text(broken: Case) -> None:
    text, marks = places(broken.text)
    if broken.name == "errors of domain and problem":
        marks = marks[:1]
    started = time.monotonic()
    error = errors_of(text)
    assert [(each.line, each.column, each.message) for each in error.diagnostics] == [
        (line, column, message) for (line, column), message in zip(marks, broken.messages, strict=True)
    ]
    assert isinstance(error, UnsupportedError) == broken.unsupported
    first = error.diagnostics[0]
    if broken.hints[0] is not None:
        assert first.hint == broken.hints[0]
    if broken.context:
        assert first.context == broken.context
    assert time.monotonic() - started < 2
