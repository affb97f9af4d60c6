"""Canonical abstraction as a short program, on named atoms.

Nothing here is numbered, interned or cached: this is the definition that the core is tested against. A state is a set
of `GroundAtom`, those that never change among them.

- The role of an object is the set of its features: its types, the unary predicates that hold of it, and, for a constant
  of the domain, its identity. Predicates without arguments are features of one phantom object.
- A role is played by one object or by many.
- A predicate of two or more arguments holds between roles for all of the tuples of objects that play them, for some, or
  for none; what holds for none is not listed.
- With ``goals=True`` each atom that the goal asks for gives the object at its i-th place the feature ``@p/i``, and
  ``!p/i`` while the atom is not true. Predicates that no action changes, and equality, only decide which parts of the
  goal are left.
- Predicates to be ignored are taken out of all this.
- Numbers may be forgotten: then a role is played by some objects, a relation holds for any tuples, or is not listed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from math import prod
from typing import TypeAlias

from gpaplan.automata.canonical import AbstractAction, AbstractState, Role
from gpaplan.ppddl.syntax import And, Atom, Constant, Equals, Exists, ForAll, Formula, Imply, Not, Or
from gpaplan.tasks.task import GroundAction, GroundAtom, GroundTask
from tests.reference import Binding, Interpreter

PHANTOM = ""
Wanted: TypeAlias = frozenset[GroundAtom] | bool
"""The atoms that a formula asks to be true, or its truth value where that never changes."""


class ReferenceAbstraction:
    """The abstraction of the states and actions of one task."""

    def __init__(
        self,
        task: GroundTask,
        *,
        goals: bool = False,
        ignore: tuple[str, ...] = (),
        counts: str = "one-many",
        relations: str = "all-some",
        types: bool = True,
    ) -> None:
        self.task = task
        self.ignore = ignore
        self.counts, self.relations, self.types = counts, relations, types
        self.interpreter = Interpreter(task.domain, task.problem)
        effects = repr([schema.effect for schema in task.domain.schemas])
        self.changing = set(re.findall(r"(?:Add|Delete)\(atom=Atom\(predicate='([^']+)'", effects))
        self.unary = {each.name for each in task.domain.predicates if len(each.parameters) == 1}
        wanted = self._wanted(task.problem.goal, {}, True) if goals and task.problem.goal is not None else True
        atoms = frozenset() if isinstance(wanted, bool) else wanted
        self.wanted = {atom for atom in atoms if atom.predicate not in ignore}

    def state(self, atoms: Iterable[GroundAtom]) -> AbstractState:
        held = frozenset(atom for atom in atoms if atom.predicate not in self.ignore)
        roles = self.roles(held)
        flags = roles.pop(PHANTOM).features
        sizes = Counter(roles.values())
        tuples = Counter((a.predicate, tuple(roles[o] for o in a.arguments)) for a in held if len(a.arguments) >= 2)
        if self.relations == "none":
            tuples.clear()

        def amount(size: int) -> str:
            return "some" if self.counts == "presence" else "one" if size == 1 else "many"

        def extent(count: int, most: int) -> str:
            return "any" if self.relations == "presence" else "all" if count == most else "some"

        return AbstractState(
            tuple(sorted((role, amount(size)) for role, size in sizes.items())),
            flags,
            tuple(
                sorted(
                    (name, between, extent(count, prod(sizes[role] for role in between)))
                    for (name, between), count in tuples.items()
                )
            ),
        )

    def action(self, atoms: Iterable[GroundAtom], action: GroundAction) -> AbstractAction:
        roles = self.roles(frozenset(atoms))
        return AbstractAction(action.schema, tuple(roles[name] for name in action.arguments))

    def roles(self, held: frozenset[GroundAtom]) -> dict[str, Role]:
        """The role of each object, and of the phantom."""
        features: dict[str, set[str]] = {PHANTOM: set()}
        for name, types in self.interpreter.object_types.items():
            seen = types - {"object"} if self.types else set()
            features[name] = {f"{each}:type" if each in self.unary else each for each in seen}
        for constant in self.task.domain.constants:
            features[constant.name].add(f"={constant.name}")
        for atom in held:
            if len(atom.arguments) < 2 and atom.predicate not in self.ignore:
                features[atom.arguments[0] if atom.arguments else PHANTOM].add(atom.predicate)
        for atom in self.wanted:
            for place, name in enumerate(atom.arguments, 1) if atom.arguments else [(0, PHANTOM)]:
                features[name].add(f"@{atom.predicate}/{place}")
                if atom not in held:
                    features[name].add(f"!{atom.predicate}/{place}")
        return {name: Role(tuple(sorted(each))) for name, each in features.items()}

    def _wanted(self, formula: Formula, binding: Binding, positive: bool) -> Wanted:
        """What a formula, or its negation, asks for."""
        match formula:
            case Atom():
                names = tuple(t.name if isinstance(t, Constant) else binding[t.name] for t in formula.arguments)
                atom = GroundAtom(formula.predicate, names)
                if atom.predicate in self.changing:
                    return frozenset({atom} if positive else ())
                return self.interpreter.holds(formula, binding, self.interpreter.initial_state()) == positive
            case Equals():
                return self.interpreter.holds(formula, binding, frozenset()) == positive
            case Not(operand):
                return self._wanted(operand, binding, not positive)
            case And(operands) | Or(operands):
                parts = [self._wanted(each, binding, positive) for each in operands]
                return _joined(parts, conjunction=isinstance(formula, And) == positive)
            case Imply(premise, conclusion):
                parts = [self._wanted(premise, binding, not positive), self._wanted(conclusion, binding, positive)]
                return _joined(parts, conjunction=not positive)
            case ForAll(parameters, body) | Exists(parameters, body):
                bindings = self.interpreter._bindings(parameters, binding)
                parts = [self._wanted(body, inner, positive) for inner in bindings]
                return _joined(parts, conjunction=isinstance(formula, ForAll) == positive)


def _joined(parts: list[Wanted], *, conjunction: bool) -> Wanted:
    """What a conjunction or disjunction of the parts asks for."""
    if (not conjunction) in parts:
        return not conjunction
    still_open = [part for part in parts if not isinstance(part, bool)]
    return frozenset().union(*still_open) if still_open else conjunction
