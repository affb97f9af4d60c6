"""Expressions of the language of concepts: sets and pairs of objects, and literals about a state or an action.

    parse_concept("(some on @on/2)")    parse_relation("(plus on)")    parse_literal("(is ?x (not ball))")

An expression is the word of a constructor (`gpaplan.concepts.constructors`) and its operands; ``str(expression)``
prints it, and it is read again from that. Names are those of the domain. What a text means depends on where it stands:
``on`` is a concept or a relation, ``(and …)`` of either. Errors show the text with a mark under the place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, NoReturn, TypeVar, cast

from gpaplan.concepts.constructors import CONSTRUCTORS, Constructor, Sort
from gpaplan.errors import UsageError, did_you_mean
from gpaplan.ppddl.syntax import Domain
from gpaplan.tasks.grounding import supertypes

__all__ = [
    "Concept",
    "Expression",
    "ExpressionError",
    "Literal",
    "Relation",
    "parse_concept",
    "parse_literal",
    "parse_relation",
]

MAX_NESTING = 50
"""Expressions nest so deep at most."""


class ExpressionError(UsageError):
    """A text is no expression, or names what the domain does not have: where, as far as that is known."""

    def __init__(self, message: str, *, column: int | None = None, name: str = "") -> None:
        self.column, self.name = column, name
        super().__init__(message)


@dataclass(frozen=True, slots=True)
class Expression:
    """What concepts, relations and literals have in common: the word of a constructor, and what it is made of."""

    word: str
    operands: tuple[Any, ...] = ()
    complexity: int = field(init=False, repr=False, compare=False)
    """The number of names and operators but ``inverse``; of a literal one more than those of its parts."""
    _hash: int = field(init=False, repr=False, compare=False)  # kept, since expressions are deep and looked up often

    sort: ClassVar[Sort]

    def __post_init__(self) -> None:
        object.__setattr__(self, "complexity", self.constructor.cost + sum([part.complexity for part in self.parts]))
        object.__setattr__(self, "_hash", hash((self.sort, self.word, self.operands)))

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[Any, ...]:
        """For pickles and copies; what is computed is computed again."""
        return type(self), (self.word, self.operands)

    @property
    def constructor(self) -> Constructor:
        """What is known of all expressions of this word."""
        return CONSTRUCTORS[self.sort, self.word]

    def __str__(self) -> str:
        if not self.constructor.pattern:
            return f"({' '.join(map(str, (self.word, *self.operands)))})"
        return self.constructor.text.format("".join(map(_written, self.operands)))

    @property
    def parts(self) -> tuple[Expression, ...]:
        """The expressions that this one is directly made of."""
        return tuple([each for each in self.operands if isinstance(each, Expression)])

    def check(self, domain: Domain, schema: str | None = None) -> None:
        """Raise `UsageError` unless all names are the domain's, and all parameters those of the schema, if given."""
        _check_names(self, domain, schema)

    def walk(self) -> Iterator[Expression]:
        """This expression and everything that it is made of, parts first."""
        for part in self.parts:
            yield from part.walk()
        yield self


class Concept(Expression):
    """A set of objects."""

    __slots__ = ()
    sort = "concept"

    def complement(self) -> Concept:
        """``(not C)``"""
        return Concept("not", (self,))

    @property
    def unnegated(self) -> Concept:
        """What it is without negations in front."""
        return self.operands[0].unnegated if self.word == "not" else self


class Relation(Expression):
    """A set of pairs of objects; a *role* of description logics."""

    __slots__ = ()
    sort = "relation"


@dataclass(frozen=True, slots=True)
class Literal(Expression):
    """What is true or false of a state, or of an action in it."""

    negated: bool = False
    sort = "literal"

    def __hash__(self) -> int:
        return self._hash ^ self.negated

    def __reduce__(self) -> tuple[Any, ...]:
        """As of all expressions."""
        return type(self), (self.word, self.operands, self.negated)

    def __str__(self) -> str:
        text = Expression.__str__(self)
        return f"(not {text})" if self.negated else text

    def negation(self) -> Literal:
        """What holds if and only if this does not."""
        return replace(self, negated=not self.negated)

    @property
    def parameters(self) -> tuple[str, ...]:
        """The parameters of a schema that it speaks of; none if it is about the state alone."""
        kinds = self.constructor.of
        return tuple(each for kind, each in zip(kinds, self.operands, strict=True) if kind == "parameter")


# --- names ---


def _written(operand: str | int | tuple[int, ...]) -> str:
    """What a name says, as in ``@p/1/3``."""
    if isinstance(operand, str):
        return operand
    return "".join(f"/{place}" for place in (operand if isinstance(operand, tuple) else (operand,)))


def _read(kind: str, text: str | None) -> str | int | tuple[int, ...]:
    """The inverse; a unary predicate needs no place."""
    places = tuple(int(each) for each in (text or "").split("/")[1:])
    return places if kind == "places" else (*places, 1)[0] if kind == "place" else text or ""


# --- reading ---

_TOKEN = re.compile(r"[(),]|[^\s(),]+")
_SORTS: dict[str, type[Expression]] = {each.sort: each for each in (Concept, Relation, Literal)}
E = TypeVar("E", bound=Expression)


class _Parser:
    """The words of a text, of which one after the other is taken."""

    def __init__(self, text: str, begin: int = 0) -> None:
        if not isinstance(text, str):
            raise UsageError(f"an expression is a text, not {text!r}")
        self.text = text.lower().rstrip()
        self.tokens = list(_TOKEN.finditer(self.text, begin))
        self.at = 0
        self.depth = 0

    def fail(self, message: str, token: re.Match[str] | None = None, hint: str | None = None) -> NoReturn:
        column = len(self.text) if token is None else token.start()
        tail = f";  {hint}" if hint else ""
        text = f"{message} at column {column + 1}{tail}\n    {self.text}\n    {' ' * column}^"
        raise ExpressionError(text, column=column + 1)

    def peek(self) -> str | None:
        return self.tokens[self.at][0] if self.at < len(self.tokens) else None

    def take(self, wanted: str) -> re.Match[str]:
        if self.at == len(self.tokens):
            self.fail(f"{wanted} is missing")
        self.at += 1
        return self.tokens[self.at - 1]

    def expect(self, word: str) -> None:
        token = self.take(f"'{word}'")
        if token[0] != word:
            self.fail(f"'{word}' is missing before '{token[0]}'", token)

    def expression(self, kind: type[E]) -> E:
        return self.operator(kind) if self.peek() == "(" else self.name(kind)

    def name(self, kind: type[E]) -> E:
        token = self.take(f"a {kind.sort}")
        names = [each for each in CONSTRUCTORS.values() if each.makes == kind.sort and each.pattern]
        fitting = ((each, found) for each in names if (found := re.fullmatch(each.pattern, token[0])))
        constructor, match = next(fitting, (None, None))
        if constructor is None or match is None:
            hint = ": it has two arguments, as in p/1/2," if kind is Relation else ""
            self.fail(f"'{token[0]}' is no {kind.sort}{hint}", token)
        return kind(constructor.word, tuple(map(_read, constructor.of, match.groups())))

    def operator(self, kind: type[E]) -> E:
        self.expect("(")
        self.depth += 1
        if self.depth > MAX_NESTING:
            self.fail(f"more than {MAX_NESTING} parentheses in each other", self.tokens[self.at - 1])
        token = self.take("an operator")
        names = [each.word for each in CONSTRUCTORS.values() if each.makes == kind.sort and not each.pattern]
        names = ["not", *names] if kind is Literal else names
        if token[0] not in names:
            hint = did_you_mean(token[0], names) or f"there are {', '.join(names)}"
            self.fail(f"'{token[0]}' makes no {kind.sort}", token, hint)
        if kind is Literal and token[0] == "not":
            result = cast("E", self.expression(Literal).negation())
        else:
            result = kind(token[0], tuple(map(self.operand, CONSTRUCTORS[kind.sort, token[0]].of)))
        self.expect(")")
        self.depth -= 1
        return result

    def operand(self, kind: str) -> str | Expression:
        if kind in _SORTS:
            return self.expression(_SORTS[kind])
        token = self.take("a parameter")
        if not re.fullmatch(r"\?[^\s?]+", token[0]):
            self.fail(f"'{token[0]}' is no parameter, such as ?x,", token)
        return token[0]


def _parser(kind: type[E], doc: str) -> Callable[[str], E]:
    def parse(text: str) -> E:
        parser = _Parser(text)
        result = parser.expression(kind)
        if parser.peek() is not None:
            parser.fail(f"'{parser.peek()}' is too much", parser.tokens[parser.at])
        return result

    parse.__doc__ = doc
    return parse


parse_concept = _parser(Concept, "A concept from text; `UsageError` says what is wrong and where.")
parse_relation = _parser(Relation, "A relation from text.")
parse_literal = _parser(Literal, "A literal from text.")


def parse_literals(text: str, begin: int = 0) -> tuple[Literal, ...]:
    """Literals with commas between them, from a place of a text on; none if nothing is left there."""
    parser = _Parser(text, begin)
    found: list[Literal] = []
    while parser.peek() is not None:
        if found:
            parser.expect(",")
        found.append(parser.expression(Literal))
    return tuple(found)


# --- whether an expression speaks of what a domain has ---


def _check_names(expression: Expression, domain: Domain, schema: str | None) -> None:
    arities = {each.name: len(each.parameters) for each in domain.predicates}
    types = list(supertypes(domain))
    names: dict[str, Iterable[str]] = {
        "type": types,
        "type or unary predicate": [*types, *(name for name, arity in arities.items() if arity == 1)],
        "constant": [each.name for each in domain.constants],
        "predicate": arities,
    }
    for part in expression.walk():
        for kind, operand in zip(part.constructor.of, part.operands, strict=True):
            if kind in names and operand not in names[kind]:
                raise _unknown(
                    expression, f"the domain '{domain.name}' has no {kind} '{operand}'", operand, names[kind]
                )
            if kind == "predicate":
                _check_arity(expression, part, operand, arities[operand])
    if schema is not None and isinstance(expression, Literal):
        known = [each.name for found in domain.schemas if found.name == schema for each in found.parameters]
        for parameter in expression.parameters:
            if parameter not in known:
                raise _unknown(expression, f"schema '{schema}' has no parameter '{parameter}'", parameter, known)


def _unknown(expression: Expression, message: str, name: str, known: Iterable[str]) -> UsageError:
    names = list(known)
    there = f"there are {', '.join(names)}" if names else "there are none"
    return ExpressionError(f"in '{expression}': {message};  {did_you_mean(name, names) or there}", name=name)


def _check_arity(whole: Expression, part: Expression, predicate: str, arity: int) -> None:
    """Whether a predicate has the arguments that a part asks for."""
    if part.word == "flag":
        if arity != 0:
            raise ExpressionError(
                f"in '{whole}': predicate '{predicate}' has arguments, and is no literal", name=predicate
            )
        return
    places = part.operands[-1]
    if any(place > arity for place in (places or (1, 2) if part.word == "pairs" else (places,))):
        message = f"'{part}' asks for more arguments than predicate '{predicate}' has: {arity}"
        raise ExpressionError(f"in '{whole}': {message}", name=str(part))
    if places == () and arity != 2:
        message = f"predicate '{predicate}' has {arity} arguments;  say which two are meant, as in {predicate}/1/2"
        raise ExpressionError(f"in '{whole}': {message}", name=predicate)
