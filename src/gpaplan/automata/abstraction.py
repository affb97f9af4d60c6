"""Abstraction: forgetting the names and the number of objects.

An abstraction gives states and actions labels, the same for what is to be treated the same. The labels of canonical
abstraction (`gpaplan.automata.canonical`) are an `AbstractState` and an `AbstractAction`; those of an abstraction of
your own, any object with the members of `Abstraction`, are texts. On the states of one task an abstraction is a
`LabelTable`: the core numbers labels and works with the numbers, and the table says which is which.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, total_ordering
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, TypeAlias, TypeVar, runtime_checkable

from gpaplan import _core
from gpaplan.automata.filters import MATCHES, RelaxedMatch
from gpaplan.errors import UsageError
from gpaplan.spaces.state_space import StateSpace
from gpaplan.tasks.task import GroundAction, GroundAtom, GroundTask

if TYPE_CHECKING:
    from gpaplan.automata.automaton import Edge


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


class Spelling(Protocol[S, A]):
    """What the ids of the core mean: labels by id, and ids of labels from elsewhere. The latter raise KeyError for a
    name that the task does not know."""

    def spell_out(self, number: int, /) -> S: ...

    def spell_out_action(self, number: int, /) -> A: ...

    def intern(self, label: S, /) -> int: ...

    def intern_action(self, label: A, /) -> int: ...


class LabelTable(Generic[S, A]):
    """An abstraction on the states of one task: its labels, and the ids that the core knows them by."""

    def __init__(self, core: _core.Abstraction, spelling: Spelling[S, A]) -> None:
        self.core = core
        self.state_label: Callable[[int], S] = cache(spelling.spell_out)
        self.action_label: Callable[[int], A] = cache(spelling.spell_out_action)
        self.state_id: Callable[[S], int] = cache(spelling.intern)
        self.action_id: Callable[[A], int] = cache(spelling.intern_action)

    def state(self, space: StateSpace, state: int) -> S:
        """The label of a state."""
        return self.state_label(self.core.state(space.core, state))

    def action(self, space: StateSpace, state: int, action: int) -> A:
        """The label of an action in a state."""
        return self.action_label(self.core.action(space.core, state, action))

    def edge_set(self: LabelTable[Any, Any], edges: Iterable[Edge]) -> _core.EdgeSet:
        """Edges of an automaton by id."""
        found = _core.EdgeSet()
        for edge in edges:
            source, action = self.state_id(edge.source), self.action_id(edge.action)
            for target in edge.targets:
                found.add(source, action, self.state_id(target))
        return found


class FullAbstraction(ABC, Generic[S, A]):
    """All that automata ask of an abstraction. The methods that are here hold of one of your own, too."""

    __slots__ = ()

    name: ClassVar[str]
    version: ClassVar[int] = 1
    """Rises when the same options come to mean something else."""
    matches: ClassVar[tuple[RelaxedMatch, ...]] = MATCHES
    """How states are compared with an automaton, in the order in which it is tried."""

    @abstractmethod
    def table(self, task: GroundTask) -> LabelTable[S, A]:
        """The abstraction on the states of a task, for many of them."""

    def state(self, task: GroundTask, atoms: frozenset[GroundAtom]) -> S:
        """The label of the state in which exactly these fluent atoms hold."""
        space = StateSpace(task)
        return self.table(task).state(space, space.state(atoms))

    def action(self, task: GroundTask, atoms: frozenset[GroundAtom], action: GroundAction) -> A:
        """The label of an action in that state."""
        space = StateSpace(task)
        return self.table(task).action(space, space.state(atoms), task.action_index(action))

    @property
    def levels(self) -> tuple[FullAbstraction[S, A], ...]:
        """Itself, and what is left of it step by step when less is seen."""
        return (self,)

    def coarsened(self, label: Any) -> Any:
        """What this abstraction leaves of a label of one of which it is a level."""
        return label


@dataclass(frozen=True, slots=True)
class PythonAbstraction(FullAbstraction[str, str]):
    """An abstraction that is written in Python and gives texts."""

    abstraction: Abstraction
    name: ClassVar[str] = "own"

    def table(self, task: GroundTask) -> LabelTable[str, str]:
        """Labels are asked for by the core, state by state."""
        abstraction = self.abstraction

        def named(indices: Sequence[int]) -> frozenset[GroundAtom]:
            return frozenset(task.atoms[index] for index in indices)

        def checked(label: object, what: str) -> str:
            if not isinstance(label, str):
                raise UsageError(
                    f"the abstraction '{abstraction.name}' gives {what} the label {label!r}, which is no text"
                )
            return label

        core = _core.TextAbstraction(
            task.core,
            lambda atoms: checked(abstraction.state(task, named(atoms)), "a state"),
            lambda atoms, action: checked(abstraction.action(task, named(atoms), task.action(action)), "an action"),
        )
        return LabelTable(core, core)


def full_abstraction(abstraction: Abstraction) -> FullAbstraction[Any, Any]:
    """What automata ask of an abstraction."""
    return abstraction if isinstance(abstraction, FullAbstraction) else PythonAbstraction(abstraction)
