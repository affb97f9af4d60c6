"""The simplest expressions that a domain has: what generated ones are made of.

The vocabulary of a domain is the same for all its problems. Roads without shut doors are in it: a relation that no
action changes without one that changes and is declared for the same types.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from gpaplan.concepts.nodes import (
    Argument,
    Closure,
    Common,
    Concept,
    Everything,
    Flag,
    Inverse,
    Mark,
    Minus,
    Named,
    OfType,
    Only,
    Pairs,
    Role,
)
from gpaplan.ppddl.syntax import And, Atom, Domain, Formula, Predicate, Schema, Variable
from gpaplan.tasks.encode import supertypes
from gpaplan.tasks.goal import changed_predicates

__all__ = ["atomic_concepts", "atomic_roles", "derived_roles", "flags", "paths"]


def _marks(domain: Domain, predicate: Predicate) -> tuple[Mark, ...]:
    """A goal asks only for what actions change."""
    return ("", "@", "!") if predicate.name in changed_predicates(domain) else ("",)


def flags(domain: Domain) -> list[Flag]:
    """The literals that are one predicate without arguments."""
    return [Flag(mark, each.name) for each in domain.predicates if not each.parameters for mark in _marks(domain, each)]


def atomic_concepts(domain: Domain) -> list[Concept]:
    """The concepts of complexity 1."""
    unary = {each.name for each in domain.predicates if len(each.parameters) == 1}
    found: list[Concept] = [Everything()]
    found += [OfType(name) if name in unary else Named(name) for name in supertypes(domain) if name != "object"]
    found += [Only(each.name) for each in domain.constants]
    for predicate in domain.predicates:
        for mark in _marks(domain, predicate):
            for position in range(1, len(predicate.parameters) + 1):
                is_named = not mark and len(predicate.parameters) == 1
                found.append(Named(predicate.name) if is_named else Argument(mark, predicate.name, position))
    return found


def _pairs(predicate: Predicate, mark: Mark) -> Iterator[Pairs]:
    """The roles of a predicate's arguments."""
    arity = len(predicate.parameters)
    for positions in combinations(range(1, arity + 1), 2):
        yield Pairs(mark, predicate.name, None if arity == 2 else positions)


def atomic_roles(domain: Domain) -> list[Pairs]:
    """The roles of complexity 1."""
    return [role for each in domain.predicates for mark in _marks(domain, each) for role in _pairs(each, mark)]


def _without(domain: Domain) -> Iterator[Minus]:
    """Relations that never change without those that do and have the same types."""
    changing = changed_predicates(domain)
    for first in domain.predicates:
        if first.name in changing or len(first.parameters) < 2:
            continue
        for second in domain.predicates:
            if second.name in changing and [p.types for p in first.parameters] == [p.types for p in second.parameters]:
                for mine, theirs in zip(_pairs(first, ""), _pairs(second, ""), strict=True):
                    yield Minus(mine, theirs)


def derived_roles(domain: Domain) -> list[Role]:
    """Roles made of atomic ones, by ascending complexity."""
    atoms = atomic_roles(domain)
    found: list[Role] = [Inverse(role) for role in atoms]
    found += [Closure(role, reflexive) for role in atoms for reflexive in (False, True)]
    found += [Common(role, Pairs("@", role.predicate, role.positions)) for role in atoms if _is_asked_for(domain, role)]
    found += _without(domain)
    found += [Inverse(Closure(role, reflexive)) for role in atoms for reflexive in (False, True)]
    return found


def _is_asked_for(domain: Domain, role: Pairs) -> bool:
    """Whether it is about what holds, and a goal may ask for it."""
    return not role.mark and role.predicate in changed_predicates(domain)


def paths(domain: Domain, schema: Schema) -> list[tuple[int, int, Role]]:
    """Along what an action of a schema may move something: pairs of parameters that its precondition relates.

    The relation is one that no action changes, as it is or without one that changes.
    """
    changing = changed_predicates(domain)
    numbers = {parameter.name: index for index, parameter in enumerate(schema.parameters)}
    arities = {each.name: len(each.parameters) for each in domain.predicates}
    found: list[tuple[int, int, Role]] = []
    for atom in _conjuncts(schema.precondition):
        if atom.predicate in changing:
            continue
        for first, second in combinations(range(len(atom.arguments)), 2):
            ends = [atom.arguments[first], atom.arguments[second]]
            if not all(isinstance(end, Variable) and end.name in numbers for end in ends):
                continue
            positions = None if arities[atom.predicate] == 2 else (first + 1, second + 1)
            role = Pairs("", atom.predicate, positions)
            others = [each for each in _without(domain) if each.first == role]
            x, y = (numbers[end.name] for end in ends)
            found += [(*pair, along) for along in (role, *others) for pair in ((y, x), (x, y)) if x != y]
    return list(dict.fromkeys(found))


def _conjuncts(formula: Formula | None) -> Iterator[Atom]:
    """The atoms that must hold for a formula to hold, as far as conjunctions show them."""
    if isinstance(formula, Atom):
        yield formula
    elif isinstance(formula, And):
        for each in formula.operands:
            yield from _conjuncts(each)
