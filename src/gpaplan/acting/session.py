"""A conversation with an actor: requests and answers as plain data, for robots and simulators in any language.

A request says what the state is, and the answer is what to do:

    {"state": ["(on a b)", …]}              exactly these fluent atoms hold
    {"added": […], "deleted": […]}          what has changed since the state of the last request
    {"reset": true}                         a new run, from the problem's initial state; "state" may name another one
    {}                                      the same state as before; at first, the initial one

    {"action": "(pick a)", "source": "automaton", "reason": "…", "value": 3.2, "looked_at": 12, …}

``action`` is null at a goal, in a dead end and where it is better to give up; ``source`` says which. What is wrong with
a request is the answer's ``error``; the state stays what it was. An ``id`` in a request comes back in its answer.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from gpaplan.acting.actor import Actor
from gpaplan.errors import UsageError
from gpaplan.records import plain
from gpaplan.spaces.state_space import StateSpace
from gpaplan.tasks.task import GroundAtom

__all__ = ["Session"]

_KEYS = ("state", "added", "deleted", "reset", "id")


class Session:
    """An actor, and the state that it was told of last."""

    def __init__(self, actor: Actor) -> None:
        self.actor = actor
        space = StateSpace(actor.task)
        self._initial = frozenset(space.atoms(space.initial))
        self.state: frozenset[GroundAtom] = self._initial

    def answer_line(self, line: str) -> str:
        """The answer to a request, both as a line of JSON. Raises `LimitError` at the actor's limits."""
        try:
            request = json.loads(line)
        except (ValueError, RecursionError) as error:
            return _line({"error": f"this is not JSON: {error}"})
        return _line(self.answer(request))

    def answer(self, request: Any) -> dict[str, Any]:
        """The answer to a request. Raises `LimitError` at the actor's limits."""
        known = {"id": request["id"]} if isinstance(request, dict) and "id" in request else {}
        try:
            self.state = self._next(request)
            decision = self.actor.decide(self.state)
        except UsageError as error:
            return known | {"error": str(error)}
        record = decision.to_json()
        record["milliseconds"] = round(1e3 * record.pop("seconds"), 3)
        return known | record

    def _next(self, request: Any) -> frozenset[GroundAtom]:
        """The state that a request speaks of."""
        if not isinstance(request, dict):
            raise UsageError('a request is an object such as {"state": ["(on a b)"]}')
        unknown = [key for key in request if key not in _KEYS]
        if unknown:
            raise UsageError(f"a request has no '{unknown[0]}'; it may have {', '.join(_KEYS)}")
        reset = request.get("reset", False)
        if not isinstance(reset, bool):
            raise UsageError("'reset' is true or false")
        changes = [key for key in ("added", "deleted") if key in request]
        if "state" in request and changes:
            raise UsageError(f"a request has either 'state' or '{changes[0]}', not both")
        state = self._initial if reset else self.state
        if "state" in request:
            state = self._atoms(request, "state")
        elif changes:
            state = state - self._atoms(request, "deleted") | self._atoms(request, "added")
        if reset:
            self.actor.begin()
        return state

    def _atoms(self, request: dict[str, Any], key: str) -> frozenset[GroundAtom]:
        given = request.get(key, [])
        if not isinstance(given, list) or not all(isinstance(atom, str) for atom in given):
            raise UsageError(f"'{key}' is a list of atoms such as \"(on a b)\"")
        return self._named(given)

    def _named(self, atoms: Iterable[str]) -> frozenset[GroundAtom]:
        task = self.actor.task
        return frozenset(task.atoms[index] for index in task.atom_indices(atoms))


def _line(record: dict[str, Any]) -> str:
    return json.dumps(plain(record), ensure_ascii=True)
