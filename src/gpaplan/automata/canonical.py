"""Canonical abstraction.

A state becomes an `AbstractState`: which roles objects play (the set of unary facts that hold of them), whether each is
played by one object or by many, and how the roles are related. It runs in the core (src/core/automata/canonical.hpp);
this module names what the core numbers. Features are named after the domain's vocabulary, so that abstract states of
different problems can be compared:

    ball            a type, or a unary predicate; predicates without arguments belong to the state as a whole
    ball:type       a type that shares its name with a unary predicate
    =near           the identity of a domain constant
    @ball-in/1      with ``goals=True``: fills the first argument of a goal atom of ball-in
    !ball-in/1      with ``goals=True``: fills the first argument of a goal atom of ball-in that is not true yet

It sees what a state speaks of: an atom that was dropped because the goal of the problem cannot depend on it
(docs/reductions.md) is seen as one that does not hold. So what matters in one problem of a domain and not in another
one is still named alike.

Numbers can be forgotten: with ``counts="presence"`` a state says which roles are played, but not whether by one object
or by many. The *degrees* of an abstraction are itself and what is left of it when numbers are forgotten step by step;
an automaton can be looked at by each of them without being learned again (`gpaplan.automata.matching`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, TypeAlias, get_args

from gpaplan import _core
from gpaplan.automata.abstraction import AbstractAction, Abstraction, AbstractState, Look, Role, Table
from gpaplan.errors import UsageError, did_you_mean, unknown
from gpaplan.ppddl.syntax import Domain
from gpaplan.spaces.state_space import StateSpace
from gpaplan.tasks.encode import declared_objects
from gpaplan.tasks.task import GroundAction, GroundAtom, GroundTask

__all__ = [
    "ABSTRACTIONS",
    "AnyAbstraction",
    "CanonicalAbstraction",
    "CanonicalTable",
    "Counts",
    "Extents",
    "abstraction_of",
]

Counts: TypeAlias = Literal["one-many", "presence"]
"""What is said of how many objects play a role: whether one or many, or only that there are some."""
Extents: TypeAlias = Literal["all-some", "presence", "none"]
"""What is said of a relation between roles: whether it holds for all or for some, only that it holds, or nothing."""


@dataclass(frozen=True, slots=True)
class CanonicalAbstraction(Look):
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

    def __post_init__(self) -> None:
        object.__setattr__(self, "ignore", tuple(sorted(set(self.ignore))))
        if self.counts not in get_args(Counts):
            raise UsageError(f"counts are 'one-many' or 'presence', not {self.counts!r}")
        if self.relations not in get_args(Extents):
            raise UsageError(f"relations are 'all-some', 'presence' or 'none', not {self.relations!r}")

    @property
    def name(self) -> str:
        """``"canonical"``."""
        return "canonical"

    @property
    def version(self) -> int:
        """Rises when the same options come to mean something else."""
        return 1

    @property
    def options(self) -> dict[str, Any]:
        """What a file says of it; what is as usual is left out."""
        given = asdict(self) | {"ignore": list(self.ignore)}
        usual = {"ignore": [], "counts": "one-many", "relations": "all-some", "types": True}
        return {name: value for name, value in given.items() if name == "goals" or value != usual[name]}

    @property
    def degrees(self) -> tuple[CanonicalAbstraction, ...]:
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

    def finer(self, domain: Domain) -> Iterator[tuple[str, CanonicalAbstraction]]:  # noqa: ARG002
        """The abstractions that see something more, each with the option of the command line for it."""
        if not self.goals:
            yield "--goals", replace(self, goals=True)

    def coarser(self, domain: Domain) -> Iterator[tuple[str, CanonicalAbstraction]]:
        """Those that see one predicate of the domain less, likewise."""
        for predicate in domain.predicates:
            if predicate.name not in self.ignore:
                yield f"--ignore {predicate.name}", replace(self, ignore=(*self.ignore, predicate.name))

    def on(self, task: GroundTask) -> CanonicalTable:
        """The abstraction on the states of a task, for many of them."""
        return CanonicalTable(task, self)

    def state(self, task: GroundTask, atoms: frozenset[GroundAtom]) -> AbstractState:
        """The abstract state of the state in which exactly these fluent atoms hold."""
        space = StateSpace(task)
        return self.on(task).state(space, space.state(atoms))

    def action(self, task: GroundTask, atoms: frozenset[GroundAtom], action: GroundAction) -> AbstractAction:
        """The abstract action of an action in that state."""
        space = StateSpace(task)
        return self.on(task).action(space, space.state(atoms), task.action_index(action))


class CanonicalTable(Table[AbstractState, AbstractAction]):
    """Canonical abstraction on the states of one task."""

    def __init__(self, task: GroundTask, abstraction: CanonicalAbstraction) -> None:
        self._spelling = _CanonicalSpelling(task, abstraction)
        self._objects = task.objects
        super().__init__(self._spelling.core, self._spelling)

    def roles(self, space: StateSpace, state: int) -> dict[str, Role]:
        """The role of each object in a state."""
        features = self._spelling.core.object_features(space.core, state, len(self._objects))
        return {name: self._spelling.features.role(own) for name, own in zip(self._objects, features, strict=True)}


class _CanonicalSpelling:
    """The core's canonical abstraction of a task, and what its ids mean."""

    def __init__(self, task: GroundTask, abstraction: CanonicalAbstraction) -> None:
        self.features = _Features(task, abstraction)
        self.core = _core.CanonicalAbstraction(
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

    def spell_out(self, number: int) -> AbstractState:
        lists, counts, flags, relations = self.core.spell_out(number)
        roles = [self.features.role(features) for features in lists]
        between = (
            (self._predicates[p], tuple(roles[i] for i in indices), self._extent_words[full])
            for p, indices, full in relations
        )
        return AbstractState(
            tuple(sorted((role, self._count_words[n - 1]) for role, n in zip(roles, counts, strict=True))),
            self.features.role(flags).features,
            tuple(sorted(between)),
        )

    def spell_out_action(self, number: int) -> AbstractAction:
        schema, roles = self.core.spell_out_action(number)
        return AbstractAction(self._schemas[schema], tuple(self.features.role(features) for features in roles))

    def intern(self, label: AbstractState) -> int:
        place = {role: index for index, (role, _) in enumerate(label.roles)}
        relations = [
            (self._predicate_ids[predicate], [place[role] for role in roles], value == "all")
            for predicate, roles, value in label.relations
        ]
        roles = [self.features.numbers(role) for role in place]
        counts = [2 if count == "many" else 1 for _, count in label.roles]
        return self.core.intern((roles, counts, self.features.numbers(Role(label.flags)), relations))

    def intern_action(self, label: AbstractAction) -> int:
        return self.core.intern_action(self._schema_ids[label.schema], [self.features.numbers(r) for r in label.roles])


class _Features:
    """The features of a domain by number, and which of them the objects of a task have, statically and by atom."""

    def __init__(self, task: GroundTask, abstraction: CanonicalAbstraction) -> None:
        domain, goals = task.domain, abstraction.goals
        self._seen = {each.name for each in domain.predicates}.difference(abstraction.ignore)
        self._check(domain, abstraction)
        unary = {each.name for each in domain.predicates if len(each.parameters) == 1}
        declared = domain.types if abstraction.types else ()
        types = dict.fromkeys(each.name for each in declared if each.name != "object")
        type_names = {name: f"{name}:type" if name in unary else name for name in types}
        self.names: list[str] = [*type_names.values(), *(f"={each.name}" for each in domain.constants)]
        self.names += [each.name for each in domain.predicates if len(each.parameters) < 2 and each.name in self._seen]
        if goals:
            for predicate in (each for each in domain.predicates if each.name in self._seen):
                positions = range(1, len(predicate.parameters) + 1) if predicate.parameters else (0,)
                self.names += [f"{mark}{predicate.name}/{i}" for mark in "@!" for i in positions]
        self._index = {name: index for index, name in enumerate(self.names)}
        self._numbers: dict[Role, list[int]] = {}
        self._objects = {name: index for index, name in enumerate(task.objects)}
        self.of_object: list[list[int]] = [[] for _ in range(len(task.objects) + 1)]
        self.when_true: list[list[int]] = [[] for _ in range(task.core.atom_count)]
        self.when_false: list[int] = []
        for name, own in declared_objects(domain, task.problem).items():
            self.of_object[self._objects[name]] += [self._index[type_names[t]] for t in own if t in type_names]
        for constant in domain.constants:
            self.of_object[self._objects[constant.name]].append(self._index[f"={constant.name}"])
        names = [each.name for each in domain.predicates]
        nobody = len(task.objects)  # holds what is true of no object
        for _, symbol, arguments in task.core.short_static_atoms():
            if names[symbol] in self._seen:
                self.of_object[arguments[0] if arguments else nobody].append(self._index[names[symbol]])
        for index, symbol, arguments in task.core.short_atoms():
            if names[symbol] in self._seen:
                self.when_true[index] = [arguments[0] if arguments else nobody, self._index[names[symbol]]]
        if goals:
            self._add_goals(task)

    @staticmethod
    def _check(domain: Domain, abstraction: CanonicalAbstraction) -> None:
        names = [each.name for each in domain.predicates]
        for name in abstraction.ignore:
            if name not in names:
                hint = did_you_mean(name, names) or f"its predicates are {', '.join(names)}"
                raise UsageError(f"the domain '{domain.name}' has no predicate '{name}' to ignore;  {hint}")

    def _add_goals(self, task: GroundTask) -> None:
        index = {atom: index for index, atom in enumerate(task.atoms)}
        settled = {*task.static_atoms, *task.dropped_atoms}  # the goal holds without the latter
        for atom in task.goal_atoms:
            if atom.predicate not in self._seen:
                continue
            holders = [(self._objects[o], i) for i, o in enumerate(atom.arguments, 1)] or [(len(self._objects), 0)]
            for holder, position in holders:
                missing = self._index[f"!{atom.predicate}/{position}"]
                self.of_object[holder].append(self._index[f"@{atom.predicate}/{position}"])
                if atom in index:
                    self.when_false += [index[atom], holder, missing]
                elif atom not in settled:  # never true
                    self.of_object[holder].append(missing)

    def role(self, numbers: list[int]) -> Role:
        """The role of features by number, and back."""
        return Role(tuple(sorted(self.names[i] for i in numbers)))

    def numbers(self, role: Role) -> list[int]:
        if role not in self._numbers:
            self._numbers[role] = [self._index[name] for name in role.features]
        return self._numbers[role]


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
