"""Abstraction: forgetting the names and the number of objects.

An abstraction gives states and actions labels, the same for what is to be treated the same. The labels of canonical
abstraction (`gpaplan.automata.canonical`) are an `AbstractState` and an `AbstractAction`; those of an abstraction of
your own, any object with the members of `Abstraction`, are texts. On the states of one task an abstraction is a
`Table`: the core numbers labels and works with the numbers, and the table says which is which.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, total_ordering
from typing import Any, Generic, Protocol, TypeAlias, TypeVar, runtime_checkable

from gpaplan import _core
from gpaplan.errors import UsageError
from gpaplan.ppddl.syntax import Domain
from gpaplan.spaces.state_space import StateSpace
from gpaplan.tasks.task import GroundAction, GroundAtom, GroundTask

__all__ = [
    "AbstractAction",
    "AbstractState",
    "Abstraction",
    "ActionLabel",
    "Fact",
    "Role",
    "StateLabel",
    "Table",
    "Vocabulary",
    "facts_of",
    "identity",
    "table_of",
]


@total_ordering
@dataclass(frozen=True, slots=True)
class Role:
    """A set of features, in ascending order of their names."""

    features: tuple[str, ...]

    def __str__(self) -> str:
        return "{" + ", ".join(self.features) + "}"

    def __lt__(self, other: Role) -> bool:
        return self.features < other.features


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that an abstract state says: of what, its value, and the same in words."""

    kind: str
    """``role``, ``flag`` or ``relation``; ``label`` where all there is is a text."""
    what: str
    value: str
    words: str

    def __str__(self) -> str:
        shown = {"flag": self.what, "role": f"{self.value} {self.what}", "relation": f"{self.what} {self.value}"}
        return shown.get(self.kind, self.value)


_AMOUNTS = {"one": "one object is", "many": "several objects are", "some": "one object or more are"}
_EXTENTS = {"all": "all", "some": "some, but not all,", "any": "some, or all,"}


@dataclass(frozen=True)
class AbstractState:
    """Roles, each played by ``"one"`` object or by ``"many"``; flags: features of the state as a whole; and relations
    between roles, each holding for ``"all"`` or ``"some"`` of the tuples of objects. What is not listed holds for none.
    Where an abstraction forgets numbers, a role is played by ``"some"`` objects, a relation holds for ``"any"`` tuples:
    at least one.
    """

    roles: tuple[tuple[Role, str], ...]
    flags: tuple[str, ...]
    relations: tuple[tuple[str, tuple[Role, ...], str], ...]

    @cached_property
    def text(self) -> str:
        """The abstract state on one line; equal states have equal texts."""
        parts = [*self.flags, *(f"{count} {role}" for role, count in self.roles)]
        parts += [f"{name}({', '.join(map(str, roles))}) {value}" for name, roles, value in self.relations]
        return "; ".join(parts)

    @property
    def facts(self) -> tuple[Fact, ...]:
        """All that it says, in words too."""
        found = [Fact("flag", flag, "true", _flag_words(flag)) for flag in self.flags]
        for role, count in self.roles:
            amount = _AMOUNTS[count]
            features = " and ".join(map(_feature_words, role.features)) if role.features else "without any feature"
            found.append(Fact("role", str(role), count, f"{amount} {features}"))
        for name, roles, value in self.relations:
            between = ", ".join(map(str, roles))
            extent = _EXTENTS[value]
            found.append(Fact("relation", f"{name}({between})", value, f"{name} holds for {extent} of ({between})"))
        return tuple(found)

    def __str__(self) -> str:
        return self.text

    def __hash__(self) -> int:
        return hash(self.text)


@dataclass(frozen=True, slots=True)
class AbstractAction:
    """A schema with the roles of its arguments."""

    schema: str
    roles: tuple[Role, ...]

    def __str__(self) -> str:
        return f"{self.schema}({', '.join(map(str, self.roles))})"


StateLabel: TypeAlias = AbstractState | str
"""An abstract state, or the text that an abstraction of your own gives."""
ActionLabel: TypeAlias = AbstractAction | str
"""The same for an action."""
S = TypeVar("S", bound=StateLabel)
A = TypeVar("A", bound=ActionLabel)


def facts_of(label: StateLabel) -> tuple[Fact, ...]:
    """What a label says; of a text, that it is what it is."""
    return (Fact("label", "", label, label),) if isinstance(label, str) else label.facts


def _flag_words(flag: str) -> str:
    name = flag[1:].rpartition("/")[0]
    return {"@": f"{name} is part of the goal", "!": f"{name} is still to be achieved"}.get(flag[:1], f"{flag} holds")


def _feature_words(feature: str) -> str:
    mark, rest = feature[:1], feature[1:]
    name, _, position = rest.rpartition("/")
    if mark == "=":
        return f"the constant {rest}"
    if mark in ("@", "!") and name:
        return f"argument {position} of a goal {name}" + (" still to be achieved" if mark == "!" else "")
    return f"of type {feature.removesuffix(':type')}" if feature.endswith(":type") else feature


@runtime_checkable
class Abstraction(Protocol):
    """What an abstraction must have.

    ``name`` and ``options`` go into the automaton's file, so that it is not used with another abstraction; so does
    ``version``, a number that you raise when the same options come to mean something else (without one it is 1). One of
    your own gives texts. They must not depend on names or numbers of objects, or nothing learned carries over.
    """

    @property
    def name(self) -> str: ...

    @property
    def options(self) -> dict[str, Any]: ...

    def state(self, task: GroundTask, atoms: frozenset[GroundAtom]) -> StateLabel:
        """The label of the state in which these fluent atoms hold."""

    def action(self, task: GroundTask, atoms: frozenset[GroundAtom], action: GroundAction) -> ActionLabel:
        """The label of an action in that state."""


def identity(abstraction: Abstraction) -> dict[str, Any]:
    """Name, version and options, as automata's files have them: equal for abstractions that give equal labels."""
    return {"name": abstraction.name, "version": getattr(abstraction, "version", 1), "options": abstraction.options}


class Table(ABC, Generic[S, A]):
    """An abstraction on the states of one task: its labels, and the ids that the core knows them by."""

    def __init__(self, core: _core.Abstraction) -> None:
        self.core = core
        self._states: dict[int, S] = {}
        self._actions: dict[int, A] = {}
        self._state_ids: dict[S, int] = {}
        self._action_ids: dict[A, int] = {}

    def state(self, space: StateSpace, state: int) -> S:
        """The label of a state."""
        return self.state_label(self.core.state(space.core, state))

    def action(self, space: StateSpace, state: int, action: int) -> A:
        """The label of an action in a state."""
        return self.action_label(self.core.action(space.core, state, action))

    def state_label(self, number: int) -> S:
        """The label with an id."""
        if number not in self._states:
            self._states[number] = self._spell_state(number)
        return self._states[number]

    def action_label(self, number: int) -> A:
        """The label with an id."""
        if number not in self._actions:
            self._actions[number] = self._spell_action(number)
        return self._actions[number]

    def state_id(self, label: S) -> int:
        """The id of a label from elsewhere. Raises KeyError for a name that the task does not know."""
        if label not in self._state_ids:
            self._state_ids[label] = self._number_state(label)
        return self._state_ids[label]

    def action_id(self, label: A) -> int:
        """The id of a label from elsewhere. Raises KeyError for a name that the task does not know."""
        if label not in self._action_ids:
            self._action_ids[label] = self._number_action(label)
        return self._action_ids[label]

    @abstractmethod
    def _spell_state(self, number: int) -> S: ...

    @abstractmethod
    def _spell_action(self, number: int) -> A: ...

    @abstractmethod
    def _number_state(self, label: S) -> int: ...

    @abstractmethod
    def _number_action(self, label: A) -> int: ...


class _TextTable(Table[str, str]):
    """The table of an abstraction that is written in Python and gives texts."""

    def __init__(self, task: GroundTask, abstraction: Abstraction) -> None:
        def named(indices: Sequence[int]) -> frozenset[GroundAtom]:
            return frozenset(task.atoms[index] for index in indices)

        def checked(label: object, what: str) -> str:
            if not isinstance(label, str):
                raise UsageError(
                    f"the abstraction '{abstraction.name}' gives {what} the label {label!r}, which is no text"
                )
            return label

        self._core = _core.TextAbstraction(
            task.core,
            lambda atoms: checked(abstraction.state(task, named(atoms)), "a state"),
            lambda atoms, action: checked(abstraction.action(task, named(atoms), task.action(action)), "an action"),
        )
        super().__init__(self._core)

    def _spell_state(self, number: int) -> str:
        return self._core.spell_out(number)

    def _spell_action(self, number: int) -> str:
        return self._core.spell_out_action(number)

    def _number_state(self, label: str) -> int:
        return self._core.intern(label)

    def _number_action(self, label: str) -> int:
        return self._core.intern_action(label)


def table_of(abstraction: Abstraction, task: GroundTask) -> Table[Any, Any]:
    """An abstraction on the states of a task: its own table if it has one (a method ``on``), else one of texts."""
    on = getattr(abstraction, "on", None)
    return _TextTable(task, abstraction) if on is None else on(task)


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The names of a domain that abstract states speak of: its types, constants, predicates and schemas."""

    types: tuple[str, ...]
    constants: tuple[str, ...]
    predicates: tuple[tuple[str, int], ...]
    schemas: tuple[tuple[str, int], ...]

    @classmethod
    def of(cls, domain: Domain) -> Vocabulary:
        """That of a domain."""
        return cls(
            tuple(dict.fromkeys(each.name for each in domain.types if each.name != "object")),
            tuple(each.name for each in domain.constants),
            tuple((each.name, len(each.parameters)) for each in domain.predicates),
            tuple((each.name, len(each.parameters)) for each in domain.schemas),
        )

    def differences(self, other: Vocabulary) -> list[str]:
        """What ``other`` has in other ways, a line each."""
        lines = []
        for kind in ("types", "constants", "predicates", "schemas"):
            mine, theirs = set(getattr(self, kind)), set(getattr(other, kind))
            lines += [f"  - {kind}: {_shown(name)}" for name in sorted(mine - theirs)]
            lines += [f"  + {kind}: {_shown(name)}" for name in sorted(theirs - mine)]
        return lines


def _shown(name: Any) -> str:
    return name if isinstance(name, str) else f"{name[0]}/{name[1]}"
