"""Traces: trials of a policy, with everything that happened in them.

    trace = record_trials(task, policy, trials=5)
    for state, step in zip(trace.trials[0].states(), trace.trials[0].steps):
        print(step.action, step.reason)
    trace.write("trace.json")

`gpaplan.traces.page` is the page to step through it. A file is readable JSON, one step a line:

    {
      "format": "gpaplan trace",
      "version": 1,
      "domain": "gripper",
      "problem": "gripper-1",
      "cost_mode": "unit",
      "automaton": null,
      "trials": [
        {"seed": 0, "end": "goal", "cost": 3.0, "initial": ["(ball-in ball0 room-a)", …], "steps": [
          {"action": "(pick ball0 room-a left)", "cost": 1.0, "added": […], "deleted": […], "source": "policy"},
          …
        ]}
      ]
    }

The automaton, where there is one, is what its own file would hold. A step leaves out what is not known of it.

A file is data from anywhere: whatever is wrong with it is a `DataError` that says where.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from itertools import accumulate
from typing import Annotated, Any, Literal, TypeAlias, TypeVar

from msgspec import Meta, Struct

from gpaplan.automata.automaton_file import filter_of
from gpaplan.automata.canonical import AnyAbstraction
from gpaplan.automata.filters import TransitionFilter
from gpaplan.data import Checker, check_format, read_json, typed
from gpaplan.display import as_record, counted, data_frame, dump_json, html_frame, json_lines, plain
from gpaplan.errors import DataError, UsageError
from gpaplan.files import written_whole
from gpaplan.pictures import Look
from gpaplan.policies.policy import State
from gpaplan.tasks.grounding import TaskCost
from gpaplan.tasks.task import GroundAction, GroundAtom, GroundTask, parse_name

FORMAT = "gpaplan trace"
VERSION = 1

TrialEnd: TypeAlias = Literal["goal", "horizon", "dead-end", "give-up", "undefined", "limit"]
"""What ended a trial: the goal was reached; so many steps were made; no action is applicable, or the goal is known to
be out of reach; the policy gave up, or has no action; or a limit came first."""
ENDS: dict[TrialEnd, str] = {
    "goal": "the goal is reached",
    "horizon": "the horizon is reached",
    "dead-end": "a dead end",
    "give-up": "the policy gives up",
    "undefined": "the policy is undefined here",
    "limit": "a limit came first",
}
"""What ended a trial, in words."""


@dataclass(frozen=True, slots=True)
class TrialStep:
    """An action that was taken, its cost, and what came of it: the atoms added and those deleted."""

    action: GroundAction
    cost: float
    added: tuple[GroundAtom, ...] = ()
    deleted: tuple[GroundAtom, ...] = ()
    source: str = ""
    """In a word, what decided: ``policy``, ``random``, and so forth."""
    reason: str = ""
    """Why, in words."""
    vertex: str | None = None
    """The vertex of the trace's automaton that the state before the action is compared with, named as on its page:
    ``v3`` is ``automaton.vertices[3]``."""
    value: float | None = None
    """The expected cost from the state before the action on, as far as it is known."""
    milliseconds: float | None = None
    """How long the decision took."""


KNOWN = tuple(each.name for each in fields(TrialStep))[4:]
"""What may be known of a step besides what happened."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One run from the initial state: its steps, what its end was, and its cost, that of giving up included."""

    seed: int
    """By which its outcomes were drawn; trials that were drawn one after another have one seed."""
    initial: State
    steps: tuple[TrialStep, ...]
    end: TrialEnd
    cost: float

    def states(self) -> Iterator[State]:
        """The initial state, and the state after each step."""
        state = self.initial
        yield state
        for step in self.steps:
            state = state.difference(step.deleted).union(step.added)
            yield state


@dataclass(frozen=True, slots=True)
class Trace:
    """Trials of one problem of a domain, and the automaton that was followed, if there was one."""

    domain: str
    problem: str
    cost_mode: str
    """What actions cost: ``unit`` or ``metric``."""
    trials: tuple[Trial, ...]
    automaton: TransitionFilter | None = None

    def __repr__(self) -> str:
        steps = sum(len(trial.steps) for trial in self.trials)
        return f"Trace({self.problem!r}: {counted(len(self.trials), 'trial')}, {counted(steps, 'step')})"

    def _repr_html_(self) -> str:
        """In a notebook: the page in a frame."""
        return html_frame(self.to_html(), repr(self))

    def to_pandas(self) -> Any:
        """A ``pandas.DataFrame``, a row a step: the numbers of ``trial`` and ``step`` from 1, the cost so far as
        ``total``, and the fields of `TrialStep`, ``added`` and ``deleted`` as lists of texts."""
        fixed = ("trial", "step", "action", "cost", "total", "added", "deleted")
        return data_frame((*fixed, *KNOWN), self._rows())

    def _rows(self) -> Iterator[tuple[object, ...]]:
        for number, trial in enumerate(self.trials, 1):
            totals = accumulate(step.cost for step in trial.steps)
            for place, (step, total) in enumerate(zip(trial.steps, totals, strict=True), 1):
                changes = [str(atom) for atom in step.added], [str(atom) for atom in step.deleted]
                known = (getattr(step, name) for name in KNOWN)
                yield number, place, str(step.action), step.cost, total, *changes, *known

    def summary(self) -> str:
        """All trials step by step, for people."""
        title = f"{self.domain} / {self.problem}, {counted(len(self.trials), 'trial')}, {self.cost_mode} costs"
        return "\n".join(
            [title, *(line for number, trial in enumerate(self.trials, 1) for line in _trial_lines(number, trial))]
        )

    def to_html(self, task: GroundTask | None = None, *, look: Look | None = None) -> str:
        """One self-contained page to step through the trials; given their task, with pictures of the states."""
        from gpaplan.traces.page import to_html

        return to_html(self, task, look)

    def to_text(self) -> str:
        """The trace as its file has it; equal traces give equal text."""
        return "".join(self._text())

    def _text(self) -> Iterator[str]:
        automaton = None if self.automaton is None else self.automaton.to_json()
        names = {"domain": self.domain, "problem": self.problem, "cost_mode": self.cost_mode}
        head = {"format": FORMAT, "version": VERSION, **names, "automaton": automaton}
        return json_lines(head, trials=map(_trial, self.trials))

    def to_json(self) -> dict[str, Any]:
        """The same as plain data; `from_json` takes it."""
        record: dict[str, Any] = json.loads(self.to_text())
        return record

    @classmethod
    def from_json(cls, record: Mapping[str, Any], *, abstraction: AnyAbstraction | None = None) -> Trace:
        """The trace of what `to_json` gave, checked like that of a file."""
        return trace_of(record, "<data>", abstraction)

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the trace to a file, which appears as a whole or not at all."""
        with written_whole(path) as file:
            file.writelines(self._text())

    @classmethod
    def read(cls, path: str | os.PathLike[str], *, abstraction: AnyAbstraction | None = None) -> Trace:
        """Read a trace. Everything in it is checked; a fault raises `DataError` with its place.

        A trace with an automaton of an abstraction of your own needs that abstraction again.
        """
        return trace_of(*read_json(path, "a trace"), abstraction)


def _trial_lines(number: int, trial: Trial) -> Iterator[str]:
    end = f"{counted(len(trial.steps), 'step')}, cost {trial.cost:g}, {ENDS[trial.end]}"
    yield f"trial {number}: {end} (seed {trial.seed})"
    width = len(str(len(trial.steps)))
    for place, step in enumerate(trial.steps, 1):
        yield f"  {place:>{width}}  {step.action}  cost {step.cost:g}"
        yield from (f"  {'':{width}}    {line}" for line in _details(step))


def _details(step: TrialStep) -> Iterator[str]:
    changes = [*(f"-{atom}" for atom in step.deleted), *(f"+{atom}" for atom in step.added)]
    yield " ".join(changes) or "nothing changed"
    why = ", ".join(each for each in (step.source, step.vertex, step.reason) if each)
    if why:
        yield f"decided by {why}" if step.source else why


# --- a file ---


def _trial(trial: Trial) -> str:
    record = {"seed": trial.seed, "end": trial.end, "cost": trial.cost, "initial": plain(sorted(trial.initial))}
    steps = ",".join(f"\n      {dump_json(_step(step))}" for step in trial.steps)
    return f'{dump_json(record)[:-1]}, "steps": [{steps}' + ("\n    ]}" if steps else "]}")


def _step(step: TrialStep) -> dict[str, Any]:
    return {name: value for name, value in as_record(step).items() if value not in (None, "")}


# --- reading ---

Name = TypeVar("Name", GroundAction, GroundAtom)
Cost = Annotated[float, Meta(ge=0, description="a number from 0")]
Atoms = Annotated[list[str], Meta(description="a list of atoms")]


class _Step(Struct, forbid_unknown_fields=True):
    action: Annotated[str, Meta(description='an action such as "(move a b)"')]
    cost: Cost
    added: Atoms
    deleted: Atoms
    source: str = ""
    reason: str = ""
    vertex: str | None = None
    value: float | None = None
    milliseconds: Cost | None = None


class _Trial(Struct, forbid_unknown_fields=True):
    seed: Annotated[int, Meta(ge=0)]
    end: TrialEnd
    cost: Cost
    initial: Atoms
    steps: list[_Step]


class _File(Struct, forbid_unknown_fields=True):
    format: str
    version: int
    domain: str
    problem: str
    cost_mode: TaskCost
    automaton: dict[str, Any] | None
    trials: list[_Trial]


def trace_of(record: object, name: str, abstraction: AnyAbstraction | None = None) -> Trace:
    """Check what a file holds; messages speak of it by the name."""
    check_format(record, FORMAT, VERSION, name, "a trace")
    file = typed(record, _File, name)
    reader = _Reader(name)
    trials = tuple(reader.trial(trial, f"trials[{number}]") for number, trial in enumerate(file.trials))
    automaton = None if file.automaton is None else reader.automaton(file.automaton, abstraction)
    return Trace(file.domain, file.problem, file.cost_mode, trials, automaton)


class _Reader(Checker):
    """Checks what types cannot say; the first fault ends it."""

    def __init__(self, file: str) -> None:
        super().__init__(file)
        self.atoms: dict[str, GroundAtom] = {}

    def automaton(self, record: dict[str, Any], abstraction: AnyAbstraction | None) -> TransitionFilter:
        try:
            return filter_of(record, self.file, abstraction)
        except DataError as error:
            message = error.message.removeprefix(f"{error.place}: ")
            self.fail(f"automaton.{error.place}".rstrip("."), message)

    def trial(self, trial: _Trial, place: str) -> Trial:
        initial = frozenset(self.named(trial.initial, f"{place}.initial"))
        state = set(initial)
        steps = []
        for number, step in enumerate(trial.steps):
            where = f"{place}.steps[{number}]"
            added, deleted = self.named(step.added, f"{where}.added"), self.named(step.deleted, f"{where}.deleted")
            if held := state.intersection(added):
                self.fail(f"{where}.added", f"the atom {min(held)} holds already")
            if missing := set(deleted) - state:
                self.fail(f"{where}.deleted", f"the atom {min(missing)} does not hold before")
            state.difference_update(deleted)
            state.update(added)
            action = self.name(step.action, GroundAction, f"{where}.action")
            known = {name: getattr(step, name) for name in KNOWN}
            steps.append(TrialStep(action, step.cost, added, deleted, **known))
        return Trial(trial.seed, initial, tuple(steps), trial.end, trial.cost)

    def named(self, atoms: list[str], place: str) -> tuple[GroundAtom, ...]:
        for number, text in enumerate(atoms):
            if text not in self.atoms:
                self.atoms[text] = self.name(text, GroundAtom, f"{place}[{number}]")
        found = tuple(self.atoms[text] for text in atoms)
        if len(set(found)) < len(found):
            self.fail(place, "an atom occurs twice")
        return found

    def name(self, text: str, kind: type[Name], place: str) -> Name:
        try:
            return kind(*parse_name(text))
        except UsageError as error:
            self.fail(place, str(error))
