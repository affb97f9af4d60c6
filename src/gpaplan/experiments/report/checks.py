"""Do the costs agree with what is known? Each cell is compared with the closed form, or with its own exact cost.

A policy is *at the optimum* if its exact cost, which follows from linear equations, is the optimum in closed form.
Then the mean of its simulated trials must lie within four standard errors of the optimum; the standard error is the
square root of the measured variance of a trial, divided by the number of trials. Where no optimum is known, or a policy
is not at it, the simulated mean is compared with the policy's own exact cost.

Records that cannot be are refused before anything is averaged: a time below zero, a share above one, a solved run
without its time. A file may be sound and its numbers not, and one such record would spoil a mean without being seen.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from gpaplan.errors import DataError
from gpaplan.experiments.record import Record
from gpaplan.experiments.report.paper import PaperCell
from gpaplan.experiments.report.summary import Cell, Row, Section, Series, Summary

ERRORS = 4.0
"""So many standard errors may a simulated mean be off."""
TOLERANCE = 1e-4
"""By this share an exact cost may differ from the optimum: solvers stop at a residual of epsilon."""

Verdict = Literal["optimal", "exact", "above", "below", "outside", "horizon", "few", "no cost", "unsolved"]

MEANING: dict[str, str] = {
    "optimal": "the exact cost is the optimum, and the simulated mean is within four standard errors of it",
    "exact": "no optimum is known; the simulated mean is within four standard errors of the exact cost",
    "above": "the exact cost is above the optimum",
    "below": "the exact cost is below the optimum, which cannot be",
    "outside": "the simulated mean is more than four standard errors away from what it should be",
    "horizon": "trials ended at the horizon, before the goal, so their mean says less than the exact cost",
    "few": "too few trials to tell",
    "no cost": "the runs have no simulated or no exact cost",
    "unsolved": "no run was solved",
}
EXCEPTIONS = ("above", "below", "outside", "horizon")


@dataclass(frozen=True, slots=True)
class Check:
    """What came of comparing a cell's costs."""

    verdict: Verdict
    excess: float | None = None
    """By which share the exact cost is above the optimum."""
    errors: float | None = None
    """How many standard errors the simulated mean is off."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A check with the cell it is about."""

    section: Section
    series: Series
    row: Row
    gpa: bool
    cell: Cell
    paper: PaperCell | None
    check: Check


def check(cell: Cell, optimal: float | None) -> Check:
    """Compare the costs of a cell with the optimum, or with each other."""
    if cell.solved == 0:
        return Check("unsolved")
    excess = None
    at_optimum = False
    if optimal is not None and cell.value is not None:
        tolerance = TOLERANCE * max(1.0, abs(optimal))
        excess = (cell.value.mean - optimal) / optimal if optimal > 0 else 0.0
        at_optimum = cell.value.high - optimal <= tolerance
        if optimal - cell.value.low > tolerance:
            return Check("below", excess)
    if cell.goal_rate is not None and cell.goal_rate < 1:
        return Check("above" if excess is not None and not at_optimum else "horizon", excess)
    target = optimal if at_optimum else cell.value.mean if cell.value is not None else None
    errors = _standard_errors(cell, target)
    if errors is not None and abs(errors) > ERRORS:
        return Check("outside", excess, errors)
    if excess is not None and not at_optimum:
        return Check("above", excess, errors)
    if target is None or cell.cost is None:
        return Check("no cost", excess)
    if errors is None:
        return Check("few", excess)
    return Check("optimal" if at_optimum else "exact", excess, errors)


def _standard_errors(cell: Cell, target: float | None) -> float | None:
    """How many standard errors the simulated mean is away from the target; None if that cannot be said."""
    if cell.cost is None or target is None or cell.trials == 0:
        return None
    difference = cell.cost.mean - target
    if abs(difference) <= 1e-9 * max(1.0, abs(target)):
        return 0.0
    return difference / math.sqrt(cell.trial_variance / cell.trials) if cell.trial_variance else None


def findings(summary: Summary) -> Iterator[Finding]:
    """The checks of all cells, in the order of the report."""
    for section in summary.sections:
        for series, row in section.rows:
            for gpa, cell, printed in row.cells:
                if cell is not None:
                    result = check(cell, row.optimal)
                    yield Finding(section, series, row, gpa, cell, printed, result)


# --- records that cannot be ---


_SHARES = ("gpa", "fallback", "goal_rate", "goal_probability")
_AMOUNTS = ("size", "run", "trials", "horizon", "expanded", "generated", "vertices", "edges", "time_limit")
_MOST = dict.fromkeys(_SHARES, 1.0) | dict.fromkeys((*_AMOUNTS, "memory_limit", "sd_cost"), math.inf)
_MOST |= dict.fromkeys(("seconds", "seconds_cpu", "learn_seconds"), math.inf)
"""The largest that a value can be; none is negative."""


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
    for name in ("domain", "problem", "solver"):
        if not getattr(record, name):
            return f"{name} must not be empty"
    for name, most in _MOST.items():
        number = getattr(record, name)
        if number is not None and not -1e-9 <= number <= most + 1e-9:
            return f"{name} is {number}, and must be from 0 to 1" if most == 1 else f"{name} is negative: {number}"
    return None
