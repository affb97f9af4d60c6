"""The cells of a report for other programs: ``summary.csv``, one line a cell."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from gpaplan.experiments.record import STATUSES, no_formula
from gpaplan.experiments.report.checks import Finding
from gpaplan.experiments.report.notation import Sample
from gpaplan.experiments.report.reading import ratio_of
from gpaplan.experiments.report.summary import Clock, Summary, better

_SAMPLES = ("time", "cost", "unfinished_cost", "value", "expanded")


def to_csv(summary: Summary, findings: Sequence[Finding]) -> str:
    """One line for each cell; what is not known is empty. Standard deviations are the population's."""
    text = io.StringIO()
    lines = [_csv_line(summary.clock, finding) for finding in findings]
    writer = csv.DictWriter(text, list(lines[0]) if lines else ["domain"], lineterminator="\n")
    writer.writeheader()
    for line in lines:
        writer.writerow({name: no_formula(value) if isinstance(value, str) else value for name, value in line.items()})
    return text.getvalue()


def _csv_line(clock: Clock, finding: Finding) -> dict[str, object]:
    row, cell, printed = finding.row, finding.cell, finding.paper
    line: dict[str, object] = {
        "domain": finding.section.domain,
        "suite": finding.section.suite,
        "id": row.id,
        "problem": row.problem,
        "theta": row.theta,
        "solver": finding.series.solver,
        "settings": finding.series.variant,
        "gpa": int(finding.gpa),
        "clock": clock,
        "runs": cell.runs,
    }
    line |= {f"runs_{status.replace('-', '_')}": cell.statuses.get(status, 0) for status in STATUSES}
    for name in _SAMPLES:
        sample: Sample | None = getattr(cell, name)
        line[f"{name}_runs"] = 0 if sample is None else sample.count
        line[f"{name}_mean"] = None if sample is None else sample.mean
        line[f"{name}_sd"] = None if sample is None else sample.sd
    other = row.baseline if finding.gpa else row.gpa
    ratio = ratio_of(row)
    line |= {
        "time_is_lower_bound": int(cell.stopped > 0),
        "time_better": int(better(cell, other, "time")),
        "cost_better": int(better(cell, other, "cost")),
        "ratio": None if ratio is None else ratio.value,
        "ratio_bound": "" if ratio is None else ratio.bound,
        "fallbacks": cell.fallbacks,
        "decided": cell.decided,
        "trials": cell.trials,
        "goal_rate": cell.goal_rate,
        "optimal": row.optimal,
        "check": finding.check.verdict,
        "standard_errors": finding.check.errors,
    }
    for name in ("time", "cost"):
        line[f"paper_{name}_mean"] = None if printed is None else getattr(printed, name).mean
        line[f"paper_{name}_sd"] = None if printed is None else getattr(printed, name).sd
    return line
