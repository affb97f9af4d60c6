"""Finite-domain variables: what the atoms of a task say, a question at a time.

"Where is block b" is one variable with many values, and not many atoms that exclude each other. Variables come from
mutex groups, sets of atoms of which no reachable state has two; these are found as invariants of the ground task
(`src/core/variables/mutex_groups.hpp`). Each fluent atom is a value of exactly one variable. Pattern databases are
built from them (`PatternDatabases`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from gpaplan import _core
from gpaplan.errors import LimitError
from gpaplan.limits import AnyLimits, started
from gpaplan.tasks.grounding import AnyTask, given_task
from gpaplan.tasks.task import GroundAtom, GroundTask

_MOST_ACTIONS, _MOST_ATOMS = 50_000, 20_000  # of a task whose variables are found in a moment


@dataclass(frozen=True, slots=True)
class StateVariable:
    """A variable: at most one of its atoms holds in any reachable state."""

    name: str
    """The predicates of its atoms, and the objects that it is about: ``holding/on/on-table b1``."""
    atoms: tuple[GroundAtom, ...]
    """Its values."""
    may_be_none: bool
    """Whether none of them may hold, which is then one more value."""
    objects: tuple[str, ...] = ()
    """Those that it is about."""

    def __str__(self) -> str:
        return self.name

    def __len__(self) -> int:
        """The number of values."""
        return len(self.atoms) + self.may_be_none

    def value(self, state: frozenset[GroundAtom]) -> GroundAtom | None:
        """That of the variable's atoms that holds in a state; None if none does."""
        return next((atom for atom in self.atoms if atom in state), None)

    def show_value(self, atom: GroundAtom | None) -> str:
        """One of its atoms without what the variable's name says already: ``waypoint1``, ``held left``, ``none``."""
        if atom is None:
            return "none"
        rest = list(atom.arguments)
        for name in self.objects:
            if name in rest:
                rest.remove(name)
        several = len({each.predicate for each in self.atoms}) > 1
        return " ".join([atom.predicate, *rest] if several or not rest else rest)

    def show_change(self, before: GroundAtom | None, after: GroundAtom | None) -> str:
        """From one value to another: ``at rover0: waypoint1 → waypoint2``, ``now (delivered s1)``."""
        if len(self.atoms) == 1:
            return f"now {self.atoms[0]}" if after is not None else f"no longer {self.atoms[0]}"
        return f"{self.name}: {self.show_value(before)} → {self.show_value(after)}"

    def to_json(self) -> dict[str, Any]:
        """The variable as plain data, atoms as text."""
        return {"name": self.name, "atoms": [str(atom) for atom in self.atoms], "may_be_none": self.may_be_none}


def takes_a_moment(task: GroundTask) -> bool:
    """Whether a task is small enough for its variables to be found without being asked for."""
    return task.core.action_count <= _MOST_ACTIONS and task.core.atom_count <= _MOST_ATOMS


def find_variables(task: AnyTask, *, limits: AnyLimits = None) -> tuple[StateVariable, ...]:
    """The variables of a task: those with most atoms first, and last the atoms that are in no mutex group.
    `LimitError` at a limit.
    """
    task = given_task(task)
    found = _find(task, limits)
    variables = []
    for number in range(len(found)):
        indices, may_be_none, about = found.variable(number)
        atoms = tuple(task.atoms[index] for index in indices)
        objects = [task.objects[index] for index in about]
        predicates = "/".join(dict.fromkeys(atom.predicate for atom in atoms))
        name = " ".join((predicates, *objects)) if len(atoms) > 1 else str(atoms[0])
        variables.append(StateVariable(name, atoms, may_be_none, tuple(objects)))
    return tuple(variables)


def count_values(task: GroundTask, *, limits: AnyLimits = None) -> tuple[int, ...]:
    """How many values each variable of a task has, without their names. `LimitError` at a limit."""
    found = _find(task, limits)
    return tuple(len(atoms) + may_be_none for atoms, may_be_none, _ in map(found.variable, range(len(found))))


def _find(task: GroundTask, limits: AnyLimits) -> _core.Variables:
    try:
        return _core.Variables(task.core, started(limits))
    except _core.Stopped as error:
        raise LimitError("looking for variables", error.args[0]) from None


def show_changes(
    variables: Iterable[StateVariable], before: frozenset[GroundAtom], after: frozenset[GroundAtom]
) -> tuple[str, ...]:
    """What is different in another state, a variable at a time. States must have at most one atom of each variable, as
    all that can be reached; of others, atoms are named one by one."""
    shown = []
    for variable in variables:
        held = [[atom for atom in variable.atoms if atom in state] for state in (before, after)]
        if held[0] == held[1]:
            continue
        if max(map(len, held)) <= 1:
            shown.append(variable.show_change(*(atoms[0] if atoms else None for atoms in held)))
            continue
        shown += [f"no longer {atom}" for atom in held[0] if atom not in held[1]]
        shown += [f"now {atom}" for atom in held[1] if atom not in held[0]]
    return tuple(shown)
