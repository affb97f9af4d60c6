"""Traces: trials of a policy, with everything that happened in them.

    trace = record_trials(task, policy, trials=5)
    for state, step in zip(trace.trials[0].states(), trace.trials[0].steps):
        print(step.action, step.reason)
    trace.write("trace.json")

`gpaplan.traces.trace_file` says how a trace looks in a file, `gpaplan.traces.page` is the page to step through it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from itertools import accumulate
from typing import Any, Literal, TypeAlias

from gpaplan.automata.canonical import AnyAbstraction
from gpaplan.automata.filters import TransitionFilter
from gpaplan.display import counted, data_frame, html_frame
from gpaplan.pictures import Look
from gpaplan.policies.policy import State
from gpaplan.tasks.task import GroundAction, GroundAtom, GroundTask

TrialEnd: TypeAlias = Literal["goal", "horizon", "dead-end", "give-up", "undefined", "limit"]
"""What ended a trial: the goal was reached; so many steps were made; no action is applicable, or the goal is known to
be out of reach; the policy gave up, or has no action; or a limit came first."""


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
        from gpaplan.traces.page import summary

        return summary(self)

    def to_html(self, task: GroundTask | None = None, *, look: Look | None = None) -> str:
        """One self-contained page to step through the trials; given their task, with pictures of the states."""
        from gpaplan.traces.page import to_html

        return to_html(self, task, look)

    def to_text(self) -> str:
        """The trace as its file has it; equal traces give equal text."""
        from gpaplan.traces.trace_file import write_trace

        return "".join(write_trace(self))

    def to_json(self) -> dict[str, Any]:
        """The same as plain data; `from_json` takes it."""
        record: dict[str, Any] = json.loads(self.to_text())
        return record

    @classmethod
    def from_json(cls, record: Mapping[str, Any], *, abstraction: AnyAbstraction | None = None) -> Trace:
        """The trace of what `to_json` gave, checked like that of a file."""
        from gpaplan.traces.trace_file import trace_of

        return trace_of(record, "<data>", abstraction)

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the trace to a file, which appears as a whole or not at all."""
        from gpaplan.files import written_whole
        from gpaplan.traces.trace_file import write_trace

        with written_whole(path) as file:
            file.writelines(write_trace(self))

    @classmethod
    def read(cls, path: str | os.PathLike[str], *, abstraction: AnyAbstraction | None = None) -> Trace:
        """Read a trace. Everything in it is checked; a fault raises `DataError` with its place.

        A trace with an automaton of an abstraction of your own needs that abstraction again.
        """
        from gpaplan.traces.trace_file import read_trace

        return read_trace(path, abstraction)
