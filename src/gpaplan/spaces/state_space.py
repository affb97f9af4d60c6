"""Walking the state space of a ground task from Python, at the speed of the core.

    space = StateSpace(task)
    for transition in space.transitions(space.initial):
        print(transition.action, transition.cost, transition.outcomes)

A state is an integer; `StateSpace.atoms` shows it as named atoms and `StateSpace.state` finds it by them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from gpaplan import _core
from gpaplan.errors import CostError, LimitError, TooLargeError
from gpaplan.limits import AnyLimits, started
from gpaplan.spaces.settings import MAX_OUTCOMES, SpaceSettings
from gpaplan.spaces.symmetry import AnySymmetry, symmetry_of
from gpaplan.tasks.grounding import AnyTask, given_task, out_of_range
from gpaplan.tasks.task import AnyAtom, GroundAction, GroundAtom, GroundTask


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
def named_errors(task: GroundTask) -> Iterator[None]:
    """Errors of the core as errors that name the action."""
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
        raise LimitError(f"problem '{task.problem.name}': the search", error.args[0]) from None


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
        settings = settings or SpaceSettings(symmetry=symmetry, max_outcomes=max_outcomes)
        self.task = task = given_task(task)
        stop = started(limits)
        self.symmetry = symmetry_of(task, settings.symmetry, stop)
        """The interchangeable objects up to which states are met, None for the states themselves."""
        classes = None if self.symmetry is None else self.symmetry.core
        with named_errors(task):
            self.core = _core.StateSpace(task.core, settings.max_outcomes, classes, stop)

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
        return self.core.is_goal(state)

    def applicable(self, state: int) -> list[GroundAction]:
        """The actions whose preconditions hold, in ascending order of their indices."""
        return [self.task.action(index) for index in self.core.applicable(state)]

    def transitions(self, state: int) -> list[Transition]:
        """Expand a state. A goal state is absorbing and has no transitions."""
        with named_errors(self.task):
            return [
                Transition(self.task.action(action), cost, tuple(Outcome(*outcome) for outcome in outcomes))
                for action, cost, outcomes in self.core.transitions(state)
            ]

    def atoms(self, state: int) -> frozenset[GroundAtom]:
        """The fluent atoms that hold in a state; the static ones are `GroundTask.static_atoms`."""
        names = self.task.atoms
        return frozenset(names[index] for index in self.core.atoms(state))

    def state(self, atoms: Iterable[AnyAtom]) -> int:
        """The state in which exactly these fluent atoms hold (static ones may be given or left out).

        With symmetry, its representative."""
        return self.core.intern(self.task.atom_indices(atoms))

    def explore(self, *, max_states: int | None = None, limits: AnyLimits = None) -> Exploration:
        """Expand every state reachable from the initial one, or as many as the limits allow."""
        stop = started(limits)
        with named_errors(self.task):
            complete = self.core.explore(2**63 if max_states is None else max_states, stop)
        reason = "" if complete else stop.reason or "states"
        return Exploration(complete, len(self.core), self.core.pair_count, reason)
