"""Rules, and lists of them: which actions to take.

A rule is a schema and literals, all of which must hold of an action. In a state the first rule of a list that fits some
applicable action decides, and all applicable actions that fit it are kept:

    drop: (is ?parcel (same at @at))
    move: (not (empty carried/1)), (nearer ?to ?from !at/2 road)
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gpaplan.concepts.expressions import ExpressionError, Literal, parse_literal, parse_literals
from gpaplan.display import Shown
from gpaplan.errors import UsageError, did_you_mean
from gpaplan.ppddl.syntax import Domain

__all__ = ["Rule", "RuleError", "RuleList", "parse_rule"]


class RuleError(UsageError):
    """A rule of a text is at fault: which line, and where in it."""

    def __init__(self, message: str, line: int, column: int) -> None:
        self.message, self.line, self.column = message, line, column
        super().__init__(f"line {line}, column {column}: {message}")


@dataclass(frozen=True, slots=True)
class Rule:
    """A schema, and the literals that an action of it must fulfil; ``str(rule)`` is ``move: L1, L2``."""

    schema: str
    literals: tuple[Literal, ...] = ()

    def __str__(self) -> str:
        return f"{self.schema}: {', '.join(map(str, self.literals))}".rstrip()

    @property
    def complexity(self) -> int:
        """One for the schema, and those of the literals."""
        return 1 + sum(literal.complexity for literal in self.literals)

    def check(self, domain: Domain) -> None:
        """Raise `UsageError` unless the schema and all names of the literals are the domain's."""
        schemas = [schema.name for schema in domain.schemas]
        if self.schema not in schemas:
            hint = did_you_mean(self.schema, schemas) or f"there are {', '.join(schemas)}"
            message = f"the domain '{domain.name}' has no schema '{self.schema}';  {hint}"
            raise ExpressionError(message, name=self.schema)
        for literal in self.literals:
            literal.check(domain, self.schema)

    def words(self, domain: Domain) -> str:
        """The rule in plain English."""
        from gpaplan.concepts.words import rule_in_words

        return rule_in_words(self, {each.name: len(each.parameters) for each in domain.predicates})


@dataclass(frozen=True, slots=True)
class RuleList(Shown):
    """Rules in order; the first that fits an applicable action of a state decides in it."""

    rules: tuple[Rule, ...] = ()

    def __str__(self) -> str:
        return "\n".join(map(str, self.rules))

    def __len__(self) -> int:
        return len(self.rules)

    @property
    def complexity(self) -> int:
        """The sum over the rules."""
        return sum(rule.complexity for rule in self.rules)

    def check(self, domain: Domain) -> None:
        """Raise `UsageError` unless everything that the rules name is the domain's."""
        for rule in self.rules:
            rule.check(domain)

    def words(self, domain: Domain) -> str:
        """The rules in plain English, one a line, numbered."""
        return "\n".join(f"{number}. {rule.words(domain)}" for number, rule in enumerate(self.rules, 1))

    @classmethod
    def parse(cls, text: str, domain: Domain | None = None) -> RuleList:
        """A rule a line; empty lines and what follows ``#`` or ``;`` are passed over.

        Everything that the rules name must be the domain's, if one is given. `RuleError` says what is wrong and where.
        """
        rules = []
        for number, line in enumerate(text.splitlines(), 1):
            line = re.split("[#;]", line, maxsplit=1)[0].rstrip()
            if not line.strip():
                continue
            try:
                rules.append(parse_rule(line))
                if domain is not None:
                    rules[-1].check(domain)
            except ExpressionError as error:
                column = error.column or line.lower().find(error.name) + 1 or 1
                raise RuleError(str(error), number, column) from None
        return cls(tuple(rules))

    def to_json(self) -> list[dict[str, Any]]:
        """The rules as plain data: ``[{"schema": "move", "if": ["(is ?to =home)"]}, …]``."""
        return [{"schema": rule.schema, "if": [str(literal) for literal in rule.literals]} for rule in self.rules]

    @classmethod
    def from_json(cls, data: Sequence[dict[str, Any]]) -> RuleList:
        """The inverse of `to_json`; `UsageError` says what is wrong."""
        if not isinstance(data, list | tuple):
            raise UsageError("a rule list is a list of rules, each with 'schema' and 'if'")
        return cls(tuple(_rule_of(number, entry) for number, entry in enumerate(data, 1)))


def _rule_of(number: int, entry: object) -> Rule:
    if not isinstance(entry, dict) or set(entry) - {"schema", "if"} or not isinstance(entry.get("schema"), str):
        raise UsageError(f"rule {number}: it has a 'schema', a text, and 'if', a list of literals, and nothing else")
    literals = entry.get("if", [])
    if not isinstance(literals, list | tuple):
        raise UsageError(f"rule {number}: 'if' is a list of literals, not {literals!r}")
    try:
        return Rule(entry["schema"].lower(), tuple(parse_literal(text) for text in literals))
    except UsageError as error:
        raise UsageError(f"rule {number}: {error}") from None


def parse_rule(text: str) -> Rule:
    """A rule from text, ``move: L1, L2``; one without literals is ``move:``."""
    if not isinstance(text, str):
        raise UsageError(f"a rule is a text, not {text!r}")
    schema, colon, _ = text.partition(":")
    if not colon or not re.fullmatch(r"\s*[^\s(),?]+\s*", schema):
        message = f"'{text.strip()}' is no rule; write a schema, a colon, and literals with commas between them"
        raise ExpressionError(message, column=len(text) - len(text.lstrip()) + 1)
    return Rule(schema.strip().lower(), parse_literals(text, len(schema) + 1))
