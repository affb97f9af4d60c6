"""The state space of a task: walking it from Python, at the speed of the core, as it is or up to symmetry.

    space = StateSpace(task)
    for transition in space.transitions(space.initial):
        print(transition.action, transition.cost, transition.outcomes)

A state is an integer; `StateSpace.atoms` shows it as named atoms and `StateSpace.state` finds it by them.

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

What a space is like is one record, `SpaceSettings`, passed whole from wherever it is chosen to wherever one is made.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple, TypeAlias

from gpaplan import _core
from gpaplan.display import under_way
from gpaplan.errors import CostError, LimitError, TooLargeError, UsageError, did_you_mean, misplaced, unknown
from gpaplan.limits import AnyLimits, started
from gpaplan.settings import Settings, setting
from gpaplan.tasks.grounding import AnyTask, CostMode, declared_objects, given_task, out_of_range
from gpaplan.tasks.task import AnyAtom, GroundAction, GroundAtom, GroundTask

# --- symmetry ---

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
        with named_errors(task, "looking for interchangeable objects"):
            task.found_symmetry = _core.find_symmetry(task.core, numbers, started(limits))
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


# --- states ---

MAX_OUTCOMES = 65_536
"""Joint outcomes of one action in one state beyond which planning refuses it, unless told otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpaceSettings(Settings):
    """What actions cost, up to what states are the same, and how many outcomes are too many."""

    cost: CostMode = setting(
        "auto",
        "Cost of an action: 1 (unit) or what :metric says (metric); auto: metric if it is minimised.",
        choices=("auto", "unit", "metric"),
    )
    """With which a problem is to be grounded. A task that is grounded has its costs, whatever this says."""
    symmetry: AnySymmetry = setting(
        "auto",
        "Treat states that differ only by swapping interchangeable objects as one; auto: if at least three objects are "
        "interchangeable.",
        choices=("on", "off", "auto"),
    )
    """Up to which symmetry of interchangeable objects states are met."""
    max_outcomes: int = setting(
        MAX_OUTCOMES,
        "Refuse actions with more than N outcomes in a state.",
        least=1,
        most=2**64 - 1,
        is_whole=True,
        metavar="N",
        is_rare=True,
    )
    """Joint outcomes of one action in one state beyond which planning refuses it."""


class Outcome(NamedTuple):
    """A probability, and the state to which it leads."""

    probability: float
    state: int


class Transition(NamedTuple):
    """An applicable action, its expected cost, and its outcomes (equal successors merged)."""

    action: GroundAction
    cost: float
    outcomes: tuple[Outcome, ...]


class Exploration(NamedTuple):
    """What `StateSpace.explore` found: so many states, and more."""

    complete: bool
    """Whether every reachable state was expanded."""
    states: int
    state_action_pairs: int
    """Applicable actions, summed over the states expanded; goal states have none."""
    stopped_by: str
    """``""`` if complete, else ``"time"``, ``"memory"``, ``"interrupt"`` or ``"states"``."""


@contextmanager
def named_errors(task: GroundTask, work: str = "") -> Iterator[None]:
    """Errors of the core as errors that name the action, or the ``work`` that a limit ended."""
    try:
        yield
    except _core.TooManyOutcomes as error:
        action, limit = error.args
        raise TooLargeError(
            f"action {task.action(action)} has more than {limit:,} joint outcomes in a state; "
            "planning enumerates them: raise the limit max-outcomes, or model fewer independent effects"
        ) from None
    except _core.NonPositiveCost as error:
        action, cost = error.args
        raise CostError(
            f"action {task.action(action)} has the cost {cost:g} in a reachable state; costs must be positive: "
            "give it one, or use unit costs (--cost unit)"
        ) from None
    except _core.OutOfRange as error:
        action, quantity = error.args
        raise out_of_range(task, quantity, None if action == _core.NO_ACTION else task.action(action)) from None
    except _core.TaskTooLarge as error:
        raise TooLargeError(f"problem '{task.problem.name}': {error.args[0]}") from None
    except _core.Stopped as error:
        raise LimitError(work or f"problem '{task.problem.name}': the search", error.args[0]) from None


@contextmanager
def _known(state: object) -> Iterator[None]:
    """What is asked of the core about a state; `UsageError` where there is no such state."""
    try:
        yield
    except (IndexError, TypeError):
        raise misplaced(state, "state of this space", "pass the number of one that was met, or state(atoms)") from None


class StateSpace:
    """The states of a task met so far, and the transitions of those expanded."""

    def __init__(
        self,
        task: AnyTask,
        settings: SpaceSettings | None = None,
        *,
        max_outcomes: int = MAX_OUTCOMES,
        symmetry: AnySymmetry = "off",
        limits: AnyLimits = None,
    ) -> None:
        """With ``symmetry`` the states are met up to symmetry of interchangeable objects.

        The keywords are for those who have no ``settings``, which say the same in one record. The ``limits`` are for
        making the space, and not for what is done with it; at a limit `LimitError` is raised.
        """
        if not isinstance(settings, SpaceSettings | None):
            raise misplaced(settings, "SpaceSettings", 'pass these, or keywords such as symmetry="on"')
        settings = settings or SpaceSettings(symmetry=symmetry, max_outcomes=max_outcomes)
        self.task = task = given_task(task)
        stop = started(limits)
        self.symmetry = symmetry_of(task, settings.symmetry, stop)
        """The interchangeable objects up to which states are met, None for the states themselves."""
        classes = None if self.symmetry is None else self.symmetry.core
        with named_errors(task):
            self.core = _core.StateSpace(task.core, settings.max_outcomes, classes, stop=stop)

    def __len__(self) -> int:
        """How many states have been met."""
        return len(self.core)

    def __repr__(self) -> str:
        return f"StateSpace({self.task.problem.name!r}: {len(self)} states met, {self.core.expanded_count} expanded)"

    @property
    def initial(self) -> int:
        """The initial state."""
        return self.core.initial

    def is_goal(self, state: int) -> bool:
        """Whether the goal holds in a state."""
        with _known(state):
            return self.core.is_goal(state)

    def applicable(self, state: int) -> list[GroundAction]:
        """The actions whose preconditions hold, in ascending order of their indices."""
        with _known(state):
            return [self.task.action(index) for index in self.core.applicable(state)]

    def transitions(self, state: int) -> list[Transition]:
        """Expand a state. A goal state is absorbing and has no transitions."""
        with named_errors(self.task), _known(state):
            return [
                Transition(self.task.action(action), cost, tuple(Outcome(*outcome) for outcome in outcomes))
                for action, cost, outcomes in self.core.transitions(state)
            ]

    def atoms(self, state: int) -> frozenset[GroundAtom]:
        """The fluent atoms that hold in a state; the static ones are `GroundTask.static_atoms`."""
        names = self.task.atoms
        with _known(state):
            return frozenset(names[index] for index in self.core.atoms(state))

    def state(self, atoms: Iterable[AnyAtom]) -> int:
        """The state in which exactly these fluent atoms hold (static ones may be given or left out).

        With symmetry, its representative."""
        return self.core.intern(self.task.atom_indices(atoms))

    def explore(self, *, max_states: int | None = None, limits: AnyLimits = None) -> Exploration:
        """Expand every state reachable from the initial one, or as many as the limits allow."""
        stop = started(limits)
        with named_errors(self.task), under_way("exploring", lambda: f"{len(self):,} states"):
            complete = self.core.explore(2**63 if max_states is None else max_states, stop)
        reason = "" if complete else stop.reason or "states"
        return Exploration(complete, len(self.core), self.core.pair_count, reason)
