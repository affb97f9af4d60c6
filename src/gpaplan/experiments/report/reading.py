"""A reading of the records: where the automaton wins, by how much, and how that grows.

A *ratio* is the mean time without the automaton divided by the mean
time with it. Where one of the two met its time limit the ratio is a bound, and bounds enter no mean and no fit.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from gpaplan.experiments.report.summary import Row, Series, better, factor

FEW = 3
"""A line is fitted through at least so many points."""


@dataclass(frozen=True, slots=True)
class Ratio:
    """Time without the automaton divided by time with it, on one problem."""

    row: Row
    value: float
    bound: Literal["", "≥", "≤"]

    def __str__(self) -> str:
        return f"{self.bound}{' ' if self.bound else ''}{factor(self.value)}"


@dataclass(frozen=True, slots=True)
class Reading:
    """What a series says about the automaton."""

    series: Series
    pairs: int
    """Problems with runs both with and without the automaton."""
    faster: tuple[Row, ...]
    slower: tuple[Row, ...]
    similar: tuple[Row, ...]
    """Neither is better by 5 %."""
    open: tuple[Row, ...]
    """Not solved with or without."""
    ratios: tuple[Ratio, ...]
    geometric_mean: float | None
    """Of the ratios that are no bounds."""
    growth: float | None
    """The factor from one problem to the next, by least squares on the logarithms of the ratios."""
    exponent: float | None
    """The same against the logarithm of the number of states that the baseline expands."""
    fallbacks: int
    decided: int
    """In how many runs with the automaton it is known whether it sufficed; the others met a limit or failed before."""
    gpa_runs: int

    @property
    def exact(self) -> tuple[Ratio, ...]:
        return tuple(ratio for ratio in self.ratios if not ratio.bound)


def ratio_of(row: Row) -> Ratio | None:
    """The ratio of a problem, or None where one of the two has no time, or both met the limit."""
    one, other = row.baseline, row.gpa
    if one.time is None or other.time is None or (one.stopped and other.stopped):
        return None
    if other.time.mean <= 0 or one.time.mean <= 0:
        return None
    return Ratio(row, one.time.mean / other.time.mean, "≥" if one.stopped else "≤" if other.stopped else "")


def read_series(series: Series) -> Reading:
    """Compare the runs of a series with and without the automaton."""
    pairs = [row for row in series.rows if row.baseline.runs and row.gpa.runs]
    faster = tuple(row for row in pairs if better(row.gpa, row.baseline, "time"))
    slower = tuple(row for row in pairs if better(row.baseline, row.gpa, "time"))
    unsolved = tuple(row for row in pairs if not row.baseline.solved and not row.gpa.solved)
    ratios = tuple(ratio for ratio in map(ratio_of, pairs) if ratio is not None)
    exact = [ratio for ratio in ratios if not ratio.bound]
    slope = _slope([(float(ratio.row.id), math.log(ratio.value)) for ratio in exact])
    states = [(n.mean, ratio.value) for ratio in exact if (n := ratio.row.baseline.expanded) is not None and n.mean]
    return Reading(
        series=series,
        pairs=len(pairs),
        faster=faster,
        slower=slower,
        similar=tuple(row for row in pairs if row not in faster and row not in slower and row not in unsolved),
        open=unsolved,
        ratios=ratios,
        geometric_mean=statistics.geometric_mean(ratio.value for ratio in exact) if exact else None,
        growth=None if slope is None else math.exp(slope),
        exponent=_slope([(math.log(number), math.log(value)) for number, value in states]),
        fallbacks=sum(row.gpa.fallbacks for row in series.rows),
        decided=sum(row.gpa.decided for row in series.rows),
        gpa_runs=sum(row.gpa.runs for row in series.rows),
    )


def _slope(points: Sequence[tuple[float, float]]) -> float | None:
    """That of the least-squares line; None for too few points or a single x."""
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return statistics.linear_regression(xs, ys).slope if len(xs) >= FEW and len(set(xs)) > 1 else None
