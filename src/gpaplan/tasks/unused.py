"""Parts of a domain that do nothing in a problem: they may be there on purpose, or because a name is misspelt.

unused_parts(task)    # ["action 'refuel' can never happen: its precondition (station ?p) is never true", …]
    why_never(task)       # ["(drunk ann): 'drink' would add it, but its precondition (full ?cup) is never true", …]
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from gpaplan.ppddl import syntax
from gpaplan.ppddl.writer import write_formula
from gpaplan.tasks.goal import Expansion
from gpaplan.tasks.grounding import declared_objects
from gpaplan.tasks.task import GroundTask

__all__ = ["unused_parts", "why_never"]

_MOST = 10_000
"""Bindings of a schema's parameters that are tried, to find out which precondition is never met."""


def unused_parts(task: GroundTask) -> list[str]:
    """What of a domain is never used in a problem, in a sentence each: types, predicates, actions."""
    return [*_types(task), *_predicates(task), *_schemas(task)]


def _types(task: GroundTask) -> Iterator[str]:
    domain = task.domain
    named = [each.types for each in (*domain.constants, *task.problem.objects)]
    named += [each.parents for each in domain.types]
    signatures = [each.parameters for each in domain.predicates] + [each.parameters for each in domain.functions]
    signatures += [each.parameters for each in domain.schemas]
    named += [parameter.types for each in signatures for parameter in each]
    used = {name for types in named for name in types}
    for each in domain.types:
        if each.name not in used:
            yield f"type '{each.name}' is never used: no object, parameter or type is of it"


def _predicates(task: GroundTask) -> Iterator[str]:
    goal = task.problem.goal
    asked = set() if goal is None else {atom.predicate for atom in syntax.within(goal, syntax.Atom)}
    for schema in task.domain.schemas:
        conditions = [schema.precondition, *(each.condition for each in syntax.within(schema.effect, syntax.When))]
        asked |= {atom.predicate for each in conditions for atom in syntax.within(each, syntax.Atom)}
    for predicate in task.domain.predicates:
        if predicate.name not in asked:
            yield f"predicate '{predicate.name}' is never asked for: no precondition, condition or goal has it"


def _schemas(task: GroundTask) -> Iterator[str]:
    happening = {name for name, count in task.actions_by_schema().items() if count}
    happening |= {each.schema for each in task.dropped_actions}
    possible = _Possible(task)
    for schema in task.domain.schemas:
        if schema.name not in happening:
            yield f"action '{schema.name}' can never happen: {possible.why_not(schema, {})[0]}"


def why_never(task: GroundTask) -> list[str]:
    """Of the first goal atom that is never true: what would make it true, what that needs, and so on."""
    possible = _Possible(task)
    true = possible.true
    goal = next((atom for atom in task.goal_atoms if atom.arguments not in true.get(atom.predicate, ())), None)
    wanted = None if goal is None else syntax.Atom(goal.predicate, tuple(map(syntax.Constant, goal.arguments)))
    found: list[str] = []
    while wanted is not None and len(found) < 10:
        words, wanted = possible.makers(wanted)
        if words in found:
            break
        found.append(words)
    return found


class _Possible(Expansion):
    """What is ever true, if nothing that was once true ceases to be so."""

    def __init__(self, task: GroundTask) -> None:
        self.true: dict[str, dict[tuple[str, ...], None]] = {}
        for atom in (*task.atoms, *task.static_atoms, *task.dropped_atoms):
            self.true.setdefault(atom.predicate, {})[atom.arguments] = None
        super().__init__(declared_objects(task.domain, task.problem), self.true, set())
        self._schemas = task.domain.schemas

    def missing(self, schema: syntax.Schema, binding: dict[str, str]) -> syntax.Atom | None:
        """The first atom of the precondition that is never true together with those before it, if that is missing."""
        needed = list(self._guards(schema.precondition, True, False))
        left = [each for each in schema.parameters if each.name not in binding]
        for number, atom in enumerate(needed, 1):
            tried = islice(self.bindings(left, binding, needed[:number]), _MOST)
            if not any(all(self.collect(each, found, True) for each in needed[:number]) for found in tried):
                return atom
        return None

    def why_not(self, schema: syntax.Schema, binding: dict[str, str]) -> tuple[str, syntax.Atom | None]:
        """Why a schema does not happen, and the atom that is missing, as far as it is bound, if it is never true."""
        atom = self.missing(schema, binding)
        if atom is None:
            return "its preconditions are never true together", None
        terms = [binding.get(each.name, each.name) for each in atom.arguments]
        atom = replace(atom, arguments=tuple(map(syntax.Constant, terms)))
        words = f"its precondition {write_formula(atom)} is never true"
        for fact in self.true.get(atom.predicate, ()):
            if all(term.startswith("?") or term == name for term, name in zip(terms, fact, strict=True)):
                return f"{words} together with those before it", None
        return words, atom

    def makers(self, wanted: syntax.Atom) -> tuple[str, syntax.Atom | None]:
        """What adds an atom and why it does not, and what is missing for the first of these."""
        reasons: dict[str, syntax.Atom | None] = {}
        for schema in self._schemas:
            for each in syntax.within(schema.effect, syntax.Add):
                binding = dict(
                    zip((a.name for a in each.atom.arguments), (a.name for a in wanted.arguments), strict=False)
                )
                binding = {name: value for name, value in binding.items() if not value.startswith("?")}
                fits = all(name.startswith("?") or name == value for name, value in binding.items())
                if each.atom.predicate == wanted.predicate and fits:
                    why, atom = self.why_not(schema, binding)
                    reasons.setdefault(f"'{schema.name}' would add it, but {why}", atom)
        words = "; ".join(reasons) or "no action adds it, and it is not true at the start"
        return f"{write_formula(wanted)}: {words}", next(filter(None, reasons.values()), None)
