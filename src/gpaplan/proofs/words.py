"""Classes and ranks in plain English: ``the goal asks for (in-order X) for every machine X``.

Letters stand for objects, "…" for any object; what is asked for by the goal is called so.
"""

from __future__ import annotations

from collections.abc import Sequence

from gpaplan.concepts.rules import RuleList
from gpaplan.concepts.words import Words
from gpaplan.ppddl import syntax
from gpaplan.proofs.conditions import Condition
from gpaplan.proofs.obligations import Bound, Measure

__all__ = ["bound_in_words", "class_in_words", "condition_in_words", "rank_in_words"]

_NOTHING = "the goal asks for no "


def class_in_words(conditions: Sequence[Condition], domain: syntax.Domain) -> list[str]:
    """The conditions of a class as sentences; what goals do not ask for is one of them."""
    found = [condition_in_words(each, domain) for each in conditions]
    nothing = [each.removeprefix(_NOTHING) for each in found if each.startswith(_NOTHING)]
    others = [each for each in found if not each.startswith(_NOTHING)]
    return others + ([f"{_NOTHING}{' or '.join(nothing)}"] if nothing else [])


def condition_in_words(condition: Condition, domain: syntax.Domain) -> str:
    """A condition of a class as a sentence."""
    if condition.graph is None:
        return _Sentence().formula(condition.formula)
    word, name = condition.graph
    (one, _) = next(each for each in domain.predicates if each.name == name.removeprefix("@")).parameters
    if word == "acyclic":
        return f"no way along {_named(name)} leads back to where it began"
    return f"along {_named(name)} every {_type(one)} can be reached from every other"


def _named(predicate: str) -> str:
    return f"what the goal asks for of {predicate[1:]}" if predicate.startswith("@") else predicate


def _type(variable: syntax.TypedName) -> str:
    return " or ".join(variable.types)


class _Sentence:
    """A sentence about a formula; letters are given to its variables as they come."""

    def __init__(self) -> None:
        self.letters: dict[str, str] = {}

    def letter(self, variable: syntax.TypedName) -> str:
        used = sum(letter != "…" for letter in self.letters.values())
        self.letters[variable.name] = "XYZUVW"[used % 6]
        return self.letters[variable.name]

    def formula(self, formula: syntax.Formula) -> str:
        """Any formula."""
        match formula:
            case syntax.Atom(predicate, terms):
                written = f"({' '.join((predicate.removeprefix('@'), *map(self.term, terms)))})"
                return f"the goal asks for {written}" if predicate.startswith("@") else written
            case syntax.Equals(left, right):
                return f"{self.term(left)} is {self.term(right)}"
            case syntax.Not(syntax.Equals(left, right)):
                return f"{self.term(left)} is not {self.term(right)}"
            case syntax.Not(syntax.And(operands)):
                return f"not both {' and '.join(map(self.formula, operands))}"
            case syntax.Not(operand):
                return f"not {self.formula(operand)}".replace("not the goal asks for", "the goal does not ask for")
            case syntax.And(operands):
                return " and ".join(map(self.formula, operands))
            case syntax.Or(operands):
                return " or ".join(map(self.formula, operands))
            case syntax.Imply(premise, conclusion):
                return f"if {self.formula(premise)}, then {self.formula(conclusion)}"
            case syntax.Exists(variables, body):
                return self.exists(variables, body)
            case syntax.ForAll(variables, body):
                return self.for_all(variables, body)

    def term(self, term: syntax.Term) -> str:
        return self.letters.get(term.name, term.name)

    def exists(self, variables: Sequence[syntax.TypedName], body: syntax.Formula) -> str:
        if isinstance(body, syntax.Equals) and body.right.name == variables[0].name:
            return f"{self.term(body.left)} is a {_type(variables[0])}"
        if isinstance(body, syntax.Atom):  # each variable is there once
            self.letters |= {each.name: "…" for each in variables}
            return self.formula(body).replace("(", "some (", 1)
        return f"there are {self.several(variables)} where {self.formula(body)}"

    def for_all(self, variables: Sequence[syntax.TypedName], body: syntax.Formula) -> str:
        match body:
            case syntax.Not(syntax.Atom() as atom) if len(atom.arguments) == len(variables):
                self.letters |= {each.name: "…" for each in variables}
                written = self.formula(atom)
                return written.replace("for (", "for no (") if atom.predicate[0] == "@" else f"no {written} holds"
            case syntax.Imply(syntax.And((syntax.Atom() as one, syntax.Atom() as other)), conclusion):
                equal = conclusion.operands if isinstance(conclusion, syntax.And) else (conclusion,)
                pairs = list(zip(one.arguments, other.arguments, strict=False))
                if one.predicate == other.predicate and equal == tuple(
                    syntax.Equals(*p) for p in pairs if p[0] != p[1]
                ):
                    shared = [each for each in variables if any(x == y and x.name == each.name for x, y in pairs)]
                    self.letters |= {each.name: "…" for each in variables}
                    outer = f"for every {self.several(shared)}: " if shared else ""
                    return outer + self.formula(one).replace("(", "at most one (", 1)
        return f"for every {self.several(variables)}: {self.formula(body)}"

    def several(self, variables: Sequence[syntax.TypedName]) -> str:
        """``ball X and room Y``."""
        return " and ".join(f"{_type(each)} {self.letter(each)}" for each in variables)


def rank_in_words(rank: Sequence[Measure], rules: RuleList, domain: syntax.Domain) -> str:
    """``first the objects X with …, then the distance …``."""
    return "first " + ", then ".join(_measure(each, rules, domain) for each in rank)


def bound_in_words(bound: Bound, rules: RuleList, domain: syntax.Domain) -> str:
    """``at most 2 actions on average for each of the objects X with …, plus 1 if …``; empty if there is none."""
    parts: list[str] = []
    for weight, measure in bound:
        words = _measure(measure, rules, domain)
        times = f"for each of {words}" if measure.kind == "set" else words.replace("whether", "if", 1)
        parts.append(f"{float(weight):.6g}{'' if parts else ' actions on average'} {times}")
    return f"at most {', plus '.join(parts)}" if parts else ""


def _measure(measure: Measure, rules: RuleList, domain: syntax.Domain) -> str:
    words = Words({each.name: len(each.parameters) for each in domain.predicates})
    match measure.kind, *measure.parts:
        case "set", concept:
            return f"the objects {words.noun(words.letter(), concept)}"
        case "pairs", relation:
            return f"the pairs with {words.related(words.letter(), words.letter(), relation)}"
        case "literal", literal:
            return f"whether {words.literal(literal)}"
        case "distance", positions, target, road:
            one, other = words.noun(words.letter(), positions), words.noun(words.letter(), target)
            return f"the distance by {words.relation(road)} from {one} to the nearest {other}"
    return f"whether rule {measure.parts[0]} decides ({rules.rules[measure.parts[0] - 1].words(domain)})"
