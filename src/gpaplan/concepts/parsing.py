"""Reading expressions: from text to the records of `gpaplan.concepts.nodes`.

What an expression means depends on where it stands: ``on`` is a concept or a role, ``(and …)`` of either. So there is a
function for each sort, and each knows what must come next. Errors show the text with a mark under the place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple, NoReturn, TypeVar

from gpaplan.concepts.nodes import (
    Argument,
    Closure,
    Common,
    Complement,
    Concept,
    Empty,
    Every,
    Everything,
    Expression,
    Flag,
    Intersection,
    Inverse,
    Is,
    Literal,
    Mark,
    Minus,
    Named,
    Nearer,
    OfType,
    Only,
    Pairs,
    Related,
    Role,
    Same,
    Some,
)
from gpaplan.errors import UsageError, did_you_mean

__all__ = ["parse_concept", "parse_literal", "parse_literals", "parse_role"]

MAX_NESTING = 50
"""Expressions nest so deep at most."""

_TOKEN = re.compile(r"[(),]|[^\s(),]+")
_NAME = re.compile(r"(?P<mark>[@!]?)(?P<name>[a-z][^\s/:@!=?]*)(?P<places>(/[1-9][0-9]*)*)(?P<type>:type)?")

E = TypeVar("E", bound=Expression)


class _Token(NamedTuple):
    text: str
    column: int


class _Name(NamedTuple):
    mark: Mark
    name: str
    places: tuple[int, ...]
    is_type: bool


class _Parser:
    """The words of a text, of which one after the other is taken."""

    def __init__(self, text: str) -> None:
        if not isinstance(text, str):
            raise UsageError(f"an expression is a text, not {text!r}")
        self.text = text.lower()
        self.tokens = [_Token(match[0], match.start()) for match in _TOKEN.finditer(self.text)]
        self.at = 0
        self.depth = 0

    def fail(self, message: str, token: _Token | None = None, hint: str | None = None) -> NoReturn:
        column = len(self.text) if token is None else token.column
        tail = f";  {hint}" if hint else ""
        raise UsageError(f"{message} at column {column + 1}{tail}\n    {self.text}\n    {' ' * column}^")

    def peek(self) -> str | None:
        return self.tokens[self.at].text if self.at < len(self.tokens) else None

    def take(self, wanted: str) -> _Token:
        if self.at == len(self.tokens):
            self.fail(f"{wanted} is missing")
        self.at += 1
        return self.tokens[self.at - 1]

    def expect(self, word: str) -> None:
        token = self.take(f"'{word}'")
        if token.text != word:
            self.fail(f"'{word}' is missing before '{token.text}'", token)

    def operator(self, sort: str, known: Iterable[str]) -> str:
        """The word after a parenthesis that is open."""
        self.expect("(")
        self.depth += 1
        if self.depth > MAX_NESTING:
            self.fail(f"more than {MAX_NESTING} parentheses in each other", self.tokens[self.at - 1])
        token = self.take("an operator")
        names = list(known)
        if token.text not in names:
            hint = did_you_mean(token.text, names) or f"there are {', '.join(names)}"
            self.fail(f"'{token.text}' makes no {sort}", token, hint)
        return token.text

    def close(self, result: E) -> E:
        self.expect(")")
        self.depth -= 1
        return result

    def end(self, result: E) -> E:
        if self.at < len(self.tokens):
            self.fail(f"'{self.tokens[self.at].text}' is too much", self.tokens[self.at])
        return result

    def name(self, sort: str, most_places: int) -> tuple[_Name, _Token]:
        token = self.take(f"a {sort}")
        found = _NAME.fullmatch(token.text)
        if found is None:
            self.fail(f"'{token.text}' is no {sort}", token)
        places = tuple(int(each) for each in found["places"].split("/")[1:])
        if len(places) > most_places or (found["type"] and (found["mark"] or places)):
            self.fail(f"'{token.text}' is no {sort}", token)
        mark: Mark = "@" if found["mark"] == "@" else "!" if found["mark"] == "!" else ""
        return _Name(mark, found["name"], places, bool(found["type"])), token

    def parameter(self) -> str:
        token = self.take("a parameter")
        if not re.fullmatch(r"\?[^\s?]+", token.text):
            self.fail(f"'{token.text}' is no parameter, such as ?x,", token)
        return token.text

    # --- the three sorts ---

    def concept(self) -> Concept:
        if self.peek() == "(":
            match self.operator("concept", ("not", "and", "some", "every", "same")):
                case "not":
                    return self.close(Complement(self.concept()))
                case "and":
                    return self.close(Intersection(self.concept(), self.concept()))
                case "some":
                    return self.close(Some(self.role(), self.concept()))
                case "every":
                    return self.close(Every(self.role(), self.concept()))
                case _:
                    return self.close(Same(self.role(), self.role()))
        if (self.peek() or "").startswith("="):
            return Only(self.take("a constant").text[1:])
        found, _ = self.name("concept", 1)
        if found.is_type:
            return OfType(found.name)
        if found.places or found.mark:
            return Argument(found.mark, found.name, *(found.places or (1,)))
        return Everything() if found.name == "any" else Named(found.name)

    def role(self) -> Role:
        if self.peek() == "(":
            match self.operator("role", ("inverse", "plus", "star", "and", "minus")):
                case "inverse":
                    return self.close(Inverse(self.role()))
                case "plus":
                    return self.close(Closure(self.role()))
                case "star":
                    return self.close(Closure(self.role(), reflexive=True))
                case "and":
                    return self.close(Common(self.role(), self.role()))
                case _:
                    return self.close(Minus(self.role(), self.role()))
        found, token = self.name("role", 2)
        if found.is_type or len(found.places) == 1:
            self.fail(f"'{token.text}' is no role: it has two arguments, as in p/1/2,", token)
        return Pairs(found.mark, found.name, (found.places[0], found.places[1]) if found.places else None)

    def literal(self) -> Literal:
        if self.peek() == "(":
            match self.operator("literal", ("not", "empty", "is", "related", "nearer")):
                case "not":
                    return self.close(self.literal().negation())
                case "empty":
                    return self.close(Empty(self.concept()))
                case "is":
                    return self.close(Is(self.parameter(), self.concept()))
                case "related":
                    return self.close(Related(self.parameter(), self.parameter(), self.role()))
                case _:
                    return self.close(Nearer(self.parameter(), self.parameter(), self.concept(), self.role()))
        found, token = self.name("literal", 0)
        if found.is_type:
            self.fail(f"'{token.text}' is no literal", token)
        return Flag(found.mark, found.name)

    def literals(self) -> tuple[Literal, ...]:
        """Literals with commas between them, up to the end."""
        found: list[Literal] = []
        while self.peek() is not None:
            if found:
                self.expect(",")
            found.append(self.literal())
        return tuple(found)


def _whole(text: str, read: Callable[[_Parser], E]) -> E:
    parser = _Parser(text)
    return parser.end(read(parser))


def parse_concept(text: str) -> Concept:
    """A concept from text; `UsageError` says what is wrong and where."""
    return _whole(text, _Parser.concept)


def parse_role(text: str) -> Role:
    """A role from text."""
    return _whole(text, _Parser.role)


def parse_literal(text: str) -> Literal:
    """A literal from text."""
    return _whole(text, _Parser.literal)


def parse_literals(text: str) -> tuple[Literal, ...]:
    """Literals with commas between them; none if the text is empty."""
    return _Parser(text).literals()
