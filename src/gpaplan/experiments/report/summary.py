"""Records put together: what all runs of one problem, solver and setting amount to.

    Summary
      Section           a domain (of one suite)
        Series          a solver, and its settings where a section has several
          Row           a test problem
            Cell        all runs with the automaton, or all without: counts, means, standard deviations

Means and standard deviations are those of the paper: over runs, and the standard deviation is the population's
(divided by the number of runs, not by one less). A run that met the time limit counts with the limit in the mean time,
as in the paper, which makes that mean a lower bound, or with the processor time that it had got until then, if that is
what is compared and it is less; runs that ended otherwise have no time. Costs are those of solved
runs: the mean over runs of the mean over simulated trials.

Nothing here depends on the order of the records.

A `Reading` of a series says where the automaton wins, by how much, and how that grows. A *ratio* is the mean time
without the automaton divided by the mean time with it. Where one of the two met its time limit the ratio is a bound,
and bounds enter no mean and no fit.
"""

from __future__ import annotations

import json
import math
import statistics
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from gpaplan.benchmarks import FAMILIES, Family
from gpaplan.experiments.record import STATUSES, Record
from gpaplan.experiments.report.paper import PaperCell, Sample, canonical, paper_cell, paper_domain, paper_domains
from gpaplan.experiments.suite import RECORDED
from gpaplan.statuses import Status

Clock = Literal["wall", "cpu"]

BETTER = 0.05
"""A mean is called better if it is smaller by at least this share, as in the paper."""

_SOLVERS = {
    "lrtdp": "LRTDP",
    "soft-flares": "Soft-FLARES",
    "ssipp": "SSiPP",
    "vi": "Topological VI",
    "ilao": "ILAO*",
    "lao": "LAO*",
}
"""What the solvers are called, in the order of a report."""
_OF_AUTOMATA = ("match", "fallback_mode")
"""What tells apart series of one solver with the automaton."""
_SETTINGS = tuple(name for name in RECORDED if name not in _OF_AUTOMATA)
"""What does so in all runs."""


class Cell:
    """All runs of a problem with one solver, either with or without the automaton."""

    def __init__(self, records: Sequence[Record], clock: Clock) -> None:
        solved = [record for record in records if record.status == "solved"]
        unfinished = [record for record in records if record.status in ("time-limit", "memory-limit")]
        sufficed = [_sufficed(record) for record in records if record.gpa]
        self.runs = sum(record.status != Status.NOT_RUN for record in records)
        """That were made; perhaps none were."""
        self.statuses = _statuses(records)
        """How many runs ended in which way, in the order of `STATUSES`; those that were spared, too."""
        self.time = Sample.of(_seconds(record, clock) for record in records)
        """Seconds of the solved runs, and of those that met the time limit, which count with the limit."""
        self.cost = Sample.of(record.mean_cost for record in solved)
        """The mean costs of the trials of each solved run."""
        self.unfinished_cost = Sample.of(record.mean_cost for record in unfinished)
        """The same for the policies that runs had when a limit came."""
        self.value = Sample.of(record.value for record in solved)
        """The exact costs of the policies of solved runs."""
        self.expanded = Sample.of(record.expanded for record in solved)
        self.fallbacks = sufficed.count(False)
        """In how many runs the automaton is known not to have sufficed."""
        self.decided = len(sufficed) - sufficed.count(None)
        """In how many it is known whether it did. Of a run that met a limit, or failed, that is known only if the
        search under the automaton had ended before."""
        self.time_limit = records[0].time_limit if records else None
        self.memory_limit = records[0].memory_limit if records else None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Cell) and vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]

    @property
    def solved(self) -> int:
        return self.statuses.get("solved", 0)

    @property
    def stopped(self) -> int:
        """How many runs met the time limit, and count with it."""
        return self.statuses.get("time-limit", 0)

    @property
    def failures(self) -> dict[str, str]:
        """What became of the runs that were not solved, by status: ``3 of 3 runs: time-limit 600 s``."""
        limits = {"time-limit": (self.time_limit, "s"), "memory-limit": (self.memory_limit, "MB")}
        texts = {}
        for status, number in self.statuses.items():
            if status == Status.NOT_RUN:
                texts[status] = f"{number} more not run"
            elif status != Status.SOLVED:
                limit, unit = limits.get(status, (None, ""))
                texts[status] = f"{number} of {self.runs} runs: {status}" + (f" {limit:g} {unit}" if limit else "")
        return texts


@dataclass(frozen=True, slots=True)
class Row:
    """A test problem, solved without and with the automaton."""

    id: int
    problem: str
    theta: str
    optimal: float | None
    baseline: Cell
    gpa: Cell
    paper_baseline: PaperCell | None
    paper_gpa: PaperCell | None
    not_run: str = ""
    """Why there are no runs without the automaton, where the suite spared them."""

    @property
    def cells(self) -> tuple[tuple[bool, Cell, PaperCell | None], ...]:
        return (False, self.baseline, self.paper_baseline), (True, self.gpa, self.paper_gpa)

    @property
    def ratio(self) -> Ratio | None:
        """Of the times, or None where one of the two has none, or both met the limit."""
        one, other = self.baseline, self.gpa
        if one.time is None or other.time is None or (one.stopped and other.stopped):
            return None
        if other.time.mean <= 0 or one.time.mean <= 0:
            return None
        return Ratio(self, one.time.mean / other.time.mean, "≥" if one.stopped else "≤" if other.stopped else "")


@dataclass(frozen=True, slots=True)
class Series:
    """A solver on the problems of a domain."""

    solver: str
    variant: str
    """Its settings, as far as they differ from those of other series of the section; mostly empty."""
    rows: tuple[Row, ...]

    @property
    def title(self) -> str:
        """The solver, with its settings where there are several series of it."""
        return _SOLVERS.get(self.solver, self.solver) + (f" ({self.variant})" if self.variant else "")


@dataclass(frozen=True, slots=True)
class Automaton:
    """What was learned, from what, and in how many seconds."""

    training: tuple[str, ...]
    vertices: int | None
    edges: int | None
    learn_seconds: float | None
    runs: int
    """How many runs used it."""


@dataclass(frozen=True, slots=True)
class Section:
    """A domain, in one suite."""

    domain: str
    suite: str
    ambiguous: bool
    """Whether other suites have this domain too, so that the suite must be named."""
    series: tuple[Series, ...]
    automata: tuple[Automaton, ...]

    @property
    def family(self) -> Family | None:
        """The benchmark domain that it is, if it is one."""
        return FAMILIES.get(canonical(self.domain))

    @property
    def title(self) -> str:
        name = self.family.title if self.family is not None else self.domain
        return name + (f" (suite {self.suite})" if self.ambiguous else "")

    @property
    def rows(self) -> Iterator[tuple[Series, Row]]:
        return ((series, row) for series in self.series for row in series.rows)

    @property
    def has_paper(self) -> bool:
        return any(printed is not None for _, row in self.rows for _, _, printed in row.cells)


@dataclass(frozen=True, slots=True)
class Summary:
    """Everything that a report shows."""

    clock: Clock
    sections: tuple[Section, ...]
    records: int
    """How many runs were made."""
    statuses: Mapping[str, int]
    """How many runs ended in which way, or were not made."""
    settings: Mapping[str, tuple[str, ...]]
    """The values of what should be the same everywhere: versions, machines, limits, …"""
    messages: Mapping[str, tuple[str, ...]]
    """What runs that crashed or failed had to say, by status; the most frequent first, at most three."""


def summarize(records: Sequence[Record], clock: Clock = "wall") -> Summary:
    """Group records by domain, solver, problem and automaton."""
    ordered = sorted(records, key=lambda record: (record.size, record.run, record.seed, record.key))
    by_section: dict[tuple[str, str], list[Record]] = defaultdict(list)
    for record in ordered:
        by_section[record.domain, record.suite].append(record)
    suites = Counter(domain for domain, _ in by_section)
    sections = tuple(
        _section(domain, suite, suites[domain] > 1, by_section[domain, suite], clock)
        for domain, suite in sorted(by_section, key=lambda key: (*_rank(paper_domains(), paper_domain(key[0])), *key))
    )
    made = sum(record.status != Status.NOT_RUN for record in ordered)
    return Summary(
        clock=clock,
        sections=sections,
        records=made,
        statuses=_statuses(ordered),
        settings=_settings(ordered),
        messages=_messages(ordered),
    )


def _rank(order: Iterable[str], name: str) -> tuple[int, str]:
    """Known names in their order, then all others alphabetically."""
    known = list(order)
    return (known.index(name) if name in known else len(known)), name


def _statuses(records: Iterable[Record]) -> dict[str, int]:
    counts = Counter(record.status for record in records)
    return {status: counts[status] for status in STATUSES if counts[status]}


def _settings(records: Iterable[Record]) -> dict[str, tuple[str, ...]]:
    names = ("suite", *_SETTINGS, *_OF_AUTOMATA, "machine", "platform", "python", "version")
    found: dict[str, set[str]] = {name: set() for name in names}
    days = set()
    for record in records:
        for name in names:
            value = getattr(record, name)
            if value not in (None, ""):
                found[name].add(_shown(value))
        if record.started:
            days.add(record.started[:10])
    settings = {name: tuple(sorted(values)) for name, values in found.items()}
    settings["started"] = tuple(dict.fromkeys((min(days), max(days)))) if days else ()
    return settings


def _messages(records: Iterable[Record]) -> dict[str, tuple[str, ...]]:
    said: dict[str, Counter[str]] = {}
    for record in records:
        if record.failed:
            lines = record.message.strip().splitlines() or [""]
            said.setdefault(record.status, Counter())[lines[-1][:200]] += 1
    ranked = {status: sorted(counts, key=lambda text: (-counts[text], text)) for status, counts in sorted(said.items())}
    return {status: tuple(text for text in texts if text)[:3] for status, texts in ranked.items()}


def _section(domain: str, suite: str, ambiguous: bool, records: list[Record], clock: Clock) -> Section:
    solvers = sorted({record.solver for record in records}, key=lambda name: _rank(_SOLVERS, name))
    series = [each for name in solvers for each in _series_of(name, [r for r in records if r.solver == name], clock)]
    return Section(domain, suite, ambiguous, tuple(series), _automata(records))


def _series_of(solver: str, records: list[Record], clock: Clock) -> list[Series]:
    """One series for each combination of settings that the records of a solver have."""
    varying = [name for name in _SETTINGS if len({getattr(record, name) for record in records}) > 1]
    guided = [record for record in records if record.gpa]
    uses = [name for name in _OF_AUTOMATA if len({getattr(record, name) for record in guided}) > 1]
    groups: dict[str, list[Record]] = defaultdict(list)
    for record in records:
        shown = (f"{name.replace('_', ' ')} {_shown(getattr(record, name))}" for name in varying)
        groups[", ".join(shown)].append(record)
    return [
        Series(solver, ", ".join(filter(None, (variant, use))), _rows(runs, clock))
        for variant in sorted(groups)
        for use, runs in _records_by_use(groups[variant], uses)
    ]


def _records_by_use(records: list[Record], names: Sequence[str]) -> Iterator[tuple[str, list[Record]]]:
    """The records for each way in which the automaton was used; those without it belong to all of them."""
    ways: dict[str, list[Record]] = defaultdict(list)
    for record in records:
        if record.gpa:
            ways[", ".join(f"{name.replace('_', ' ')} {getattr(record, name)}" for name in names)].append(record)
    without = [record for record in records if not record.gpa]
    for way in sorted(ways) or [""]:
        yield way, without + ways[way]


def _shown(value: object) -> str:
    return "none" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


def _rows(records: list[Record], clock: Clock) -> tuple[Row, ...]:
    groups: dict[tuple[int, str], dict[bool, list[Record]]] = defaultdict(lambda: defaultdict(list))
    for record in records:
        groups[record.size, record.problem][bool(record.gpa)].append(record)
    rows = []
    for (size, problem), runs in sorted(groups.items()):
        one, baseline = (runs[False] or runs[True])[0], Cell(runs[False], clock)
        optima = sorted({r.optimal for group in runs.values() for r in group if r.optimal is not None})
        rows.append(
            Row(
                id=size,
                problem=problem,
                theta=one.theta,
                optimal=optima[0] if optima else None,
                baseline=baseline,
                gpa=Cell(runs[True], clock),
                paper_baseline=paper_cell(one.domain, one.theta, size, one.solver, False),
                paper_gpa=paper_cell(one.domain, one.theta, size, one.solver, True),
                not_run=runs[False][0].message if runs[False] and not baseline.runs else "",
            )
        )
    return tuple(rows)


def _sufficed(record: Record) -> bool | None:
    """Whether the automaton sufficed in a run with it; None if that is not known."""
    if record.status == Status.SOLVED:
        return not record.fallback
    if record.status == Status.NO_PROPER_POLICY:
        return False
    # When searches take turns, a limit may find either under way; otherwise the whole problem comes after a failure.
    return False if record.fallback and record.fallback_mode != "turns" else None


def _seconds(record: Record, clock: Clock) -> float | None:
    """The time of a run as it enters a mean, or None if it has none."""
    if record.status == "solved":
        return record.seconds if clock == "wall" else record.seconds_cpu
    if record.status == "time-limit":
        limit = record.time_limit if record.time_limit is not None else record.seconds
        used = record.seconds_cpu if clock == "cpu" else None
        return limit if used is None or limit is None else min(limit, used)
    return None


def _automata(records: Iterable[Record]) -> tuple[Automaton, ...]:
    """The automata of a section, those used most first."""
    guided = [record for record in records if record.gpa and record.status != Status.NOT_RUN]
    used = Counter(record.automaton_hash for record in guided)
    one = {record.automaton_hash: record for record in guided}
    found = []
    for name, runs in sorted(used.items(), key=lambda item: (-item[1], item[0] or "")):
        record = one[name]
        if record.vertices is not None or record.training:
            training = _labels(record.training)
            found.append(Automaton(training, record.vertices, record.edges, record.learn_seconds, runs))
    return tuple(found)


def _labels(training: str | None) -> tuple[str, ...]:
    """The labels of a JSON list of texts; a text that is none is one label."""
    if not training:
        return ()
    try:
        labels = json.loads(training)
    except json.JSONDecodeError:
        return (training,)
    return tuple(map(str, labels)) if isinstance(labels, list) else (training,)


def amount(number: float, places: int | None = None, *, like: float | None = None) -> str:
    """A number with two decimals, and more if it, or what it is ``like``, is small."""
    size = abs(number if like is None else like)
    if places is None:
        places = 1 if size >= 100 else 2 if size >= 1 else 3
        while places < 6 and 0 < size < min(1, 10.0 ** (2 - places)):
            places += 1
    return f"{number:,.{places}f}"


def factor(number: float) -> str:
    """A ratio, with about three digits."""
    return f"{number:,.0f}" if number >= 100 else f"{number:.1f}" if number >= 10 else f"{number:.2f}"


def better(one: Cell, other: Cell, measure: Literal["time", "cost"]) -> bool:
    """Whether the first is better by at least 5 %, as the paper's tables mark it.

    A cell that solved fewer runs is never better, and one that solved some is faster than one that solved none.
    """
    if one.solved == 0 or other.runs == 0 or one.solved * other.runs < other.solved * one.runs:
        return False
    ours, theirs = (one.time, other.time) if measure == "time" else (one.cost, other.cost)
    if ours is None:
        return False
    if theirs is None:
        return measure == "time"
    return ours.mean < theirs.mean and ours.mean <= (1 - BETTER) * theirs.mean


# --- what the automaton is worth ---

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


class Reading:
    """What a series says about the automaton: its runs with and without it, compared."""

    def __init__(self, series: Series) -> None:
        self.series = series
        pairs = [row for row in series.rows if row.baseline.runs and row.gpa.runs]
        self.pairs = len(pairs)
        """Problems with runs both with and without the automaton."""
        self.faster = tuple(row for row in pairs if better(row.gpa, row.baseline, "time"))
        self.slower = tuple(row for row in pairs if better(row.baseline, row.gpa, "time"))
        self.open = tuple(row for row in pairs if not row.baseline.solved and not row.gpa.solved)
        """Not solved with or without."""
        others = (*self.faster, *self.slower, *self.open)
        self.similar = tuple(row for row in pairs if row not in others)
        """Neither is better by 5 %."""
        self.ratios = tuple(ratio for ratio in (row.ratio for row in pairs) if ratio is not None)
        self.exact = tuple(ratio for ratio in self.ratios if not ratio.bound)
        values = [ratio.value for ratio in self.exact]
        self.geometric_mean = statistics.geometric_mean(values) if values else None
        """Of the ratios that are no bounds."""
        slope = _slope([(float(ratio.row.id), math.log(ratio.value)) for ratio in self.exact])
        self.growth = None if slope is None else math.exp(slope)
        """The factor from one problem to the next, by least squares on the logarithms of the ratios."""
        states = [(n.mean, each.value) for each in self.exact if (n := each.row.baseline.expanded) and n.mean]
        self.exponent = _slope([(math.log(number), math.log(value)) for number, value in states])
        """The same against the logarithm of the number of states that the baseline expands."""
        self.fallbacks = sum(row.gpa.fallbacks for row in series.rows)
        self.decided = sum(row.gpa.decided for row in series.rows)
        """In how many runs with the automaton it is known whether it sufficed; others met a limit or failed before."""
        self.gpa_runs = sum(row.gpa.runs for row in series.rows)


def _slope(points: Sequence[tuple[float, float]]) -> float | None:
    """That of the least-squares line; None for too few points or a single x."""
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return statistics.linear_regression(xs, ys).slope if len(xs) >= FEW and len(set(xs)) > 1 else None
