"""Conditions: which problems a claim is about.

A class of problems is a list of conditions. Each is a formula of PPDDL without free variables, about the static facts,
the initial state and the goal of a problem; ``@p`` is what the goal asks for of a predicate p:

    (forall (?c - parcel) (exists (?p - place) (@at ?c ?p)))

Two words more speak of a predicate of two arguments as a graph: ``(connected road)``, every object of its type can be
reached from every other, and ``(acyclic above)``. docs/proofs.md describes them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from itertools import product
from typing import TypeAlias

from gpaplan.errors import UsageError, did_you_mean
from gpaplan.ppddl import syntax
from gpaplan.ppddl.expressions import ExpressionParser
from gpaplan.ppddl.lexer import ErrorReport, Group, SExpression, Word, read_expressions
from gpaplan.ppddl.writer import write_formula
from gpaplan.source import SourceText
from gpaplan.tasks.goal import Expansion, changed_predicates

__all__ = ["Condition", "Structure", "parse_condition"]

GRAPH_WORDS = ("connected", "acyclic")
Atom: TypeAlias = tuple[str, tuple[str, ...]]
"""A predicate, perhaps with an ``@`` in front, and its objects."""
Clause: TypeAlias = frozenset[int]
"""Literals, 2·atom or 2·atom+1 for its negation."""


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition; ``str(condition)`` is its text."""

    formula: syntax.Formula

    def __str__(self) -> str:
        return " ".join(write_formula(self.formula).split())

    @property
    def graph(self) -> tuple[str, str] | None:
        """The word and the predicate, if it is about a graph."""
        if (
            isinstance(self.formula, syntax.Atom)
            and self.formula.predicate in GRAPH_WORDS
            and len(self.formula.arguments) == 1
        ):
            return self.formula.predicate, self.formula.arguments[0].name
        return None

    @property
    def predicates(self) -> frozenset[str]:
        """Those that it speaks of."""
        return frozenset((self.graph[1],)) if self.graph else frozenset(a.predicate for a in atoms_of(self.formula))


def atoms_of(formula: syntax.Formula) -> Iterator[syntax.Atom]:
    """The atoms of a formula."""
    match formula:
        case syntax.Atom():
            yield formula
        case syntax.Not():
            yield from atoms_of(formula.operand)
        case syntax.And() | syntax.Or():
            for each in formula.operands:
                yield from atoms_of(each)
        case syntax.Imply():
            yield from atoms_of(formula.premise)
            yield from atoms_of(formula.conclusion)
        case syntax.ForAll() | syntax.Exists():
            yield from atoms_of(formula.body)


class _Parser(ExpressionParser):
    """Formulas in which a predicate may have an ``@`` in front."""

    def atom(self, node: SExpression) -> syntax.Atom | None:
        head = node if isinstance(node, Word) else node.items[0] if node.items else None
        if isinstance(node, Group) and node.head() in GRAPH_WORDS and len(node.items) == 2:
            name = node.items[1]
            if isinstance(name, Word) and not name.text.startswith("?"):
                return syntax.Atom(node.head(), (syntax.Constant(name.text, span=name),), span=node.span())
        if not isinstance(head, Word) or not head.text.startswith("@"):
            return super().atom(node)
        name = Word(head.source, head.start + 1, head.end, head.text[1:])
        if isinstance(node, Word):
            found = super().atom(name)
        else:
            node.items[0] = name
            found = super().atom(node)
        return None if found is None else syntax.Atom(f"@{found.predicate}", found.arguments, span=found.span)


def parse_condition(text: str, domain: syntax.Domain) -> Condition:
    """A condition from text; `UsageError` says what is wrong."""
    report = ErrorReport()
    items = read_expressions(SourceText(text, "condition"), report).items
    condition = Condition(_Parser(report).formula(items[0]) if len(items) == 1 else syntax.And())
    if report.errors:
        raise UsageError(f"the condition '{text}': {report.errors[0].message}")
    if len(items) != 1:
        raise UsageError(f"'{text}' is not one condition;  write one formula in parentheses")
    arities = {each.name: len(each.parameters) for each in domain.predicates}
    if condition.graph is not None:
        word, name = condition.graph
        if arities.get(name.removeprefix("@")) != 2:
            raise UsageError(f"the condition '{text}': '{word}' takes a predicate of two arguments")
        return condition
    for atom in atoms_of(condition.formula):
        name = atom.predicate.removeprefix("@")
        if name not in arities:
            hint = did_you_mean(name, arities) or f"there are {', '.join(arities)}"
            raise UsageError(f"the condition '{text}': there is no predicate '{name}';  {hint}")
        if atom.predicate != name and name not in changed_predicates(domain):
            raise UsageError(f"the condition '{text}': no action changes '{name}', so goals do not ask for it")
        if len(atom.arguments) != arities[name]:
            raise UsageError(f"the condition '{text}': '{name}' takes {arities[name]} arguments")
    return condition


@dataclass(frozen=True)
class Structure:
    """Objects with their types, and the atoms that hold, of all predicates that are known."""

    domain: syntax.Domain
    objects: Mapping[str, frozenset[str]]
    known: Mapping[str, frozenset[tuple[str, ...]]]
    """By predicate, also those of the goal."""

    def of_types(self, types: Iterable[str]) -> list[str]:
        """The objects of one of these types."""
        wanted = frozenset(types)
        return [name for name, own in self.objects.items() if own & wanted]

    def types(self, predicate: str) -> list[tuple[str, ...]]:
        """The types of the arguments of a predicate."""
        declared = next(each for each in self.domain.predicates if each.name == predicate.removeprefix("@"))
        return [each.types for each in declared.parameters]

    def atoms(self, predicate: str) -> list[tuple[str, ...]]:
        """All arguments that a predicate can have."""
        return list(product(*(self.of_types(types) for types in self.types(predicate))))

    def satisfies(self, condition: Condition) -> bool:
        """Whether a condition holds, all of whose predicates are known."""
        if condition.graph is None:
            return self._known.collect(condition.formula, {}, True) is True
        word, name = condition.graph
        if word == "acyclic":
            return is_acyclic(self.known[name])
        return is_connected(self.known[name], self.of_types(self.types(name)[0]))

    @cached_property
    def _known(self) -> Expansion:
        return Expansion(self.objects, self.known, set())

    def clauses(self, formula: syntax.Formula, number: Callable[[Atom], int]) -> set[Clause]:
        """The formula as clauses of the atoms that are not known, which get numbers; none if it holds anyway."""
        return self._clauses(formula, True, {}, number)

    def _clauses(
        self, formula: syntax.Formula, positive: bool, binding: dict[str, str], number: Callable[[Atom], int]
    ) -> set[Clause]:
        match formula:
            case syntax.Atom(predicate, terms):
                arguments = tuple(binding.get(term.name, term.name) for term in terms)
                if predicate in self.known:
                    return _decided((arguments in self.known[predicate]) == positive)
                return {frozenset((2 * number((predicate, arguments)) + (not positive),))}
            case syntax.Equals(left, right):
                same = binding.get(left.name, left.name) == binding.get(right.name, right.name)
                return _decided(same == positive)
            case syntax.Not(operand):
                return self._clauses(operand, not positive, binding, number)
            case syntax.And(operands) | syntax.Or(operands):
                conjunctive = isinstance(formula, syntax.And) == positive
                return _joined((self._clauses(each, positive, binding, number) for each in operands), conjunctive)
            case syntax.Imply(premise, conclusion):
                parts = ((premise, not positive), (conclusion, positive))
                return _joined((self._clauses(each, sign, binding, number) for each, sign in parts), not positive)
            case syntax.ForAll(parameters, body) | syntax.Exists(parameters, body):
                conjunctive = isinstance(formula, syntax.ForAll) == positive
                names = [each.name for each in parameters]
                ranges = [self.of_types(each.types) for each in parameters]
                return _joined(
                    (
                        self._clauses(body, positive, {**binding, **dict(zip(names, values, strict=True))}, number)
                        for values in product(*ranges)
                    ),
                    conjunctive,
                )


def _decided(holds: bool) -> set[Clause]:
    return set() if holds else {frozenset()}


def _joined(parts: Iterator[set[Clause]] | Iterable[set[Clause]], conjunctive: bool) -> set[Clause]:
    """A conjunction of clauses; or their disjunction, multiplied out."""
    if conjunctive:
        return set().union(*parts)
    result: set[Clause] = {frozenset()}
    for part in parts:
        result = {one | other for one in result for other in part}
        if not result:
            break
    return {clause for clause in result if not any(literal ^ 1 in clause for literal in clause)}


def is_connected(edges: Collection[tuple[str, ...]], vertices: list[str]) -> bool:
    """Whether every vertex can be reached from every other."""
    return not vertices or all(
        _reached(vertices[0], way) >= set(vertices) for way in (edges, [edge[::-1] for edge in edges])
    )


def _reached(start: str, edges: Iterable[tuple[str, ...]]) -> set[str]:
    neighbours: dict[str, list[str]] = {}
    for one, other in edges:
        neighbours.setdefault(one, []).append(other)
    reached, rest = {start}, [start]
    while rest:
        new = [each for each in neighbours.get(rest.pop(), ()) if each not in reached]
        reached.update(new)
        rest += new
    return reached


def is_acyclic(edges: Collection[tuple[str, ...]]) -> bool:
    """Whether no way leads from a vertex to itself."""
    order: TopologicalSorter[str] = TopologicalSorter()
    for one, other in edges:
        order.add(one, other)
    try:
        order.prepare()
    except CycleError:
        return False
    return True
