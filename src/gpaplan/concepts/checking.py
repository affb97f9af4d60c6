"""Whether an expression speaks of what a domain has: its names exist and have the arguments that are asked for."""

from __future__ import annotations

from collections.abc import Iterable

from gpaplan.concepts.nodes import Argument, Expression, Flag, Literal, Named, OfType, Only, Pairs
from gpaplan.errors import UsageError, did_you_mean
from gpaplan.ppddl.syntax import Domain
from gpaplan.tasks.encode import supertypes

__all__ = ["check"]


def check(expression: Expression, domain: Domain, schema: str | None = None) -> None:
    """Raise `UsageError` unless all names are the domain's, and all parameters those of the schema, if one is given."""
    names = _Names(domain)
    for part in expression.walk():
        names.check(part, expression)
    if schema is not None and isinstance(expression, Literal):
        known = [each.name for found in domain.schemas if found.name == schema for each in found.parameters]
        for parameter in expression.parameters:
            if parameter not in known:
                raise _unknown(expression, f"schema '{schema}' has no parameter '{parameter}'", parameter, known)


def _unknown(expression: Expression, message: str, name: str, known: Iterable[str]) -> UsageError:
    names = list(known)
    there = f"there are {', '.join(names)}" if names else "there are none"
    return UsageError(f"in '{expression}': {message};  {did_you_mean(name, names) or there}")


class _Names:
    """The vocabulary of a domain."""

    def __init__(self, domain: Domain) -> None:
        self.domain = domain
        self.arities = {each.name: len(each.parameters) for each in domain.predicates}
        self.types = list(supertypes(domain))
        self.constants = [each.name for each in domain.constants]

    def check(self, part: Expression, whole: Expression) -> None:
        match part:
            case Named(name):
                unary = [each for each, arity in self.arities.items() if arity == 1]
                if name not in unary and name not in self.types:
                    message = f"the domain '{self.domain.name}' has no type or unary predicate '{name}'"
                    raise _unknown(whole, message, name, [*self.types, *unary])
            case OfType(name):
                if name not in self.types:
                    message = f"the domain '{self.domain.name}' has no type '{name}'"
                    raise _unknown(whole, message, name, self.types)
            case Only(name):
                if name not in self.constants:
                    message = f"the domain '{self.domain.name}' has no constant '{name}'"
                    raise _unknown(whole, message, name, self.constants)
            case Argument(_, predicate, position):
                self._arity(whole, part, predicate, (position,))
            case Pairs(_, predicate, positions):
                arity = self._arity(whole, part, predicate, positions or (1, 2))
                if positions is None and arity != 2:
                    raise UsageError(
                        f"in '{whole}': predicate '{predicate}' has {arity} arguments;  "
                        f"say which two are meant, as in {predicate}/1/2"
                    )
            case Flag():
                if self._arity(whole, part, part.predicate, ()) != 0:
                    raise UsageError(f"in '{whole}': predicate '{part.predicate}' has arguments, and is no literal")
            case _:
                pass

    def _arity(self, whole: Expression, part: Expression, predicate: str, positions: tuple[int, ...]) -> int:
        """The arity of a predicate, which must have these arguments."""
        if predicate not in self.arities:
            message = f"the domain '{self.domain.name}' has no predicate '{predicate}'"
            raise _unknown(whole, message, predicate, self.arities)
        arity = self.arities[predicate]
        if any(not 1 <= position <= arity for position in positions):
            message = f"'{part}' asks for more arguments than predicate '{predicate}' has: {arity}"
            raise UsageError(f"in '{whole}': {message}")
        return arity
