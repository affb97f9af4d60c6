"""A conversation with an actor: requests and answers as plain data, for robots and simulators in any language.

A request says what the state is, and the answer is what to do:

    {"state": ["(on a b)", …]}              exactly these fluent atoms hold
    {"added": […], "deleted": […]}          what has changed since the state of the last request
    {"reset": true}                         a new run, from the problem's initial state; "state" may name another one
    {}                                      the same state as before; at first, the initial one

    {"action": "(pick a)", "source": "automaton", "reason": "…", "value": 3.2, "looked_at": 12, …}

``action`` is null at a goal, in a dead end and where it is better to give up; ``source`` says which. What is wrong with
a request is the answer's ``error``; the state stays what it was. An ``id`` in a request comes back in its answer.

A state is taken for what it is said to be. Where it cannot come about, because a thing is in two places or in none
(`gpaplan.tasks.variables`), the answer has a ``warning``: likely the senses are wrong, and then so is the action.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cached_property
from typing import Any

from gpaplan.acting.actor import Actor
from gpaplan.display import plain
from gpaplan.errors import MOST_LETTERS, UsageError, shortened
from gpaplan.limits import AnyLimits
from gpaplan.tasks.task import GroundAtom
from gpaplan.tasks.variables import StateVariable, find_variables, takes_a_moment

LONGEST_LINE = 1 << 20
"""Bytes of a request."""
_MOST_NAMED = 5
_KEYS = ("state", "added", "deleted", "reset", "id")


class Session:
    """An actor, and the state that it was told of last."""

    def __init__(self, actor: Actor, *, limits: AnyLimits = None) -> None:
        """``limits`` are for finding out what excludes what, which happens when it is first needed."""
        self.actor = actor
        self._limits = limits
        self._initial = actor.task.initial_state
        self.state: frozenset[GroundAtom] = self._initial

    @property
    def checks_states(self) -> bool:
        """Whether there are warnings. Of a large task it takes long to find out what excludes what."""
        return takes_a_moment(self.actor.task)

    def answer_line(self, line: bytes) -> str:
        """The answer to a request, both as a line of JSON. Raises `LimitError` at the actor's limits."""
        if len(line) > LONGEST_LINE:
            return _line({"error": f"this line is longer than {LONGEST_LINE:,} bytes"})
        try:
            request = json.loads(line.decode("utf-8-sig"))
        except UnicodeDecodeError as error:
            return _line({"error": f"this is not UTF-8: {error.reason} at byte {error.start + 1} of the line"})
        except (ValueError, RecursionError) as error:
            return _line({"error": f"this is not JSON: {error}"})
        return _line(self.answer(request))

    def answer(self, request: Any) -> dict[str, Any]:
        """The answer to a request. Raises `LimitError` at the actor's limits."""
        known = {}
        try:
            if isinstance(request, dict) and "id" in request:
                known = {"id": _short_id(request["id"])}
            self.state = self._next(request)
            decision = self.actor.decide(self.state)
        except UsageError as error:
            return known | {"error": str(error)}
        record = decision.to_json()
        record["milliseconds"] = round(1e3 * record.pop("seconds"), 3)
        warning = self._warning()
        return known | record | ({"warning": warning} if warning else {})

    def _warning(self) -> str:
        """Why the state cannot come about, in words; empty where it is not known that it cannot."""
        if self.state == self._initial or not self.checks_states:
            return ""
        broken = []
        for variable in self._variables:
            held = self.state.intersection(variable.atoms)
            if len(held) > 1:
                several = [atom for atom in variable.atoms if atom in held]
                broken.append(f"{_in_words(several)} hold at once, and only one of them ever does")
            elif not held and not variable.may_be_none:
                broken.append(f"none of {_in_words(variable.atoms)} holds, and one of them always does")
        if len(broken) > _MOST_NAMED:
            broken[_MOST_NAMED:] = [f"and {len(broken) - _MOST_NAMED:,} more like that"]
        return ";  ".join(broken)

    @cached_property
    def _variables(self) -> list[StateVariable]:
        """Those whose atoms exclude each other."""
        return [each for each in find_variables(self.actor.task, limits=self._limits) if len(each.atoms) > 1]

    def _next(self, request: Any) -> frozenset[GroundAtom]:
        """The state that a request speaks of."""
        if not isinstance(request, dict):
            raise UsageError('a request is an object such as {"state": ["(on a b)"]}')
        unknown = [key for key in request if key not in _KEYS]
        if unknown:
            raise UsageError(f"a request has no '{shortened(unknown[0])}'; it may have {', '.join(_KEYS)}")
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
        task = self.actor.task
        return frozenset(task.atoms[index] for index in task.atom_indices(given))


def _line(record: dict[str, Any]) -> str:
    return json.dumps(plain(record), ensure_ascii=True)


def _short_id(given: Any) -> Any:
    try:
        text = json.dumps(given)
    except RecursionError:
        raise UsageError("an 'id' is nested too deeply") from None
    if len(text) > MOST_LETTERS:
        raise UsageError(f"an 'id' has at most {MOST_LETTERS} characters, and this one has more: {shortened(text)}")
    return given


def _in_words(atoms: Iterable[GroundAtom]) -> str:
    """Some atoms, and how many more there are."""
    names = [shortened(str(atom)) for atom in atoms]
    if len(names) > _MOST_NAMED:
        names[_MOST_NAMED:] = [f"{len(names) - _MOST_NAMED:,} more"]
    return f"{', '.join(names[:-1])} and {names[-1]}"
