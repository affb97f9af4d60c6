"""Interchangeable objects, and states up to symmetry.

    symmetry = find_symmetry(task)
    symmetry.classes                        # (("ball0", "ball1", "ball2"), ("left", "right"))
    symmetry.representative(atoms)          # the state that stands for this one

Two objects are interchangeable if swapping them leaves the task as it is: the static atoms, the goal, the actions. The
initial state need not be symmetric. States that differ only by a permutation of interchangeable objects have the same
optimal cost, so a search needs one of them only, the representative (*orbit search*). `StateSpace` and `solve` take
``symmetry``:

``"on"``    states are met up to symmetry of interchangeable objects
``"auto"``  the same if a class has three or more objects, else ``"off"``; the default of `solve`
``"off"``   states are met as they are; the default of `StateSpace`
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any, Literal, TypeAlias

from gpaplan import _core
from gpaplan.errors import LimitError, UsageError, did_you_mean, unknown
from gpaplan.limits import AnyLimits, started
from gpaplan.tasks.grounding import AnyTask, declared_objects, given_task
from gpaplan.tasks.task import AnyAtom, GroundAtom, GroundTask

SymmetryMode: TypeAlias = Literal["on", "off", "auto"]
"""Whether states are met up to symmetry of interchangeable objects; ``auto``: if a class has three or more of them."""

_NO_KIND = _core.NO_ACTION
"""Of objects that are not interchangeable with any other: the constants of the domain."""

AUTO_SIZE = 3
"""Objects of a class from which on ``auto`` means ``on``."""


class Symmetry:
    """The classes of interchangeable objects of a task. Made by `find_symmetry`; never changes."""

    def __init__(self, task: GroundTask, core: _core.Symmetry) -> None:
        self.task = task
        self.core = core

    def __repr__(self) -> str:
        sizes = ", ".join(str(len(objects)) for objects in self.classes) or "none"
        return f"Symmetry({self.task.problem.name!r}: classes of {sizes})"

    def __reduce__(self) -> tuple[Any, ...]:
        """For pickles and copies: the classes, which are found again on the task."""
        return _of_classes, (self.task, self.classes)

    @cached_property
    def classes(self) -> tuple[tuple[str, ...], ...]:
        """The classes of at least two objects, in declaration order."""
        names = self.task.objects
        return tuple(tuple(names[index] for index in objects) for objects in self.core.classes)

    @cached_property
    def _canonicaliser(self) -> _core.Canonicaliser:
        return _core.Canonicaliser(self.core)

    def representative(self, atoms: Iterable[AnyAtom]) -> frozenset[GroundAtom]:
        """The state that stands for the one in which exactly these fluent atoms hold."""
        indices, _ = self._canonicaliser.representative(self.task.atom_indices(atoms))
        return frozenset(self.task.atoms[index] for index in indices)

    def permutation(self, indices: Iterable[int]) -> Permutation:
        """How a state, given by the indices of its atoms, becomes its representative."""
        found, image = self._canonicaliser.representative(list(indices))
        return Permutation(self, tuple(found), image, self._canonicaliser.was_exact)

    def for_task(self, task: GroundTask) -> Symmetry:
        """The same classes in another grounding of the problem. Raises `UsageError` if they are not classes there."""
        return self if task is self.task else find_symmetry(task).restricted(self.classes)

    def restricted(self, classes: Iterable[Iterable[str]]) -> Symmetry:
        """The symmetry of smaller classes. Raises `UsageError` unless each is a part of one of these classes."""
        index = {name: number for number, name in enumerate(self.task.objects)}
        where = {name: number for number, objects in enumerate(self.classes) for name in objects}
        wanted: list[list[int]] = []
        seen: set[str] = set()
        for given in classes:
            objects = list(given)
            problem = f"problem '{self.task.problem.name}'"
            for name in objects:
                if name not in index:
                    hint = did_you_mean(name, index) or "a class lists objects of the problem"
                    raise UsageError(f"{problem} has no object '{name}';  {hint}")
                if name in seen:
                    raise UsageError(f"object '{name}' is listed twice")
                seen.add(name)
                if where.get(name) is None or where[name] != where.get(objects[0]):
                    other = next((each for each in objects if each != name), name)
                    raise UsageError(f"objects '{other}' and '{name}' are not interchangeable in {problem}")
            if len(objects) < 2:
                raise UsageError("a class of interchangeable objects has at least two")
            wanted.append(sorted(index[name] for name in objects))
        return Symmetry(self.task, self.core.restricted(sorted(wanted)))


class Permutation:
    """A permutation of interchangeable objects that makes a state its representative."""

    def __init__(self, symmetry: Symmetry, representative: tuple[int, ...], image: list[int], exact: bool) -> None:
        self._symmetry = symmetry
        self.representative = representative
        """The atoms of the representative, ascending."""
        self.image = image
        """For each object what it becomes, by index."""
        self.exact = exact
        """Whether every state that is equal to this one up to symmetry surely has this representative."""

    def after(self, earlier: Permutation) -> Permutation:
        """The permutation that does ``earlier`` first and then this one."""
        image = [self.image[index] for index in earlier.image]
        return Permutation(self._symmetry, self.representative, image, self.exact and earlier.exact)

    def of_state(self, indices: Iterable[int]) -> tuple[int, ...]:
        """What another state becomes by the same permutation."""
        return tuple(self._symmetry.core.map_state(list(indices), self.image))

    def back(self, indices: Iterable[int]) -> tuple[int, ...]:
        """What becomes these atoms by the permutation."""
        return tuple(self._symmetry.core.map_state(list(indices), self._inverse))

    def to_representative(self, action: int) -> int:
        """What an action of the state is in the representative."""
        return self._symmetry.core.map_action(action, self.image)

    def to_state(self, action: int) -> int:
        """What an action of the representative is in the state."""
        return self._symmetry.core.map_action(action, self._inverse)

    @cached_property
    def _inverse(self) -> list[int]:
        inverse = [0] * len(self.image)
        for old, new in enumerate(self.image):
            inverse[new] = old
        return inverse


AnySymmetry: TypeAlias = "SymmetryMode | Symmetry | None"
"""What ``symmetry=`` takes: a mode, or the classes themselves; None means ``off``."""


def mode_of(symmetry: AnySymmetry) -> SymmetryMode:
    """What was asked for, in one word."""
    return "on" if isinstance(symmetry, Symmetry) else "off" if symmetry is None else symmetry


def describe(mode: str, symmetry: Symmetry | None) -> dict[str, object]:
    """What ``--json`` says of it: what was asked for, whether there is any, and the classes."""
    classes = () if symmetry is None else symmetry.classes
    return {
        "mode": mode,
        "on": symmetry is not None,
        "sizes": [len(objects) for objects in classes],
        "classes": [list(objects) for objects in classes],
    }


def find_symmetry(task: AnyTask, *, limits: AnyLimits = None) -> Symmetry:
    """The interchangeable objects of a task. They are looked for once. Raises `LimitError` at a limit."""
    task = given_task(task)
    if task.found_symmetry is None:
        kinds = _kinds(task)
        index: dict[frozenset[object], int] = {}
        numbers = [index.setdefault(kinds[n], len(index)) if n in kinds else _NO_KIND for n in task.objects]
        try:
            task.found_symmetry = _core.find_symmetry(task.core, numbers, started(limits))
        except _core.Stopped as error:
            raise LimitError("looking for interchangeable objects", error.args[0]) from None
    return Symmetry(task, task.found_symmetry)


def _of_classes(task: GroundTask, classes: Iterable[Iterable[str]]) -> Symmetry:
    return find_symmetry(task).restricted(classes)


def _kinds(task: GroundTask) -> dict[str, frozenset[object]]:
    """Of the objects that may be interchangeable: what two of them must have in common beyond the ground task.

    These are the types, and what the goal asks for although the ground task has forgotten it, because it never changes
    or cannot matter: an abstraction may see it. Constants of the domain are interchangeable with nothing.
    """
    kinds: dict[str, set[object]] = {
        name: set(types) for name, types in declared_objects(task.domain, task.problem).items()
    }
    kept = _goal_of_core(task)
    for atom in task.goal_atoms:
        if atom not in kept:
            for place, name in enumerate(atom.arguments):
                kinds[name].add((atom.predicate, *atom.arguments[:place], None, *atom.arguments[place + 1 :]))
    for constant in task.domain.constants:
        kinds.pop(constant.name, None)
    return {name: frozenset(kind) for name, kind in kinds.items()}


def _goal_of_core(task: GroundTask) -> set[GroundAtom]:
    """The atoms that the goal of the ground task asks to be true."""
    found: set[GroundAtom] = set()
    conditions = [task.core.goal]
    while conditions:
        literals, disjunctions = task.core.condition(conditions.pop())
        found.update(task.atoms[literal // 2] for literal in literals if literal % 2 == 0)
        conditions += [option for options in disjunctions for option in options]
    return found


def symmetry_of(task: GroundTask, symmetry: AnySymmetry, limits: AnyLimits = None) -> Symmetry | None:
    """What ``symmetry`` means for a task; None if states are to be met as they are. Looking for it takes time."""
    if isinstance(symmetry, Symmetry):
        if symmetry.task.core is not task.core:
            raise UsageError(f"the symmetry is that of another task than '{task.problem.name}'")
        return symmetry
    if symmetry is None or symmetry == "off":
        return None
    if symmetry not in ("on", "auto"):
        raise unknown("symmetry", symmetry, ("on", "off", "auto"), "what find_symmetry gives")
    found = find_symmetry(task, limits=limits)
    largest = max((len(objects) for objects in found.core.classes), default=0)
    return found if largest >= (AUTO_SIZE if symmetry == "auto" else 2) else None
