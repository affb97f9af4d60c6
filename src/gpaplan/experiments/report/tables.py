"""The tables for other programs: ``summary.csv``, one line a cell, and LaTeX tables laid out as in the paper.

``tables.tex`` is to be included into a document that loads *booktabs* and *amsmath*; ``tables-document.tex`` is such a
document. As in the paper there is a table for each domain and a line for each problem, with the times of each solver,
without (x) and with the automaton (GPA + x), and then the costs. What the paper has no need to say is said in the
cells: a count of runs that differs from the rest, and runs that were not solved.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Literal

from gpaplan.experiments.record import STATUSES
from gpaplan.experiments.report.checks import Finding
from gpaplan.experiments.report.notation import (
    amount,
    decimals,
    domain_title,
    parameter_letters,
    section_title,
    series_title,
)
from gpaplan.experiments.report.reading import ratio_of
from gpaplan.experiments.report.summary import Cell, Clock, Row, Sample, Section, Summary, better

__all__ = ["DOCUMENT", "escape", "to_csv", "to_latex"]

# --- CSV --------------------------------------------------------------------------------------------------------------

_SAMPLES = ("time", "cost", "unfinished_cost", "value", "expanded")
_PAPER = ("time_mean", "time_sd", "cost_mean", "cost_sd")


def to_csv(summary: Summary, findings: Sequence[Finding]) -> str:
    """One line for each cell; what is not known is empty. Standard deviations are the population's."""
    text = io.StringIO()
    lines = [_csv_line(summary.clock, finding) for finding in findings]
    writer = csv.DictWriter(text, list(lines[0]) if lines else ["domain"], lineterminator="\n")
    writer.writeheader()
    writer.writerows(lines)
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
        "trials": cell.trials,
        "goal_rate": cell.goal_rate,
        "optimal": row.optimal,
        "check": finding.check.verdict,
        "standard_errors": finding.check.errors,
    }
    for name in _PAPER:
        line[f"paper_{name}"] = None if printed is None else getattr(printed, name)
    return line


# --- LaTeX ------------------------------------------------------------------------------------------------------------

DOCUMENT = r"""% A document with the tables of this directory: pdflatex tables-document.tex
\documentclass[10pt]{article}
\usepackage[T1]{fontenc}
\usepackage[utf8]{inputenc}
\usepackage[a3paper,landscape,margin=1.5cm]{geometry}
\usepackage{amsmath,booktabs}
\begin{document}
\input{tables}
\end{document}
"""

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "θ": r"$\theta$",
    "\n": " ",
}
_SHORT = {
    "time-limit": "t/o",
    "memory-limit": "m/o",
    "no-proper-policy": "none",
    "crashed": "crash",
    "error": "error",
}


def escape(text: str) -> str:
    """Text that LaTeX sets as it is; characters beyond Latin letters become question marks."""
    escaped = "".join(_SPECIAL.get(character, character) for character in text)
    return "".join(character if ord(character) < 0x180 and character.isprintable() else "?" for character in escaped)


def to_latex(summary: Summary) -> str:
    """A table for each section, laid out as in the paper's appendix."""
    head = "% Needs \\usepackage[T1]{fontenc} and \\usepackage{amsmath,booktabs}, as in tables-document.tex.\n"
    return head + "\n".join("\n".join(_table(section, summary.clock)) + "\n" for section in summary.sections)


def _table(section: Section, clock: Clock) -> Iterator[str]:
    groups = len(section.series)
    runs = _usual_runs(section)
    yield r"\begin{table}[p]"
    yield r"    \centering"
    yield r"    \scriptsize"
    yield rf"    \caption{{\small {_caption(section, runs, clock)}}}"
    yield rf"    \begin{{tabular}}{{rl{'ll' + 'lll' * (2 * groups - 1)}}}"
    yield r"    \toprule"
    titles = [
        rf"\multicolumn{{2}}{{c}}{{{what}$(x \equiv \text{{{escape(series_title(series))}}})$}}"
        for what in ("Time", "Cost")
        for series in section.series
    ]
    yield f"     &  & {' & & '.join(titles)} \\\\"
    yield "    " + " ".join(rf"\cmidrule{{{3 + 3 * k}-{4 + 3 * k}}}" for k in range(2 * groups))
    pair = r"\multicolumn{1}{c}{$x$} & \multicolumn{1}{c}{GPA + $x$}"
    first = r"\multicolumn{1}{c}{ID} & \multicolumn{1}{c}{$\theta$}"
    yield rf"    {first} & {' & & '.join([pair] * 2 * groups)} \\"
    yield r"    \midrule"
    by_problem: dict[tuple[int, str], list[Row | None]] = {}
    for place, series in enumerate(section.series):
        for row in series.rows:
            by_problem.setdefault((row.id, row.problem), [None] * groups)[place] = row
    for (identity, problem), rows in sorted(by_problem.items()):
        theta = next(row.theta for row in rows if row is not None)
        parameters = rf"$({', '.join(map(escape, theta.split()))})$" if theta.strip() else escape(problem)
        cells = [_pair(row, runs, time=True) for row in rows] + [_pair(row, runs, time=False) for row in rows]
        yield rf"    {identity} & {parameters} & {' & & '.join(cells)} \\"
    yield r"    \bottomrule"
    yield r"    \end{tabular}"
    yield rf"    \label{{table:{re.sub('[^a-z0-9]+', '-', section_title(section).lower()).strip('-')}}}"
    yield r"\end{table}"


def _usual_runs(section: Section) -> int:
    """The count of runs that most cells have."""
    counts = Counter(cell.runs for series in section.series for row in series.rows for _, cell, _ in row.cells if cell)
    return max(counts, key=lambda runs: (counts[runs], runs))


def _caption(section: Section, runs: int, clock: Clock) -> str:
    some = next(cell for series in section.series for row in series.rows for _, cell, _ in row.cells if cell)
    letters = parameter_letters(section.domain)
    title = escape(domain_title(section.domain)) + (f"$({letters})$" if letters else "")
    suite = f" (suite {escape(section.suite)})" if section.ambiguous else ""
    measured = "wall clock" if clock == "wall" else "processor time"
    return (
        rf"Results for the {title} domain{suite} (lower values better). ID refers to the problem ID in the test set. "
        r"$\theta$ refers to the parameters passed to the problem generator. "
        rf"Times are seconds ({measured}) to find a policy and check it, costs are means of simulated trials. Means "
        rf"over {runs} run{'s' if runs != 1 else ''} with different seeds up to one (population) standard deviation; a "
        r"superscript $(k/n)$ says that $k$ of $n$ runs were solved. Better metrics are at least 5\% better and are "
        rf"indicated using bold font. t/o: time limit ({some.time_limit:g}\,s); m/o: memory limit "
        rf"({some.memory_limit:g}\,MB); a mean that contains a run at the time limit is marked $\geq$. "
        r"A cost in brackets is that of the policies that unsolved runs had when the limit came."
    )


def _pair(row: Row | None, runs: int, *, time: bool) -> str:
    if row is None:
        return "$-$ & $-$"
    cell = _time_cell if time else _cost_cell
    measure: Literal["time", "cost"] = "time" if time else "cost"
    return (
        f"{cell(row.baseline, runs, better(row.baseline, row.gpa, measure))} & "
        f"{cell(row.gpa, runs, better(row.gpa, row.baseline, measure))}"
    )


def _number(sample: Sample, places: int, bold: bool) -> str:
    mean = amount(sample.mean, places).replace(",", "{,}")
    spread = rf" $\pm {amount(sample.sd, places).replace(',', '{,}')}$" if sample.count > 1 else ""
    return (rf"\textbf{{{mean}}}" if bold else mean) + spread


def _superscript(cell: Cell, runs: int) -> str:
    return "" if cell.solved == cell.runs == runs else rf"\textsuperscript{{({cell.solved}/{cell.runs})}}"


def _time_cell(cell: Cell | None, runs: int, bold: bool) -> str:
    if cell is None:
        return "$-$"
    mark = _superscript(cell, runs)
    if cell.time is None or not cell.solved:
        return ", ".join(_SHORT[status] for status in cell.statuses) + mark
    bound = r"$\geq$ " if cell.stopped else ""
    return bound + _number(cell.time, max(2, decimals(cell.time.mean)), bold) + mark


def _cost_cell(cell: Cell | None, runs: int, bold: bool) -> str:
    if cell is None or (cell.cost is None and cell.unfinished_cost is None):
        return "$-$"
    if cell.cost is None:
        assert cell.unfinished_cost is not None
        return f"{{}}[{_number(cell.unfinished_cost, 2, False)}]"
    count = cell.cost.count
    mark = "" if count == cell.runs == runs else rf"\textsuperscript{{({count}/{cell.runs})}}"
    return _number(cell.cost, 2, bold) + mark
