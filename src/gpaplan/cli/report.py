"""``gpaplan report``: the records of a suite as tables, figure and page."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

from gpaplan.cli import conventions, options
from gpaplan.cli.conventions import DIRECTORY, answer
from gpaplan.cli.options import argument, option
from gpaplan.errors import DataError
from gpaplan.experiments.record import read_records
from gpaplan.experiments.report import Report, write_report
from gpaplan.experiments.report.contents import headline, in_words, warnings
from gpaplan.experiments.report.summary import Clock, Reading


@options.command("gpaplan report quick.csv -o report")
def command(
    results: Path = argument("RESULTS"),
    output: Path = option(
        "-o --output", DIRECTORY, "Where to write; created if missing.", "report", metavar="DIRECTORY"
    ),
    clock: str = option("--time", ["wall", "cpu"], "Which time to show: wall-clock or processor time.", "wall"),
) -> None:
    """Write the report of a suite's RESULTS, the records of runs ('-' for standard input; they may be compressed with
    xz).

    Means and standard deviations, what the automaton is worth, optimal costs and the paper's numbers where they are
    known, as Markdown, figure (SVG and PNG) and a page for the browser.
    """
    records = read_records(results)
    if not records:
        raise DataError("there are no records in it;  run the suite first, with 'gpaplan bench'", str(results))
    report = write_report(records, output, cast("Clock", clock))
    answer(_as_json(report, output), f"report of {results}", _rows(report))
    if not report.figure:
        conventions.echo("no figure was drawn: matplotlib is not installed;  pip install 'gpaplan[plots]'", err=True)


def _as_json(report: Report, output: Path) -> dict[str, Any]:
    summary = report.summary
    return {
        "status": "ok",
        "records": summary.records,
        "statuses": dict(summary.statuses),
        "time": summary.clock,
        "series": list(_series(report)),
        "warnings": list(warnings(summary)),
        "figure": report.figure,
        "output": str(output),
        "files": [str(path) for path in report.files],
    }


def _series(report: Report) -> Any:
    """What each solver says about the automaton on each domain."""
    for section in report.summary.sections:
        for reading in map(Reading, section.series):
            series = reading.series
            of = {"domain": section.domain, "suite": section.suite, "solver": series.solver, "settings": series.variant}
            rows = {"problems": series.rows, "faster": reading.faster, "similar": reading.similar}
            rows |= {"slower": reading.slower, "unsolved": reading.open}
            others = {
                name: getattr(reading, name) for name in ("growth", "exponent", "fallbacks", "decided", "gpa_runs")
            }
            yield {**of, **{name: len(each) for name, each in rows.items()}, "ratio": reading.geometric_mean, **others}


def _rows(report: Report) -> list[tuple[str, str]]:
    rows = [("records", headline(report.summary))]
    rows += [(each.title, "\n".join(in_words(Reading(one)) for one in each.series)) for each in report.summary.sections]
    rows += [("note", text) for text in warnings(report.summary)]
    rows.append(("written to", "\n".join(map(str, report.files))))
    return rows
