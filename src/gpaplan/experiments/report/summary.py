"""Records put together: what all runs of one problem, solver and setting amount to.

    Summary
      Section           a domain (of one suite)
        Series          a solver, and its settings where a section has several
          Row           a test problem
            Cell        all runs with the automaton, or all without: counts, means, standard deviations

Means and standard deviations are those of the paper: over runs, and the standard deviation is the population's
(divided by the number of runs, not by one less). A run that met the time limit counts with the limit in the mean time,
as in the paper, which makes that mean a lower bound; runs that ended otherwise have no time. Costs are those of solved
runs: the mean over runs of the mean over simulated trials.

Nothing here depends on the order of the records.
"""

from __future__ import annotations

import json
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from gpaplan.experiments.record import STATUSES, Record
from gpaplan.experiments.report.paper import PaperCell, canonical, paper_cell

__all__ = ["Automaton", "Cell", "Clock", "Row", "Sample", "Section", "Series", "Summary", "better", "summarize"]

Clock = Literal["wall", "cpu"]

BETTER = 0.05
"""A mean is called better if it is smaller by at least this share, as in the paper."""

_DOMAINS = ("keva", "rover", "schedule", "delicate-can", "gripper")
_SOLVERS = ("lrtdp", "soft-flares", "vi", "ilao", "lao")
_SETTINGS = ("heuristic", "epsilon", "cost_mode", "symmetry", "time_limit", "memory_limit", "trials", "horizon")
"""What tells apart series of one solver."""


@dataclass(frozen=True, slots=True)
class Sample:
    """Some numbers: how many, their mean, their population standard deviation, the least and the largest."""

    count: int
    mean: float
    sd: float
    low: float
    high: float

    @staticmethod
    def of(values: Iterable[float | None]) -> Sample | None:
        """The sample of the values that are known; None where there are none."""
        known = [float(value) for value in values if value is not None]
        if not known:
            return None
        mean = math.fsum(known) / len(known)
        sd = math.sqrt(math.fsum((value - mean) ** 2 for value in known) / len(known))
        return Sample(len(known), mean, sd, min(known), max(known))


@dataclass(frozen=True, slots=True)
class Cell:
    """All runs of a problem with one solver, either with or without the automaton."""

    runs: int
    statuses: Mapping[str, int]
    """How many runs ended in which way, in the order of `STATUSES`."""
    time: Sample | None
    """Seconds of the solved runs, and of those that met the time limit, which count with the limit."""
    cost: Sample | None
    """The mean costs of the trials of each solved run."""
    unfinished_cost: Sample | None
    """The same for the policies that runs had when a limit came."""
    value: Sample | None
    """The exact costs of the policies of solved runs."""
    claims: int
    """How many solved runs claim that their policy is proven to be optimal."""
    trials: int
    """Simulated in the solved runs, all together."""
    trial_variance: float | None
    """Of the cost of a trial, as measured; the mean over runs."""
    goal_rate: float | None
    """The least of the solved runs."""
    expanded: Sample | None
    fallbacks: int | None
    """In how many runs the automaton did not suffice; None without one."""
    time_limit: float | None
    memory_limit: float | None

    @property
    def solved(self) -> int:
        return self.statuses.get("solved", 0)

    @property
    def stopped(self) -> int:
        """How many runs met the time limit, and count with it."""
        return self.statuses.get("time-limit", 0)


@dataclass(frozen=True, slots=True)
class Row:
    """A test problem, solved without and with the automaton."""

    id: int
    problem: str
    theta: str
    optimal: float | None
    baseline: Cell | None
    gpa: Cell | None
    paper_baseline: PaperCell | None
    paper_gpa: PaperCell | None

    @property
    def cells(self) -> tuple[tuple[bool, Cell | None, PaperCell | None], ...]:
        return (False, self.baseline, self.paper_baseline), (True, self.gpa, self.paper_gpa)


@dataclass(frozen=True, slots=True)
class Series:
    """A solver on the problems of a domain."""

    solver: str
    variant: str
    """Its settings, as far as they differ from those of other series of the section; mostly empty."""
    rows: tuple[Row, ...]

    @property
    def has_paper(self) -> bool:
        return any(row.paper_baseline is not None or row.paper_gpa is not None for row in self.rows)


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
    def has_paper(self) -> bool:
        return any(series.has_paper for series in self.series)


@dataclass(frozen=True, slots=True)
class Summary:
    """Everything that a report shows."""

    clock: Clock
    sections: tuple[Section, ...]
    records: int
    statuses: Mapping[str, int]
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
        for domain, suite in sorted(by_section, key=lambda key: (*_rank(_DOMAINS, canonical(key[0])), key[1]))
    )
    return Summary(clock, sections, len(records), _statuses(ordered), _settings(ordered), _messages(ordered))


def _rank(order: tuple[str, ...], name: str) -> tuple[int, str]:
    """Known names in their order, then all others alphabetically."""
    return (order.index(name) if name in order else len(order)), name


def _statuses(records: Iterable[Record]) -> dict[str, int]:
    counts = Counter(record.status for record in records)
    return {status: counts[status] for status in STATUSES if counts[status]}


def _settings(records: Iterable[Record]) -> dict[str, tuple[str, ...]]:
    names = (*_SETTINGS, "suite", "version", "python", "platform", "machine")
    found: dict[str, set[str]] = {name: set() for name in names}
    days = set()
    for record in records:
        for name in names:
            value = getattr(record, name)
            if value not in (None, ""):
                found[name].add(f"{value:g}" if isinstance(value, float) else str(value))
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
    by_solver: dict[str, list[Record]] = defaultdict(list)
    for record in records:
        by_solver[record.solver].append(record)
    series: list[Series] = []
    for solver in sorted(by_solver, key=lambda name: _rank(_SOLVERS, name)):
        series += _series_of(solver, by_solver[solver], clock)
    return Section(domain, suite, ambiguous, tuple(series), _automata(records))


def _series_of(solver: str, records: list[Record], clock: Clock) -> list[Series]:
    """One series for each combination of settings that the records of a solver have."""
    varying = [name for name in _SETTINGS if len({getattr(record, name) for record in records}) > 1]
    groups: dict[str, list[Record]] = defaultdict(list)
    for record in records:
        groups[", ".join(f"{name.replace('_', ' ')} {_shown(getattr(record, name))}" for name in varying)].append(
            record
        )
    return [Series(solver, variant, _rows(groups[variant], clock)) for variant in sorted(groups)]


def _shown(value: object) -> str:
    return "none" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


def _rows(records: list[Record], clock: Clock) -> tuple[Row, ...]:
    groups: dict[tuple[int, str], dict[bool, list[Record]]] = defaultdict(lambda: defaultdict(list))
    for record in records:
        groups[record.size, record.problem][bool(record.gpa)].append(record)
    rows = []
    for (size, problem), runs in sorted(groups.items()):
        one = next(iter(runs.values()))[0]
        optima = sorted({r.optimal for group in runs.values() for r in group if r.optimal is not None})
        rows.append(
            Row(
                id=size,
                problem=problem,
                theta=one.theta,
                optimal=optima[0] if optima else None,
                baseline=_cell(runs[False], clock) if runs.get(False) else None,
                gpa=_cell(runs[True], clock) if runs.get(True) else None,
                paper_baseline=paper_cell(one.domain, one.theta, size, one.solver, False),
                paper_gpa=paper_cell(one.domain, one.theta, size, one.solver, True),
            )
        )
    return tuple(rows)


def _cell(records: list[Record], clock: Clock) -> Cell:
    solved = [record for record in records if record.status == "solved"]
    simulated = [record for record in solved if record.mean_cost is not None]
    unfinished = [record for record in records if record.status in ("time-limit", "memory-limit")]
    variance = Sample.of(None if record.sd_cost is None else record.sd_cost**2 for record in simulated)
    rates = [record.goal_rate for record in simulated if record.goal_rate is not None]
    return Cell(
        runs=len(records),
        statuses=_statuses(records),
        time=Sample.of(_seconds(record, clock) for record in records),
        cost=Sample.of(record.mean_cost for record in simulated),
        unfinished_cost=Sample.of(record.mean_cost for record in unfinished),
        value=Sample.of(record.value for record in solved),
        claims=sum(record.guarantee == "optimal" for record in solved),
        trials=sum(record.trials for record in simulated),
        trial_variance=None if variance is None else variance.mean,
        goal_rate=min(rates) if rates else None,
        expanded=Sample.of(record.expanded for record in solved),
        fallbacks=sum(bool(record.fallback) for record in records) if records[0].gpa else None,
        time_limit=records[0].time_limit,
        memory_limit=records[0].memory_limit,
    )


def _seconds(record: Record, clock: Clock) -> float | None:
    """The time of a run as it enters a mean, or None if it has none."""
    if record.status == "solved":
        return record.seconds if clock == "wall" else record.seconds_cpu
    if record.status == "time-limit":
        return record.time_limit if record.time_limit is not None else record.seconds
    return None


def _automata(records: Iterable[Record]) -> tuple[Automaton, ...]:
    """The automata of a section, those used most first."""
    used = Counter(record.automaton_hash for record in records if record.gpa)
    one = {record.automaton_hash: record for record in records if record.gpa}
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


def better(one: Cell | None, other: Cell | None, measure: Literal["time", "cost"]) -> bool:
    """Whether the first is better by at least 5 %, as the paper's tables mark it.

    A cell that solved fewer runs is never better, and one that solved some is faster than one that solved none.
    """
    if one is None or other is None or one.solved == 0 or one.solved * other.runs < other.solved * one.runs:
        return False
    sample: Callable[[Cell], Sample | None] = lambda cell: cell.time if measure == "time" else cell.cost  # noqa: E731
    ours, theirs = sample(one), sample(other)
    if ours is None:
        return False
    if theirs is None:
        return measure == "time"
    return ours.mean < theirs.mean and ours.mean <= (1 - BETTER) * theirs.mean
