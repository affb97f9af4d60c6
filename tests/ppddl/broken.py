"""How a broken text and what must be said about it are written down.

In a text the sign ``§`` stands before each place that must be reported, in the order of the text.
"""

from __future__ import annotations

from dataclasses import dataclass

HEAD = """(define (domain rover)
  (:requirements :adl :probabilistic-effects :rewards)
  (:types rover place - object rock - object)
  (:constants home - place)
  (:predicates (at ?r - rover ?p - place) (rock-at ?k - rock ?p - place) (ready))
  (:functions (distance ?a ?b - place) - number)
"""
MOVE = "(:action move :parameters (?r - rover ?p - place) "
TASK = f"{HEAD})\n(define (problem one) (:domain rover)\n"


@dataclass(frozen=True)
class Case:
    """A text with marks, and what must be reported at each mark."""

    name: str
    text: str
    messages: tuple[str, ...]
    hint: str | None = None
    context: tuple[str, ...] = ()
    unsupported: bool = False


def case(
    name: str,
    text: str,
    *messages: str,
    hint: str | None = None,
    context: tuple[str, ...] = (),
    unsupported: bool = False,
) -> Case:
    return Case(name, text, messages, hint, context, unsupported)


def unsupported(name: str, text: str, *messages: str, hint: str | None = None) -> Case:
    return case(name, text, *messages, hint=hint, unsupported=True)


def places(marked: str) -> tuple[str, list[tuple[int, int]]]:
    """A text without its marks, and the line and column of each."""
    parts = marked.split("§")
    found = []
    text = parts[0]
    for part in parts[1:]:
        found.append((text.count("\n") + 1, len(text) - text.rfind("\n")))
        text += part
    return text, found
