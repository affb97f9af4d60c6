"""The simplest expressions that a domain has: what generated ones are made of.

The vocabulary of a domain is the same for all its problems. Roads without shut doors are in it: a relation that no
action changes without one that changes and is declared for the same types.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import reduce
from itertools import combinations, permutations

from gpaplan.concepts.expressions import Concept, Literal, Relation
from gpaplan.concepts.phrases import Mark
from gpaplan.ppddl.syntax import And, Atom, Domain, Formula, Predicate, Schema, Variable
from gpaplan.tasks.goal import changed_predicates
from gpaplan.tasks.grounding import supertypes

__all__ = [
    "Types",
    "asked_for",
    "atomic_concepts",
    "atomic_relations",
    "compositions",
    "derived_relations",
    "flags",
    "is_own",
    "paths",
]


class Types:
    """Which types the objects of expressions may have, as far as declarations tell: what cannot meet is not tried."""

    def __init__(self, domain: Domain) -> None:
        above = supertypes(domain)
        self._below = {name: frozenset(each for each in above if name in above[each]) for name in above}
        self._everything = frozenset(above)
        self._predicates = {each.name: [self.declared(p.types) for p in each.parameters] for each in domain.predicates}
        self._constants = {each.name: self.declared(each.types) for each in domain.constants}
        self._known: dict[Concept, frozenset[str]] = {}

    def declared(self, types: Iterable[str]) -> frozenset[str]:
        """The declared types and all below them."""
        found = [self._below[name] for name in types]
        return frozenset().union(*found) if found else self._everything

    @staticmethod
    def meet(one: frozenset[str], other: frozenset[str]) -> bool:
        """Whether an object may be of both."""
        return not one.isdisjoint(other)

    def of_concept(self, concept: Concept) -> frozenset[str]:
        """The types of its objects."""
        if concept not in self._known:
            self._known[concept] = self._find(concept)
        return self._known[concept]

    def _find(self, concept: Concept) -> frozenset[str]:
        match concept.word, *concept.operands:
            case "named", str(name) if name in self._predicates:
                return self._predicates[name][0]
            case "named" | "type", str(name):
                return self._below[name]
            case "constant", str(name):
                return self._constants[name]
            case "argument", _, str(predicate), int(place):
                return self._predicates[predicate][place - 1]
            case "and", first, second:
                return self.of_concept(first) & self.of_concept(second)
            case "some" | "same", relation, _:
                return self.of_relation(relation)[0]
        return self._everything

    def of_relation(self, relation: Relation) -> tuple[frozenset[str], frozenset[str]]:
        """The types of the objects that it leads from, and of those that it leads to."""
        match relation.word, *relation.operands:
            case "pairs", _, predicate, places:
                found = self._predicates[predicate]
                first, second = places or (1, 2)
                return found[first - 1], found[second - 1]
            case "inverse", inner:
                return self.of_relation(inner)[::-1]
            case "then", one, other:
                return self.of_relation(one)[0], self.of_relation(other)[1]
            case "or", one, other:
                (a, b), (c, d) = self.of_relation(one), self.of_relation(other)
                return a | c, b | d
            case _, inner, *_:
                return self.of_relation(inner)
        return self._everything, self._everything


def _marks(domain: Domain, predicate: Predicate) -> tuple[Mark, ...]:
    """A goal asks only for what actions change."""
    return ("", "@", "!") if predicate.name in changed_predicates(domain) else ("",)


def flags(domain: Domain) -> list[Literal]:
    """The literals that are one predicate without arguments."""
    found = (each for each in domain.predicates if not each.parameters)
    return [Literal("flag", (mark, each.name)) for each in found for mark in _marks(domain, each)]


def atomic_concepts(domain: Domain) -> list[Concept]:
    """The concepts of complexity 1."""
    unary = {each.name for each in domain.predicates if len(each.parameters) == 1}
    types = (name for name in supertypes(domain) if name != "object")
    found = [Concept("any"), *(Concept("type" if name in unary else "named", (name,)) for name in types)]
    found += [Concept("constant", (each.name,)) for each in domain.constants]
    for predicate in domain.predicates:
        for mark in _marks(domain, predicate):
            for place in range(1, len(predicate.parameters) + 1):
                is_named = not mark and predicate.name in unary
                operands = (predicate.name,) if is_named else (mark, predicate.name, place)
                found.append(Concept("named" if is_named else "argument", operands))
    return found


def _pairs(predicate: Predicate, mark: Mark) -> Iterator[Relation]:
    """The relations of a predicate's arguments."""
    arity = len(predicate.parameters)
    for places in combinations(range(1, arity + 1), 2):
        yield Relation("pairs", (mark, predicate.name, () if arity == 2 else places))


def atomic_relations(domain: Domain) -> list[Relation]:
    """The relations of complexity 1."""
    return [relation for each in domain.predicates for mark in _marks(domain, each) for relation in _pairs(each, mark)]


def _static_differences(domain: Domain) -> Iterator[Relation]:
    """Relations that never change without those that do and have the same types."""
    changing = changed_predicates(domain)
    for first in domain.predicates:
        if first.name in changing or len(first.parameters) < 2:
            continue
        for second in domain.predicates:
            if second.name in changing and [p.types for p in first.parameters] == [p.types for p in second.parameters]:
                for pair in zip(_pairs(first, ""), _pairs(second, ""), strict=True):
                    yield Relation("minus", pair)


def derived_relations(domain: Domain) -> list[Relation]:
    """Relations made of atomic ones, by ascending complexity."""
    atoms, types = atomic_relations(domain), Types(domain)
    lasting = [each for each in atoms if types.meet(*types.of_relation(each))]
    closures = [Relation(word, (each,)) for each in lasting for word in ("plus", "star")]
    found = [Relation("inverse", (each,)) for each in atoms] + closures
    found += [Relation("and", pair) for pair in zip(atoms, map(asked_for, atoms), strict=True) if pair[1] in atoms]
    found += _static_differences(domain)
    unions = (each for way in _ways(domain) for each in way.walk() if each.word == "or")
    found += [each for each in unions if isinstance(each, Relation)]
    return found + [Relation("inverse", (each,)) for each in closures]


def _ways(domain: Domain) -> list[Relation]:
    """Unions of relations between objects of the same types that never change and along which actions move
    something: of all of them, and of all but one, which may be dangerous."""
    types = Types(domain)
    ways: dict[object, dict[Relation, None]] = {}
    for schema in domain.schemas:
        for _, _, relation in _steps(domain, schema):
            ends = types.of_relation(relation)
            if types.meet(*ends):
                ways.setdefault(ends, {})[relation] = None
    some = [each for way in ways.values() for each in ([*way], *combinations(way, len(way) - 1)) if len(each) > 1]
    return [reduce(lambda one, other: Relation("or", (one, other)), each) for each in some]


def compositions(domain: Domain) -> list[Relation]:
    """Relations by way of a third object, one step of which the goal wants and the other not."""
    types, wanted = Types(domain), atomic_relations(domain)
    steps = [(way, bool(each.operands[0])) for each in wanted for way in (each, Relation("inverse", (each,)))]
    return [
        Relation("then", (one, other))
        for (one, is_goal), (other, is_other_goal) in permutations(steps, 2)
        if is_goal != is_other_goal and types.meet(types.of_relation(one)[1], types.of_relation(other)[0])
    ]


def is_own(domain: Domain, relation: Relation) -> bool:
    """Whether a relation may say where an object belongs: the goal does, and what never changes."""
    changing = changed_predicates(domain)
    pairs = [each.operands for each in relation.walk() if each.word == "pairs"]
    return any(mark for mark, *_ in pairs) or all(name not in changing for _, name, *_ in pairs)


def asked_for(relation: Relation) -> Relation | None:
    """What the goal wants of a relation of what is true; None if it is about anything else."""
    mark, *rest = relation.operands
    return Relation("pairs", ("@", *rest)) if relation.word == "pairs" and not mark else None


def paths(domain: Domain, schema: Schema) -> list[tuple[int, int, Relation]]:
    """Along what an action of a schema may move something: pairs of parameters that its precondition relates.

    The relation is one that no action changes: as it is, without one that changes, or with all others between the same
    types that actions move along.
    """
    found: list[tuple[int, int, Relation]] = []
    for x, y, relation in _steps(domain, schema):
        others = [each for each in _static_differences(domain) if each.operands[0] == relation]
        others += [way for way in _ways(domain) if relation in way.walk()]
        found += [(*pair, along) for along in (relation, *others) for pair in ((y, x), (x, y))]
    return list(dict.fromkeys(found))


def _steps(domain: Domain, schema: Schema) -> Iterator[tuple[int, int, Relation]]:
    """Pairs of parameters that a precondition relates, and the relation, which no action changes."""
    changing = changed_predicates(domain)
    numbers = {parameter.name: index for index, parameter in enumerate(schema.parameters)}
    for atom in _conjuncts(schema.precondition):
        if atom.predicate in changing:
            continue
        for first, second in combinations(range(len(atom.arguments)), 2):
            ends = [atom.arguments[first], atom.arguments[second]]
            if all(isinstance(end, Variable) and end.name in numbers for end in ends) and ends[0] != ends[1]:
                places = () if len(atom.arguments) == 2 else (first + 1, second + 1)
                x, y = (numbers[end.name] for end in ends)
                yield x, y, Relation("pairs", ("", atom.predicate, places))


def _conjuncts(formula: Formula | None) -> Iterator[Atom]:
    """The atoms that must hold for a formula to hold, as far as conjunctions show them."""
    if isinstance(formula, Atom):
        yield formula
    elif isinstance(formula, And):
        for each in formula.operands:
            yield from _conjuncts(each)
