"""``report.md``: the whole report as text."""

from __future__ import annotations

import math
import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from gpaplan.experiments.report.checks import EXCEPTIONS, MEANING, Finding, check, paper_is_optimal
from gpaplan.experiments.report.notation import (
    amount,
    count,
    failures,
    names,
    plus_minus,
    section_title,
    series_title,
)
from gpaplan.experiments.report.paper import PaperCell
from gpaplan.experiments.report.reading import Reading, learning, ratio_of, read_series, sentences
from gpaplan.experiments.report.summary import Cell, Row, Section, Series, Summary, better

__all__ = [
    "describe_check",
    "facts",
    "headline",
    "paper_agreement",
    "protocol",
    "time_text",
    "to_markdown",
    "warnings",
]

_BLANK = "–"


def to_markdown(summary: Summary, found: Sequence[Finding], *, figure: bool) -> str:
    """The report as Markdown; links to the figure if there is one."""
    lines = ["# Report", "", headline(summary), ""]
    lines += [f"- {_plain(text)}" for text in facts(summary)]
    lines += [f"- **Note:** {_plain(text)}" for text in warnings(summary)]
    lines += ["", *_wrapped(protocol(summary)), ""]
    if figure:
        lines += ["![Time (bars) and cost (points) without and with automaton](figure.svg)", ""]
    lines += ["## Reading", ""]
    for section in summary.sections:
        lines += [f"### {_plain(section_title(section))}", ""]
        lines += [f"{_plain(learning(a.training, a.vertices, a.edges, a.learn_seconds))}\n" for a in section.automata]
        for reading in map(read_series, section.series):
            lines += [f"**{_plain(series_title(reading.series))}.** {_plain(' '.join(sentences(reading)))}", ""]
    lines += ["### Ratios", "", *_ratio_table(summary), ""]
    lines += ["## Costs against what is known", "", *_check_lines(found), ""]
    for section in summary.sections:
        lines += _section_lines(section)
    return "\n".join(lines).rstrip() + "\n"


def headline(summary: Summary) -> str:
    """What was run, in a sentence."""
    problems = sum(len({(row.id, row.problem) for s in sec.series for row in s.rows}) for sec in summary.sections)
    solvers = len({series.solver for section in summary.sections for series in section.series})
    domains = len({section.domain for section in summary.sections})
    return (
        f"{count(summary.records, 'run')} of {count(problems, 'problem')} from {count(domains, 'domain')} with "
        f"{count(solvers, 'solver')}: "
        + ", ".join(f"{number:,} {status}" for status, number in summary.statuses.items())
    )


def facts(summary: Summary) -> Iterator[str]:
    """Under which conditions the runs took place."""
    labels = (
        ("suite", "suite", ""),
        ("heuristic", "heuristic", ""),
        ("epsilon", "epsilon", ""),
        ("time_limit", "time limit", " s"),
        ("memory_limit", "memory limit", " MB"),
        ("trials", "trials of each run", ""),
        ("horizon", "horizon", ""),
        ("cost_mode", "costs", ""),
        ("symmetry", "symmetry", ""),
        ("machine", "machine", ""),
        ("platform", "platform", ""),
        ("python", "Python", ""),
        ("version", "gpaplan", ""),
    )
    for name, label, unit in labels:
        values = summary.settings.get(name, ())
        if values:
            yield f"{label}: {', '.join(values)}{unit}"
    days = summary.settings.get("started", ())
    if days:
        yield f"run on: {' to '.join(days)}"


def warnings(summary: Summary) -> Iterator[str]:
    """What makes the numbers less comparable than they look."""
    for name, label in (("machine", "machines"), ("version", "versions of gpaplan"), ("python", "versions of Python")):
        values = summary.settings.get(name, ())
        if len(values) > 1:
            yield f"the runs come from {len(values)} {label}, so their times may not be comparable"
    for section in summary.sections:
        if len(section.automata) > 1:
            yield f"{section_title(section)}: runs used {len(section.automata)} different automata"
    for status, texts in summary.messages.items():
        said = f" ({'; '.join(texts)})" if texts else ""
        yield f"{count(summary.statuses[status], 'run')} ended with status '{status}'{said}"


def protocol(summary: Summary) -> str:
    """How the numbers are to be read."""
    clock = "wall-clock time" if summary.clock == "wall" else "processor time"
    text = (
        f"Times are seconds of {clock} from the ground task to the checked policy, with all that the automaton needs "
        "(abstraction, and where it does not suffice the whole problem too); parsing, grounding and learning are not "
        "in them. A cell is the mean over runs ± one standard deviation (the population's, as in the paper), and in "
        "parentheses the count of runs behind it. Costs are the means of simulated trials. Bold is better by at least "
        "5 %. A run that met its time limit counts with the limit, which makes the mean a lower bound (≥); runs that "
        "ended otherwise count in no mean. A cost in square brackets is that of the policies which unsolved runs had "
        "when the limit came."
    )
    if any(section.has_paper for section in summary.sections):
        text += (
            " Next to ours are the numbers that the paper on generalized policy automata prints (mean ± standard "
            "deviation over 10 runs, limits of 7200 s and 16 GiB). They come from another machine, another "
            "implementation and other PPDDL files: they show what was reported, and are no baseline."
        )
    return text


# --- tables -----------------------------------------------------------------------------------------------------------


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, 120, break_long_words=False, break_on_hyphens=False)


def _plain(text: str) -> str:
    """Text that Markdown shows as it is."""
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return re.sub(r"([\\`*_|#\[\]~])", r"\\\1", text).replace("\n", " ")


def _table(head: Sequence[str], align: str, rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"|{'|'.join('---:' if side == 'r' else '---' for side in align)}|"
    for row in rows:
        yield f"| {' | '.join(row)} |"


def _ratio_table(summary: Summary) -> Iterator[str]:
    yield from _wrapped(
        "Time without the automaton divided by time with it: the geometric mean, and that on the last problem which "
        "was solved both ways, and on the last for which it, or a bound (≥, ≤), is known. *Growth* is the factor from "
        "one problem to the next, *exponent* that of the number of states which the baseline expands; both from least "
        "squares on logarithms, without bounds."
    )
    yield ""

    def line(section: Section, reading: Reading) -> list[str]:
        exact = reading.exact
        return [
            _plain(section_title(section)),
            _plain(series_title(reading.series)),
            f"{len(reading.faster)} / {len(reading.similar)} / {len(reading.slower)} / {len(reading.open)}",
            _BLANK if reading.geometric_mean is None else f"{amount(reading.geometric_mean, 2)} ({len(exact)})",
            f"{exact[-1]} ({_plain(exact[-1].row.problem)})" if exact else _BLANK,
            f"{reading.ratios[-1]} ({_plain(reading.ratios[-1].row.problem)})" if reading.ratios else _BLANK,
            _BLANK if reading.by_problem is None else f"× {math.exp(reading.by_problem.slope):.2f}",
            _BLANK if reading.by_states is None else f"{reading.by_states.slope:.2f}",
            f"{reading.fallbacks} of {reading.gpa_runs}",
        ]

    yield from _table(
        [
            "domain",
            "solver",
            "faster / same / slower / unsolved",
            "mean (problems)",
            "last solved both ways",
            "last known",
            "growth",
            "exponent",
            "fell back",
        ],
        "llrrrrrrr",
        (line(section, read_series(series)) for section in summary.sections for series in section.series),
    )


def _check_lines(found: Sequence[Finding]) -> Iterator[str]:
    yield "| verdict | cells | meaning |"
    yield "|---|---:|---|"
    for verdict, meaning in MEANING.items():
        number = sum(finding.check.verdict == verdict for finding in found)
        if number:
            yield f"| {verdict} | {number} | {meaning} |"
    yield ""
    agreement = list(paper_agreement(found))
    if agreement:
        yield _plain(" ".join(agreement))
        yield ""
    exceptions = [finding for finding in found if finding.check.verdict in EXCEPTIONS]
    if not exceptions:
        yield "There are no exceptions."
        return
    yield "The exceptions:"
    yield ""
    for finding in exceptions:
        side = "with" if finding.gpa else "without"
        where = f"{series_title(finding.series)} {side} automaton on {finding.row.problem}"
        yield f"- {_plain(where)}: {describe_check(finding)}"


def paper_agreement(found: Sequence[Finding]) -> Iterator[str]:
    """Where the paper's own cell is at the optimum, ours should be."""
    paired = [f for f in found if f.paper is not None and f.check.verdict != "unsolved"]
    at_optimum = [
        f for f in paired if f.paper and paper_is_optimal(f.paper, f.section.domain, f.row.theta, f.row.optimal)
    ]
    if at_optimum:
        agree = [f for f in at_optimum if f.check.verdict == "optimal"]
        yield (
            f"Of {len(paired)} solved cells that the paper prints too, {len(at_optimum)} are at the optimum in the "
            f"paper; {len(agree)} of these are at the optimum here."
        )
        others = [
            f"{series_title(f.series)}{' + GPA' if f.gpa else ''} on {f.row.problem}"
            for f in at_optimum
            if f.check.verdict != "optimal"
        ]
        if others:
            yield f"The others: {names(others, 40)}."


def describe_check(finding: Finding) -> str:
    """An exception in words."""
    result, row, cell = finding.check, finding.row, finding.cell
    text = MEANING[result.verdict]
    if result.verdict in ("above", "below") and result.excess is not None and cell.value is not None:
        by = f"{abs(result.excess):.2%}"
        text = (
            f"the exact cost, {amount(cell.value.mean, 4)} ({cell.value.count}), is {by} {result.verdict} the optimum"
        )
        text += f" {amount(row.optimal, 4)}" if row.optimal is not None else ""
        text += f", although {cell.claims} of these runs claim to be optimal" if cell.claims else ""
    if result.verdict == "outside" and cell.cost is not None and result.errors is not None:
        text = f"the simulated mean, {plus_minus(cell.cost)}, is {result.errors:+.1f} standard errors off"
    if result.verdict == "horizon" and cell.goal_rate is not None:
        text = f"a run reached the goal in only {cell.goal_rate:.0%} of its trials within the horizon"
    return text


def _section_lines(section: Section) -> Iterator[str]:
    yield f"## {_plain(section_title(section))}"
    yield ""
    for series in section.series:
        title = f"{section_title(section)}, {series_title(series)}"
        yield f"### {_plain(title)}: time"
        yield ""
        yield from _time_table(series)
        yield ""
        yield f"### {_plain(title)}: cost"
        yield ""
        yield from _cost_table(section, series)
        yield ""


def _time_table(series: Series) -> Iterator[str]:
    head = ["ID", "problem", "time, s", "with GPA", "ratio", "states expanded", "with GPA", "fell back"]
    align = "rlrrrrrr"
    if series.has_paper:
        head += ["paper: time, s", "paper: with GPA"]
        align += "rr"

    def line(row: Row) -> list[str]:
        ratio = ratio_of(row)
        return [
            str(row.id),
            _plain(row.problem),
            time_text(row.baseline, bold=better(row.baseline, row.gpa, "time")),
            time_text(row.gpa, bold=better(row.gpa, row.baseline, "time")),
            str(ratio) if ratio is not None else _BLANK,
            _states(row.baseline),
            _states(row.gpa),
            _BLANK if row.gpa is None or row.gpa.fallbacks is None else f"{row.gpa.fallbacks} of {row.gpa.runs}",
            *([paper_text(row.paper_baseline, "time"), paper_text(row.paper_gpa, "time")] if series.has_paper else []),
        ]

    yield from _table(head, align, map(line, series.rows))


def _cost_table(section: Section, series: Series) -> Iterator[str]:
    head = ["ID", "problem", "simulated cost", "with GPA", "exact cost", "with GPA", "optimum", "check", "with GPA"]
    align = "rlrrrrrll"
    if series.has_paper:
        head += ["paper: cost", "paper: with GPA"]
        align += "rr"

    def line(row: Row) -> list[str]:
        return [
            str(row.id),
            _plain(row.problem),
            cost_text(row.baseline, bold=better(row.baseline, row.gpa, "cost")),
            cost_text(row.gpa, bold=better(row.gpa, row.baseline, "cost")),
            _exact(row.baseline),
            _exact(row.gpa),
            _BLANK if row.optimal is None else amount(row.optimal, 4),
            _verdict(row.baseline, section, row),
            _verdict(row.gpa, section, row),
            *([paper_text(row.paper_baseline, "cost"), paper_text(row.paper_gpa, "cost")] if series.has_paper else []),
        ]

    yield from _table(head, align, map(line, series.rows))


def time_text(cell: Cell | None, *, bold: bool = False) -> str:
    """A cell's time: ``0.412 ± 0.013 (3)``, ``3 of 3 runs: time-limit 600 s``, or both."""
    if cell is None:
        return _BLANK
    parts = []
    if cell.time is not None and cell.solved:
        text = plus_minus(cell.time)
        parts.append(f"{'≥ ' if cell.stopped else ''}{f'**{text}**' if bold else text}")
    if failures(cell):
        parts.append(failures(cell))
    return "; ".join(parts) or _BLANK


def cost_text(cell: Cell | None, *, bold: bool = False) -> str:
    if cell is None:
        return _BLANK
    parts = []
    if cell.cost is not None:
        text = plus_minus(cell.cost, 2)
        parts.append(f"**{text}**" if bold else text)
    if cell.unfinished_cost is not None:
        parts.append(f"\\[{plus_minus(cell.unfinished_cost, 2)}\\]")
    return "; ".join(parts) or _BLANK


def _states(cell: Cell | None) -> str:
    return _BLANK if cell is None or cell.expanded is None else f"{cell.expanded.mean:,.0f} ({cell.expanded.count})"


def _exact(cell: Cell | None) -> str:
    return _BLANK if cell is None or cell.value is None else f"{amount(cell.value.mean, 4)} ({cell.value.count})"


def _verdict(cell: Cell | None, section: Section, row: Row) -> str:
    if cell is None:
        return _BLANK
    result = check(cell, section.domain, row.theta, row.optimal)
    return result.verdict + (f" ({result.errors:+.1f} SE)" if result.errors is not None else "")


def paper_text(cell: PaperCell | None, measure: Literal["time", "cost"]) -> str:
    if cell is None:
        return _BLANK
    mean, sd = (cell.time_mean, cell.time_sd) if measure == "time" else (cell.cost_mean, cell.cost_sd)
    return f"{mean:,.2f} ± {sd:,.2f} (10)"
