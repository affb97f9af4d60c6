"""Traces in files: readable JSON, one step a line.

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

import os
from collections.abc import Iterator, Sequence
from typing import Annotated, Any, TypeVar

from msgspec import Meta, Struct

from gpaplan.automata.automaton_file import filter_of
from gpaplan.automata.canonical import AnyAbstraction
from gpaplan.automata.filters import TransitionFilter
from gpaplan.data import Checker, check_format, read_json, typed
from gpaplan.display import as_record, dump_json, json_lines, plain
from gpaplan.errors import DataError, UsageError
from gpaplan.tasks.grounding import TaskCost
from gpaplan.tasks.task import GroundAction, GroundAtom, parse_name
from gpaplan.traces.trace import KNOWN, Trace, Trial, TrialEnd, TrialStep

FORMAT = "gpaplan trace"
VERSION = 1

Name = TypeVar("Name", GroundAction, GroundAtom)

# --- writing ---


def write_trace(trace: Trace) -> Iterator[str]:
    """The text of a trace's file, piece by piece."""
    head = {
        "format": FORMAT,
        "version": VERSION,
        "domain": trace.domain,
        "problem": trace.problem,
        "cost_mode": trace.cost_mode,
        "automaton": None if trace.automaton is None else trace.automaton.to_json(),
    }
    return json_lines(head, trials=map(_trial, trace.trials))


def _trial(trial: Trial) -> str:
    record = {"seed": trial.seed, "end": trial.end, "cost": trial.cost, "initial": plain(sorted(trial.initial))}
    steps = ",".join(f"\n      {dump_json(_step(step))}" for step in trial.steps)
    return f'{dump_json(record)[:-1]}, "steps": [{steps}' + ("\n    ]}" if steps else "]}")


def _step(step: TrialStep) -> dict[str, Any]:
    return {name: value for name, value in as_record(step).items() if value not in (None, "")}


# --- reading ---

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


def read_trace(path: str | os.PathLike[str], abstraction: AnyAbstraction | None = None) -> Trace:
    """Read and check a trace."""
    return trace_of(*read_json(path, "a trace"), abstraction)


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
            self.check_change(state, added, deleted, where)
            state.difference_update(deleted)
            state.update(added)
            action = self.name(step.action, GroundAction, f"{where}.action")
            known = {name: getattr(step, name) for name in KNOWN}
            steps.append(TrialStep(action, step.cost, added, deleted, **known))
        return Trial(trial.seed, initial, tuple(steps), trial.end, trial.cost)

    def check_change(
        self, state: set[GroundAtom], added: Sequence[GroundAtom], deleted: Sequence[GroundAtom], place: str
    ) -> None:
        """An atom that is added did not hold before the step, one that is deleted did."""
        for atom in added:
            if atom in state:
                self.fail(f"{place}.added", f"the atom {atom} holds already")
        for atom in deleted:
            if atom not in state:
                self.fail(f"{place}.deleted", f"the atom {atom} does not hold before")

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
