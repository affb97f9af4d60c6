"""Policies in files: readable JSON, one state a line.

    {
      "format": "gpaplan policy",
      "version": 1,
      "domain": "gripper",
      "problem": "gripper-1",
      "cost": "unit",
      "dead_end_cost": null,
      "states": [
        {"state": ["(ball-in ball0 room-a)", …], "action": "(pick ball0 room-a left)"},
        …
      ]
    }

A state lists its fluent atoms in alphabetical order, and states are sorted by them, so equal policies are equal files
and two policies compare with ``diff``. The action ``"give-up"`` pays the dead-end cost and stops.

The policy of a search up to symmetry is of version 2 and says so: before the states comes ``symmetry``, the list of the
classes of interchangeable objects, such as ``[["ball0", "ball1"], ["left", "right"]]``. A state stands for all that
differ from it by a permutation within the classes, and its action for the actions permuted in the same way.

Where the task has dropped atoms that its goal cannot depend on (docs/reductions.md), the file is of version 3 and lists
them as ``irrelevant`` before the states, which do not speak of them. ``symmetry`` is null if there is none.

A file is data from anywhere: whatever is wrong with it is a `DataError` that says where.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from gpaplan import _core
from gpaplan.data import Checker, PositiveNumber, check_format, read_json, show, typed
from gpaplan.display import dump_json, json_lines
from gpaplan.errors import DataError, LimitError, UsageError
from gpaplan.limits import AnyLimits, started
from gpaplan.policies.policy import Policy, kept_decision, show_state
from gpaplan.spaces.state_space import StateSpace, Symmetry, find_symmetry
from gpaplan.tasks.task import GroundAction, GroundTask, parse_name

FORMAT = "gpaplan policy"
VERSION = 3
GIVE_UP = "give-up"
MAX_BYTES = 2**31  # of a policy's file

# --- writing ---


def write_policy(policy: Policy) -> Iterator[str]:
    """The text of a policy's file, piece by piece."""
    task = policy.task
    classes = None if policy.symmetry is None else policy.symmetry.classes
    irrelevant = sorted(map(str, task.dropped_atoms))
    version = VERSION if irrelevant else 1 if classes is None else 2
    head = {
        "format": FORMAT,
        "version": version,
        "domain": task.domain.name,
        "problem": task.problem.name,
        "cost": policy.cost,
        "dead_end_cost": policy.dead_end_cost,
    } | ({} if version == 1 else {"symmetry": classes})
    if irrelevant:
        head["irrelevant"] = irrelevant
    texts = sorted(dump_json(str(atom)) for atom in task.atoms)
    rank = {text: position for position, text in enumerate(texts)}
    ranks = [rank[dump_json(str(atom))] for atom in task.atoms]
    entries = sorted((sorted(ranks[index] for index in state), action) for state, action in policy.decisions.items())
    names = {
        action: dump_json(str(task.action(action))) for action in {action for _, action in entries} - {_core.GIVE_UP}
    }
    names[_core.GIVE_UP] = dump_json(GIVE_UP)
    states = (
        f'{{"state": [{", ".join(texts[position] for position in state)}], "action": {names[action]}}}'
        for state, action in entries
    )
    return json_lines(head, states=states)


# --- reading ---

Atom = Annotated[str, Meta(description='an atom such as "(on a b)"')]
Action = Annotated[str, Meta(description=f'an action such as "(move a b)" or "{GIVE_UP}"')]
Classes = Annotated[list[list[str]] | None, Meta(description="null or a list of classes, each a list of objects")]


class _Decision(Struct, forbid_unknown_fields=True):
    state: Annotated[list[Atom], Meta(description="a list of atoms")]
    action: Action


class _File(Struct, forbid_unknown_fields=True, kw_only=True):
    format: str
    version: int
    domain: str
    problem: str
    cost: Literal["unit", "metric"]
    dead_end_cost: PositiveNumber | None
    symmetry: Classes = None
    """Of version 2 and later."""
    irrelevant: Annotated[list[Atom], Meta(description="a list of atoms")] = []
    """Of version 3."""
    states: list[Any]
    """Each a `_Decision`, as is seen one by one: there may be millions."""


class OtherAtomsError(DataError):
    """A policy speaks of atoms or actions that the task has dropped, or has dropped some that the task has."""


def read_policy(path: str | os.PathLike[str], task: GroundTask, limits: AnyLimits = None) -> Policy:
    """Read and check a policy for a task. Raises `LimitError` at a limit."""
    stop = started(limits)

    def poll() -> None:
        if stop.check():
            raise LimitError(f"reading '{path}'", stop.reason)

    return policy_of(*read_json(path, "a policy", MAX_BYTES, poll), task, stop)


def policy_of(record: object, name: str, task: GroundTask, limits: AnyLimits = None) -> Policy:
    """Check what a file holds; messages speak of it by the name."""
    check_format(record, FORMAT, VERSION, name, "a policy")
    return _Reader(name, task, started(limits)).policy(typed(record, _File, name))


class _Reader(Checker):
    """Checks what a file says against the task; the first fault ends it."""

    def __init__(self, file: str, task: GroundTask, stop: _core.Stop) -> None:
        super().__init__(file)
        self.task = task
        self.stop = stop
        self.space = StateSpace(task, limits=stop)
        self.symmetry: Symmetry | None = None
        self.atoms: dict[str, list[int]] = {}
        self.actions: dict[str, int] = {}

    def policy(self, file: _File) -> Policy:
        for key in ("domain", "problem"):
            mine, name = getattr(file, key), getattr(self.task, key).name
            if mine != name:
                self.fail(key, f"the policy is for {key} {show(mine)}, and the task's {key} is '{name}'")
        self.compare_atoms(set(file.irrelevant))
        if file.symmetry:
            try:
                self.symmetry = find_symmetry(self.task, limits=self.stop).restricted(file.symmetry)
            except UsageError as error:
                self.fail("symmetry", str(error))
        decisions = self.decisions(file.states)
        return Policy.from_indices(self.task, decisions, file.cost, file.dead_end_cost, self.symmetry)

    def compare_atoms(self, irrelevant: set[str]) -> None:
        dropped = set(map(str, self.task.dropped_atoms))
        if irrelevant == dropped:
            return
        if dropped - irrelevant:
            message = f"the policy may depend on {min(dropped - irrelevant)}, which the task has dropped"
            other = "relevance=False, --relevance off"
        else:
            message = f"the policy does not know {min(irrelevant - dropped)}, which the task has not dropped"
            other = "relevance=True, --relevance on"
        raise OtherAtomsError(f"{message}; ground the task with the same relevance ({other})", self.file, "states")

    def decisions(self, entries: list[object]) -> dict[tuple[int, ...], int]:
        decisions: dict[tuple[int, ...], int] = {}
        first: dict[tuple[int, ...], int] = {}
        for number, each in enumerate(entries):
            if self.stop.check():
                raise LimitError(f"reading '{self.file}'", self.stop.reason)
            place = f"states[{number}]"
            entry = typed(each, _Decision, self.file, place)
            state = self.state(entry.state, f"{place}.state")
            action = self.action(entry.action, state, f"{place}.action")
            kept, action = kept_decision(self.symmetry, state, action)
            if kept in first:
                how = "" if self.symmetry is None else " up to symmetry of interchangeable objects"
                self.fail(f"{place}.state", f"is the same state as states[{first[kept]}]{how}")
            first[kept] = number
            decisions[kept] = action
        return decisions

    def state(self, atoms: list[str], place: str) -> tuple[int, ...]:
        indices = []
        for number, atom in enumerate(atoms):
            if atom not in self.atoms:
                try:
                    self.atoms[atom] = self.task.atom_indices([atom])
                except UsageError as error:
                    self.fail(f"{place}[{number}]", str(error))
            indices += self.atoms[atom]
        if len(set(indices)) < len(indices):
            self.fail(place, "an atom occurs twice")
        return tuple(sorted(indices))

    def action(self, name: str, state: tuple[int, ...], place: str) -> int:
        if name == GIVE_UP:
            return _core.GIVE_UP
        if name not in self.actions:
            try:
                self.actions[name] = self.task.action_index(name)
            except UsageError as error:
                if GroundAction(*parse_name(name)) in self.task.dropped_actions:
                    raise OtherAtomsError(str(error), self.file, place) from None
                self.fail(place, str(error))
        action = self.actions[name]
        if not self.space.core.is_applicable(self.space.core.intern(state), action):
            shown = show_state(self.task.atoms[index] for index in state)
            self.fail(place, f"action {name} is not applicable in the state {shown}")
        return action
