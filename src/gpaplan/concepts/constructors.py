"""The constructors of the language of concepts: one entry each, from which all else is derived.

An expression is a word and operands (`gpaplan.concepts.expressions`). The *mark* of a predicate says which of its atoms
are meant: ``""`` those that are true, ``"@"`` those that the goal asks for, ``"!"`` those that it asks for and that are
not true.

    Concepts    any  ball  ball:type  =near  at/1  @at/1  !at/1
                (not C)  (and C D)  (some R C)  (every R C)  (same R S)
    Relations   on  @on  !on  p/1/3  @p/1/3  (inverse R)  (plus R)  (star R)  (and R S)  (minus R S)  (or R S)
                (then R S)  (into R C)
    Literals    flag  @flag  !flag  (empty C)  (is ?x C)  (related ?x ?y R)  (nearer ?y ?x C R)
                (nearer-for ?z ?y ?x R S)  (not L)

docs/rules.md says what each means. A new constructor is an entry here, with its words in English, and an entry and a
case in the core (src/core/concepts/expressions.hpp, meaning.cpp); a concept of concepts and relations is then generated
too. Reasons (`gpaplan.concepts.reasons`) say of it what its words say, unless they know better.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal as OneOf, TypeAlias

from gpaplan.concepts.phrases import KINDS, Mark, is_adjective, is_so, joined, with_article

if TYPE_CHECKING:
    from gpaplan.concepts.expressions import Concept, Relation
    from gpaplan.concepts.words import Words

__all__ = ["CONSTRUCTORS", "Constructor", "Mark", "Sort"]

Sort: TypeAlias = OneOf["concept", "relation", "literal"]
"""A set of objects, a set of pairs of objects, or what is true or false of a state or of an action in it."""

_NAME = r"[a-z][^\s/:@!=?]*"
_MARKED = f"([@!]?)({_NAME})"
_PLACE = r"/[1-9][0-9]*"


@dataclass(frozen=True, slots=True)
class Constructor:
    """One way to make an expression.

    It is written ``(word operand …)``; one with a ``pattern`` is a name, whose operands are the groups of the pattern.
    Operands are expressions, parameters, or what names say: a type, a constant, a predicate, the place of an argument.
    """

    makes: Sort
    word: str
    of: tuple[str, ...]
    """What the operands are: ``concept``, ``relation``, ``parameter``, or what a name has."""
    words: Callable[..., str] = lambda *_: ""
    """That it is so, or is not: of a thing (concepts), of two (relations), of the state and the action (literals)."""
    adjective: str | Callable[..., str] = ""
    """Of a concept: what may follow "is"; empty if that would be a clause."""
    noun: str = ""
    """Of a relation: what leads from one object to another."""
    core: str = ""
    """What the core calls it, if not by its word."""
    shared: str = ""
    """What the core calls that which its expressions make by themselves, whatever the parameters."""
    cost: int = 1
    """What it adds to the complexity."""
    pattern: str = ""
    text: str = "{}"
    """How a name is written."""


def _argument(words: Words, thing: str, holds: bool, mark: Mark, predicate: str, place: int) -> str:
    return words.atom_is(mark, predicate, {place: thing}, holds)


def _named(words: Words, thing: str, holds: bool, name: str) -> str:
    return words.atom_is("", name, {1: thing}, holds)


def _named_adjective(words: Words, name: str) -> str:
    return with_article(name) if words.arities.get(name) != 1 else name if is_adjective(name) else ""


def _not_words(words: Words, inner: Concept) -> str:
    if inner.word == "not":
        return words.adjective(inner.operands[0])
    adjective = words.adjective(inner)
    return f"not {adjective}" if adjective else ""


def _and_adjective(words: Words, first: Concept, second: Concept) -> str:
    one, other = words.adjective(first), words.adjective(second)
    is_nested = any(each.unnegated.word == "and" for each in (first, second))
    return f"both {one} and {other}" if one and other and not is_nested else ""


def _and(words: Words, thing: str, holds: bool, *both: Concept) -> str:
    return joined([words.part(thing, each, holds) for each in both], holds)


def _some_words(words: Words, thing: str, holds: bool, relation: Relation, concept: Concept) -> str:
    if concept.word == "any" and (atom := words.atom(thing, relation, "…")):
        return is_so(*atom, holds)
    return words.related_to(thing, relation, "for some" if holds else "for no", concept)


def _every_words(words: Words, thing: str, holds: bool, relation: Relation, concept: Concept) -> str:
    quantity, others = ("only for", concept) if holds else ("for some", concept.complement())
    return words.related_to(thing, relation, quantity, others)


def _same_words(words: Words, thing: str, holds: bool, first: Relation, second: Relation) -> str:
    other = words.letter()
    one, two = (words.open_pair(thing, other, relation) for relation in (first, second))
    text = f"{one} for one or more {other} and {two} for exactly these {other}"
    return text if holds else f"not [{text}]"


def _pairs(words: Words, one: str, other: str, holds: bool, mark: Mark, predicate: str, places: tuple[int, ...]) -> str:
    if len(set(places)) == 1:
        argument = words.atom_is(mark, predicate, {places[0]: one}, holds)
        return f"{argument} and {one} is {other}" if holds else f"either {argument} or {one} is not {other}"
    return words.atom_is(mark, predicate, dict(zip(places or (1, 2), (one, other), strict=True)), holds)


def _plus(words: Words, one: str, other: str, holds: bool, relation: Relation) -> str:
    return f"{'one or more' if holds else 'no'} {words.steps(one, other, relation)}"


def _star(words: Words, one: str, other: str, holds: bool, relation: Relation) -> str:
    text = f"zero or more {words.steps(one, other, relation)}"
    return text if holds else f"not [{text}]"


def _and_relations(words: Words, one: str, other: str, holds: bool, *both: Relation) -> str:
    return joined([words.related_part(one, other, each, holds) for each in both], holds)


def _minus(words: Words, one: str, other: str, holds: bool, first: Relation, second: Relation) -> str:
    parts = [words.related_part(one, other, first, holds), words.related_part(one, other, second, not holds)]
    return joined(parts, holds)


def _or_relations(words: Words, one: str, other: str, holds: bool, *both: Relation) -> str:
    return joined([words.related_part(one, other, each, holds) for each in both], not holds)


def _then(words: Words, one: str, other: str, holds: bool, first: Relation, second: Relation) -> str:
    middle = words.letter()
    onward = words.related(middle, other, second)
    return f"{words.open_pair(one, middle, first)} for {'some' if holds else 'no'} {middle} where {onward}"


def _into(words: Words, one: str, other: str, holds: bool, relation: Relation, concept: Concept) -> str:
    return joined([words.related_part(one, other, relation, holds), words.part(other, concept, holds)], holds)


def _flag(_: Words, holds: bool, mark: Mark, predicate: str) -> str:
    return is_so(mark, predicate, holds) if mark else f"{predicate} is {'true' if holds else 'false'}"


def _is_words(words: Words, holds: bool, parameter: str, concept: Concept) -> str:
    if holds and concept.word == "and" and not words.adjective(concept):
        return ", and ".join(words.concept(parameter, each) for each in concept.operands)
    return words.concept(parameter, concept, holds)


def _nearer(words: Words, holds: bool, first: str, second: str, concept: Concept, relation: Relation) -> str:
    target, road = words.noun(words.letter(), concept), words.relation(relation)
    return f"{first} is{'' if holds else ' not'} nearer than {second} by {road} to the nearest {target}"


def _nearer_for(
    words: Words, holds: bool, own: str, first: str, second: str, relation: Relation, along: Relation
) -> str:
    target = words.letter()
    atom = words.atom(own, relation, target)
    such = f"with {KINDS[atom[0]]}{atom[1]}" if atom else f"where {words.related(own, target, relation)}"
    road = words.relation(along)
    return f"{first} is{'' if holds else ' not'} nearer than {second} by {road} to the nearest {target} {such}"


_TABLE = (
    # --- concepts: names
    Constructor("concept", "any", (), adjective="an object", pattern="any", text="any"),
    Constructor("concept", "named", ("type or unary predicate",), _named, _named_adjective, pattern=f"({_NAME})"),
    Constructor("concept", "type", ("type",), adjective="of type {}", pattern=f"({_NAME}):type", text="{}:type"),
    Constructor("concept", "constant", ("constant",), adjective="the constant {}", pattern="=([^/]*)", text="={}"),
    Constructor("concept", "argument", ("mark", "predicate", "place"), _argument, pattern=f"{_MARKED}({_PLACE})?"),
    # --- concepts: operators
    Constructor(
        "concept", "not", ("concept",), lambda w, x, so, c: w.concept(x, c, not so), _not_words, core="complement"
    ),
    Constructor("concept", "and", ("concept", "concept"), _and, _and_adjective, core="intersection"),
    Constructor("concept", "some", ("relation", "concept"), _some_words),
    Constructor("concept", "every", ("relation", "concept"), _every_words),
    Constructor("concept", "same", ("relation", "relation"), _same_words),
    # --- relations
    Constructor("relation", "pairs", ("mark", "predicate", "places"), _pairs, pattern=f"{_MARKED}({_PLACE}{_PLACE})?"),
    Constructor(
        "relation", "inverse", ("relation",), lambda w, x, y, so, r: w.related(y, x, r, so), noun="{} reversed", cost=0
    ),
    Constructor("relation", "plus", ("relation",), _plus, noun="one or more steps of {}"),
    Constructor("relation", "star", ("relation",), _star, noun="zero or more steps of {}"),
    Constructor("relation", "and", ("relation", "relation"), _and_relations, noun="both {} and {}", core="common"),
    Constructor("relation", "minus", ("relation", "relation"), _minus, noun="{} but not {}"),
    Constructor("relation", "or", ("relation", "relation"), _or_relations, noun="{} or {}", core="either"),
    Constructor("relation", "then", ("relation", "relation"), _then, noun="{} and then {}"),
    Constructor("relation", "into", ("relation", "concept"), _into, noun="{} into {}"),
    # --- literals
    Constructor("literal", "flag", ("mark", "predicate"), _flag, pattern=_MARKED),
    Constructor("literal", "empty", ("concept",), lambda w, so, c: w.exists(c, not so)),
    Constructor("literal", "is", ("parameter", "concept"), _is_words),
    Constructor(
        "literal", "related", ("parameter", "parameter", "relation"), lambda w, so, x, y, r: w.related(x, y, r, so)
    ),
    Constructor("literal", "nearer", ("parameter", "parameter", "concept", "relation"), _nearer, shared="distance"),
    Constructor("literal", "nearer-for", ("parameter", "parameter", "parameter", "relation", "relation"), _nearer_for),
)

CONSTRUCTORS: dict[tuple[Sort, str], Constructor] = {(each.makes, each.word): each for each in _TABLE}
"""By what they make and their word."""
