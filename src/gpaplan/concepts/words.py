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

from gpaplan.concepts.expressions import Concept, Literal, Relation
from gpaplan.concepts.phrases import KINDS, VERBS, Mark, is_so, written
from gpaplan.concepts.rules import Rule

__all__ = ["Words", "rule_in_words"]


def rule_in_words(rule: Rule, arities: Mapping[str, int]) -> str:
    """``move, if …, and …``; a schema alone if there are no conditions. The arities are those of the predicates."""
    words = Words(arities)
    conditions = [words.literal(literal) for literal in rule.literals]
    return f"{rule.schema}, if {', and '.join(conditions)}" if conditions else rule.schema


class Words:
    """The words of one sentence: no letter stands for two objects in it.

    What each constructor says is in `gpaplan.concepts.constructors`; here is what they say it with. A name may be that
    of a type or of a unary predicate; the arities say which are predicates.
    """

    def __init__(self, arities: Mapping[str, int]) -> None:
        self.arities = arities
        self._letters = _letters()

    def letter(self) -> str:
        """One that has not been used."""
        return next(self._letters)

    # --- literals ---

    def literal(self, literal: Literal) -> str:
        """A literal as a sentence."""
        return literal.constructor.words(self, not literal.negated, *literal.operands)

    def exists(self, concept: Concept, holds: bool) -> str:
        """That some object is in a concept, or that none is."""
        if adjective := self.adjective(concept):
            return f"{'something' if holds else 'nothing'} is {adjective}"
        if concept.word == "argument" or (concept.word == "some" and self.atom("…", concept.operands[0], "…")):
            return self.concept("…", concept, holds)
        return f"there is {'some' if holds else 'no'} {self.noun(self.letter(), concept)}"

    # --- concepts ---

    def concept(self, thing: str, concept: Concept, holds: bool = True) -> str:
        """That a thing is in a concept, or that it is not."""
        if adjective := self.adjective(concept if holds else concept.complement()):
            return f"{thing} is {adjective}"
        return concept.constructor.words(self, thing, holds, *concept.operands)

    def related_to(self, thing: str, relation: Relation, quantity: str, concept: Concept) -> str:
        """That a thing is related to something, to nothing, or to objects in a concept only."""
        other = self.letter()
        related = self.open_pair(thing, other, relation)
        if relation.word in ("plus", "star"):  # "lead from ?b to X for some X …" is longer, and says the same
            related, quantity = related.removesuffix(f" to {other}"), quantity.replace("for", "to")
        return f"{related} {quantity} {self.noun(other, concept)}"

    def open_pair(self, thing: str, other: str, relation: Relation) -> str:
        """What stands before "for some X"; an atom with open arguments is "some" atom there without saying so."""
        if found := self.atom(thing, relation, other):
            return f"{found[1]} {VERBS[found[0]]}"
        return self.related_part(thing, other, relation)

    def part(self, thing: str, concept: Concept, holds: bool) -> str:
        """What stands before or after "and": in brackets unless its end is plain."""
        is_plain = self.adjective(concept) or concept.unnegated.word in ("named", "argument")
        text = self.concept(thing, concept, holds)
        return text if is_plain else f"[{text}]"

    def adjective(self, concept: Concept) -> str:
        """What may follow "is"; empty if that would be a clause."""
        adjective = concept.constructor.adjective
        return adjective.format(*concept.operands) if isinstance(adjective, str) else adjective(self, *concept.operands)

    def noun(self, thing: str, concept: Concept, holds: bool = True) -> str:
        """A letter, and which objects it may be."""
        if adjective := self.adjective(concept if holds else concept.complement()):
            return f"{thing} that is {adjective}"
        no = "with" if holds else "without"
        match concept.word, *concept.operands:
            case "not", inner:
                return self.noun(thing, inner, not holds)
            case "named", name:
                return f"{thing} {no} {self._written(name, {1: thing})}"
            case "argument", mark, predicate, place:
                return f"{thing} {no} {KINDS[mark]}{self._written(predicate, {place: thing})}"
            case "some", relation, Concept("any") if found := self.atom(thing, relation, "…"):
                return f"{thing} {no} {KINDS[found[0]]}{found[1]}"
            case "some" | "every" as word, relation, inner if self.atom(thing, relation, "…"):
                if word == "some":
                    quantity = "for some" if holds else "for no"
                else:
                    quantity, inner = ("only for", inner) if holds else ("for some", inner.complement())
                other = self.letter()
                mark, atom = self.atom(thing, relation, other) or ("", "")
                return f"{thing} with {KINDS[mark]}{atom} {quantity} {self.noun(other, inner)}"
            case _:
                return f"{thing} where {self.concept(thing, concept, holds)}"

    # --- relations ---

    def related(self, one: str, other: str, relation: Relation, holds: bool = True) -> str:
        """That a pair is in a relation, or that it is not."""
        return relation.constructor.words(self, one, other, holds, *relation.operands)

    def related_part(self, one: str, other: str, relation: Relation, holds: bool = True) -> str:
        """What stands before or after "and"."""
        text = self.related(one, other, relation, holds)
        is_plain = self.atom(one, relation, other) or _without_inverses(relation)[0].word in ("plus", "star")
        return text if is_plain else f"[{text}]"

    def steps(self, one: str, other: str, relation: Relation) -> str:
        """How one comes from one thing to another."""
        return f"steps of {self._relation_part(relation)} lead from {one} to {other}"

    def relation(self, relation: Relation) -> str:
        """A relation by itself, as what leads from one object to another."""
        if relation.word == "pairs":
            mark, predicate, places = relation.operands
            ends = " from argument {} to {}".format(*places) if places else ""
            return f"{KINDS[mark]}{predicate}{ends}"
        return relation.constructor.noun.format(*map(self._relation_part, relation.operands))

    def _relation_part(self, relation: Relation | Concept) -> str:
        if isinstance(relation, Concept):
            return f"[{self.noun(self.letter(), relation)}]"
        text = self.relation(relation)
        return text if relation.word == "pairs" else f"[{text}]"

    # --- atoms ---

    def atom_is(self, mark: Mark, predicate: str, known: dict[int, str], holds: bool) -> str:
        """That there is an atom of which some arguments are known, by place."""
        return is_so(mark, self._written(predicate, known), holds)

    def atom(self, one: str, relation: Relation, other: str) -> tuple[Mark, str] | None:
        """The mark and the atom that relate two things; None if it takes more than that."""
        straight, is_inverse = _without_inverses(relation)
        if straight.word != "pairs" or len(set(straight.operands[2])) == 1:
            return None
        mark, predicate, places = straight.operands
        ends = (other, one) if is_inverse else (one, other)
        return mark, self._written(predicate, dict(zip(places or (1, 2), ends, strict=True)))

    def _written(self, predicate: str, known: dict[int, str]) -> str:
        arity = max(self.arities.get(predicate, 0), *known)
        return written(predicate, [known.get(place, "…") for place in range(1, arity + 1)])


def _without_inverses(relation: Relation) -> tuple[Relation, bool]:
    """A relation without the inverses around it, and whether they turn it round."""
    is_inverse = False
    while relation.word == "inverse":
        relation, is_inverse = relation.operands[0], not is_inverse
    return relation, is_inverse


def _letters() -> Iterator[str]:
    for number in count():
        for letter in "XYZUVW":
            yield f"{letter}{number + 1 if number else ''}"
