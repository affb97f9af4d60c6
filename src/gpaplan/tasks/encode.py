"""The syntax tree as integers, for the C++ grounder (the format is documented in src/core/grounding/lifted.hpp).

Objects are numbered in declaration order, the domain's constants first. Each quantified variable of a schema gets a
number of its own, after the parameters. Negation is pushed down to the atoms, an implication becomes a disjunction, and
the probability that a `probabilistic` leaves over becomes an outcome without effect, computed exactly.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import chain
from typing import Any

from gpaplan._core import LiftedKind
from gpaplan.errors import UsageError
from gpaplan.ppddl import syntax


def supertypes(domain: syntax.Domain) -> dict[str, frozenset[str]]:
    """Each type of a domain with itself and everything above it; every type is below ``object``."""
    parents: dict[str, set[str]] = {"object": set()}
    for declaration in domain.types:
        parents.setdefault(declaration.name, set()).update(declaration.parents)
    for names in list(parents.values()):
        for name in names:
            parents.setdefault(name, set())
    closure: dict[str, frozenset[str]] = {}
    for name in parents:
        seen = {name, "object"}
        stack = [name]
        while stack:
            for parent in parents[stack.pop()] - seen:
                seen.add(parent)
                stack.append(parent)
        closure[name] = frozenset(seen)
    return closure


def declared_objects(domain: syntax.Domain, problem: syntax.Problem) -> dict[str, frozenset[str]]:
    """Every object in declaration order, constants first, with all its types (supertypes included)."""
    above = supertypes(domain)
    objects: dict[str, frozenset[str]] = {}
    for declared in (*domain.constants, *problem.objects):
        types = frozenset().union(*(above.get(name, frozenset({name, "object"})) for name in declared.types))
        objects[declared.name] = objects.get(declared.name, frozenset()) | types
    return objects


@dataclass
class Encoding:
    """The arguments of ``_core.ground`` but for its limits, and the objects' names by index."""

    domain: syntax.Domain
    objects: tuple[str, ...]
    arguments: dict[str, Any] = field(default_factory=dict)


class _Numbers:
    """Interned exact numbers; the core sees the nearest doubles."""

    def __init__(self) -> None:
        self._index: dict[Fraction, int] = {}

    def index(self, value: Fraction) -> int:
        return self._index.setdefault(value, len(self._index))

    def values(self) -> list[float]:
        return [float(value) for value in self._index]


class _Domains:
    """Interned sets of objects over which variables range."""

    def __init__(self, objects: dict[str, frozenset[str]]) -> None:
        self._objects = objects
        self._index: dict[tuple[str, ...], int] = {}
        self.members: list[list[int]] = []

    def index(self, types: tuple[str, ...]) -> int:
        if types not in self._index:
            self._index[types] = len(self.members)
            wanted = frozenset(types)
            self.members.append([i for i, own in enumerate(self._objects.values()) if own & wanted])
        return self._index[types]


class _Scope:
    """The variables of one schema (or goal): numbers, domains, and which names are visible."""

    def __init__(self, domains: _Domains, parameters: Iterable[syntax.TypedName] = ()) -> None:
        self._domains = domains
        self.variable_domains: list[int] = []
        self.visible: dict[str, int] = {}
        self.enter(parameters)

    def enter(self, parameters: Iterable[syntax.TypedName]) -> tuple[list[int], dict[str, int]]:
        """Declare variables; returns their numbers and what was visible before, for `leave`."""
        before = self.visible
        self.visible = dict(before)
        numbers = []
        for parameter in parameters:
            number = len(self.variable_domains)
            self.variable_domains.append(self._domains.index(parameter.types))
            self.visible[parameter.name] = number
            numbers.append(number)
        return numbers, before

    def leave(self, before: dict[str, int]) -> None:
        self.visible = before


class _Encoder:
    def __init__(self, domain: syntax.Domain, problem: syntax.Problem, metric: syntax.Metric | None) -> None:
        self.domain = domain
        self.metric = metric
        self.types = declared_objects(domain, problem)
        self.objects = {name: index for index, name in enumerate(self.types)}
        self.predicates = {predicate.name: index for index, predicate in enumerate(domain.predicates)}
        self.functions = {function.name: index for index, function in enumerate(domain.functions)}
        self.domains = _Domains(self.types)
        self.numbers = _Numbers()

    def terms(self, terms: Sequence[syntax.Term], scope: _Scope) -> list[int]:
        visible, objects = scope.visible, self.objects
        return [~visible[each.name] if isinstance(each, syntax.Variable) else objects[each.name] for each in terms]

    # --- formulas ---

    def formula(self, formula: syntax.Formula, scope: _Scope, negated: bool = False) -> list[int]:
        match formula:
            case syntax.Atom():
                kind = LiftedKind.NOT_ATOM if negated else LiftedKind.ATOM
                return [kind, self.predicates[formula.predicate], *self.terms(formula.arguments, scope)]
            case syntax.Equals():
                kind = LiftedKind.NOT_EQUAL if negated else LiftedKind.EQUAL
                return [kind, *self.terms((formula.left, formula.right), scope)]
            case syntax.Not():
                return self.formula(formula.operand, scope, not negated)
            case syntax.And() | syntax.Or():
                return self.junction(formula.operands, isinstance(formula, syntax.And) != negated, scope, negated)
            case syntax.Imply():
                operands = (syntax.Not(formula.premise), formula.conclusion)
                return self.junction(operands, negated, scope, negated)
            case syntax.ForAll() | syntax.Exists():
                quantifier = LiftedKind.FORALL if isinstance(formula, syntax.ForAll) != negated else LiftedKind.EXISTS
                numbers, before = scope.enter(formula.parameters)
                body = self.formula(formula.body, scope, negated)
                scope.leave(before)
                return [word for number in numbers for word in (quantifier, number)] + body

    def junction(
        self, operands: Sequence[syntax.Formula], conjunctive: bool, scope: _Scope, negated: bool
    ) -> list[int]:
        kind = LiftedKind.CONJUNCTION if conjunctive else LiftedKind.DISJUNCTION
        return [kind, len(operands), *chain.from_iterable(self.formula(each, scope, negated) for each in operands)]

    # --- effects ---

    def effect(self, effect: syntax.Effect, scope: _Scope) -> list[int]:
        match effect:
            case syntax.Add() | syntax.Delete():
                kind = LiftedKind.ADD if isinstance(effect, syntax.Add) else LiftedKind.REMOVE
                return [kind, self.predicates[effect.atom.predicate], *self.terms(effect.atom.arguments, scope)]
            case syntax.AndEffect():
                parts = [self.effect(each, scope) for each in effect.effects]
                return [LiftedKind.CONJUNCTION, len(parts), *chain.from_iterable(parts)]
            case syntax.ForAllEffect():
                numbers, before = scope.enter(effect.parameters)
                body = self.effect(effect.effect, scope)
                scope.leave(before)
                return [word for number in numbers for word in (LiftedKind.FORALL, number)] + body
            case syntax.When():
                return [LiftedKind.WHEN, *self.formula(effect.condition, scope), *self.effect(effect.effect, scope)]
            case syntax.Probabilistic():
                return self.probabilistic(effect, scope)
            case syntax.Change():
                return self.change(effect, scope)

    def probabilistic(self, effect: syntax.Probabilistic, scope: _Scope) -> list[int]:
        outcomes: list[tuple[Fraction, syntax.Effect]] = [
            (outcome.probability, outcome.effect) for outcome in effect.outcomes if outcome.probability > 0
        ]
        left = 1 - sum((probability for probability, _ in outcomes), Fraction(0))
        if left > 0:
            outcomes.append((left, syntax.AndEffect()))
        code = [LiftedKind.PROBABILISTIC, len(outcomes)]
        for probability, outcome in outcomes:
            code += [self.numbers.index(probability), *self.effect(outcome, scope)]
        return code

    def change(self, effect: syntax.Change, scope: _Scope) -> list[int]:
        if self.metric is None or effect.quantity != self.metric.quantity:
            return [LiftedKind.CONJUNCTION, 0]
        sign = 1 if (effect.direction == "increase") == (self.metric.direction == "minimize") else -1
        if isinstance(effect.amount, syntax.Number):
            return [LiftedKind.COST, self.numbers.index(sign * effect.amount.value)]
        terms = self.terms(effect.amount.arguments, scope)
        return [LiftedKind.COST_FUNCTION, self.functions[effect.amount.function], sign, *terms]

    # --- the whole ---

    def schema(self, schema: syntax.Schema) -> tuple[int, list[int], list[int], list[int]]:
        scope = _Scope(self.domains, schema.parameters)
        precondition = self.formula(schema.precondition, scope)
        effect = self.effect(schema.effect, scope)
        return len(schema.parameters), scope.variable_domains, precondition, effect


def encode(domain: syntax.Domain, problem: syntax.Problem, cost: str) -> Encoding:
    """Encode a checked domain and problem; ``cost`` is ``"unit"`` or ``"metric"``."""
    if cost not in ("unit", "metric"):
        raise UsageError(f"unknown cost mode '{cost}'; it is 'auto', 'unit' or 'metric'")
    if cost == "metric" and problem.metric is None:
        raise UsageError(
            f"problem '{problem.name}' has no :metric to take costs from; "
            "add (:metric minimize (total-cost)), or use unit costs (--cost unit)"
        )
    encoder = _Encoder(domain, problem, problem.metric if cost == "metric" else None)
    goal_scope = _Scope(encoder.domains)
    no_goal = syntax.Or()  # false: no state is a goal
    goal = encoder.formula(no_goal if problem.goal is None else problem.goal, goal_scope)
    schemas = [encoder.schema(schema) for schema in domain.schemas]
    empty = _Scope(encoder.domains)
    atoms = [[encoder.predicates[atom.predicate], *encoder.terms(atom.arguments, empty)] for atom in problem.init]
    values = [
        [
            encoder.functions[value.term.function],
            *encoder.terms(value.term.arguments, empty),
            encoder.numbers.index(value.value),
        ]
        for value in problem.values
    ]
    arguments = {
        "object_count": len(encoder.objects),
        "predicate_arities": [len(predicate.parameters) for predicate in domain.predicates],
        "function_arities": [len(function.parameters) for function in domain.functions],
        "domains": encoder.domains.members,
        "initial_atoms": atoms,
        "numbers": encoder.numbers.values(),
        "function_values": values,
        "schemas": schemas,
        "goal_variable_domains": goal_scope.variable_domains,
        "goal": goal,
        "action_cost": 1.0 if cost == "unit" else 0.0,
    }
    return Encoding(domain, tuple(encoder.objects), arguments)
