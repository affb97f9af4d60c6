"""Policies: which action to take in which state, by name.

    policy = Policy.read(task, "policy.json")
    policy.action(["(robot-in room-a)", …])

A `Policy` is a mapping from states (frozen sets of fluent atoms) to actions, or to None where it gives up and pays the
dead-end cost. It belongs to a ground task; inside it holds the task's indices, and names are made when asked for.
`gpaplan.policies.policy_file` says how it looks in a file.

A policy of a search up to symmetry knows representatives only. Iterating over it gives these; the action of any other
state is found by mapping the state to its representative and the action back. `Policy.unfolded` is the same policy on
the states themselves.

To unfold a policy it is followed from the initial state. Each state comes with the permutation that led to its
representative: what the representative's action means in the state is found by mapping it back, and the permutation of
a successor is that of the state, followed by the one that makes the mapped successor a representative. So every step is
one that the policy takes among representatives, whether or not all states that are equal up to symmetry have the same
representative.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from gpaplan import _core
from gpaplan.display import MOST_ROWS, data_frame, html_table
from gpaplan.errors import GoalReachedError, LimitError, NoActionError, UncoveredStateError, UsageError, misplaced
from gpaplan.limits import AnyLimits, started
from gpaplan.spaces.state_space import MAX_OUTCOMES, Permutation, StateSpace, Symmetry, named_errors
from gpaplan.tasks.task import AnyAtom, GroundAction, GroundAtom, GroundTask

if TYPE_CHECKING:
    from gpaplan.policies.explanation import PolicyExplanation

State: TypeAlias = frozenset[GroundAtom]
"""The fluent atoms that hold."""


class Decisions(Protocol):
    """A policy by index, as a `Solution` has it: a space, and for states of it an action or ``GIVE_UP``."""

    @property
    def space(self) -> StateSpace:
        """The space whose states these are."""

    @property
    def decisions(self) -> Mapping[int, int]:
        """An action, or ``GIVE_UP``, by state."""


class Policy(Mapping[State, GroundAction | None]):
    """A partial function from states to actions; None means to give up. Never changes."""

    def __init__(
        self,
        task: GroundTask,
        actions: Mapping[State, GroundAction | None],
        *,
        dead_end_cost: float | None = None,
    ) -> None:
        """Raises `UsageError` for an unknown atom or action, and for an action that is not applicable in its state."""
        if not isinstance(actions, Mapping):
            raise misplaced(actions, "mapping from states to actions", "pass a dict, or read a file by Policy.read")
        space = StateSpace(task)
        decisions: dict[tuple[int, ...], int] = {}
        for atoms, action in actions.items():
            indices = tuple(sorted(set(task.atom_indices(atoms))))
            chosen = _core.GIVE_UP if action is None else task.action_index(action)
            if decisions.setdefault(indices, chosen) != chosen:
                raise UsageError(
                    f"the state {show_state(atoms)} has another action than one that differs from it only in atoms "
                    "that are static, or that the task has dropped (relevance=False keeps these)"
                )
            if action is not None and not space.core.is_applicable(space.core.intern(indices), decisions[indices]):
                raise UsageError(f"action {action} is not applicable in the state {show_state(atoms)}")
        self._fill(task, decisions, task.cost, dead_end_cost)

    @classmethod
    def from_indices(
        cls,
        task: GroundTask,
        decisions: dict[tuple[int, ...], int],
        cost: str,
        dead_end_cost: float | None,
        symmetry: Symmetry | None = None,
    ) -> Policy:
        """From states as ascending indices of atoms, and indices of actions or ``GIVE_UP``; nothing is checked.

        With a ``symmetry`` the states are representatives.
        """
        policy = cls.__new__(cls)
        policy._fill(task, decisions, cost, dead_end_cost, symmetry)
        return policy

    def _fill(
        self,
        task: GroundTask,
        decisions: dict[tuple[int, ...], int],
        cost: str,
        dead_end_cost: float | None,
        symmetry: Symmetry | None = None,
    ) -> None:
        if dead_end_cost is not None and not (dead_end_cost > 0 and math.isfinite(dead_end_cost)):
            raise UsageError(f"the dead-end cost must be a positive number, not {dead_end_cost}")
        self.task = task
        self.cost = cost
        """The costs it was made for: ``"unit"`` or ``"metric"``."""
        self.dead_end_cost = dead_end_cost
        """What giving up costs; None if that was not said."""
        self.symmetry = symmetry
        """The interchangeable objects up to which it knows states; None if it knows them as they are."""
        self._decisions = decisions

    # --- the mapping ---

    def __getitem__(self, state: State) -> GroundAction | None:
        try:
            return self._decide(self._indices(state))
        except (KeyError, UsageError):
            raise KeyError(state) from None

    def __iter__(self) -> Iterator[State]:
        names = self.task.atoms
        return (frozenset(names[index] for index in indices) for indices in self._decisions)

    def __len__(self) -> int:
        return len(self._decisions)

    def __repr__(self) -> str:
        what = "states" if self.symmetry is None else "representatives of states"
        return f"Policy({self.task.problem.name!r}: {len(self)} {what})"

    def action(self, atoms: Iterable[AnyAtom]) -> GroundAction | None:
        """The action in the state where exactly these fluent atoms hold; static ones may be given or left out.

        An atom is a `GroundAtom`, a text such as ``"(on a b)"``, or a tuple such as ``("on", "a", "b")``. None means to
        give up: the policy pays the dead-end cost. Where it has no action `NoActionError` is raised: in a goal state
        `GoalReachedError`, in all others `UncoveredStateError`. `UsageError`, of which these are kinds, is raised for
        what is no atom of the task.
        """
        indices = self._indices(atoms)
        try:
            return self._decide(indices)
        except KeyError:
            raise self._no_action(indices) from None

    def explain(
        self,
        atoms: Iterable[AnyAtom] | None = None,
        *,
        dead_end_cost: float | None = None,
        max_outcomes: int = MAX_OUTCOMES,
        limits: AnyLimits = None,
    ) -> PolicyExplanation:
        """All actions that are applicable in a state, what each of them costs if the policy is followed from then on,
        and which one the policy takes; in the initial state unless others ``atoms`` are said to hold.

        The costs are exact where the policy is defined wherever it leads; else they are lower bounds, and are marked as
        such. Giving up costs ``dead_end_cost``, which is the policy's own unless given. Raises `LimitError` at a limit.
        """
        from gpaplan.policies.explanation import explain

        return explain(self, atoms, dead_end_cost, max_outcomes, started(limits))

    def _no_action(self, indices: tuple[int, ...]) -> NoActionError:
        """Why there is none in a state."""
        state = show_state(self.task.atoms[index] for index in indices)
        if self.task.core.is_goal(indices):
            return GoalReachedError(f"the goal is reached in the state {state}: nothing is left to do")
        why = ""
        if self.symmetry is not None and self.symmetry.permutation(indices).exact:
            why = ", and in all states that are equal to it up to symmetry"
        elif self.symmetry is not None:
            why = "; that is not certain, as it has too many symmetries: Policy.unfolded follows the policy"
        return UncoveredStateError(
            f"the policy is undefined in the state {state}{why};  to find an action there, solve the task from it: "
            "solve(task.with_initial_state(atoms))"
        )

    def _decide(self, indices: tuple[int, ...]) -> GroundAction | None:
        """The action in a state; a KeyError if there is none."""
        action = self.decision(indices)
        if action == _core.NO_ACTION:
            raise KeyError(indices)
        return None if action == _core.GIVE_UP else self.task.action(action)

    def _indices(self, atoms: Iterable[AnyAtom]) -> tuple[int, ...]:
        return tuple(sorted(set(self.task.atom_indices(atoms))))

    # --- the core's form ---

    @property
    def decisions(self) -> Mapping[tuple[int, ...], int]:
        """The same by index: states as the ascending indices of their atoms; ``GIVE_UP`` means to give up."""
        return MappingProxyType(self._decisions)

    def decision(self, indices: tuple[int, ...]) -> int:
        """The action's index in the state of these atoms, which ascend; ``GIVE_UP``, or ``NO_ACTION`` if undefined."""
        if self.symmetry is None:
            return self._decisions.get(indices, _core.NO_ACTION)
        permutation = self.symmetry.permutation(indices)
        action = self._decisions.get(permutation.representative, _core.NO_ACTION)
        return action if action in (_core.GIVE_UP, _core.NO_ACTION) else permutation.to_state(action)

    def column(self, space: StateSpace) -> list[int]:
        """The policy as a column over the states of a space; its states are interned there.

        The space must be one of the same states: as they are, or up to the same symmetry.
        """
        if space.task is not self.task:
            return self.for_task(space.task).column(space)
        if (self.symmetry and self.symmetry.classes) != (space.symmetry and space.symmetry.classes):
            raise UsageError("the policy and the state space do not have the same symmetry; see Policy.unfolded")
        actions: dict[int, int] = {}
        for indices, action in self._decisions.items():
            state = space.core.intern_representative(indices)
            permuted = self.symmetry is not None and action != _core.GIVE_UP
            actions[state] = space.core.first_action(state, action) if permuted else action
        return [actions.get(state, _core.NO_ACTION) for state in range(len(space))]

    def for_task(self, task: GroundTask) -> Policy:
        """The same policy for another grounding of the problem, checked by name."""
        if task is self.task:
            return self
        policy = Policy(task, dict(self.items()), dead_end_cost=self.dead_end_cost)
        if self.symmetry is None:
            return policy
        symmetry = self.symmetry.for_task(task)
        decisions = dict(kept_decision(symmetry, *each) for each in policy.decisions.items())
        return Policy.from_indices(task, decisions, self.cost, self.dead_end_cost, symmetry)

    def extended(self, other: Policy, *, limits: AnyLimits = None) -> Policy:
        """This policy, and where it is undefined what another one of the same problem does.

        The other may be one for another initial state (`GroundTask.with_initial_state`). If it has another symmetry
        than this one it is unfolded first. Raises `LimitError` at a limit.
        """
        other = given_policy(self.task, other)
        if not self:
            return other.for_task(self.task)
        classes = None if self.symmetry is None else self.symmetry.classes
        if (None if other.symmetry is None else other.symmetry.classes) != classes:
            other = other.unfolded(limits=limits)
        added = other.for_task(self.task).decisions
        decisions = dict(kept_decision(self.symmetry, *each) for each in added.items()) | self._decisions
        return Policy.from_indices(self.task, decisions, self.cost, self.dead_end_cost, self.symmetry)

    def unfolded(self, *, limits: AnyLimits = None) -> Policy:
        """The same policy without symmetry, for the states that it reaches from the initial state.

        A policy without symmetry is returned as it is. Raises `LimitError` at a limit.
        """
        if self.symmetry is None:
            return self
        return _unfold(self, self.symmetry, started(limits))

    # --- tables and pictures ---

    def to_pandas(self, *, limits: AnyLimits = None) -> Any:
        """A ``pandas.DataFrame``, a row a state, or a representative of states: ``state``, its atoms as text,
        ``action``, None to give up, and ``value``, what the policy costs from there on; that is a lower bound where the
        policy is not closed. Raises `LimitError` at a limit."""
        from gpaplan.policies.explanation import costs_of

        rows = zip(self._rows(len(self)), costs_of(self, started(limits)), strict=True)
        return data_frame(("state", "action", "value"), ((*row, value) for row, value in rows))

    def _rows(self, most: int) -> Iterator[tuple[str, str | None]]:
        """The first states and their actions, as text."""
        names = [str(atom) for atom in self.task.atoms]
        for indices, action in islice(self._decisions.items(), most):
            named = None if action == _core.GIVE_UP else str(self.task.action(action))
            yield " ".join(sorted(names[index] for index in indices)), named

    def _repr_html_(self) -> str:
        rows = [(state, "give up" if action is None else action) for state, action in self._rows(MOST_ROWS)]
        return html_table(repr(self), rows, ("state", "action"), len(self))

    def to_html(self, *, states: int = 100) -> str:
        """One self-contained page that draws the policy: of the states that it reaches the nearest, at most so many."""
        from gpaplan.pages import graph
        from gpaplan.policies.page import page_data

        return graph.to_html(page_data(self, states))

    # --- files ---

    def to_text(self) -> str:
        """The policy as a file has it, on representatives if it is kept on these; equal policies give equal text."""
        from gpaplan.policies.policy_file import write_policy

        return "".join(write_policy(self))

    def to_json(self) -> dict[str, Any]:
        """The same as plain data; `from_json` takes it."""
        record: dict[str, Any] = json.loads(self.to_text())
        return record

    @classmethod
    def from_json(cls, task: GroundTask, record: Mapping[str, Any]) -> Policy:
        """The policy of what `to_json` gave, checked like that of a file."""
        from gpaplan.policies.policy_file import policy_of

        return policy_of(record, "<data>", task)

    def write(self, path: str | os.PathLike[str], *, unfold: bool | None = None, limits: AnyLimits = None) -> Policy:
        """Write the policy to a file, which appears as a whole or not at all; returns it as it was written.

        A policy on representatives is written on the states themselves where these are at most 10,000, and can be
        listed within the limits; else as it is. ``unfold`` says to do it, or not to do it, however many there are; if
        it is to be done, a limit raises `LimitError`.
        """
        from gpaplan.files import written_whole
        from gpaplan.policies.policy_file import write_policy

        written = self.unfolded(limits=limits) if unfold else self
        if unfold is None:
            written = unfolded_if_small(self, started(limits))
        with written_whole(path) as file:
            file.writelines(write_policy(written))
        return written

    @classmethod
    def read(cls, task: GroundTask, path: str | os.PathLike[str], *, limits: AnyLimits = None) -> Policy:
        """Read a policy for a task. Everything in the file is checked; a fault raises `DataError` with its place.

        Raises `LimitError` at a limit.
        """
        from gpaplan.policies.policy_file import read_policy

        return read_policy(path, task, limits)


def kept_decision(symmetry: Symmetry | None, state: tuple[int, ...], action: int) -> tuple[tuple[int, ...], int]:
    """A state and its action as a policy keeps them: mapped, if there is a symmetry, to the state's representative."""
    permutation = None if symmetry is None else symmetry.permutation(state)
    if permutation is None or not permutation.exact or permutation.representative == state:
        return state, action
    return permutation.representative, action if action == _core.GIVE_UP else permutation.to_representative(action)


def show_state(atoms: Iterable[GroundAtom], most: int = 12) -> str:
    """A state in one line, for messages."""
    texts = sorted(map(str, atoms))
    return f"{{{' '.join(texts[:most])}{' …' if len(texts) > most else ''}}}"


class HasPolicy(Protocol):
    """What was found for a task: a `Solution`."""

    @property
    def policy(self) -> Policy:
        """The policy that was found."""


AnyPolicy: TypeAlias = Policy | HasPolicy | str | os.PathLike[str]
"""A policy, a solution, whose policy is meant, or the file of a policy."""


def given_policy(task: GroundTask, given: AnyPolicy) -> Policy:
    """The policy that is meant, of this task."""
    if isinstance(given, str | os.PathLike):
        return Policy.read(task, given)
    policy = given if isinstance(given, Policy) else getattr(given, "policy", None)
    if not isinstance(policy, Policy):
        raise misplaced(given, "policy", "pass solution.policy, the solution, or the file of a policy")
    return policy


# --- from representatives to the states themselves ---

MOST_UNFOLDED = 10_000
"""So many states of a policy are written to a file one by one; where there are more, their representatives are."""


def unfolded_if_small(policy: Policy, stop: _core.Stop) -> Policy:
    """The policy on the states that it reaches if these are few, and can be listed within the limits; else as it is."""
    if policy.symmetry is None or len(policy) > MOST_UNFOLDED:
        return policy
    try:
        found = _unfold(policy, policy.symmetry, stop, MOST_UNFOLDED)
    except LimitError:
        return policy
    return found if len(found) <= MOST_UNFOLDED else policy


def _unfold(policy: Policy, symmetry: Symmetry, stop: _core.Stop, most: float = math.inf) -> Policy:
    """The policy on the states that it reaches; where it is undefined, so is the result. If there are more than
    ``most``, one more of them is enough."""
    known = policy.decisions
    space = StateSpace(policy.task, max_outcomes=2**32)  # as many as the search may have met
    decisions: dict[tuple[int, ...], int] = {}
    permutations: dict[int, Permutation] = {}
    queue: list[int] = []

    def meet(state: int, permutation: Permutation) -> None:
        permutations[state] = permutation
        if permutation.representative in known and len(queue) <= most:
            queue.append(state)

    with named_errors(policy.task):
        if not space.is_goal(space.initial):
            meet(space.initial, symmetry.permutation(space.core.atoms(space.initial)))
        for state in queue:
            if stop.check():
                raise LimitError("unfolding the policy", stop.reason)
            permutation = permutations[state]
            decision = known[permutation.representative]
            action = decision if decision == _core.GIVE_UP else permutation.to_state(decision)
            decisions[tuple(space.core.atoms(state))] = action
            for successor in () if action == _core.GIVE_UP else space.core.successors(state, action):
                if successor not in permutations and not space.is_goal(successor):
                    after = symmetry.permutation(permutation.of_state(space.core.atoms(successor)))
                    meet(successor, after.after(permutation))
    return Policy.from_indices(policy.task, decisions, policy.cost, policy.dead_end_cost)
