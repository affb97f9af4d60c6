"""Whether an expression speaks of what a domain has: its names exist and have the arguments that are asked for."""

from __future__ import annotations

from collections.abc import Iterable

from gpaplan.concepts.expressions import Expression, ExpressionError, Literal
from gpaplan.errors import UsageError, did_you_mean
from gpaplan.ppddl.syntax import Domain
from gpaplan.tasks.grounding import supertypes

__all__ = ["check"]


def check(expression: Expression, domain: Domain, schema: str | None = None) -> None:
    """Raise `UsageError` unless all names are the domain's, and all parameters those of the schema, if one is given."""
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
