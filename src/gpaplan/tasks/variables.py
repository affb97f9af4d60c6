"""Finite-domain variables: what the atoms of a task say, a question at a time.

"Where is block b" is one variable with many values, and not many atoms that exclude each other. Variables come from
mutex groups, sets of atoms of which no reachable state has two; these are found as invariants of the ground task
(`src/core/variables/mutex_groups.hpp`). Each fluent atom is a value of exactly one variable. Pattern databases are
built from them (`PatternDatabases`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gpaplan import _core
from gpaplan.errors import LimitError
from gpaplan.limits import AnyLimits, started
from gpaplan.tasks.task import GroundAtom, GroundTask

__all__ = ["Variable", "find_variables"]


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable: at most one of its atoms holds in any reachable state."""

    name: str
    """The predicates of its atoms, and the objects that it is about: ``holding/on/on-table b1``."""
    atoms: tuple[GroundAtom, ...]
    """Its values."""
    may_be_none: bool
    """Whether none of them may hold, which is then one more value."""

    def __str__(self) -> str:
        return self.name

    def __len__(self) -> int:
        """The number of values."""
        return len(self.atoms) + self.may_be_none

    def value(self, state: frozenset[GroundAtom]) -> GroundAtom | None:
        """That of the variable's atoms that holds in a state; None if none does."""
        return next((atom for atom in self.atoms if atom in state), None)

    def to_json(self) -> dict[str, Any]:
        """The variable as plain data, atoms as text."""
        return {"name": self.name, "atoms": [str(atom) for atom in self.atoms], "may_be_none": self.may_be_none}


def find_variables(task: GroundTask, *, limits: AnyLimits = None) -> tuple[Variable, ...]:
    """The variables of a task: those with most atoms first, and last the atoms that are in no mutex group.
    `LimitError` at a limit.
    """
    try:
        found = _core.Variables(task.core, started(limits))
    except _core.Stopped as error:
        raise LimitError("looking for variables", error.args[0]) from None
    variables = []
    for number in range(len(found)):
        indices, may_be_none, about = found.variable(number)
        atoms = tuple(task.atoms[index] for index in indices)
        objects = [task.objects[index] for index in about]
        predicates = "/".join(dict.fromkeys(atom.predicate for atom in atoms))
        name = " ".join((predicates, *objects)) if len(atoms) > 1 else str(atoms[0])
        variables.append(Variable(name, atoms, may_be_none))
    return tuple(variables)
