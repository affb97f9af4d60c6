"""The ground task, with names.

A `GroundTask` wraps the core's flat, integer-indexed task (src/core/task/task.hpp documents it) and knows what the
integers are called. It keeps everything that grounding saw: static atoms, types, constants, the goal, and each action's
schema and arguments. Atoms and actions are written as in PPDDL, ``(on a b)``, ``(pick ball1 rooma left)``, or as
tuples, ``("on", "a", "b")``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

from gpaplan import _core
from gpaplan.display import counted, html_table
from gpaplan.errors import UsageError, did_you_mean, misplaced, shortened
from gpaplan.ppddl.syntax import Atom, Constant, Domain, Problem


class GroundAtom(NamedTuple):
    """A predicate with objects as its arguments: ``str(atom)`` is ``(on a b)``."""

    predicate: str
    arguments: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"({' '.join((self.predicate, *self.arguments))})"

    def to_json(self) -> str:
        """Its text."""
        return str(self)


class GroundAction(NamedTuple):
    """A schema with objects as its arguments: ``str(action)`` is ``(move a b)``."""

    schema: str
    arguments: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"({' '.join((self.schema, *self.arguments))})"

    def to_json(self) -> str:
        """Its text."""
        return str(self)


AnyAtom: TypeAlias = GroundAtom | str | tuple[str, ...] | tuple[str, tuple[str, ...]]
"""An atom by name: as a `GroundAtom`, as text, ``"(on a b)"``, or as a tuple, ``("on", "a", "b")``."""
AnyAction: TypeAlias = GroundAction | str | tuple[str, ...] | tuple[str, tuple[str, ...]]
"""An action by name, in the same forms: ``"(move a b)"`` or ``("move", "a", "b")``."""


def parse_name(given: object, kind: str = "atom or action") -> tuple[str, tuple[str, ...]]:
    """``"(on a b)"``, ``"on a b"``, ``("on", "a", "b")`` or ``("on", ("a", "b"))`` as the last of these."""
    words: object = given
    if isinstance(given, str):
        words = given.strip().removeprefix("(").removesuffix(")").split()
    elif isinstance(given, tuple | list) and len(given) == 2 and isinstance(given[1], tuple | list):
        words = [given[0], *given[1]]
    if not (isinstance(words, tuple | list) and words and all(isinstance(word, str) for word in words)):
        raise UsageError(f"{shortened(repr(given))} is not an {kind}; {_forms(kind)}")
    if any(mark in word for word in words for mark in "()"):
        raise UsageError(f"{shortened(repr(given))} is more than one {kind}, or not a whole one; {_forms(kind)}")
    return words[0].lower(), tuple(word.lower() for word in words[1:])


def parse_atom(given: object) -> Atom:
    """An atom by name, as one of a problem."""
    predicate, arguments = parse_name(given, "atom")
    return Atom(predicate, tuple(map(Constant, arguments)))


def _forms(kind: str) -> str:
    return f"write an {kind} as '(name object …)' or as ('name', 'object', …)"


class GroundTask:
    """A grounded problem. Made by `ground`; never changes."""

    format_version = 2

    def __init__(
        self,
        domain: Domain,
        problem: Problem,
        objects: tuple[str, ...],
        cost: str,
        core: _core.Task,
        *,
        relevance: bool = False,
    ) -> None:
        self.domain = domain
        self.problem = problem
        self.objects = objects
        """Names by index: the domain's constants, then the problem's objects, in declaration order."""
        self.cost = cost
        """``"unit"`` or ``"metric"``."""
        self.core = core
        self.relevance = relevance
        """Whether what the goal cannot depend on was dropped."""
        self.found_symmetry: _core.Symmetry | None = None
        """What `gpaplan.spaces.state_space.find_symmetry` found, once it has looked."""
        self._predicates = [predicate.name for predicate in domain.predicates]
        self._schemas = [schema.name for schema in domain.schemas]

    def __repr__(self) -> str:
        return (
            f"GroundTask({self.problem.name!r}: {len(self.objects)} objects, {self.core.atom_count} atoms, "
            f"{self.core.static_count} static atoms, {self.core.action_count} actions)"
        )

    def _repr_html_(self) -> str:
        rows = [
            ("domain", self.domain.name),
            ("objects", len(self.objects)),
            ("fluent atoms", self.core.atom_count),
            ("static atoms", self.core.static_count),
            ("actions", ", ".join(f"{schema} {count:,}" for schema, count in self.actions_by_schema().items())),
            ("costs", self.cost),
            *([("dropped", self.dropped)] if self.dropped else []),
        ]
        return html_table(f"task {self.problem.name}", rows)

    def __reduce__(self) -> tuple[Any, ...]:
        """For pickles and copies: the core's task goes as its versioned fields. Symmetry is looked for again."""
        return _from_fields, (self.domain, self.problem, self.objects, self.cost, self.core.fields(), self.relevance)

    # --- atoms ---

    def _named(self, symbol: int, arguments: Sequence[int]) -> GroundAtom:
        return GroundAtom(self._predicates[symbol], tuple(self.objects[i] for i in arguments))

    @cached_property
    def atoms(self) -> tuple[GroundAtom, ...]:
        """The fluent atoms by index: those that can be true in one reachable state and false in another."""
        return tuple(self._named(*self.core.atom(i)) for i in range(self.core.atom_count))

    @cached_property
    def static_atoms(self) -> tuple[GroundAtom, ...]:
        """The atoms that are true in every reachable state."""
        return tuple(self._named(*self.core.static_atom(i)) for i in range(self.core.static_count))

    @cached_property
    def dropped_atoms(self) -> tuple[GroundAtom, ...]:
        """The atoms that can change, and that are no part of a state because the goal cannot depend on them."""
        return tuple(self._named(*name) for name in self.core.dropped_atoms())

    @cached_property
    def dropped_actions(self) -> tuple[GroundAction, ...]:
        """The actions that change nothing but such atoms, and are left out."""
        return tuple(self._named_action(*name) for name in self.core.dropped_actions())

    @property
    def dropped(self) -> str:
        """What was dropped, in words: how many atoms and actions, of which predicates and schemas; "" if nothing."""
        return "; ".join(
            f"{counted(len(names), kind)} of {', '.join(dict.fromkeys(name[0] for name in names))}"
            for kind, names in (("atom", self.dropped_atoms), ("action", self.dropped_actions))
            if names
        )

    def count_dropped(self) -> dict[str, Any]:
        """How many atoms and actions were dropped, by predicate and schema, as commands report it."""
        return {
            "relevance": self.relevance,
            "dropped_atoms": dict(Counter(atom.predicate for atom in self.dropped_atoms)),
            "dropped_actions": dict(Counter(action.schema for action in self.dropped_actions)),
        }

    @cached_property
    def has_irrelevant_parts(self) -> bool:
        """Whether there are atoms or actions that the goal cannot depend on, dropped or not."""
        if self.relevance:
            return bool(self.dropped_atoms or self.dropped_actions)
        return any(_core.find_irrelevant(self.core, _core.Stop()))

    @cached_property
    def _dropped_set(self) -> frozenset[GroundAtom]:
        return frozenset(self.dropped_atoms)

    @cached_property
    def _atom_index(self) -> dict[GroundAtom, int]:
        return {atom: index for index, atom in enumerate(self.atoms)}

    def atom_indices(self, atoms: Iterable[AnyAtom]) -> list[int]:
        """The indices of the fluent atoms among ``atoms``; others are an error, but for static and dropped ones.

        Those are passed over: a state may be given with all that is known of it.
        """
        if not isinstance(atoms, Iterable):
            raise misplaced(atoms, "state", f"pass a list of atoms; {_forms('atom')}")
        if isinstance(atoms, str | GroundAtom):
            one = shortened(repr(str(atoms)))
            raise UsageError(f"a list of atoms is asked for, and {one} is one text or atom; {_forms('atom')}")
        indices = []
        for given in atoms:
            atom = given if isinstance(given, GroundAtom) else GroundAtom(*parse_name(given, "atom"))
            index = self._atom_index.get(atom)
            if index is not None:
                indices.append(index)
            elif atom not in self._static_set and atom not in self._dropped_set:
                raise self._unknown(atom, bare=isinstance(given, str) and "(" not in given)
        return indices

    def dropped_among(self, atoms: Iterable[AnyAtom]) -> tuple[GroundAtom, ...]:
        """Those of some atoms that were dropped, and are passed over where a state is given by them."""
        named = (atom if isinstance(atom, GroundAtom) else GroundAtom(*parse_name(atom, "atom")) for atom in atoms)
        return tuple(dict.fromkeys(atom for atom in named if atom in self._dropped_set))

    def _unknown(self, atom: GroundAtom, *, bare: bool) -> UsageError:
        """The error for an atom that the task does not have; perhaps it is a ``bare`` word of one."""
        known = (str(name) for name in (*self.atoms, *self.static_atoms, *self.dropped_atoms))
        hint = did_you_mean(str(atom), known) or "no reachable state has it"
        if bare and not atom.arguments:
            hint = f"{hint};  {_forms('atom')}, and a state as a list of atoms"
        return UsageError(f"problem '{self.problem.name}' has no atom {shortened(str(atom))}; {hint}")

    @cached_property
    def _static_set(self) -> frozenset[GroundAtom]:
        return frozenset(self.static_atoms)

    @cached_property
    def goal_atoms(self) -> tuple[GroundAtom, ...]:
        """The atoms that the goal asks to be true, in any of its parts, also those that never change.

        Quantifiers are expanded. Predicates that no action changes are conditions, and are not asked for.
        """
        from gpaplan.tasks.goal import wanted_atoms

        return tuple(GroundAtom(*atom) for atom in wanted_atoms(self.domain, self.problem))

    # --- states ---

    @cached_property
    def initial_state(self) -> frozenset[GroundAtom]:
        """The fluent atoms that hold at the beginning."""
        return frozenset(self.atoms[index] for index in self.core.initial_atoms)

    def is_goal(self, atoms: Iterable[AnyAtom]) -> bool:
        """Whether the goal holds where exactly these fluent atoms do (static ones may be given or left out)."""
        return self.core.is_goal(self.atom_indices(atoms))

    def with_initial_state(self, atoms: Iterable[AnyAtom]) -> GroundTask:
        """The same task from another state: the one where exactly these fluent atoms hold. Nothing is grounded again.

        The state need not be one that can be reached, but all its atoms must be atoms of this task: what can never
        become true from the problem's own initial state, not even if nothing ever became false, is unknown here.
        """
        core = self.core.with_initial_atoms(self.atom_indices(atoms))
        return GroundTask(self.domain, self.problem, self.objects, self.cost, core, relevance=self.relevance)

    # --- actions ---

    def action(self, index: int) -> GroundAction:
        """The action with an index."""
        try:
            return self._named_action(*self.core.action(index))
        except (IndexError, TypeError):
            raise misplaced(index, "action of this task", f"pass a number below {self.core.action_count}") from None

    def _named_action(self, symbol: int, arguments: Sequence[int]) -> GroundAction:
        return GroundAction(self._schemas[symbol], tuple(self.objects[i] for i in arguments))

    @cached_property
    def actions(self) -> tuple[GroundAction, ...]:
        """The actions by index: by schema, then by arguments, both in declaration order."""
        return tuple(self.action(i) for i in range(self.core.action_count))

    @cached_property
    def _action_index(self) -> dict[GroundAction, int]:
        return {action: index for index, action in enumerate(self.actions)}

    def action_index(self, action: AnyAction) -> int:
        """The index of an action by name; an unknown one is an error."""
        name = action if isinstance(action, GroundAction) else GroundAction(*parse_name(action, "action"))
        index = self._action_index.get(name)
        if index is None:
            if name in self.dropped_actions:
                hint = "it was dropped: the goal depends on nothing that it changes (--relevance off keeps it)"
            elif name.schema not in self._schemas:
                hint = did_you_mean(name.schema, self._schemas) or f"there are {', '.join(self._schemas)}"
            else:
                known = (str(each) for each in self.actions if each.schema == name.schema)
                hint = did_you_mean(str(name), known) or "it is never applicable, or has other arguments"
            raise UsageError(f"problem '{self.problem.name}' has no action {shortened(str(name))}; {hint}")
        return index

    def actions_by_schema(self) -> dict[str, int]:
        """How many ground actions each schema has."""
        counts = Counter(self.core.action_schemas())
        return {name: counts[index] for index, name in enumerate(self._schemas)}

    # --- the documented form ---

    def to_json(self) -> dict[str, Any]:
        """The task in its versioned, plain form (docs/ground-task.md); equal tasks give equal data."""
        return {
            "format": "gpaplan ground task",
            "format_version": self.format_version,
            "domain": self.domain.name,
            "problem": self.problem.name,
            "cost": self.cost,
            "relevance": self.relevance,
            "objects": list(self.objects),
            "predicates": list(self._predicates),
            "schemas": list(self._schemas),
            "task": self.core.fields(),
        }


def _from_fields(
    domain: Domain, problem: Problem, objects: tuple[str, ...], cost: str, fields: dict[str, Any], relevance: bool
) -> GroundTask:
    return GroundTask(domain, problem, objects, cost, _core.Task.from_fields(fields), relevance=relevance)
