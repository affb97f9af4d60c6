"""``report.html``: the report as one page that needs no network, with tables that can be sorted and filtered.

Everything is in the file: style, script and the figure, as SVG, so that it follows the colours of the page. Names may
come from anybody: they enter the page as escaped text, and a content security policy names style and script by their
hashes, so that nothing else is run or fetched. Without scripts the page shows everything as well.
"""

from __future__ import annotations

import base64
import hashlib
import math
import re
from collections.abc import Container, Iterator, Sequence
from html import escape
from importlib import resources
from typing import NamedTuple

from gpaplan.experiments.report.checks import EXCEPTIONS, MEANING, Finding, check
from gpaplan.experiments.report.figure import bar_id
from gpaplan.experiments.report.markdown import (
    describe_check,
    facts,
    headline,
    paper_agreement,
    protocol,
    time_text,
    warnings,
)
from gpaplan.experiments.report.notation import (
    amount,
    decimals,
    factor,
    failures,
    section_title,
    series_title,
)
from gpaplan.experiments.report.paper import PaperCell
from gpaplan.experiments.report.reading import Ratio, learning, ratio_of, read_series, sentences
from gpaplan.experiments.report.summary import Cell, Row, Sample, Section, Series, Summary, better

__all__ = ["inline_svg", "to_html"]

_WIDE = 1500
"""A figure wider than so many points is scrolled and not shrunk."""
_BLANK = '<td data-sort="">–</td>'


def to_html(summary: Summary, found: Sequence[Finding], svg: str | None) -> str:
    """The whole page; the figure is left out if there is none."""
    style, script = _part("report.css"), _part("report.js")
    policy = (
        f"default-src 'none'; style-src {_source(style)}; script-src {_source(script)}; "
        "base-uri 'none'; form-action 'none'"
    )
    titles = dict.fromkeys(section_title(section) for section in summary.sections)
    solvers = dict.fromkeys(series_title(series) for section in summary.sections for series in section.series)
    parts = {
        "policy": policy,
        "style": style,
        "script": script,
        "headline": escape(headline(summary)),
        "notes": "".join(f'<p class="warning">{escape(text)}</p>' for text in warnings(summary)),
        "protocol": escape(protocol(summary)),
        "facts": "".join(f"<li>{escape(text)}</li>" for text in facts(summary)),
        "figure": _figure(summary, svg),
        "reading": "\n".join(_reading(summary)),
        "ratios": _ratios(summary),
        "checks": "\n".join(_checks(found)),
        "domains": "".join(f"<option>{escape(title)}</option>" for title in titles),
        "solvers": "".join(f"<option>{escape(title)}</option>" for title in solvers),
        "results": "\n".join(map(_results, summary.sections)),
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda match: parts[match[1]], _part("report.html"))


def _part(name: str) -> str:
    return resources.files("gpaplan").joinpath("pages", name).read_text(encoding="utf-8")


def _source(text: str) -> str:
    """How a content security policy names an inline style or script."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


# --- the figure -------------------------------------------------------------------------------------------------------


def _figure(summary: Summary, svg: str | None) -> str:
    if svg is None:
        return '<p class="note">There is no figure: matplotlib is not installed (pip install gpaplan[plots]).</p>'
    label = "Time (bars) and cost (points) of each problem, without and with the automaton"
    drawing = inline_svg(svg, _tooltips(summary))
    return f'<div id="figure" role="img" aria-label="{label}">{drawing}</div>'


def _tooltips(summary: Summary) -> dict[str, str]:
    """What is said about each bar when the pointer rests on it."""
    texts = {}
    for place, section in enumerate(summary.sections):
        for number, series in enumerate(section.series):
            for index, row in enumerate(series.rows):
                for gpa, cell, _ in row.cells:
                    if cell is not None:
                        side = "with" if gpa else "without"
                        text = f"{row.problem}, {series_title(series)} {side} automaton, s: {time_text(cell)}"
                        texts[bar_id(place, number, index, gpa)] = text
    return texts


def inline_svg(svg: str, titles: dict[str, str]) -> str:
    """A drawing of matplotlib for the inside of a page: without prologue and style, so that the page's own style rules.

    Style attributes become presentation attributes, which the page may override and its policy allows.
    """
    body = svg[svg.index("<svg") :]
    body = re.sub(r"<metadata>.*?</metadata>\s*", "", body, flags=re.DOTALL)
    body = re.sub(r"<style[^>]*>.*?</style>\s*", "", body, flags=re.DOTALL)
    size = re.search(r'<svg[^>]*? width="([\d.]+)pt" height="[\d.]+pt"', body)
    wide = size is not None and float(size[1]) > _WIDE
    body = re.sub(r' width="([\d.]+)pt" height="[\d.]+pt"', r' class="wide" width="\1"' if wide else "", body, count=1)
    body = re.sub(r' style="([^"]*)"', lambda match: _attributes(match[1]), body)

    def titled(match: re.Match[str]) -> str:
        title = titles.get(match[1])
        return match[0] + (f"<title>{escape(title)}</title>" if title is not None else "")

    return re.sub(r'<g id="(bar-[^"]*)">', titled, body)


def _attributes(style: str) -> str:
    pairs = (part.split(":", 1) for part in style.split(";") if ":" in part)
    return "".join(f' {name.strip()}="{value.strip()}"' for name, value in pairs)


# --- reading, ratios, checks ------------------------------------------------------------------------------------------


def _reading(summary: Summary) -> Iterator[str]:
    for section in summary.sections:
        yield f"<h3>{escape(section_title(section))}</h3>"
        for each in section.automata:
            text = learning(each.training, each.vertices, each.edges, each.learn_seconds)
            yield f'<p class="note">{escape(text)}</p>'
        for reading in map(read_series, section.series):
            text = " ".join(sentences(reading))
            yield f'<p><span class="series">{escape(series_title(reading.series))}.</span> {escape(text)}</p>'


def _ratios(summary: Summary) -> str:
    head = ["domain", "solver", "faster", "same", "slower", "unsolved", "mean (problems)"]
    head += ["last solved both ways", "last known", "growth", "exponent", "fell back"]
    lines = []
    for section in summary.sections:
        for reading in map(read_series, section.series):
            groups = (reading.faster, reading.similar, reading.slower, reading.open)
            mean = reading.geometric_mean
            cells = [_text(section_title(section), "name"), _text(series_title(reading.series), "left")]
            cells += [_value(len(group), str(len(group))) for group in groups]
            cells.append(_value(mean, f"{factor(mean)} {_runs(len(reading.exact))}") if mean is not None else _BLANK)
            for ratio in (reading.exact[-1:], reading.ratios[-1:]):
                cells.append(_ratio_cell(ratio[0], ratio[0].row.problem) if ratio else _BLANK)
            fit = reading.by_problem
            cells.append(_BLANK if fit is None else _value(fit.slope, f"× {math.exp(fit.slope):.2f}"))
            states = reading.by_states
            cells.append(_BLANK if states is None else _value(states.slope, f"{states.slope:.2f}"))
            cells.append(_value(reading.fallbacks, f"{reading.fallbacks} of {reading.gpa_runs}"))
            lines.append(f"<tr>{''.join(cells)}</tr>")
    return _table("ratios", [f"<tr>{''.join(_heads(head))}</tr>"], lines)


def _checks(found: Sequence[Finding]) -> Iterator[str]:
    lines = []
    for verdict, meaning in MEANING.items():
        number = sum(finding.check.verdict == verdict for finding in found)
        if number:
            mark = "left exception" if verdict in EXCEPTIONS else "left"
            lines.append(f"<tr>{_text(verdict, mark)}{_value(number, str(number))}{_text(meaning, 'left')}</tr>")
    head = '<tr><th class="left">verdict</th><th>cells</th><th class="left">meaning</th></tr>'
    yield _table("verdicts", [head], lines)
    yield from (f"<p>{escape(text)}</p>" for text in paper_agreement(found))
    exceptions = [finding for finding in found if finding.check.verdict in EXCEPTIONS]
    if not exceptions:
        yield "<p>There are no exceptions.</p>"
        return
    yield f"<details><summary>The exceptions ({len(exceptions)})</summary><ul>"
    for finding in exceptions:
        side = "with" if finding.gpa else "without"
        where = f"{series_title(finding.series)} {side} automaton on {finding.row.problem}: {describe_check(finding)}"
        yield f"<li>{escape(where)}</li>"
    yield "</ul></details>"


# --- the table of a section -------------------------------------------------------------------------------------------


class _Group(NamedTuple):
    """Columns that stand under one title."""

    title: str
    columns: tuple[str, ...]


def _results(section: Section) -> str:
    """All problems and solvers of a section in one table."""
    title = section_title(section)
    groups = [
        _Group("", ("problem", "ID", "solver")),
        _Group("time, s", ("without", "with GPA", "ratio")),
        _Group("states expanded", ("without", "with GPA", "fell back")),
        _Group("simulated cost", ("without", "with GPA", "optimum")),
        _Group("exact cost", ("without", "with GPA")),
        _Group("check", ("without", "with GPA")),
    ]
    if section.has_paper:
        groups += [_Group("paper: time, s", ("without", "with GPA")), _Group("paper: cost", ("without", "with GPA"))]
    first = "".join(f'<th class="group" colspan="{len(group.columns)}">{group.title}</th>' for group in groups)
    names = [name for group in groups for name in group.columns]
    starts = {sum(len(group.columns) for group in groups[:place]) for place in range(1, len(groups))}
    lines = [_line(section, series, row, starts) for series in section.series for row in series.rows]
    table = _table("result", [f"<tr>{first}</tr>", f"<tr>{''.join(_heads(names, starts))}</tr>"], lines)
    return f'<div class="results" data-domain="{escape(title)}"><h3>{escape(title)}</h3>{table}</div>'


def _line(section: Section, series: Series, row: Row, starts: set[int]) -> str:
    cells = [_text(row.problem, "name"), _value(row.id, str(row.id)), _text(series_title(series), "left")]
    ratio = ratio_of(row)
    cells += [_time(row.baseline, row.gpa), _time(row.gpa, row.baseline)]
    cells.append(_BLANK if ratio is None else _ratio_cell(ratio))
    cells += [_states(row.baseline), _states(row.gpa), _fallbacks(row.gpa)]
    cells += [_cost(row.baseline, row.gpa), _cost(row.gpa, row.baseline)]
    cells.append(_BLANK if row.optimal is None else _value(row.optimal, amount(row.optimal, 4)))
    cells += [_exact(row.baseline), _exact(row.gpa)]
    verdicts = [check(c, section.domain, row.theta, row.optimal) if c is not None else None for _, c, _ in row.cells]
    for verdict in verdicts:
        if verdict is None:
            cells.append(_BLANK)
        else:
            errors = "" if verdict.errors is None else f' <span class="sd">{verdict.errors:+.1f} SE</span>'
            mark = "left exception" if verdict.verdict in EXCEPTIONS else "left"
            cells.append(
                f'<td class="{mark}" title="{escape(MEANING[verdict.verdict])}">{verdict.verdict}{errors}</td>'
            )
    if section.has_paper:
        cells += [_paper(row.paper_baseline, time=True), _paper(row.paper_gpa, time=True)]
        cells += [_paper(row.paper_baseline, time=False), _paper(row.paper_gpa, time=False)]
    cells = [_started(cell) if place in starts else cell for place, cell in enumerate(cells)]
    exception = any(verdict is not None and verdict.verdict in EXCEPTIONS for verdict in verdicts)
    return f'<tr data-solver="{escape(series_title(series))}" data-exception="{int(exception)}">{"".join(cells)}</tr>'


def _started(cell: str) -> str:
    """The cell with a line on its left."""
    return (
        cell.replace('class="', 'class="start ', 1)
        if 'class="' in cell.split(">")[0]
        else cell.replace("<td", '<td class="start"', 1)
    )


def _table(kind: str, head: Sequence[str], lines: Sequence[str]) -> str:
    body = f"<thead>{''.join(head)}</thead><tbody>\n" + "\n".join(lines) + "\n</tbody>"
    return f'<div class="scroll"><table class="{kind}">{body}</table></div>'


def _heads(names: Sequence[str], starts: Container[int] = ()) -> Iterator[str]:
    for column, name in enumerate(names):
        look = "name" if column == 0 else "left" if name == "solver" else ""
        look += " start" if column in starts else ""
        yield f'<th class="{look.strip()}" data-column="{column}"><button type="button">{escape(name)}</button></th>'


def _text(text: str, look: str) -> str:
    return (
        f'<td class="{look}" title="{escape(text)}">{escape(text)}</td>'
        if look == "name"
        else f'<td class="{look}">{escape(text)}</td>'
    )


def _value(key: float, markup: str) -> str:
    return f'<td data-sort="{key!r}">{markup}</td>'


def _runs(number: int) -> str:
    return f'<span class="runs">({number})</span>'


def _sample(sample: Sample, places: int, *, bold: bool = False) -> str:
    mean = amount(sample.mean, places)
    spread = f' <span class="sd">± {amount(sample.sd, places)}</span>' if sample.count > 1 else ""
    return f"{f'<b>{mean}</b>' if bold else mean}{spread} {_runs(sample.count)}"


def _ratio_cell(ratio: Ratio, problem: str | None = None) -> str:
    where = f' <span class="sd">{escape(problem)}</span>' if problem is not None else ""
    return _value(ratio.value, f"{ratio}{where}")


def _time(cell: Cell | None, other: Cell | None) -> str:
    if cell is None:
        return _BLANK
    parts = []
    if cell.time is not None and cell.solved:
        bound = "≥ " if cell.stopped else ""
        parts.append(bound + _sample(cell.time, decimals(cell.time.mean), bold=better(cell, other, "time")))
    if failures(cell):
        parts.append(f'<span class="failed">{escape(failures(cell))}</span>')
    key = "" if cell.time is None else repr(cell.time.mean)
    return f'<td data-sort="{key}">{"<br>".join(parts) or "–"}</td>'


def _states(cell: Cell | None) -> str:
    if cell is None or cell.expanded is None:
        return _BLANK
    return _value(cell.expanded.mean, f"{cell.expanded.mean:,.0f} {_runs(cell.expanded.count)}")


def _fallbacks(cell: Cell | None) -> str:
    if cell is None or cell.fallbacks is None:
        return _BLANK
    return _value(cell.fallbacks, f"{cell.fallbacks} of {cell.runs}")


def _cost(cell: Cell | None, other: Cell | None) -> str:
    if cell is None or (cell.cost is None and cell.unfinished_cost is None):
        return _BLANK
    parts = [] if cell.cost is None else [_sample(cell.cost, 2, bold=better(cell, other, "cost"))]
    parts += [] if cell.unfinished_cost is None else [f"[{_sample(cell.unfinished_cost, 2)}]"]
    sample = cell.cost or cell.unfinished_cost
    return f'<td data-sort="{"" if sample is None else repr(sample.mean)}">{"<br>".join(parts)}</td>'


def _exact(cell: Cell | None) -> str:
    if cell is None or cell.value is None:
        return _BLANK
    return _value(cell.value.mean, f"{amount(cell.value.mean, 4)} {_runs(cell.value.count)}")


def _paper(cell: PaperCell | None, *, time: bool) -> str:
    if cell is None:
        return _BLANK
    mean, sd = (cell.time_mean, cell.time_sd) if time else (cell.cost_mean, cell.cost_sd)
    return f'<td class="paper" data-sort="{mean!r}">{mean:,.2f} <span class="sd">± {sd:,.2f}</span> {_runs(10)}</td>'
