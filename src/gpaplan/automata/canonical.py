"""Abstraction: forgetting the names and the number of objects.

An abstraction gives states and actions labels, the same for what is to be treated the same. The labels of canonical
abstraction are an `AbstractState` and an `AbstractAction`; those of an abstraction of your own, any object with the
members of `Abstraction`, are texts. On the states of one task an abstraction is a `LabelTable`: the core numbers labels
and works with the numbers, and the table says which is which.

By canonical abstraction a state becomes an `AbstractState`: which roles objects play (the set of unary facts that hold
of them), whether each is played by one object or by many, and how the roles are related. It runs in the core
(src/core/automata/canonical.hpp); this module names what the core numbers. Features are named after the domain's
vocabulary, so that abstract states of different problems can be compared:

    ball            a type, or a unary predicate; predicates without arguments belong to the state as a whole
    ball:type       a type that shares its name with a unary predicate
    =near           the identity of a domain constant
    @ball-in/1      with ``goals=True``: fills the first argument of a goal atom of ball-in
    !ball-in/1      with ``goals=True``: fills the first argument of a goal atom of ball-in that is not true yet

It sees what a state speaks of: an atom that was dropped because the goal of the problem cannot depend on it
(docs/reductions.md) is seen as one that does not hold. So what matters in one problem of a domain and not in another
one is still named alike.

Numbers can be forgotten: with ``counts="presence"`` a state says which roles are played, but not whether by one object
or by many. The *levels* of an abstraction are itself and what is left of it when numbers are forgotten step by step;
an automaton can be used at each of them without being learned again (`gpaplan.automata.filters`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache, cached_property
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Generic,
    Literal,
    Protocol,
    TypeAlias,
    TypeVar,
    get_args,
    runtime_checkable,
)

from gpaplan import _core
from gpaplan.automata.filters import MATCHES, RelaxedMatch
from gpaplan.errors import UsageError, did_you_mean, misplaced, unknown
from gpaplan.ppddl.syntax import DomainVocabulary
from gpaplan.spaces.state_space import StateSpace
from gpaplan.tasks.grounding import declared_objects
from gpaplan.tasks.task import GroundAction, GroundAtom, GroundTask

if TYPE_CHECKING:
    from gpaplan.automata.automaton import Edge


@dataclass(frozen=True, slots=True, order=True)
class Role:
    """A set of features, in ascending order of their names."""

    features: tuple[str, ...]

    def __str__(self) -> str:
        return "{" + ", ".join(self.features) + "}"


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


_AMOUNTS = {"one": "one object", "many": "several objects", "some": "one object or more"}
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
            features = ", ".join(map(_feature_words, role.features)) or "no feature"
            found.append(Fact("role", str(role), count, f"{amount}: {features}"))
        for name, roles, value in self.relations:
            between = ", ".join(map(str, roles))
            extent = _EXTENTS[value]
            found.append(Fact("relation", f"{name}({between})", value, f"{name} holds for {extent} of ({between})"))
        return tuple(found)

    def __str__(self) -> str:
        return self.text

    def to_json(self) -> str:
        """Its text."""
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

    def to_json(self) -> str:
        """Its text."""
        return str(self)


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


class LabelTable(Generic[S, A]):
    """An abstraction on the states of one task: its labels, and the ids that the core knows them by.

    The spelling has four methods, for states and for actions: ``spell_out`` and ``spell_out_action`` give the label of
    an id, ``intern`` and ``intern_action`` the id of a label from elsewhere; these raise KeyError for a name that the
    task does not know.
    """

    def __init__(self, core: _core.Abstraction, spelling: Any) -> None:
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


# --- canonical abstraction ---

Counts: TypeAlias = Literal["one-many", "presence"]
"""How the number of objects in a role is counted: one or many, or only that there are some."""
Extents: TypeAlias = Literal["all-some", "presence", "none"]
"""How far a relation between roles is seen: whether it holds for all or for some, only that it holds, or not at all."""


@dataclass(frozen=True, slots=True)
class CanonicalAbstraction(FullAbstraction[AbstractState, AbstractAction]):
    """Canonical abstraction; ``goals=True`` adds features that see the goal.

    ``ignore`` names predicates that it does not see, of whatever arity: neither as features nor as relations, nor where
    the goal asks for them. With ``counts="presence"`` one object and many are the same, with ``relations="presence"``
    some and all, and with ``"none"`` relations are not seen. With ``types=False`` the type of an object is no feature.
    Fewer distinctions make smaller automata that fit more states.
    """

    goals: bool = False
    ignore: tuple[str, ...] = ()
    counts: Counts = "one-many"
    relations: Extents = "all-some"
    types: bool = True
    name: ClassVar[str] = "canonical"
    """In files, and on the command line."""

    def __post_init__(self) -> None:
        if isinstance(self.ignore, str) or not isinstance(self.ignore, Iterable):
            raise misplaced(self.ignore, "list of predicates", 'pass ignore=("held",)')
        object.__setattr__(self, "ignore", tuple(sorted(set(self.ignore))))
        if self.counts not in get_args(Counts):
            raise UsageError(f"counts are 'one-many' or 'presence', not {self.counts!r}")
        if self.relations not in get_args(Extents):
            raise UsageError(f"relations are 'all-some', 'presence' or 'none', not {self.relations!r}")

    @property
    def options(self) -> dict[str, Any]:
        """What a file says of it; what is as usual is left out."""
        given = asdict(self) | {"ignore": list(self.ignore)}
        usual = {"ignore": [], "counts": "one-many", "relations": "all-some", "types": True}
        return {name: value for name, value in given.items() if name == "goals" or value != usual[name]}

    @property
    def levels(self) -> tuple[CanonicalAbstraction, ...]:
        """Itself, and what is left when counts, then extents of relations, then relations are forgotten too."""
        counts = replace(self, counts="presence")
        extents = replace(counts, relations="none" if self.relations == "none" else "presence")
        return (self, counts, extents, replace(extents, relations="none"))

    def coarsened(self, label: AbstractState) -> AbstractState:
        """What this abstraction leaves of a label of one that sees more numbers."""
        roles, relations = label.roles, label.relations
        if self.counts == "presence":
            roles = tuple((role, "some") for role, _ in roles)
        if self.relations == "presence":
            relations = tuple((name, between, "any") for name, between, _ in relations)
        return AbstractState(roles, label.flags, () if self.relations == "none" else relations)

    def features(self, vocabulary: DomainVocabulary) -> tuple[list[str], list[str]]:
        """The names of the features that objects can have, and of those that the state as a whole can have."""
        arities = dict(vocabulary.predicates)
        seen = {name: arity for name, arity in arities.items() if name not in self.ignore}
        of_objects = [_type_feature(name, arities) for name in vocabulary.types] if self.types else []
        of_objects += [*(f"={name}" for name in vocabulary.constants), *(name for name in seen if seen[name] == 1)]
        of_state = [name for name in seen if seen[name] == 0]
        if self.goals:
            of_objects += [f"{mark}{name}/{i + 1}" for name in seen for mark in "@!" for i in range(seen[name])]
            of_state += [f"{mark}{name}/0" for mark in "@!" for name in of_state]
        return of_objects, of_state

    def table(self, task: GroundTask) -> CanonicalTable:
        """The abstraction on the states of a task, for many of them."""
        return CanonicalTable(task, self)


class CanonicalTable(LabelTable[AbstractState, AbstractAction]):
    """Canonical abstraction on the states of one task: the core's, and what its ids mean."""

    def __init__(self, task: GroundTask, abstraction: CanonicalAbstraction) -> None:
        self.features = _Features(task, abstraction)
        self._objects = task.objects
        self.core: _core.CanonicalAbstraction
        core = _core.CanonicalAbstraction(
            task.core,
            object_count=len(task.objects),
            feature_count=len(self.features.names),
            of_object=self.features.of_object,
            when_true=self.features.when_true,
            when_false=self.features.when_false,
            ignored=[i for i, each in enumerate(task.domain.predicates) if each.name in abstraction.ignore],
            counts=abstraction.counts == "one-many",
            extents=abstraction.relations == "all-some",
            relations=abstraction.relations != "none",
        )
        self._count_words = ("one", "many") if abstraction.counts == "one-many" else ("some", "some")
        self._extent_words = ("some", "all") if abstraction.relations == "all-some" else ("any", "any")
        self._predicates = [predicate.name for predicate in task.domain.predicates]
        self._schemas = [schema.name for schema in task.domain.schemas]
        self._predicate_ids = {name: index for index, name in enumerate(self._predicates)}
        self._schema_ids = {name: index for index, name in enumerate(self._schemas)}
        self._role_ids: dict[Role, int] = {}
        super().__init__(core, self)

    def roles(self, space: StateSpace, state: int) -> dict[str, Role]:
        """The role of each object in a state."""
        return dict(zip(self._objects, map(self.role, self.core.roles(space.core, state)), strict=False))

    def role(self, number: int) -> Role:
        return Role(tuple(sorted(self.features.names[i] for i in self.core.features(number))))

    def role_id(self, role: Role) -> int:
        if role not in self._role_ids:
            self._role_ids[role] = self.core.intern_role([self.features.index[name] for name in role.features])
        return self._role_ids[role]

    def spell_out(self, number: int) -> AbstractState:
        phantom, count, *code = self.core.code(number)
        roles = ((self.role(each // 2), self._count_words[each % 2]) for each in code[:count])
        relations = ((*self._relation(each // 2), self._extent_words[each % 2]) for each in code[count:])
        return AbstractState(tuple(sorted(roles)), self.role(phantom).features, tuple(sorted(relations)))

    def spell_out_action(self, number: int) -> AbstractAction:
        schema, *roles = self.core.action_code(number)
        return AbstractAction(self._schemas[schema], tuple(map(self.role, roles)))

    def intern(self, label: AbstractState) -> int:
        roles = sorted(2 * self.role_id(role) + (count == "many") for role, count in label.roles)
        relations = sorted(
            2 * self.core.intern_relation([self._predicate_ids[name], *map(self.role_id, between)]) + (value == "all")
            for name, between, value in label.relations
        )
        return self.core.intern([self.role_id(Role(label.flags)), len(roles), *roles, *relations])

    def intern_action(self, label: AbstractAction) -> int:
        return self.core.intern_action([self._schema_ids[label.schema], *map(self.role_id, label.roles)])

    def _relation(self, number: int) -> tuple[str, tuple[Role, ...]]:
        predicate, *roles = self.core.relation(number)
        return self._predicates[predicate], tuple(map(self.role, roles))


class _Features:
    """The features of a domain by number, and which of them the objects of a task have, statically and by atom."""

    def __init__(self, task: GroundTask, abstraction: CanonicalAbstraction) -> None:
        domain, vocabulary = task.domain, DomainVocabulary.of(task.domain)
        predicates = [name for name, _ in vocabulary.predicates]
        for name in abstraction.ignore:
            if name not in predicates:
                hint = did_you_mean(name, predicates) or f"its predicates are {', '.join(predicates)}"
                raise UsageError(f"the domain '{domain.name}' has no predicate '{name}' to ignore;  {hint}")
        of_objects, of_state = abstraction.features(vocabulary)
        self.names = [*of_objects, *of_state]
        self.index = {name: index for index, name in enumerate(self.names)}
        self._ignored = abstraction.ignore
        self._objects = {name: index for index, name in enumerate(task.objects)}
        self.of_object: list[list[int]] = [[] for _ in range(len(task.objects) + 1)]
        self.when_true: list[list[int]] = [[] for _ in range(task.core.atom_count)]
        self.when_false: list[int] = []
        types = {name: _type_feature(name, dict(vocabulary.predicates)) for name in vocabulary.types}
        for name, own in declared_objects(domain, task.problem).items() if abstraction.types else ():
            self.of_object[self._objects[name]] += [self.index[types[each]] for each in own if each in types]
        for name in vocabulary.constants:
            self.of_object[self._objects[name]].append(self.index[f"={name}"])
        nobody = len(task.objects)  # holds what is true of no object
        for _, symbol, arguments in task.core.short_static_atoms():
            if predicates[symbol] not in self._ignored:
                self.of_object[arguments[0] if arguments else nobody].append(self.index[predicates[symbol]])
        for index, symbol, arguments in task.core.short_atoms():
            if predicates[symbol] not in self._ignored:
                self.when_true[index] = [arguments[0] if arguments else nobody, self.index[predicates[symbol]]]
        if abstraction.goals:
            self._add_goals(task)

    def _add_goals(self, task: GroundTask) -> None:
        index = {atom: index for index, atom in enumerate(task.atoms)}
        settled = {*task.static_atoms, *task.dropped_atoms}  # the goal holds without the latter
        for atom in task.goal_atoms:
            if atom.predicate in self._ignored:
                continue
            holders = [(self._objects[o], i) for i, o in enumerate(atom.arguments, 1)] or [(len(self._objects), 0)]
            for holder, position in holders:
                missing = self.index[f"!{atom.predicate}/{position}"]
                self.of_object[holder].append(self.index[f"@{atom.predicate}/{position}"])
                if atom in index:
                    self.when_false += [index[atom], holder, missing]
                elif atom not in settled:  # never true
                    self.of_object[holder].append(missing)


def _type_feature(name: str, arities: Mapping[str, int]) -> str:
    """What a type is called among features, where a unary predicate may have its name."""
    return f"{name}:type" if arities.get(name) == 1 else name


ABSTRACTIONS = {"canonical": CanonicalAbstraction}

AnyAbstraction: TypeAlias = str | Abstraction
"""By name, or as an object."""


def abstraction_of(given: AnyAbstraction | None) -> Abstraction:
    """An abstraction by name, or what is given, if it is one; None is the canonical abstraction."""
    if given is None or (isinstance(given, str) and given in ABSTRACTIONS):
        return ABSTRACTIONS[given or "canonical"]()
    if isinstance(given, str | type) or not isinstance(given, Abstraction):
        raise unknown("abstraction", given, ABSTRACTIONS, "an object with name, options, state and action")
    return given
