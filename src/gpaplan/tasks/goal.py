"""What a goal asks for: the atoms of its expansion.

Quantifiers run over the objects. Predicates that no action of the domain changes, and equality, are conditions: they
decide which parts of the goal are left, and ask for nothing. Whether an atom can be reached, or has been true from the
start, does not matter, so that the same words mean the same in every problem of a domain.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from itertools import product

from gpaplan.ppddl import syntax
from gpaplan.tasks.encode import declared_objects


def wanted_atoms(domain: syntax.Domain, problem: syntax.Problem) -> list[tuple[str, tuple[str, ...]]]:
    """The atoms that the goal asks to be true, in any of its parts, as (predicate, objects); each once."""
    if problem.goal is None:
        return []
    expansion = Expansion(domain, problem)
    expansion.collect(problem.goal, {}, True)
    return list(dict.fromkeys(expansion.found))


def changed_predicates(domain: syntax.Domain) -> set[str]:
    """The predicates that some action of a domain adds or deletes."""
    return {change.atom.predicate for schema in domain.schemas for change in changes(schema.effect)}


def changes(effect: syntax.Effect) -> Iterator[syntax.Add | syntax.Delete]:
    """All that an effect may add or delete, wherever it stands in it."""
    match effect:
        case syntax.Add() | syntax.Delete():
            yield effect
        case syntax.AndEffect():
            for each in effect.effects:
                yield from changes(each)
        case syntax.ForAllEffect() | syntax.When():
            yield from changes(effect.effect)
        case syntax.Probabilistic():
            for outcome in effect.outcomes:
                yield from changes(outcome.effect)


class Expansion:
    """A walk through a goal. It leaves out the parts that are decided, and collects the atoms of the others."""

    def __init__(self, domain: syntax.Domain, problem: syntax.Problem) -> None:
        self.found: list[tuple[str, tuple[str, ...]]] = []
        self._changing = changed_predicates(domain)
        self._types = declared_objects(domain, problem)
        self._facts: dict[str, dict[tuple[str, ...], None]] = {}
        for atom in problem.init:
            self._facts.setdefault(atom.predicate, {})[tuple(term.name for term in atom.arguments)] = None
        self._ranges: dict[tuple[str, ...], dict[str, None]] = {}

    def collect(self, formula: syntax.Formula, binding: dict[str, str], positive: bool) -> bool | None:
        """Whether the formula holds (or its negation, if not positive); None if that is open."""
        match formula:
            case syntax.Atom():
                return self._decide(formula.predicate, tuple(_object(t, binding) for t in formula.arguments), positive)
            case syntax.Equals():
                return (_object(formula.left, binding) == _object(formula.right, binding)) == positive
            case syntax.Not():
                return self.collect(formula.operand, binding, not positive)
            case syntax.And() | syntax.Or():
                parts = (self.collect(each, binding, positive) for each in formula.operands)
                return self._junction(parts, isinstance(formula, syntax.And) == positive)
            case syntax.Imply():
                sides = ((formula.premise, not positive), (formula.conclusion, positive))
                return self._junction((self.collect(each, binding, sign) for each, sign in sides), not positive)
            case syntax.ForAll() | syntax.Exists():
                conjunctive = isinstance(formula, syntax.ForAll) == positive
                guards = list(self._guards(formula.body, positive, conjunctive))
                bindings = self.bindings(formula.parameters, binding, guards)
                return self._junction((self.collect(formula.body, each, positive) for each in bindings), conjunctive)

    def _decide(self, predicate: str, objects: tuple[str, ...], positive: bool) -> bool | None:
        """Whether an atom holds (or its negation); None if that is open."""
        if predicate not in self._changing:
            return (objects in self._facts.get(predicate, ())) == positive
        if positive:
            self.found.append((predicate, objects))
        return None

    def _junction(self, parts: Iterator[bool | None], conjunctive: bool) -> bool | None:
        """The parts are walked one by one; once the whole is decided, what they asked for is forgotten."""
        before = len(self.found)
        whole: bool | None = conjunctive
        for part in parts:
            if part is None:
                whole = None
            elif part != conjunctive:
                del self.found[before:]
                return part
        return whole

    def _guards(self, formula: syntax.Formula, positive: bool, value: bool) -> Iterator[syntax.Atom]:
        """Atoms that never change and without which the formula (or its negation) has this value."""
        match formula:
            case syntax.Atom():
                if formula.predicate not in self._changing and value != positive:
                    yield formula
            case syntax.Not():
                yield from self._guards(formula.operand, not positive, value)
            case syntax.And() | syntax.Or():
                if value != (isinstance(formula, syntax.And) == positive):
                    for each in formula.operands:
                        yield from self._guards(each, positive, value)
            case syntax.Imply():
                if value == positive:
                    yield from self._guards(formula.premise, not positive, value)
                    yield from self._guards(formula.conclusion, positive, value)

    def bindings(
        self, parameters: Sequence[syntax.TypedName], binding: dict[str, str], guards: Sequence[syntax.Atom]
    ) -> Iterator[dict[str, str]]:
        """The ways to bind the parameters, but for those that a guard rules out, as far as that is seen at once."""
        ranges = {parameter.name: self._range(parameter.types) for parameter in parameters}
        outer = {name: value for name, value in binding.items() if name not in ranges}
        for start in self._matches(
            max(guards, key=lambda guard: len(_free_variables(guard, ranges)), default=None), outer, ranges
        ):
            left = [name for name in ranges if name not in start]
            for objects in product(*(ranges[name] for name in left)):
                yield outer | start | dict(zip(left, objects, strict=True))

    def _matches(
        self, guard: syntax.Atom | None, outer: dict[str, str], ranges: dict[str, dict[str, None]]
    ) -> Iterator[dict[str, str]]:
        """The bindings of the guard's parameters for which it is true."""
        if guard is None:
            yield {}
            return
        for objects in self._facts.get(guard.predicate, ()):
            found: dict[str, str] = {}
            for term, name in zip(guard.arguments, objects, strict=True):
                if isinstance(term, syntax.Variable) and term.name in ranges:
                    if name not in ranges[term.name] or found.setdefault(term.name, name) != name:
                        break
                elif _object(term, outer) != name:
                    break
            else:
                yield found

    def _range(self, types: tuple[str, ...]) -> dict[str, None]:
        if types not in self._ranges:
            self._ranges[types] = {name: None for name, own in self._types.items() if not own.isdisjoint(types)}
        return self._ranges[types]


def _free_variables(atom: syntax.Atom, parameters: Container[str]) -> set[str]:
    return {term.name for term in atom.arguments if isinstance(term, syntax.Variable) and term.name in parameters}


def _object(term: syntax.Term, binding: dict[str, str]) -> str:
    return binding[term.name] if isinstance(term, syntax.Variable) else term.name
