"""Classes and ranks in plain English: ``the goal asks for (in-order X) for every machine X``.

Letters stand for objects, "…" for any object; what is asked for by the goal is called so.
"""

from __future__ import annotations

from collections.abc import Sequence

from gpaplan.concepts.rules import RuleList
from gpaplan.concepts.words import Words
from gpaplan.display import counted
from gpaplan.ppddl import syntax
from gpaplan.proofs.conditions import Condition
from gpaplan.proofs.obligations import Measure

__all__ = ["class_in_words", "condition_in_words", "rank_in_words"]

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
        if isinstance(body, syntax.Not) and isinstance(body.operand, syntax.Equals):
            return f"at least {counted(2, _type(variables[0]))}"
        return f"there is {self.several(variables, 'some')} with {self.formula(body)}"

    def for_all(self, variables: Sequence[syntax.TypedName], body: syntax.Formula) -> str:
        match body:
            case syntax.Not(syntax.Atom() as atom) if len(atom.arguments) == len(variables):
                self.letters |= {each.name: "…" for each in variables}
                written = self.formula(atom)
                return written.replace("for (", "for no (") if atom.predicate[0] == "@" else f"no {written} holds"
            case syntax.Equals() | syntax.Or() if _are_equalities(body):
                return f"at most {counted(len(variables) - 1, _type(variables[0]))}"
            case syntax.Or((syntax.Equals(), rest)):
                words = self.several(variables, "all different")
                return f"{self.formula(rest)} for {words}"
            case syntax.Imply(syntax.And((syntax.Atom() as one, syntax.Atom() as other)), conclusion) if (
                one.predicate == other.predicate and _are_equalities(conclusion)
            ):
                parts = conclusion.operands if isinstance(conclusion, syntax.And) else [conclusion]
                equal = {each.left.name for each in parts if isinstance(each, syntax.Equals)}
                return self.at_most_one(variables, one, other, equal)
            case syntax.Imply(syntax.Atom(first, terms), syntax.Atom(second, back)) if (
                first == second and terms == back[::-1]
            ):
                return f"{_named(first)} is symmetric"
        words = self.several(variables, "every")
        return f"for {words}: {self.formula(body)}"

    def at_most_one(
        self, variables: Sequence[syntax.TypedName], one: syntax.Atom, other: syntax.Atom, equal: set[str]
    ) -> str:
        """Of the arguments that are equal in two atoms there is one at most."""
        by_name = {each.name: each for each in variables}
        pairs = [(by_name[x.name], x == y) for x, y in zip(one.arguments, other.arguments, strict=True)]
        shared = [x for x, is_same in pairs if is_same]
        differing = [x for x, is_same in pairs if not is_same and x.name in equal]
        self.letters |= {each.name: "…" for each in variables}
        outer = f"for {self.several(shared, 'every')}: " if shared else ""
        inner = self.several(differing, "at most one")
        return f"{outer}{self.formula(one)} for {inner}"

    def several(self, variables: Sequence[syntax.TypedName], quantity: str) -> str:
        """``every ball X and room Y``."""
        return f"{quantity} {' and '.join(f'{_type(each)} {self.letter(each)}' for each in variables)}"


def _are_equalities(formula: syntax.Formula) -> bool:
    match formula:
        case syntax.Equals():
            return True
        case syntax.And(operands) | syntax.Or(operands):
            return all(map(_are_equalities, operands))
    return False


def rank_in_words(rank: Sequence[Measure], rules: RuleList, domain: syntax.Domain) -> str:
    """``first the machines that …, then the distance …``."""
    arities = {each.name: len(each.parameters) for each in domain.predicates}
    parts = []
    for measure in rank:
        words = Words(arities)
        match measure.kind, *measure.parts:
            case "set", concept:
                parts.append(f"the objects {words.noun(words.letter(), concept)}")
            case "pairs", relation:
                parts.append(f"the pairs with {words.related(words.letter(), words.letter(), relation)}")
            case "literal", literal:
                parts.append(f"whether {words.literal(literal)}")
            case "distance", positions, target, road, *while_:
                one, other = words.noun(words.letter(), positions), words.noun(words.letter(), target)
                only = "".join(f", while {words.literal(each)}" for each in while_)
                parts.append(f"the distance by {words.relation(road)} from {one} to the nearest {other}{only}")
            case _, number:
                parts.append(f"whether rule {number} decides ({rules.rules[number - 1].words(domain)})")
    return "first " + ", then ".join(parts)
