"""Runs that can be spared, because those before them say what they would: that the limit comes first.

Two settings of a domain, both off unless they are given. ``give_up_after = 2``: a solver without the automaton that met
a limit on two test problems in a row is not run on those after them. ``once_at_limit = true``: a problem is not run
again if the first run met a limit. The first run of a problem decides for all of them, so what is spared does not
depend on how many runs happen at a time, or on where a suite was stopped.

What is spared is recorded as ``not-run``, with the reason. Such a record keeps no run from being made later.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from gpaplan.experiments.record import Record
from gpaplan.experiments.suite import Run
from gpaplan.statuses import Status

_LIMITS = (Status.TIME_LIMIT, Status.MEMORY_LIMIT)
_NUMBERS = {1: "the problem before this one", 2: "two problems in a row before this one"}


class Sorted(NamedTuple):
    """Runs, by what is to become of them now."""

    ready: list[Run]
    held: list[Run]
    """It is not known yet whether they can be spared."""
    spared: list[tuple[Run, str]]
    """With the reason."""


class Sparing:
    """What first runs came to, and what follows for other runs."""

    def __init__(self) -> None:
        self._met_limit: dict[tuple[str, str, bool, int], bool] = {}

    def learn(self, run: Run, status: str) -> bool:
        """Take note of how a run ended; returns whether that may decide about others."""
        if run.index == 0:
            self._met_limit[_cell(run, run.size)] = status in (*_LIMITS, Status.NOT_RUN)
        return run.index == 0

    def sort(self, runs: Iterable[Run]) -> Sorted:
        """Sort runs, which are in the order of their suite."""
        found = Sorted([], [], [])
        for run in runs:
            reason = self._reason(run)
            if reason is None:
                found.held.append(run)
            elif reason:
                found.spared.append((run, reason))
                self.learn(run, Status.NOT_RUN)
            else:
                found.ready.append(run)
        return found

    def _reason(self, run: Run) -> str | None:
        """Why a run can be spared; empty if it cannot, and None if that is not known yet."""
        protocol = run.plan.protocol
        number = protocol.give_up_after
        if number and not run.gpa and run.size >= number:
            before = [self._met_limit.get(_cell(run, size)) for size in range(run.size - number, run.size)]
            if None in before and False not in before:
                return None
            if all(before):
                return f"{_NUMBERS.get(number, f'{number} problems in a row before this one')} met the limit"
        if protocol.once_at_limit and run.index > 0:
            first = self._met_limit.get(_cell(run, run.size))
            return None if first is None else "the first run met the limit" if first else ""
        return ""


def known_before(runs: dict[str, Run], records: Iterable[Record]) -> Sparing:
    """What records say of the first runs of a suite."""
    sparing = Sparing()
    for record in records:
        if record.status != Status.NOT_RUN:
            sparing.learn(runs[record.key], record.status)
    return sparing


def _cell(run: Run, size: int) -> tuple[str, str, bool, int]:
    return run.plan.name, run.solver, run.gpa, size
