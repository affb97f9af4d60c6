"""Atoms as parts of sentences: ``p2 is at depot``, ``p2 is not yet at depot``, ``(spare-at l3) holds``.

A predicate that is a preposition stands between its two arguments, and one of one argument that does not end with a
preposition after "is"; all others are written as in PPDDL.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal as OneOf, TypeAlias

from gpaplan.ppddl.syntax import Domain

Mark: TypeAlias = OneOf["", "@", "!"]
"""Which atoms of a predicate are meant: those that are true, those of the goal, those of the goal that are missing."""

KINDS: dict[Mark, str] = {"": "", "@": "goal ", "!": "unmet goal "}
VERBS: dict[Mark, str] = {"": "holds", "@": "is a goal", "!": "is an unmet goal"}

_WORDS = """
    aboard above across after against along around at before behind below beneath beside beyond by from in inside into
    near of off on onto outside over past through to towards under upon with within
"""
_PREPOSITIONS = frozenset(_WORDS.split())


class Phrases:
    """What the predicates and types of a domain sound like."""

    def __init__(self, domain: Domain) -> None:
        self.arities = {predicate.name: len(predicate.parameters) for predicate in domain.predicates}

    def arguments(self, predicate: str, known: dict[int, str]) -> tuple[str, ...]:
        """All arguments, where only those at some positions, from 1, are known."""
        return tuple(known.get(position, "…") for position in range(1, self.arities[predicate] + 1))

    def atom(self, mark: Mark, predicate: str, arguments: tuple[str, ...], holds: bool = True) -> str:
        """That an atom is true, is asked for, or is asked for and not true; or that it, or none if some arguments are
        open, is not."""
        is_open = "…" in arguments
        subject, rest = self._split(predicate, arguments)
        atom = written(predicate, arguments)
        some, what = ("", f"{subject} {rest}") if rest else ("some " if is_open else "", atom)
        match mark:
            case "@" if holds:
                return f"the goal wants {some}{what}"
            case "@":
                return f"the goal wants no {atom}" if is_open else f"the goal does not want {what}"
            case "!" if holds:
                return f"{subject} is not yet {rest}" if rest else f"{some}{atom} is an unmet goal"
            case "!":
                return f"no {atom} is an unmet goal" if is_open else f"{atom} is not an unmet goal"
        return f"{subject} is {'' if holds else 'not '}{rest}" if rest else is_so("", atom, holds)

    def _split(self, predicate: str, arguments: tuple[str, ...]) -> tuple[str, str]:
        """Subject and predicate of a sentence; the atom, and nothing, if there is no such sentence."""
        if len(arguments) == 1 and is_adjective(predicate):
            return arguments[0], predicate
        if len(arguments) == 2 and predicate in _PREPOSITIONS and "…" not in arguments:
            return arguments[0], f"{predicate} {arguments[1]}"
        return written(predicate, arguments), ""


def is_adjective(predicate: str) -> bool:
    """Whether a predicate of one argument may follow "is": ``carried``, but not ``spare-at``."""
    return predicate.rsplit("-", 1)[-1] not in _PREPOSITIONS


def with_article(noun: str) -> str:
    """``a ball``"""
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def written(predicate: str, arguments: Iterable[str]) -> str:
    """An atom as in PPDDL: ``(spare-at l3)``."""
    return f"({' '.join((predicate, *arguments))})"


def is_so(mark: Mark, atom: str, holds: bool = True) -> str:
    """That an atom is true, is asked for, is asked for and not true; or some atom if arguments are open."""
    if "…" in atom:
        if not mark:
            return f"{'some' if holds else 'no'} {atom} holds"
        kind = KINDS[mark].strip()
        return f"there is {with_article(kind) if holds else f'no {kind}'} {atom}"
    if not mark:
        return f"{atom} {'holds' if holds else 'does not hold'}"
    return f"{atom} {VERBS[mark] if holds else VERBS[mark].replace('is', 'is not', 1)}"


def joined(parts: Iterable[str], holds: bool) -> str:
    """That all of several things are so; or that one is not, where each part says that it is not."""
    return " and ".join(parts) if holds else f"either {' or '.join(parts)}"
