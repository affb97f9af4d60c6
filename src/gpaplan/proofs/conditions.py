"""Conditions: which problems a claim is about.

A class of problems is a list of conditions. Each is a formula of PPDDL without free variables, about the static facts,
the initial state and the goal of a problem; ``@p`` is what the goal asks for of a predicate p:

    (forall (?c - parcel) (exists (?p - place) (@at ?c ?p)))

Two words more speak of a predicate of two arguments as a graph: ``(connected road)``, every object of its type can be
reached from every other, and ``(acyclic above)``. docs/proofs.md describes them.

Written out for many objects a condition can be of any length: one without cycles has a clause for every way round. So
what is written is counted first, and `TooLargeError` says so where it is too much.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from itertools import combinations, pairwise, permutations, product
from math import prod
from typing import Any, TypeAlias

from gpaplan.concepts.expressions import Concept
from gpaplan.display import counted
from gpaplan.errors import TooLargeError, UsageError
from gpaplan.ppddl import syntax
from gpaplan.ppddl.check import check_formula
from gpaplan.ppddl.expressions import ExpressionParser
from gpaplan.ppddl.lexer import ErrorReport, Group, SExpression, Word, read_expressions
from gpaplan.ppddl.writer import write_formula
from gpaplan.source import SourceText
from gpaplan.tasks.goal import Expansion, changed_predicates

GRAPH_WORDS = ("connected", "acyclic")
MOST_WRITTEN = 1_000_000
"""Literals in which the conditions of a problem are written out, with what is tried for it."""
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
        match self.formula:
            case syntax.Atom(word, (syntax.Constant(name),)) if word in GRAPH_WORDS:
                return word, name
        return None

    @property
    def predicates(self) -> frozenset[str]:
        """Those that it speaks of."""
        atoms = syntax.within(self.formula, syntax.Atom)
        return frozenset((self.graph[1],) if self.graph else (each.predicate for each in atoms))


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
        head.start, head.text = head.start + 1, head.text[1:]
        found = super().atom(node)
        return found and replace(found, predicate=f"@{found.predicate}")


def parse_condition(text: str, domain: syntax.Domain) -> Condition:
    """A condition from text; `UsageError` says what is wrong."""
    report = ErrorReport()
    items = read_expressions(SourceText(text, "condition"), report).items
    condition = Condition(_Parser(report).formula(items[0]) if len(items) == 1 else syntax.And())
    changing, declared = changed_predicates(domain), domain.predicates
    asked = [syntax.Predicate(f"@{each.name}", each.parameters) for each in declared if each.name in changing]
    if condition.graph is None:
        check_formula(condition.formula, replace(domain, predicates=(*declared, *asked)), report)
    elif condition.graph[1] not in {each.name for each in (*declared, *asked) if len(each.parameters) == 2}:
        raise UsageError(f"the condition '{text}': '{condition.graph[0]}' takes a predicate of two arguments")
    if report.errors:
        hint = f";  {report.errors[0].hint}" if report.errors[0].hint else ""
        raise UsageError(f"the condition '{text}': {report.errors[0].message}{hint}")
    if len(items) != 1:
        raise UsageError(f"'{text}' is not one condition;  write one formula in parentheses")
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
        """All arguments that a predicate can have; `TooLargeError` if these are too many to be listed."""
        ranges = [self.of_types(types) for types in self.types(predicate)]
        if prod(map(len, ranges)) > MOST_WRITTEN:
            raise TooLargeError(f"there are too many atoms of '{predicate}';  look at fewer objects")
        return list(product(*ranges))

    def satisfies(self, condition: Condition) -> bool:
        """Whether a condition holds, all of whose predicates are known."""
        if condition.graph is None:
            return self._known.collect(condition.formula, {}, True) is True
        word, name = condition.graph
        vertices, edges = self.of_types(self.types(name)[0]), self.known[name]
        if word == "connected":
            return all(_are_reached(vertices, way) for way in (edges, [edge[::-1] for edge in edges]))
        with suppress(CycleError):
            TopologicalSorter(_graph(edges)).prepare()
            return True
        return False

    def members(self, concept: Concept) -> set[str]:
        """The objects in a concept made of arguments of atoms and ``and``."""
        match concept.word, *concept.operands:
            case "argument", mark, predicate, place:
                wanted = self.known.get(f"@{predicate}", frozenset())
                own = self.known[predicate] if not mark else wanted if mark == "@" else wanted - self.known[predicate]
                return {atom[place - 1] for atom in own}
            case "and", first, second:
                return self.members(first) & self.members(second)
        raise UsageError(f"the members of '{concept}' are not counted")

    @cached_property
    def _known(self) -> Expansion:
        return Expansion(self.objects, self.known, set())

    def clauses(self, conditions: Iterable[Condition], numbers: Mapping[Atom, int]) -> list[list[int]]:
        """What is asked of the atoms that are not known, by their numbers, as clauses; but not to be connected.
        `TooLargeError` if that is too much to be written."""
        expansion = _Clauses(self.objects, self.known, {name for name, _ in numbers}, numbers)
        found: list[list[int]] = []
        for each in conditions:
            expansion.condition = each
            if each.graph is None:
                own = expansion.collect(each.formula, {}, True)
                found += sorted(map(sorted, own)) if isinstance(own, set) else [] if own else [[]]
            elif each.graph[0] == "acyclic" and each.graph[1] not in self.known:
                edges = {atom: number for (name, atom), number in numbers.items() if name == each.graph[1]}
                found += _no_cycles(edges, expansion.write)
        return found


def _no_cycles(edges: Mapping[tuple[str, ...], int], write: Callable[[int], None]) -> Iterator[list[int]]:
    """Clauses: no cycle has all of its edges."""
    vertices = list(dict.fromkeys(x for edge in edges for x in edge))
    for size in range(1, len(vertices) + 1):
        for first, *others in combinations(vertices, size):
            for rest in permutations(others):
                write(size)
                way = list(pairwise((first, *rest, first)))
                if all(edge in edges for edge in way):
                    yield [2 * edges[edge] + 1 for edge in way]


class _Clauses(Expansion):
    """Formulas become clauses; what is decided stays a truth value."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given[:-1])
        self._numbers: Mapping[Atom, int] = given[-1]
        self._written = 0
        self.condition: Condition | None = None
        """The one that is being written."""

    def write(self, literals: int) -> None:
        """Count what is about to be written."""
        self._written += literals
        if self._written > MOST_WRITTEN:
            count = counted(len(self._types), "object")
            raise TooLargeError(f"'{self.condition}' is too long to be written out for {count};  look at fewer objects")

    def _decide(self, predicate: str, objects: tuple[str, ...], positive: bool) -> Any:
        if predicate in self._changing:
            return {frozenset((2 * self._numbers[predicate, objects] + (not positive),))}
        return super()._decide(predicate, objects, positive)

    def _junction(self, parts: Iterator[Any], conjunctive: bool) -> Any:
        """A conjunction of clauses; or their disjunction, multiplied out."""
        found: set[Clause] = set()
        factors: list[set[Clause]] = []
        for part in parts:
            self.write(1)
            if isinstance(part, bool):
                if part != conjunctive:
                    return part
            elif conjunctive:
                found |= part
            else:
                factors.append(part)
        if factors:
            self.write(len(factors) * prod(map(len, factors)))
            found = {frozenset().union(*choice) for choice in product(*factors)}
        if not found:
            return conjunctive
        return {clause for clause in found if not any(literal ^ 1 in clause for literal in clause)} or True


def _graph(edges: Iterable[tuple[str, ...]]) -> dict[str, list[str]]:
    neighbours: dict[str, list[str]] = {}
    for one, other in edges:
        neighbours.setdefault(one, []).append(other)
    return neighbours


def _are_reached(vertices: list[str], edges: Iterable[tuple[str, ...]]) -> bool:
    """Whether all vertices can be reached from the first of them."""
    neighbours, rest = _graph(edges), vertices[:1]
    reached = set(rest)
    for vertex in rest:
        new = set(neighbours.get(vertex, ())) - reached
        reached |= new
        rest += new
    return reached >= set(vertices)
