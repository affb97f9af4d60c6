"""Expressions and rules in plain English.

    move: (not (empty carried)), (nearer ?to ?from (some (inverse @at) carried) road)
    move, if something is carried, and ?to is nearer than ?from by road to the nearest X with goal (at Y X) for some Y
    that is carried

A *goal* is an atom that the goal asks for, an *unmet goal* one that is not true as well. X, Y, Z … are objects, each
letter the same one throughout a sentence; "…" in an atom is any object. "Only for" is also true if it is for none.
Conditions have ", and" between them. Within one a quantity such as "for some X …" reaches to its end, or to the end of
the square brackets that it stands in.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import count

from gpaplan.concepts.nodes import (
    Argument,
    Closure,
    Common,
    Complement,
    Concept,
    Empty,
    Every,
    Everything,
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
from gpaplan.concepts.phrases import is_adjective, with_article, written
from gpaplan.concepts.rules import Rule

__all__ = ["Words", "rule_in_words"]

_KINDS: dict[Mark, str] = {"": "", "@": "goal ", "!": "unmet goal "}
_VERBS: dict[Mark, str] = {"": "holds", "@": "is a goal", "!": "is an unmet goal"}


def rule_in_words(rule: Rule, arities: Mapping[str, int]) -> str:
    """``move, if …, and …``; a schema alone if there are no conditions. The arities are those of the predicates."""
    words = Words(arities)
    conditions = [words.literal(literal) for literal in rule.literals]
    return f"{rule.schema}, if {', and '.join(conditions)}" if conditions else rule.schema


class Words:
    """The words of one sentence: no letter stands for two objects in it.

    A name may be that of a type or of a unary predicate; the arities say which are predicates.
    """

    def __init__(self, arities: Mapping[str, int]) -> None:
        self._arities = arities
        self._letters = _letters()

    # --- literals ---

    def literal(self, literal: Literal) -> str:
        """A literal as a sentence."""
        holds = not literal.negated
        match literal:
            case Flag(mark="", predicate=predicate):
                return f"{predicate} is {'true' if holds else 'false'}"
            case Flag(mark=mark, predicate=predicate):
                return _atom_is(mark, predicate, holds)
            case Empty(concept=concept):
                return self._exists(concept, not holds)
            case Is(parameter=parameter, concept=Intersection(first, second) as concept) if holds:
                if self._adjective(concept):
                    return self.concept(parameter, concept)
                return f"{self.concept(parameter, first)}, and {self.concept(parameter, second)}"
            case Is(parameter=parameter, concept=concept):
                return self.concept(parameter, concept, holds)
            case Related(first=first, second=second, role=role):
                return self.related(first, second, role, holds)
            case Nearer(first=first, second=second, concept=concept, role=role):
                no = "" if holds else " not"
                target = self._noun(next(self._letters), concept)
                return f"{first} is{no} nearer than {second} by {self.role(role)} to the nearest {target}"
            case _:
                raise AssertionError(f"a literal of no known kind: {literal!r}")

    def _exists(self, concept: Concept, holds: bool) -> str:
        """That some object is in a concept, or that none is."""
        if adjective := self._adjective(concept):
            return f"{'something' if holds else 'nothing'} is {adjective}"
        match concept:
            case Argument(mark, predicate, position):
                return self._argument_is(mark, predicate, position, "…", holds)
            case Some(role) if _pairs(role):
                return self.concept("…", concept, holds)
            case _:
                return f"there is {'some' if holds else 'no'} {self._noun(next(self._letters), concept)}"

    # --- concepts ---

    def concept(self, thing: str, concept: Concept, holds: bool = True) -> str:
        """That a thing is in a concept, or that it is not."""
        if adjective := self._adjective(concept if holds else Complement(concept)):
            return f"{thing} is {adjective}"
        match concept:
            case Named(name):
                return self._argument_is("", name, 1, thing, holds)
            case Argument(mark, predicate, position):
                return self._argument_is(mark, predicate, position, thing, holds)
            case Complement(inner):
                return self.concept(thing, inner, not holds)
            case Intersection(first, second):
                parts = [self._part(thing, each, holds) for each in (first, second)]
                return " and ".join(parts) if holds else f"either {' or '.join(parts)}"
            case Some(role, Everything()) if found := _pairs(role):
                return _atom_is(found[0].mark, self._atom(*found, thing, "…"), holds)
            case Some(role, inner):
                return self._for(thing, role, _some(holds), inner)
            case Every(role, inner) if holds:
                return self._for(thing, role, "only for", inner)
            case Every(role, inner):
                return self._for(thing, role, "for some", Complement(inner))
            case Same(first, second):
                other = next(self._letters)
                one, two = (self._related_to(thing, other, role) for role in (first, second))
                text = f"{one} for one or more {other} and {two} for exactly these {other}"
                return text if holds else f"not [{text}]"
            case _:
                raise AssertionError(f"a concept of no known kind: {concept!r}")

    def _for(self, thing: str, role: Role, quantity: str, concept: Concept) -> str:
        """That a thing is related to something, to nothing, or to objects in a concept only."""
        other = next(self._letters)
        related = self._related_to(thing, other, role)
        if isinstance(role, Closure):  # "lead from ?b to X for some X …" is longer, and says the same
            related, quantity = related.removesuffix(f" to {other}"), quantity.replace("for", "to")
        return f"{related} {quantity} {self._noun(other, concept)}"

    def _related_to(self, thing: str, other: str, role: Role) -> str:
        """What stands before "for some X"; an atom with open arguments is "some" atom there without saying so."""
        if found := _pairs(role):
            return f"{self._atom(*found, thing, other)} {_VERBS[found[0].mark]}"
        return self._related_part(thing, other, role)

    def _part(self, thing: str, concept: Concept, holds: bool) -> str:
        """What stands before or after "and": in brackets unless its end is plain."""
        is_plain = self._adjective(concept) or isinstance(_unnegated(concept), Named | Argument)
        text = self.concept(thing, concept, holds)
        return text if is_plain else f"[{text}]"

    def _adjective(self, concept: Concept) -> str:
        """What may follow "is"; empty if that would be a clause."""
        match concept:
            case Everything():
                return "an object"
            case Named(name) if self._arities.get(name) == 1:
                return name if is_adjective(name) else ""
            case Named(name):
                return with_article(name)
            case OfType(name):
                return f"of type {name}"
            case Only(name):
                return f"the constant {name}"
            case Complement(Complement(inner)):
                return self._adjective(inner)
            case Complement(inner) if adjective := self._adjective(inner):
                return f"not {adjective}"
            case Intersection(first, second):
                one, other = self._adjective(first), self._adjective(second)
                is_nested = any(isinstance(_unnegated(each), Intersection) for each in (first, second))
                return f"both {one} and {other}" if one and other and not is_nested else ""
            case _:
                return ""

    def _noun(self, thing: str, concept: Concept, holds: bool = True) -> str:
        """A letter, and which objects it may be."""
        if adjective := self._adjective(concept if holds else Complement(concept)):
            return f"{thing} that is {adjective}"
        no = "with" if holds else "without"
        match concept:
            case Complement(inner):
                return self._noun(thing, inner, not holds)
            case Named(name):
                return f"{thing} {no} {self._written(name, {1: thing})}"
            case Argument(mark, predicate, position):
                return f"{thing} {no} {_KINDS[mark]}{self._written(predicate, {position: thing})}"
            case Some(role, Everything()) if found := _pairs(role):
                return f"{thing} {no} {_KINDS[found[0].mark]}{self._atom(*found, thing, '…')}"
            case Some(role, inner) if found := _pairs(role):
                quantity = _some(holds)
            case Every(role, inner) if found := _pairs(role):
                quantity, inner = ("only for", inner) if holds else ("for some", Complement(inner))
            case _:
                return f"{thing} where {self.concept(thing, concept, holds)}"
        other = next(self._letters)
        atom = self._atom(*found, thing, other)
        return f"{thing} with {_KINDS[found[0].mark]}{atom} {quantity} {self._noun(other, inner)}"

    # --- roles ---

    def related(self, one: str, other: str, role: Role, holds: bool = True) -> str:
        """That a pair is in a role, or that it is not."""
        match role:
            case Pairs(mark, predicate, positions) if positions and positions[0] == positions[1]:
                argument = self._argument_is(mark, predicate, positions[0], one, holds)
                return f"{argument} and {one} is {other}" if holds else f"either {argument} or {one} is not {other}"
            case Pairs(mark):
                return _atom_is(mark, self._atom(role, False, one, other), holds)
            case Inverse(inner):
                return self.related(other, one, inner, holds)
            case Closure(inner, reflexive):
                lead = f"steps of {self._role_part(inner)} lead from {one} to {other}"
                if holds:
                    return f"{'zero' if reflexive else 'one'} or more {lead}"
                return f"not [zero or more {lead}]" if reflexive else f"no {lead}"
            case Common(first, second):
                parts = [self._related_part(one, other, each, holds) for each in (first, second)]
                return " and ".join(parts) if holds else f"either {' or '.join(parts)}"
            case Minus(first, second):
                parts = [self._related_part(one, other, first, holds)]
                parts += [self._related_part(one, other, second, not holds)]
                return " and ".join(parts) if holds else f"either {' or '.join(parts)}"
            case _:
                raise AssertionError(f"a role of no known kind: {role!r}")

    def _related_part(self, one: str, other: str, role: Role, holds: bool = True) -> str:
        text = self.related(one, other, role, holds)
        return text if _pairs(role) or isinstance(_straight(role)[0], Closure) else f"[{text}]"

    def role(self, role: Role) -> str:
        """A role by itself, as what leads from one object to another."""
        match role:
            case Pairs(mark, predicate, positions):
                places = "" if positions is None else f" from argument {positions[0]} to {positions[1]}"
                return f"{_KINDS[mark]}{predicate}{places}"
            case Inverse(inner):
                return f"{self._role_part(inner)} backwards"
            case Closure(inner, reflexive):
                return f"{'zero' if reflexive else 'one'} or more steps of {self._role_part(inner)}"
            case Common(first, second):
                return f"both {self._role_part(first)} and {self._role_part(second)}"
            case Minus(first, second):
                return f"{self._role_part(first)} but not {self._role_part(second)}"
            case _:
                raise AssertionError(f"a role of no known kind: {role!r}")

    def _role_part(self, role: Role) -> str:
        text = self.role(role)
        return text if isinstance(role, Pairs) else f"[{text}]"

    # --- atoms ---

    def _argument_is(self, mark: Mark, predicate: str, position: int, thing: str, holds: bool) -> str:
        return _atom_is(mark, self._written(predicate, {position: thing}), holds)

    def _atom(self, pairs: Pairs, is_inverse: bool, one: str, other: str) -> str:
        """The atom that relates two things."""
        first, second = (other, one) if is_inverse else (one, other)
        positions = pairs.positions or (1, 2)
        return self._written(pairs.predicate, dict(zip(positions, (first, second), strict=True)))

    def _written(self, predicate: str, known: dict[int, str]) -> str:
        arity = max(self._arities.get(predicate, 0), *known)
        return written(predicate, [known.get(position, "…") for position in range(1, arity + 1)])


def _atom_is(mark: Mark, atom: str, holds: bool = True) -> str:
    """That an atom is true, is asked for, is asked for and not true; or some atom if arguments are open."""
    if "…" in atom:
        if not mark:
            return f"{'some' if holds else 'no'} {atom} holds"
        kind = _KINDS[mark].strip()
        return f"there is {with_article(kind) if holds else f'no {kind}'} {atom}"
    if not mark:
        return f"{atom} {'holds' if holds else 'does not hold'}"
    return f"{atom} {_VERBS[mark] if holds else _VERBS[mark].replace('is', 'is not', 1)}"


def _some(holds: bool) -> str:
    return "for some" if holds else "for no"


def _unnegated(concept: Concept) -> Concept:
    while isinstance(concept, Complement):
        concept = concept.concept
    return concept


def _straight(role: Role) -> tuple[Role, bool]:
    """A role without the inverses around it, and whether they turn it round."""
    is_inverse = False
    while isinstance(role, Inverse):
        role, is_inverse = role.role, not is_inverse
    return role, is_inverse


def _pairs(role: Role) -> tuple[Pairs, bool] | None:
    """The two arguments of a predicate that a role is, and whether the other way round; None if it is anything else."""
    straight, is_inverse = _straight(role)
    if not isinstance(straight, Pairs) or (straight.positions and len(set(straight.positions)) == 1):
        return None
    return straight, is_inverse


def _letters() -> Iterator[str]:
    for number in count():
        for letter in "XYZUVW":
            yield f"{letter}{number + 1 if number else ''}"
