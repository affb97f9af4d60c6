"""Abstraction: forgetting the names and the number of objects.

`CanonicalAbstraction` maps a state to an `AbstractState`: which roles objects play (the set of unary facts that hold of
them), whether each is played by one object or by many, and how the roles are related. It runs in the core (see
src/core/automata/abstraction.hpp); this module names what the core numbers. Features are named after the domain's
vocabulary, so that abstract states of different problems can be compared:

    ball            a type, or a unary predicate; predicates without arguments belong to the state as a whole
    ball:type       a type that shares its name with a unary predicate
    =near           the identity of a domain constant
    @ball-in/1      with ``goals=True``: fills the first argument of a goal atom of ball-in
    !ball-in/1      with ``goals=True``: fills the first argument of a goal atom of ball-in that is not true yet

Any object with the members of `Abstraction` may stand in its place; it is written in Python, gives texts, and is
slower.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, total_ordering
from typing import Any, Protocol, TypeAlias, runtime_checkable

from gpaplan import _core
from gpaplan.errors import UsageError, did_you_mean
from gpaplan.ppddl.syntax import Domain
from gpaplan.spaces.state_space import StateSpace
from gpaplan.tasks.encode import declared_objects
from gpaplan.tasks.task import GroundAction, GroundAtom, GroundTask

__all__ = [
    "AbstractAction",
    "AbstractState",
    "Abstraction",
    "ActionLabel",
    "CanonicalAbstraction",
    "Role",
    "StateLabel",
    "Vocabulary",
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


@dataclass(frozen=True)
class AbstractState:
    """Roles, each played by ``"one"`` object or by ``"many"``; features of the state as a whole; and relations between
    roles, each holding for ``"all"`` or for ``"some"`` of the tuples of objects. What is not listed holds for none.
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
ActionLabel: TypeAlias = AbstractAction | str


@runtime_checkable
class Abstraction(Protocol):
    """An abstraction of your own: texts for states and actions, the same for what is to be treated the same.

    ``name`` and ``options`` go into the automaton's file, so that it is not used with another abstraction. The texts
    must not depend on names or numbers of objects, or nothing learned carries over.
    """

    @property
    def name(self) -> str: ...

    @property
    def options(self) -> dict[str, Any]: ...

    def state(self, task: GroundTask, atoms: frozenset[GroundAtom]) -> str: ...

    def action(self, task: GroundTask, atoms: frozenset[GroundAtom], action: GroundAction) -> str: ...


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The names of a domain that abstract states speak of."""

    types: tuple[str, ...]
    constants: tuple[str, ...]
    predicates: tuple[tuple[str, int], ...]
    schemas: tuple[tuple[str, int], ...]

    @classmethod
    def of(cls, domain: Domain) -> Vocabulary:
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


@dataclass(frozen=True, slots=True)
class CanonicalAbstraction:
    """Canonical abstraction; ``goals=True`` adds features that see the goal.

    ``ignore`` names predicates that it does not see, of whatever arity: neither as features nor as relations, nor where
    the goal asks for them. Fewer distinctions make smaller automata that fit more states.
    """

    goals: bool = False
    ignore: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "ignore", tuple(sorted(set(self.ignore))))

    @property
    def name(self) -> str:
        return "canonical"

    @property
    def options(self) -> dict[str, Any]:
        return {"goals": self.goals} | ({"ignore": list(self.ignore)} if self.ignore else {})

    def on(self, task: GroundTask) -> CanonicalTable:
        """The abstraction on the states of a task."""
        return CanonicalTable(task, self)

    def state(self, space: StateSpace, state: int) -> AbstractState:
        """The abstract state of one state of a space. For many states use `on`."""
        return self.on(space.task).state(space, state)


class CanonicalTable:
    """The abstract states of one task, by the ids that the core gives them."""

    def __init__(self, task: GroundTask, abstraction: CanonicalAbstraction) -> None:
        self.task = task
        self._numbering = _Features(task, abstraction)
        self.core = _core.Abstraction(
            task.core,
            object_count=len(task.objects),
            feature_count=len(self._numbering.names),
            of_object=self._numbering.of_object,
            when_true=self._numbering.when_true,
            when_false=self._numbering.when_false,
            ignored=[i for i, each in enumerate(task.domain.predicates) if each.name in abstraction.ignore],
        )
        self._predicates = [predicate.name for predicate in task.domain.predicates]
        self._schemas = [schema.name for schema in task.domain.schemas]
        self._predicate_ids = {name: index for index, name in enumerate(self._predicates)}
        self._schema_ids = {name: index for index, name in enumerate(self._schemas)}
        self._roles: dict[int, Role] = {}
        self._states: dict[int, AbstractState] = {}
        self._numbers: dict[Role, list[int]] = {}
        self._role_ids: dict[Role, int] = {}
        self._state_ids: dict[AbstractState, int] = {}

    def state(self, space: StateSpace, state: int) -> AbstractState:
        return self.spelled(self.core.evaluate(space.core, state))

    def action(self, space: StateSpace, state: int, action: int) -> AbstractAction:
        roles = self.core.roles(space.core, state)
        schema, arguments = self.task.core.action(action)
        return self.action_label(schema, [roles[i] for i in arguments])

    def action_label(self, schema: int, roles: Sequence[int]) -> AbstractAction:
        """The abstract action of a schema and the ids of its arguments' roles."""
        return AbstractAction(self._schemas[schema], tuple(self.role(role) for role in roles))

    def role(self, role: int) -> Role:
        """The role with an id."""
        if role not in self._roles:
            self._roles[role] = self._role_of(self.core.role_features(role))
        return self._roles[role]

    def _role_of(self, features: list[int]) -> Role:
        return Role(tuple(sorted(self._numbering.names[i] for i in features)))

    def spelled(self, state: int) -> AbstractState:
        """The abstract state with an id."""
        if state not in self._states:
            lists, counts, flags, relations = self.core.spell_out(state)
            roles = [self._role_of(features) for features in lists]
            self._states[state] = AbstractState(
                tuple(sorted((role, "one" if n == 1 else "many") for role, n in zip(roles, counts, strict=True))),
                self._role_of(flags).features,
                tuple(
                    sorted(
                        (self._predicates[p], tuple(roles[i] for i in indices), "all" if full else "some")
                        for p, indices, full in relations
                    )
                ),
            )
        return self._states[state]

    def id_of(self, state: AbstractState) -> int:
        """The id of an abstract state made elsewhere. Raises KeyError for a name that the task does not know."""
        if state not in self._state_ids:
            place = {role: index for index, (role, _) in enumerate(state.roles)}
            self._state_ids[state] = self.core.intern(
                (
                    [self._numbers_of(role) for role in place],
                    [1 if count == "one" else 2 for _, count in state.roles],
                    self._numbering.numbers(state.flags),
                    [
                        (self._predicate_ids[predicate], [place[role] for role in roles], value == "all")
                        for predicate, roles, value in state.relations
                    ],
                )
            )
        return self._state_ids[state]

    def action_ids(self, action: AbstractAction) -> tuple[int, list[int]]:
        """The schema and the role ids of an abstract action. Raises KeyError for a name that the task does not know."""
        return self._schema_ids[action.schema], [self._role_id(role) for role in action.roles]

    def _role_id(self, role: Role) -> int:
        if role not in self._role_ids:
            self._role_ids[role] = self.core.intern_role(self._numbers_of(role))
        return self._role_ids[role]

    def _numbers_of(self, role: Role) -> list[int]:
        if role not in self._numbers:
            self._numbers[role] = self._numbering.numbers(role.features)
        return self._numbers[role]


class _Features:
    """The features of a domain by number, and which of them the objects of a task have, statically and by atom."""

    def __init__(self, task: GroundTask, abstraction: CanonicalAbstraction) -> None:
        domain, goals = task.domain, abstraction.goals
        self._seen = {each.name for each in domain.predicates}.difference(abstraction.ignore)
        self._check(domain, abstraction)
        unary = {each.name for each in domain.predicates if len(each.parameters) == 1}
        types = dict.fromkeys(each.name for each in domain.types if each.name != "object")
        type_names = {name: f"{name}:type" if name in unary else name for name in types}
        self.names: list[str] = [*type_names.values(), *(f"={each.name}" for each in domain.constants)]
        self.names += [each.name for each in domain.predicates if len(each.parameters) < 2 and each.name in self._seen]
        if goals:
            for predicate in (each for each in domain.predicates if each.name in self._seen):
                positions = range(1, len(predicate.parameters) + 1) if predicate.parameters else (0,)
                self.names += [f"{mark}{predicate.name}/{i}" for mark in "@!" for i in positions]
        self._index = {name: index for index, name in enumerate(self.names)}
        self._objects = {name: index for index, name in enumerate(task.objects)}
        self.of_object: list[list[int]] = [[] for _ in range(len(task.objects) + 1)]
        self.when_true: list[list[int]] = [[] for _ in task.atoms]
        self.when_false: list[int] = []
        for name, own in declared_objects(domain, task.problem).items():
            self.of_object[self._objects[name]] += [self._index[type_names[t]] for t in own if t in type_names]
        for constant in domain.constants:
            self.of_object[self._objects[constant.name]].append(self._index[f"={constant.name}"])
        for atom in task.static_atoms:
            if len(atom.arguments) < 2 and atom.predicate in self._seen:
                self.of_object[self._holder(atom)].append(self._index[atom.predicate])
        for index, atom in enumerate(task.atoms):
            if len(atom.arguments) < 2 and atom.predicate in self._seen:
                self.when_true[index] = [self._holder(atom), self._index[atom.predicate]]
        if goals:
            self._add_goals(task)

    @staticmethod
    def _check(domain: Domain, abstraction: CanonicalAbstraction) -> None:
        names = [each.name for each in domain.predicates]
        for name in abstraction.ignore:
            if name not in names:
                hint = did_you_mean(name, names) or f"its predicates are {', '.join(names)}"
                raise UsageError(f"the domain '{domain.name}' has no predicate '{name}' to ignore;  {hint}")

    def _holder(self, atom: GroundAtom) -> int:
        return self._objects[atom.arguments[0]] if atom.arguments else len(self._objects)

    def _add_goals(self, task: GroundTask) -> None:
        index = {atom: index for index, atom in enumerate(task.atoms)}
        static = set(task.static_atoms)
        for atom in task.goal_atoms:
            if atom.predicate not in self._seen:
                continue
            holders = [(self._objects[o], i) for i, o in enumerate(atom.arguments, 1)] or [(len(self._objects), 0)]
            for holder, position in holders:
                missing = self._index[f"!{atom.predicate}/{position}"]
                self.of_object[holder].append(self._index[f"@{atom.predicate}/{position}"])
                if atom in index:
                    self.when_false += [index[atom], holder, missing]
                elif atom not in static:  # never true
                    self.of_object[holder].append(missing)

    def numbers(self, names: tuple[str, ...]) -> list[int]:
        return [self._index[name] for name in names]
