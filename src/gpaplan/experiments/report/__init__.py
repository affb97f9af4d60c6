"""Reports: what the records of an experiment say, as tables, figure and page.

    from gpaplan.experiments.record import read_records
    from gpaplan.experiments.report import write_report

    report = write_report(read_records("results.csv"), "report")

Reading order: `summary` (records become cells, and where the automaton wins), `paper` (the published numbers),
`contents` (tables and sentences, and how these are written), `figure`.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

from gpaplan.display import harmless, html_table
from gpaplan.errors import UsageError
from gpaplan.experiments.record import COLUMNS, Record
from gpaplan.experiments.report import figure
from gpaplan.experiments.report.contents import headline, in_words, report, to_html, to_markdown
from gpaplan.experiments.report.summary import Clock, Reading, Summary, summarize
from gpaplan.files import write_files

__all__ = ["Report", "write_report"]


@dataclass(frozen=True, slots=True)
class Report:
    """A report that was written: what is in it, and its files."""

    summary: Summary
    files: tuple[Path, ...]
    figure: bool
    """Whether there is a figure; without matplotlib there is none."""

    def __repr__(self) -> str:
        return f"Report({headline(self.summary)})"

    def _repr_html_(self) -> str:
        rows = [
            (section.title, in_words(Reading(series))) for section in self.summary.sections for series in section.series
        ]
        return html_table(headline(self.summary), rows, ("domain", "what the automaton is worth"))


def _harmless_record(record: Record) -> Record:
    """A record whose names do nothing to whatever shows them as text."""
    texts = {name: value for name in COLUMNS if isinstance(value := getattr(record, name), str)}
    shown = {name: harmless(text) for name, text in texts.items()}
    return record if shown == texts else replace(record, **cast("Any", shown))


def write_report(records: Sequence[Record], directory: str | os.PathLike[str], clock: Clock = "wall") -> Report:
    """Write a report into a directory, made if need be. Files that it had are replaced, each as a whole."""
    if not records:
        raise UsageError("there are no records to report")
    records = [_harmless_record(record) for record in records]
    summary = summarize(records, clock)
    drawn = figure.draw(summary) if figure.is_available() else None
    whole = [] if drawn is None else [drawn.svg]
    parts = [figure.draw(replace(summary, sections=(each,))).svg for each in summary.sections] if whole else []
    contents: dict[str, str | bytes] = {"report.md": to_markdown(report(summary, whole))}
    contents["report.html"] = to_html(report(summary, parts))
    if drawn is not None:
        contents |= {"figure.svg": drawn.svg, "figure.png": drawn.png}
    return Report(summary, tuple(write_files(directory, contents)), drawn is not None)
