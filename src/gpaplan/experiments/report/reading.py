"""A reading of the records in words: where the automaton wins, by how much, how that grows, and where it does not.

Everything that is said follows from the records. A *ratio* is the mean time without the automaton divided by the mean
time with it. Where one of the two met its time limit the ratio is a bound, and bounds enter no mean and no fit.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from gpaplan.experiments.report.notation import amount, count, factor, names
from gpaplan.experiments.report.summary import BETTER, Automaton, Cell, Row, Section, Series, better
from gpaplan.statuses import Status

__all__ = ["Fit", "Ratio", "Reading", "read_series", "take_away"]

NOISE = 0.01
"""Seconds below which a difference between two times says little."""
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
class Fit:
    """A least-squares line through the logarithms of ratios."""

    slope: float
    points: int


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
    by_problem: Fit | None
    """Against the place of the problem in the list."""
    by_states: Fit | None
    """Against the logarithm of the number of states that the baseline expands."""
    fallbacks: int
    decided: int
    """In how many runs with the automaton it is known whether it sufficed; the others met a limit or failed before."""
    gpa_runs: int

    @property
    def exact(self) -> tuple[Ratio, ...]:
        return tuple(ratio for ratio in self.ratios if not ratio.bound)


def ratio_of(row: Row) -> Ratio | None:
    """The ratio of a problem, or None where one of the two has no time, or both met the limit."""
    if row.baseline is None or row.gpa is None or row.baseline.time is None or row.gpa.time is None:
        return None
    if (row.baseline.stopped and row.gpa.stopped) or row.gpa.time.mean <= 0 or row.baseline.time.mean <= 0:
        return None
    bound: Literal["", "≥", "≤"] = "≥" if row.baseline.stopped else "≤" if row.gpa.stopped else ""
    return Ratio(row, row.baseline.time.mean / row.gpa.time.mean, bound)


def read_series(series: Series) -> Reading:
    """Compare the runs of a series with and without the automaton."""
    pairs = [row for row in series.rows if row.baseline is not None and row.gpa is not None]
    faster = tuple(row for row in pairs if better(row.gpa, row.baseline, "time"))
    slower = tuple(row for row in pairs if better(row.baseline, row.gpa, "time"))
    unsolved = tuple(row for row in pairs if not _solved(row.baseline) and not _solved(row.gpa))
    ratios = tuple(ratio for ratio in map(ratio_of, pairs) if ratio is not None)
    exact = [ratio for ratio in ratios if not ratio.bound]
    logs = [math.log(ratio.value) for ratio in exact]
    states = [_expanded(ratio.row.baseline) for ratio in exact]
    return Reading(
        series=series,
        pairs=len(pairs),
        faster=faster,
        slower=slower,
        similar=tuple(row for row in pairs if row not in faster and row not in slower and row not in unsolved),
        open=unsolved,
        ratios=ratios,
        geometric_mean=math.exp(math.fsum(logs) / len(logs)) if logs else None,
        by_problem=_fit([float(ratio.row.id) for ratio in exact], logs),
        by_states=_fit([math.log(s) for s in states if s], [y for s, y in zip(states, logs, strict=True) if s]),
        fallbacks=sum(row.gpa.fallbacks or 0 for row in series.rows if row.gpa is not None),
        decided=sum(row.gpa.decided or 0 for row in series.rows if row.gpa is not None),
        gpa_runs=sum(row.gpa.runs for row in series.rows if row.gpa is not None),
    )


def _solved(cell: Cell | None) -> bool:
    return cell is not None and cell.solved > 0


def _expanded(cell: Cell | None) -> float:
    return 0.0 if cell is None or cell.expanded is None else cell.expanded.mean


def _fit(xs: Sequence[float], ys: Sequence[float]) -> Fit | None:
    """The slope of the least-squares line; None for too few points or a single x."""
    if len(xs) < FEW:
        return None
    x_mean, y_mean = math.fsum(xs) / len(xs), math.fsum(ys) / len(ys)
    spread = math.fsum((x - x_mean) ** 2 for x in xs)
    if spread <= 1e-12:
        return None
    return Fit(math.fsum((x - x_mean) * (y - y_mean) for x, y in zip(xs, ys, strict=True)) / spread, len(xs))


# --- in words ---------------------------------------------------------------------------------------------------------


def sentences(reading: Reading) -> Iterator[str]:
    """The reading of a series, a sentence at a time; plain text."""
    if reading.pairs == 0:
        yield "There are no problems with runs both with and without the automaton, so nothing can be compared."
        yield from _on_failures(reading)
        return
    parts = [f"at least 5 % faster on {len(reading.faster)} of {count(reading.pairs, 'problem')}"]
    parts += [f"at least 5 % slower on {len(reading.slower)}"] if reading.slower else []
    parts += [f"within 5 % on {len(reading.similar)}"] if reading.similar else []
    parts += [f"without a solution either way on {len(reading.open)}"] if reading.open else []
    yield f"With the automaton the solver is {names(parts)}."
    yield from _on_ratios(reading)
    yield from _on_failures(reading)
    yield from _on_losses(reading)
    yield from _on_fallbacks(reading)


def _on_ratios(reading: Reading) -> Iterator[str]:
    exact = reading.exact
    if exact:
        least, most = min(exact, key=lambda r: r.value), max(exact, key=lambda r: r.value)
        last = exact[-1]
        mean = factor(reading.geometric_mean or 0)
        if len(exact) == 1:
            yield f"The time without it is {factor(last.value)} times that with it on {last.row.problem}."
        else:
            yield (
                f"The time without it is {factor(least.value)} ({least.row.problem}) to {factor(most.value)} "
                f"({most.row.problem}) times that with it, in the geometric mean {mean} over {len(exact)} problems, "
                f"and {factor(last.value)} on the last of them, {last.row.problem}."
            )
    if reading.by_problem is not None:
        yield _growth(reading.by_problem, reading.by_states)
    bounds = [ratio for ratio in reading.ratios if ratio.bound == "≥"]
    if bounds:
        least, most = min(bounds, key=lambda r: r.value), max(bounds, key=lambda r: r.value)
        where = names([ratio.row.problem for ratio in bounds])
        known = f"{factor(least.value)}"
        if len(bounds) > 1:
            known += f" ({least.row.problem}) to {factor(most.value)} ({most.row.problem})"
        yield f"Without it runs met the time limit on {where}; there the ratio is only known to be at least {known}."


def _growth(fit: Fit, by_states: Fit | None) -> str:
    step = math.exp(fit.slope)
    if step >= 1.02:
        text = f"The ratio grows by a factor of {step:.2f} from one problem to the next"
    elif step <= 0.98:
        text = f"The ratio shrinks by a factor of {1 / step:.2f} from one problem to the next"
    else:
        text = "The ratio hardly changes from one problem to the next"
    text += f" (least squares on its logarithm, {fit.points} problems)"
    if by_states is not None:
        text += f"; as a power of the number of states that the baseline expands its exponent is {by_states.slope:.2f}"
    return text + "."


def _on_failures(reading: Reading) -> Iterator[str]:
    for gpa, label in ((False, "Without"), (True, "With")):
        cells = [(row, row.gpa if gpa else row.baseline) for row in reading.series.rows]
        found = [(row, _failures(cell)) for row, cell in cells if cell is not None and cell.failures]
        if found:
            groups = _neighbours(found, reading.series.rows)
            runs = "; ".join(f"{_span(group)} ({said})" for said, group in groups)
            yield f"{label} the automaton not every run was solved: {runs}."
        spared = [(row, row.not_run) for row, _ in cells if row.not_run and not gpa]
        for reason, group in _neighbours(spared, reading.series.rows):
            yield f"{label} the automaton {_span(group)} {'was' if len(group) == 1 else 'were'} not run: {reason}."
        missing = [row.problem for row, cell in cells if cell is None and not (row.not_run and not gpa)]
        if missing and len(missing) < len(cells):
            yield f"There are no runs {label.lower()} the automaton of {names(missing)}."


def _failures(cell: Cell) -> str:
    return "; ".join(cell.failures.values())


def _neighbours(found: Sequence[tuple[Row, str]], rows: Sequence[Row]) -> list[tuple[str, list[Row]]]:
    """Problems that follow each other and share a kind, the second entry, put together under that kind."""
    groups: list[tuple[str, list[Row]]] = []
    for row, kind in found:
        if groups and groups[-1][0] == kind and rows.index(groups[-1][1][-1]) + 1 == rows.index(row):
            groups[-1][1].append(row)
        else:
            groups.append((kind, [row]))
    return groups


def _span(group: Sequence[Row]) -> str:
    """The names of neighbours, the first and the last for many."""
    if len(group) == 1:
        return group[0].problem
    return f"{group[0].problem} {'and' if len(group) == 2 else 'to'} {group[-1].problem}"


def _range(values: Sequence[float]) -> str:
    """Factors from the least to the greatest, as they are written."""
    least, most = factor(min(values, default=0)), factor(max(values, default=0))
    return least if least == most else f"{least} to {most}"


def _on_losses(reading: Reading) -> Iterator[str]:
    rows = reading.series.rows
    losers = [(row, _kind(row)) for row in rows if row in reading.slower or row in reading.similar]
    if losers:
        yield f"It does not win on {'; '.join(_why(kind, group) for kind, group in _neighbours(losers, rows))}."


def _kind(row: Row) -> str:
    """Which kind of reason there is for not being faster: one of three that are told in figures, or a text."""
    before, after = row.baseline, row.gpa
    assert before is not None
    assert after is not None
    if after.fallbacks:
        return "fallback"
    if before.time is None or after.time is None or before.expanded is None or after.expanded is None:
        return _failures(after) or _failures(before) or "the states expanded are not recorded"
    if max(before.time.mean, after.time.mean) < NOISE:
        return "noise"
    return "states" if before.expanded.mean > 0 and after.expanded.mean > 0 else ""


def _why(kind: str, group: Sequence[Row]) -> str:
    """What the records say about neighbours which the automaton does not solve faster, all for one kind of reason."""
    ratios = [ratio for row in group if (ratio := ratio_of(row)) is not None]
    told = names(list(map(str, ratios))) if any(ratio.bound for ratio in ratios) else _range([r.value for r in ratios])
    head = f"{_span(group)}, " + (f"ratio{'s' if len(ratios) > 1 else ''} {told}" if ratios else "no ratio")
    if kind == "noise":
        return f"{head}: either way takes less than {NOISE * 1000:g} ms"
    if kind == "fallback":
        runs = sum(row.gpa.decided or 0 for row in group if row.gpa is not None)
        some = sum(row.gpa.fallbacks or 0 for row in group if row.gpa is not None)
        return f"{head}: it did not suffice in " + (
            f"any of {runs} runs" if some == runs > 1 else f"{some} of {count(runs, 'run')}"
        )
    if kind != "states":
        return f"{head}: {kind}" if kind else head
    shares = [_expanded(row.gpa) / _expanded(row.baseline) for row in group]
    times = [1 / (ratio.value * share) for row, share in zip(group, shares, strict=True) if (ratio := ratio_of(row))]
    least, most = f"{min(shares):.0%}", f"{max(shares):.0%}"
    share = least if least == most else f"{least} to {most}"
    return f"{head}: it leaves {share} of the states to be expanded" + (
        f", and each takes {_range(times)} times as long" if times else ""
    )


def _on_fallbacks(reading: Reading) -> Iterator[str]:
    if reading.gpa_runs == 0:
        return
    if reading.decided == 0:
        runs = _all(reading.gpa_runs)
        yield f"Whether the automaton suffices is not known: {runs} with it {_ended_by(reading)}."
        return
    unknown = reading.gpa_runs - reading.decided
    rest = f"; {unknown:,} more {_ended_by(reading)}, and nothing is known of {_them(unknown)}" if unknown else ""
    if reading.fallbacks == 0:
        ended = f" that ended by {_self(reading.decided)}" if unknown else ""
        yield f"The automaton sufficed in {_all(reading.decided)} with it{ended}{rest}."
        return
    rows = reading.series.rows
    found = [(row, _share(row.gpa)) for row in rows if row.gpa is not None and row.gpa.fallbacks]
    where = [f"{_span(group)} ({share})" for share, group in _neighbours(found, rows)]
    total = f"{reading.fallbacks} of {count(reading.decided, 'run')}"
    yield f"It did not suffice, and the run went on with the whole problem, in {total}: {names(where, 12)}{rest}."


def _share(cell: Cell) -> str:
    """In how many of the runs that tell the automaton did not suffice."""
    return "all" if cell.fallbacks == cell.decided == cell.runs else f"{cell.fallbacks} of {cell.decided}"


def _ended_by(*readings: Reading) -> str:
    """What ended the runs with the automaton that say nothing of it."""
    cells = [row.gpa for reading in readings for row in reading.series.rows if row.gpa is not None]
    limits = any(cell.statuses.get(status) for cell in cells for status in (Status.TIME_LIMIT, Status.MEMORY_LIMIT))
    faults = any(cell.statuses.get(status) for cell in cells for status in (Status.CRASHED, Status.ERROR))
    return " or ".join(["met a limit"] * limits + ["failed"] * faults)


def _all(runs: int) -> str:
    return "the one run" if runs == 1 else f"all {runs:,} runs"


def _self(number: int) -> str:
    return "itself" if number == 1 else "themselves"


def _them(number: int) -> str:
    return "it" if number == 1 else "them"


def take_away(section: Section) -> str:
    """What a reader should take away from a domain, in a sentence: what the automaton is worth on its last problem."""
    readings = [reading for reading in map(read_series, section.series) if reading.pairs]
    last = [(reading.series, reading.ratios[-1]) for reading in readings if reading.ratios]
    if not last:
        return "There is nothing to compare: no problem was solved both with and without the automaton."
    groups: dict[tuple[str, str], list[str]] = {}
    for series, ratio in last:
        groups.setdefault((ratio.row.problem, _worth(ratio)), []).append(series.title)
    parts: list[str] = []
    problem = ""
    for (each, worth), solvers in groups.items():
        named = "" if each == problem else f"{each} "
        parts.append(f"{named}{worth if parts else f'takes {worth}'} with {names(solvers)}")
        problem = each
    return f"With the automaton {names(parts, 12)}; {_sufficiency(readings)}."


def _worth(ratio: Ratio) -> str:
    """How much longer or shorter it takes with the automaton: ``at least 974 times less time``."""
    value, is_less = ratio.value, ratio.value >= 1
    if not ratio.bound and 1 / (1 + BETTER) < value < 1 + BETTER:
        return "about as long"
    bound = "" if not ratio.bound else "at least " if (ratio.bound == "≥") == is_less else "at most "
    return f"{bound}{factor(value if is_less else 1 / value)} times {'less' if is_less else 'more'} time"


def _sufficiency(readings: Sequence[Reading]) -> str:
    """Whether the automaton sufficed, for all solvers together."""
    runs, decided, fallbacks = (
        sum(getattr(each, n) for each in readings) for n in ("gpa_runs", "decided", "fallbacks")
    )
    if decided == 0:
        return f"whether it suffices is not known, for every run {_ended_by(*readings)}"
    rest = f", and {runs - decided:,} more {_ended_by(*readings)}" if runs > decided else ""
    if fallbacks:
        return f"it did not suffice in {fallbacks:,} of {count(decided, 'run')}{rest}"
    return (
        f"it sufficed in {_all(decided)} that ended by {_self(decided)}{rest}" if rest else "it sufficed in every run"
    )


def learning(automaton: Automaton) -> str:
    """What is known about an automaton, in a sentence."""
    vertices, edges, seconds = automaton.vertices, automaton.edges, automaton.learn_seconds
    learned = f"learned from {names(automaton.training, 12)}" if automaton.training else "learned"
    took = f" in {amount(seconds)} s, once, which no time below contains" if seconds is not None else ""
    size = f": {count(vertices, 'vertex', 'vertices')}, {count(edges, 'edge')}" if vertices and edges else ""
    return f"The automaton was {learned}{took}{size}."
