"""Do the costs agree with what is known? Each cell is compared with the closed form, or with its own exact cost.

A policy is *at the optimum* if its exact cost, which follows from linear equations, is the optimum in closed form.
Then the mean of its simulated trials must lie within four standard errors of the optimum; the standard error is the
square root of the measured variance of a trial, divided by the number of trials. Where no optimum is known, or a policy
is not at it, the simulated mean is compared with the policy's own exact cost.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

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
