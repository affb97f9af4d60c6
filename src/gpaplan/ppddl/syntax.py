"""The syntax tree of PPDDL: what the parser builds, the checker reads, the writer prints, the grounder compiles.

Every node is a frozen dataclass that knows the `Span` it was read from. Spans take no part in equality, so two trees
are equal when they mean the same text. Names are stored in lower case (PPDDL is case-insensitive); variables keep
their question mark. Node order is declaration order everywhere: it fixes every index later on.

Formulas: `Atom`, `Equals`, `Not`, `And`, `Or`, `Imply`, `ForAll`, `Exists`; truth is the empty `And`.
Effects: `Add`, `Delete`, `AndEffect`, `ForAllEffect`, `When`, `Probabilistic`, `Change`; no effect is the empty
`AndEffect`.
"""

# ruff: noqa: RUF009 - _span() returns a dataclass field

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal, TypeAlias

from gpaplan.source import Span


def _span() -> Span | None:
    return field(default=None, compare=False, repr=False)


# --- names and terms ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Variable:
    """``?x``; the name includes the question mark."""

    name: str
    span: Span | None = _span()


@dataclass(frozen=True, slots=True)
class Constant:
    """An object or a domain constant, used as an argument."""

    name: str
    span: Span | None = _span()


Term: TypeAlias = Variable | Constant
"""What an argument is."""


@dataclass(frozen=True, slots=True)
class TypedName:
    """A parameter, object or constant with its type; more than one type means ``(either …)``."""

    name: str
    types: tuple[str, ...] = ("object",)
    span: Span | None = _span()


@dataclass(frozen=True, slots=True)
class TypeDeclaration:
    """A type and its direct supertypes (``object`` if none is written)."""

    name: str
    parents: tuple[str, ...] = ("object",)
    span: Span | None = _span()


@dataclass(frozen=True, slots=True)
class Predicate:
    """``(on ?x ?y - block)``, as declared."""

    name: str
    parameters: tuple[TypedName, ...] = ()
    span: Span | None = _span()


@dataclass(frozen=True, slots=True)
class Function:
    """A numeric function; gpaplan reads static ones, as costs."""

    name: str
    parameters: tuple[TypedName, ...] = ()
    span: Span | None = _span()


# --- formulas ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Atom:
    """``(on ?x b)``"""

    predicate: str
    arguments: tuple[Term, ...] = ()
    span: Span | None = _span()


@dataclass(frozen=True, slots=True)
class Equals:
    """``(= ?x ?y)``"""

    left: Term
    right: Term
    span: Span | None = _span()


@dataclass(frozen=True, slots=True)
class Not:
    """``(not …)``"""

    operand: Formula
    span: Span | None = _span()


@dataclass(frozen=True, slots=True)
class And:
    """``(and …)``; truth if it is empty."""

    operands: tuple[Formula, ...] = ()
    span: Span | None = _span()


@dataclass(frozen=True, slots=True)
class Or:
    """``(or …)``; never true if it is empty."""

    operands: tuple[Formula, ...] = ()
    span: Span | None = _span()


@dataclass(frozen=True, slots=True)
class Imply:
    """``(imply … …)``"""

    premise: Formula
    conclusion: Formula
    span: Span | None = _span()


@dataclass(frozen=True, slots=True)
class ForAll:
    """``(forall (?x - block) …)``, of a formula."""

    parameters: tuple[TypedName, ...]
    body: Formula
    span: Span | None = _span()


@dataclass(frozen=True, slots=True)
class Exists:
    """``(exists (?x - block) …)``"""

    parameters: tuple[TypedName, ...]
    body: Formula
    span: Span | None = _span()


Formula: TypeAlias = Atom | Equals | Not | And | Or | Imply | ForAll | Exists
"""A condition."""


# --- effects -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Number:
    """A number, exact."""

    value: Fraction
    span: Span | None = _span()


@dataclass(frozen=True, slots=True)
class FunctionTerm:
    """``(distance ?from ?to)``"""

    function: str
    arguments: tuple[Term, ...] = ()
    span: Span | None = _span()


Expression: TypeAlias = Number | FunctionTerm
"""An amount."""


@dataclass(frozen=True, slots=True)
class Add:
    """An atom becomes true."""

    atom: Atom
    span: Span | None = _span()


@dataclass(frozen=True, slots=True)
class Delete:
    """``(not …)`` as an effect: an atom becomes false."""

    atom: Atom
    span: Span | None = _span()


@dataclass(frozen=True, slots=True)
class AndEffect:
    """``(and …)`` of effects; nothing if it is empty."""

    effects: tuple[Effect, ...] = ()
    span: Span | None = _span()


@dataclass(frozen=True, slots=True)
class ForAllEffect:
    """``(forall (?x - block) …)``, of an effect."""

    parameters: tuple[TypedName, ...]
    effect: Effect
    span: Span | None = _span()


@dataclass(frozen=True, slots=True)
class When:
    """``(when … …)``: the effect takes place if the condition holds before."""

    condition: Formula
    effect: Effect
    span: Span | None = _span()


@dataclass(frozen=True, slots=True)
class Outcome:
    """One of the outcomes of `Probabilistic`."""

    probability: Fraction
    effect: Effect
    span: Span | None = _span()


@dataclass(frozen=True, slots=True)
class Probabilistic:
    """One random choice; the probability that the outcomes leave over means that nothing happens."""

    outcomes: tuple[Outcome, ...]
    span: Span | None = _span()


@dataclass(frozen=True, slots=True)
class Change:
    """``(increase (total-cost) 3)`` and its like."""

    direction: Literal["increase", "decrease"]
    quantity: Literal["reward", "total-cost"]
    amount: Expression
    span: Span | None = _span()


Effect: TypeAlias = Add | Delete | AndEffect | ForAllEffect | When | Probabilistic | Change
"""What an action does."""


# --- domain and problem ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Schema:
    """A lifted action."""

    name: str
    parameters: tuple[TypedName, ...] = ()
    precondition: Formula = And()
    effect: Effect = AndEffect()
    span: Span | None = _span()


@dataclass(frozen=True, slots=True)
class Domain:
    """``(define (domain …) …)``"""

    name: str
    requirements: tuple[str, ...] = ()
    """With their colons, such as ``":typing"``."""
    types: tuple[TypeDeclaration, ...] = ()
    """As declared; ``object`` itself need not be among them."""
    constants: tuple[TypedName, ...] = ()
    predicates: tuple[Predicate, ...] = ()
    functions: tuple[Function, ...] = ()
    """Without ``reward`` and ``total-cost``."""
    schemas: tuple[Schema, ...] = ()
    span: Span | None = _span()


@dataclass(frozen=True, slots=True)
class FunctionValue:
    """``(= (distance a b) 5)`` in an initial state."""

    term: FunctionTerm
    value: Fraction
    span: Span | None = _span()


@dataclass(frozen=True, slots=True)
class Metric:
    """``minimize (total-cost)`` or ``maximize (reward)``."""

    direction: Literal["minimize", "maximize"]
    quantity: Literal["reward", "total-cost"]
    span: Span | None = _span()


@dataclass(frozen=True, slots=True)
class Problem:
    """``(define (problem …) …)``"""

    name: str
    domain_name: str
    requirements: tuple[str, ...] = ()
    objects: tuple[TypedName, ...] = ()
    """Without the domain's constants."""
    init: tuple[Atom, ...] = ()
    values: tuple[FunctionValue, ...] = ()
    goal: Formula | None = None
    """None where the file has no goal: then no state is a goal."""
    goal_reward: Fraction | None = None
    goal_probability: Fraction | None = None
    metric: Metric | None = None
    span: Span | None = _span()
