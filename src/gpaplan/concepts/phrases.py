"""Atoms as parts of sentences: ``p2 is at depot``, ``p2 is not yet at depot``, ``(spare-at l3) holds``.

A predicate that is a preposition stands between its two arguments, and one of one argument that does not end with a
preposition after "is"; all others are written as in PPDDL.
"""

from __future__ import annotations

from gpaplan.concepts.nodes import Mark
from gpaplan.ppddl.syntax import Domain

__all__ = ["Phrases"]

_WORDS = """
    aboard above across after against along around at before behind below beneath beside beyond by from in inside into
    near of off on onto outside over past through to towards under upon with within
"""
_PREPOSITIONS = frozenset(_WORDS.split())


class Phrases:
    """What the predicates and types of a domain sound like."""

    def __init__(self, domain: Domain) -> None:
        self._arities = {predicate.name: len(predicate.parameters) for predicate in domain.predicates}
        self.unary = frozenset(name for name, arity in self._arities.items() if arity == 1)

    def arity(self, predicate: str) -> int:
        """The number of its arguments."""
        return self._arities[predicate]

    def arguments(self, predicate: str, known: dict[int, str]) -> tuple[str, ...]:
        """All arguments, where only those at some positions, from 1, are known."""
        return tuple(known.get(position, "…") for position in range(1, self._arities[predicate] + 1))

    def of_type(self, name: str) -> str:
        """``a ball``"""
        return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"

    def atom(self, mark: Mark, predicate: str, arguments: tuple[str, ...]) -> str:
        """That an atom is true, is asked for, or is asked for and not true."""
        some = "some " if "…" in arguments else ""
        subject, rest = self._split(predicate, arguments)
        if mark == "@":
            return f"the goal wants {subject} {rest}" if rest else f"the goal wants {some}{subject}"
        if mark == "!":
            return f"{subject} is not yet {rest}" if rest else f"{some}{subject} is wanted and does not hold yet"
        return f"{subject} is {rest}" if rest else f"{some}{subject} holds"

    def denial(self, mark: Mark, predicate: str, arguments: tuple[str, ...]) -> str:
        """That it is not, or that no such atom is if some arguments are open."""
        is_open = "…" in arguments
        subject, rest = self._split(predicate, arguments)
        atom = _atom(predicate, arguments)
        if mark == "@":
            wants = f"{subject} {rest}" if rest else atom
            return f"the goal wants no {atom}" if is_open else f"the goal does not want {wants}"
        if mark == "!":
            return f"no {atom} is missing" if is_open else f"{atom} is not missing"
        if is_open:
            return f"no {atom} holds"
        return f"{subject} is not {rest}" if rest else f"{atom} does not hold"

    def _split(self, predicate: str, arguments: tuple[str, ...]) -> tuple[str, str]:
        """Subject and predicate of a sentence; the atom, and nothing, if there is no such sentence."""
        if len(arguments) == 1 and predicate.rsplit("-", 1)[-1] not in _PREPOSITIONS:
            return arguments[0], predicate
        if len(arguments) == 2 and predicate in _PREPOSITIONS and "…" not in arguments:
            return arguments[0], f"{predicate} {arguments[1]}"
        return _atom(predicate, arguments), ""


def _atom(predicate: str, arguments: tuple[str, ...]) -> str:
    return f"({' '.join((predicate, *arguments))})"
