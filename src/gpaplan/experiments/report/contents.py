"""What is in a report: its tables and the few sentences between them, built once for every format to write.

A cell that stands for runs is written as ``≥ 0.412 ± 0.013 (3)``: a bound, the mean, one standard deviation, the count
of runs. What became of runs that were not solved stands after it.
"""

from __future__ import annotations

import base64
import re
import textwrap
from collections.abc import Iterator, Sequence
from html import escape
from itertools import zip_longest
from typing import NamedTuple

from gpaplan.display import counted
from gpaplan.experiments.report.paper import Sample
from gpaplan.experiments.report.summary import Automaton, Cell, Ratio, Reading, Section, Summary, amount, better, factor
from gpaplan.pages import assemble

_SAME = 1e-4
"""By this share an exact cost may differ from the optimum: solvers stop at a residual of epsilon."""
_PROTOCOL = (
    "A cell is the mean over runs ± one standard deviation (the population's), and in parentheses the count of runs. "
    "Times are seconds from the ground task to the checked policy, with all that the automaton needs; parsing, "
    "grounding and learning are not in them. Costs are the means of simulated trials. Bold is better by at least 5 %. "
    "A run that met its time limit counts with the limit (of processor time: with what it had got by then), which "
    "makes the mean a lower bound (≥); runs that ended otherwise count in no mean. A cost in square brackets is that "
    "of the policies which unsolved runs had when the limit came. After an exact cost that is not the optimum stands "
    "by how much it is above."
)
_RATIOS = (
    "The ratio is the time without the automaton divided by the time with it: its geometric mean, and that on the last "
    "problem for which it, or a bound (≥, ≤), is known. Growth is its factor from one problem to the next, exponent "
    "that of the number of states which the baseline expands; both by least squares on logarithms, without bounds. "
    "Fell back: in how many runs the automaton did not suffice, of those that tell."
)
_PAPER = (
    "Next to ours are the numbers that the paper on generalized policy automata prints (over 10 runs, limits of 7200 s "
    "and 16 GiB). They come from another machine, another implementation and other PPDDL files."
)


def report(summary: Summary, drawings: Sequence[str]) -> list[Block]:
    """The whole report, with drawings as SVG: one of everything, one of each section, or none."""
    no_figure = "There is no figure: matplotlib is not installed (pip install gpaplan[plots])."
    facts = (f"{name.replace('_', ' ')}: {', '.join(values)}" for name, values in summary.settings.items() if values)
    printed = [_PAPER] if any(section.has_paper for section in summary.sections) else []
    return [
        Heading(1, "Report"),
        headline(summary),
        *_opening(summary, drawings),
        *(f"Note: {text}" for text in warnings(summary)),
        Heading(2, "What the automaton is worth"),
        _RATIOS,
        _ratio_table(summary),
        tuple(f"{each.title}: {_learning(one)}" for each in summary.sections for one in each.automata),
        Heading(2, "Results"),
        " ".join((_PROTOCOL, *printed)),
        *(block for section in summary.sections for block in results(section)),
        Heading(2, "Conditions"),
        (*facts, *([] if drawings else [no_figure])),
    ]


def _opening(summary: Summary, drawings: Sequence[str]) -> Iterator[Block]:
    """A sentence for each domain and solver, and what it looks like."""
    label = "Time (bars) and cost (points) of each problem, without and with the automaton"
    parts = [(each,) for each in summary.sections] if len(drawings) > 1 else [summary.sections]
    for sections, svg in zip_longest(parts, drawings):
        yield tuple(f"{each.title}: {in_words(Reading(one))}" for each in sections for one in each.series)
        if svg is not None:
            yield Picture("figure.svg", label, svg)


def headline(summary: Summary) -> str:
    """What was run, in a sentence."""
    problems = sum(len({(row.id, row.problem) for _, row in section.rows}) for section in summary.sections)
    solvers = len({series.solver for section in summary.sections for series in section.series})
    domains = len({section.domain for section in summary.sections})
    return (
        f"{counted(summary.records, 'run')} of {counted(problems, 'problem')} from {counted(domains, 'domain')} with "
        f"{counted(solvers, 'solver')}: "
        + ", ".join(f"{number:,} {status}" for status, number in summary.statuses.items())
    )


def warnings(summary: Summary) -> Iterator[str]:
    """What makes the numbers less comparable than they look."""
    for name, label in (("machine", "machines"), ("version", "versions of gpaplan"), ("python", "versions of Python")):
        values = summary.settings[name]
        if len(values) > 1:
            yield f"the runs come from {len(values)} {label}, so their times may not be comparable"
    for section in summary.sections:
        if len(section.automata) > 1:
            yield f"{section.title}: runs used {len(section.automata)} different automata"
    for status, texts in summary.messages.items():
        said = f" ({'; '.join(texts)})" if texts else ""
        yield f"{counted(summary.statuses[status], 'run')} ended with status '{status}'{said}"


def _learning(automaton: Automaton) -> str:
    """What is known about an automaton."""
    seconds = "" if automaton.learn_seconds is None else f" in {amount(automaton.learn_seconds)} s"
    edges, vertices = automaton.edges or 0, counted(automaton.vertices or 0, "vertex", "vertices")
    return f"{vertices} and {counted(edges, 'edge')}, learned from {', '.join(automaton.training)}{seconds}"


def in_words(reading: Reading) -> str:
    """What a series says about the automaton, in a line."""
    line = f"faster with the automaton on {len(reading.faster)} of {counted(reading.pairs, 'problem')}"
    if reading.geometric_mean is not None:
        mean = f"geometric mean of {counted(len(reading.exact), 'problem')}"
        line += f", time without it by time with it {factor(reading.geometric_mean)} ({mean})"
    if reading.fallbacks:
        line += f", fell back in {reading.fallbacks} of {counted(reading.decided, 'run')}"
    return f"{reading.series.title}: {line}"


# --- cells ------------------------------------------------------------------------------------------------------------


def _number(key: float | None, text: str = "{}") -> Entry:
    return Entry() if key is None else Entry(text.format(key), key)


def measured(sample: Sample, places: int | None = None) -> str:
    """Mean, one standard deviation if there are several runs, and their count: ``0.412 ± 0.013 (3)``."""
    spread = f" ± {amount(sample.sd, places, like=sample.mean)}" if sample.count > 1 else ""
    return f"{amount(sample.mean, places)}{spread} ({sample.count})"


def time_cell(runs: Cell, other: Cell) -> Entry:
    """``0.412 ± 0.013 (3)``, ``3 of 3 runs: time-limit 600 s``, or both."""
    if not runs.runs:
        return Entry()
    times = [f"{'≥ ' if runs.stopped else ''}{measured(runs.time)}"] if runs.time is not None and runs.solved else []
    text = "; ".join([*times, *runs.failures.values()])
    return Entry(text, None if runs.time is None else runs.time.mean, better(runs, other, "time"))


def cost_cell(runs: Cell, other: Cell) -> Entry:
    """``9.75 ± 0.03 (3)``, and in brackets the cost of policies that runs had when a limit came."""
    sample = runs.cost or runs.unfinished_cost
    if sample is None:
        return Entry()
    texts = [] if runs.cost is None else [measured(runs.cost, 2)]
    texts += [] if runs.unfinished_cost is None else [f"[{measured(runs.unfinished_cost, 2)}]"]
    return Entry("; ".join(texts), sample.mean, better(runs, other, "cost"))


def _expanded(found: Sample | None) -> Entry:
    return Entry() if found is None else _number(found.mean, f"{{:,.0f}} ({found.count})")


def _ratio(ratio: Ratio | None, *, where: bool = False) -> Entry:
    if ratio is None:
        return Entry()
    return Entry(str(ratio) + (f" ({ratio.row.problem})" if where else ""), ratio.value)


def _fallbacks(number: int, decided: int) -> Entry:
    """In how many runs the automaton did not suffice, of those that tell; blank if there are none."""
    return _number(number, f"{{}} of {decided}") if decided else Entry()


def _exact_cost(found: Sample | None, optimal: float | None) -> Entry:
    """The exact cost, and by which share it is above the optimum, where that is known and is not it."""
    if found is None:
        return Entry()
    above = (found.mean - optimal) / optimal if optimal else 0.0
    return _number(found.mean, f"{{:,.4f}} ({found.count})" + (f", {above:+.2%}" if abs(above) > _SAME else ""))


# --- tables -----------------------------------------------------------------------------------------------------------


def _ratio_table(summary: Summary) -> ReportTable:
    columns = ("domain", "solver", "faster", "same", "slower", "unsolved", "mean (problems)", "last", "growth")
    rows = []
    for section in summary.sections:
        for reading in map(Reading, section.series):
            groups = (reading.faster, reading.similar, reading.slower, reading.open)
            mean, last = reading.geometric_mean, reading.ratios[-1] if reading.ratios else None
            rows.append(
                [
                    Entry(section.title),
                    Entry(reading.series.title),
                    *(_number(len(group)) for group in groups),
                    _number(mean, f"{factor(mean or 0)} ({len(reading.exact)})"),
                    _ratio(last, where=True),
                    _number(reading.growth, "× {:.2f}"),
                    _number(reading.exponent, "{:.2f}"),
                    _fallbacks(reading.fallbacks, reading.decided),
                ]
            )
    return ReportTable((*columns, "exponent", "fell back"), rows)


def results(section: Section) -> list[Block]:
    """All problems and solvers of a domain: their times, and their costs."""
    both = ("without", "with GPA")
    times = ["problem", "ID", "solver", *(f"time, s: {each}" for each in both), "ratio"]
    times += [*(f"states expanded: {each}" for each in both), "fell back"]
    costs = ["problem", "ID", "solver", *(f"simulated cost: {each}" for each in both), "optimum"]
    costs += [f"exact cost: {each}" for each in both]
    if section.has_paper:
        times += [f"paper's time, s: {each}" for each in both]
        costs += [f"paper's cost: {each}" for each in both]
    time_rows, cost_rows = [], []
    for series, row in section.rows:
        one, other = row.baseline, row.gpa
        name = [Entry(row.problem), _number(row.id), Entry(series.title)]
        without = Entry(f"not run: {row.not_run}") if row.not_run else time_cell(one, other)
        line = [*name, without, time_cell(other, one), _ratio(row.ratio)]
        line += [_expanded(one.expanded), _expanded(other.expanded), _fallbacks(other.fallbacks, other.decided)]
        cost_line = [*name, cost_cell(one, other), cost_cell(other, one), _number(row.optimal, "{:,.4f}")]
        cost_line += [_exact_cost(runs.value, row.optimal) for runs in (one, other)]
        if section.has_paper:
            for printed in (row.paper_baseline, row.paper_gpa):
                line.append(Entry() if printed is None else Entry(measured(printed.time, 2), printed.time.mean))
                cost_line.append(Entry() if printed is None else Entry(measured(printed.cost, 2), printed.cost.mean))
        time_rows.append(line)
        cost_rows.append(cost_line)
    return [Heading(3, section.title), ReportTable(times, time_rows), ReportTable(costs, cost_rows)]


# --- how a report is written ---


BLANK = "–"


class Entry(NamedTuple):
    """An entry of a table."""

    text: str = BLANK
    key: float | None = None
    """The number that it is sorted by."""
    bold: bool = False


class Heading(NamedTuple):
    level: int
    title: str


class ReportTable(NamedTuple):
    columns: Sequence[str]
    rows: Sequence[Sequence[Entry]]


class Picture(NamedTuple):
    """A figure: its file, what it shows, and its drawing as SVG."""

    file: str
    label: str
    svg: str


Block = Heading | ReportTable | Picture | str | tuple[str, ...]
"""A text is a paragraph, a tuple of texts a list."""


def to_markdown(blocks: Sequence[Block]) -> str:
    """The document as text."""
    return "\n".join(line for block in blocks for line in (*_lines(block), ""))


def _lines(block: Block) -> Iterator[str]:
    match block:
        case Heading():
            yield f"{'#' * block.level} {_marked(block.title)}"
        case Picture():
            yield f"![{_marked(block.label)}]({block.file})"
        case ReportTable():
            yield f"| {' | '.join(map(_marked, block.columns))} |"
            yield f"|{'---|' * len(block.columns)}"
            for row in block.rows:
                texts = (f"**{_marked(each.text)}**" if each.bold else _marked(each.text) for each in row)
                yield f"| {' | '.join(texts)} |"
        case str():
            yield from textwrap.wrap(_marked(block), 120, break_long_words=False, break_on_hyphens=False)
        case _:
            yield from (f"- {_marked(item)}" for item in block)


def _marked(text: str) -> str:
    """Text that Markdown shows as it is; addresses do not become links."""
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    text = re.sub(r"([\\`*_|#\[\]~]|:(?=//)|(?<=www)\.)", r"\\\1", text, flags=re.IGNORECASE)
    return text.replace("@", "@<!-- -->").replace("\n", " ")


def to_html(blocks: Sequence[Block]) -> str:
    """The document as a page."""
    title = next(block.title for block in blocks if isinstance(block, Heading))
    return assemble("report.html", title=escape(title), body="\n".join(map(_html, blocks)))


def _html(block: Block) -> str:
    match block:
        case Heading():
            return f"<h{block.level}>{escape(block.title)}</h{block.level}>"
        case Picture():
            data = base64.b64encode(block.svg.encode()).decode()
            return f'<img class="figure" alt="{escape(block.label)}" src="data:image/svg+xml;base64,{data}">'
        case ReportTable():
            heads = "".join(f'<th><button type="button">{escape(each)}</button></th>' for each in block.columns)
            rows = "\n".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in block.rows)
            return f'<div class="scroll"><table><thead><tr>{heads}</tr></thead><tbody>\n{rows}\n</tbody></table></div>'
        case str():
            return f"<p>{escape(block)}</p>"
        case _:
            return f"<ul>{''.join(f'<li>{escape(item)}</li>' for item in block)}</ul>"


def _cell(entry: Entry) -> str:
    text = f"<b>{escape(entry.text)}</b>" if entry.bold else escape(entry.text)
    return f"<td>{text}</td>" if entry.key is None else f'<td data-sort="{entry.key!r}">{text}</td>'
