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
differ from it by a renaming within the classes, and its action for the actions renamed in the same way.

A file is data from anywhere: whatever is wrong with it is a `DataError` that says where.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

from gpaplan import _core
from gpaplan.errors import DataError, UsageError, did_you_mean
from gpaplan.policies.policy import Policy, kept_decision, show_state
from gpaplan.spaces.state_space import StateSpace
from gpaplan.spaces.symmetry import Symmetry, find_symmetry
from gpaplan.tasks.task import GroundTask

__all__ = ["FORMAT", "GIVE_UP", "VERSION", "read_policy", "write_policy"]

FORMAT = "gpaplan policy"
VERSION = 2
GIVE_UP = "give-up"

_KEYS = ("format", "version", "domain", "problem", "cost", "dead_end_cost", "symmetry", "states")
_KEYS_1 = tuple(key for key in _KEYS if key != "symmetry")


def write_policy(policy: Policy) -> Iterator[str]:
    """The text of a policy's file, piece by piece."""
    task = policy.task
    classes = None if policy.symmetry is None else policy.symmetry.classes
    version = 1 if classes is None else VERSION
    header = (FORMAT, version, task.domain.name, task.problem.name, policy.cost, policy.dead_end_cost, classes)
    yield "{\n"
    for key, value in zip(_KEYS[:-1], header, strict=True):
        if key != "symmetry" or classes is not None:
            yield f"  {_json(key)}: {_json(value)},\n"
    yield '  "states": ['
    texts = sorted(_json(str(atom)) for atom in task.atoms)
    rank = {text: position for position, text in enumerate(texts)}
    ranks = [rank[_json(str(atom))] for atom in task.atoms]
    entries = sorted((sorted(ranks[index] for index in state), action) for state, action in policy.decisions.items())
    names = {action: _json(str(task.action(action))) for action in {action for _, action in entries} - {_core.GIVE_UP}}
    names[_core.GIVE_UP] = _json(GIVE_UP)
    for number, (state, action) in enumerate(entries):
        atoms = ", ".join(texts[position] for position in state)
        yield f'{"," if number else ""}\n    {{"state": [{atoms}], "action": {names[action]}}}'
    yield "\n  ]\n}\n" if entries else "]\n}\n"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def read_policy(path: str | os.PathLike[str], task: GroundTask) -> Policy:
    """Read and check a policy for a task."""
    return _Reader(os.fspath(path), task).read()


class _Reader:
    """Checks a file from the outside in; the first fault ends it."""

    def __init__(self, file: str, task: GroundTask) -> None:
        self.file = file
        self.task = task
        self.space = StateSpace(task)
        self.symmetry: Symmetry | None = None
        self.atoms: dict[str, list[int]] = {}
        self.actions: dict[str, int] = {}

    def fail(self, place: str, message: str) -> NoReturn:
        raise DataError(message, self.file, place)

    def read(self) -> Policy:
        record = _parse(self.file)
        if not isinstance(record, dict) or record.get("format") != FORMAT:
            self.fail("", f'this is not a policy; one begins with {{"format": "{FORMAT}", …')
        version = record.get("version")
        if type(version) is not int or version < 1:
            self.fail("version", f"must be a whole number from 1, not {_show(version)}")
        if version > VERSION:
            self.fail("version", f"{version} is newer than the version {VERSION} known here; use a newer gpaplan")
        self.check_keys(record, _KEYS if version >= 2 else _KEYS_1, "")
        self.check_name(record, "domain", self.task.domain.name)
        self.check_name(record, "problem", self.task.problem.name)
        if record["cost"] not in ("unit", "metric"):
            self.fail("cost", f'must be "unit" or "metric", not {_show(record["cost"])}')
        dead_end_cost = self.dead_end_cost(record["dead_end_cost"])
        self.symmetry = self.classes(record.get("symmetry"))
        states = record["states"]
        if not isinstance(states, list):
            self.fail("states", f"must be a list, not {_show(states)}")
        return Policy.from_indices(self.task, self.decisions(states), record["cost"], dead_end_cost, self.symmetry)

    def check_keys(self, record: dict[str, Any], keys: tuple[str, ...], place: str) -> None:
        for key in keys:
            if key not in record:
                self.fail(place, f"'{key}' is missing")
        for key in record:
            if key not in keys:
                hint = did_you_mean(key, keys) or f"there are {', '.join(keys)}"
                self.fail(place, f"unknown key '{key}';  {hint}")

    def check_name(self, record: dict[str, Any], key: str, name: str) -> None:
        if record[key] != name:
            self.fail(key, f"the policy is for {key} {_show(record[key])}, and the task's {key} is '{name}'")

    def dead_end_cost(self, value: Any) -> float | None:
        if value is None:
            return None
        if type(value) not in (int, float) or not value > 0 or not math.isfinite(value):
            self.fail("dead_end_cost", f"must be null or a positive number, not {_show(value)}")
        return float(value)

    def classes(self, value: Any) -> Symmetry | None:
        if value is None:
            return None
        named = isinstance(value, list) and all(
            isinstance(objects, list) and all(isinstance(name, str) for name in objects) for objects in value
        )
        if not named:
            self.fail("symmetry", f"must be null or a list of classes, each a list of objects, not {_show(value)}")
        try:
            return find_symmetry(self.task).restricted(value) if value else None
        except UsageError as error:
            self.fail("symmetry", str(error))

    def decisions(self, states: list[Any]) -> dict[tuple[int, ...], int]:
        decisions: dict[tuple[int, ...], int] = {}
        first: dict[tuple[int, ...], int] = {}
        for number, entry in enumerate(states):
            place = f"states[{number}]"
            if not isinstance(entry, dict):
                self.fail(place, f"must be an object with 'state' and 'action', not {_show(entry)}")
            self.check_keys(entry, ("state", "action"), place)
            state = self.state(entry["state"], f"{place}.state")
            action = self.action(entry["action"], state, f"{place}.action")
            renamed, action = kept_decision(self.symmetry, state, action)
            if renamed in first:
                how = "" if self.symmetry is None else " up to renaming of interchangeable objects"
                self.fail(f"{place}.state", f"is the same state as states[{first[renamed]}]{how}")
            first[renamed] = number
            decisions[renamed] = action
        return decisions

    def state(self, atoms: Any, place: str) -> tuple[int, ...]:
        if not isinstance(atoms, list):
            self.fail(place, f"must be a list of atoms, not {_show(atoms)}")
        indices = []
        for number, atom in enumerate(atoms):
            if not isinstance(atom, str):
                self.fail(f"{place}[{number}]", f'must be an atom such as "(on a b)", not {_show(atom)}')
            if atom not in self.atoms:
                try:
                    self.atoms[atom] = self.task.atom_indices([atom])
                except UsageError as error:
                    self.fail(f"{place}[{number}]", str(error))
            indices += self.atoms[atom]
        if len(set(indices)) < len(indices):
            self.fail(place, "an atom occurs twice")
        return tuple(sorted(indices))

    def action(self, name: Any, state: tuple[int, ...], place: str) -> int:
        if name == GIVE_UP:
            return _core.GIVE_UP
        if not isinstance(name, str):
            self.fail(place, f'must be an action such as "(move a b)" or "{GIVE_UP}", not {_show(name)}')
        if name not in self.actions:
            try:
                self.actions[name] = self.task.action_index(name)
            except UsageError as error:
                self.fail(place, str(error))
        action = self.actions[name]
        if not self.space.core.is_applicable(self.space.core.intern(state), action):
            shown = show_state(self.task.atoms[index] for index in state)
            self.fail(place, f"action {name} is not applicable in the state {shown}")
        return action


def _parse(file: str) -> Any:
    """The file as JSON, without what JSON does not have (NaN, Infinity) and without repeated keys."""

    def refuse_constant(name: str) -> NoReturn:
        raise DataError(f"{name} is not a number that JSON has", file)

    def collect(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        record = dict(pairs)
        if len(record) < len(pairs):
            keys = [key for key, _ in pairs]
            repeated = next(key for key in keys if keys.count(key) > 1)
            raise DataError(f"the key '{repeated}' occurs twice in one object", file)
        return record

    try:
        text = Path(file).read_bytes().decode("utf-8-sig")
        return json.loads(text, parse_constant=refuse_constant, object_pairs_hook=collect)
    except FileNotFoundError:
        raise UsageError(f"{file}: no such file") from None
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise DataError(f"is not UTF-8 text (byte {error.start})", file) from None
    except json.JSONDecodeError as error:
        cut_short = "the text ends too early; was the file cut short?" if error.pos >= len(text.rstrip()) else error.msg
        raise DataError(f"not JSON: {cut_short}", file, line=error.lineno, column=error.colno) from None
    except RecursionError:
        raise DataError("not a policy: nested too deeply", file) from None
    except ValueError as error:
        raise DataError(f"not JSON: {error}", file) from None


def _show(value: object, most: int = 60) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= most else f"{text[:most]} …"
