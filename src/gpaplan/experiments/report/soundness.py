"""Records that cannot be are refused before anything is averaged.

A file may be sound and its numbers not, say because somebody edited it: a time below zero, a share above one, a solved
run without its time. One such record would spoil a mean without being seen.
"""

from __future__ import annotations

from collections.abc import Iterable

from gpaplan.errors import DataError
from gpaplan.experiments.record import Record

_NAMES = ("domain", "problem", "solver")
_FLAGS = ("gpa", "fallback")
_SHARES = ("goal_rate", "goal_probability")
_COUNTS = ("size", "run", "trials", "horizon", "expanded", "generated", "vertices", "edges")
_AMOUNTS = ("time_limit", "memory_limit", "sd_cost", "seconds", "seconds_cpu", "learn_seconds")


def refuse_unsound(records: Iterable[Record], source: str) -> None:
    """Raise a `DataError` about ``source`` if a record has a value that cannot be."""
    for record in records:
        problem = _objection(record)
        if problem is not None:
            place = (
                f"{record.solver} {'with' if record.gpa else 'without'} automaton on {record.problem}, run {record.run}"
            )
            raise DataError(f"{problem};  correct the record, or leave it out", source, f"{place} ({record.key[:12]})")


def _objection(record: Record) -> str | None:
    """What speaks against a record, or None."""
    if record.status == "solved" and record.seconds is None:
        return "seconds is empty, and a run that was solved must have its time"
    for name in _NAMES:
        if not getattr(record, name):
            return f"{name} must not be empty"
    for name in _FLAGS:
        if getattr(record, name) not in (0, 1, None):
            return f"{name} must be 0 or 1, not {getattr(record, name)}"
    for name in _SHARES:
        share = getattr(record, name)
        if share is not None and not -1e-9 <= share <= 1 + 1e-9:
            return f"{name} must be from 0 to 1, not {share}"
    for name in (*_COUNTS, *_AMOUNTS):
        number = getattr(record, name)
        if number is not None and number < 0:
            return f"{name} must not be negative, and is {number}"
    return None
