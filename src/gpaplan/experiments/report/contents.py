"""What is in a report: its sentences and tables, built once from the summary, for every format to write.

A cell that stands for runs is written as ``≥ 0.412 ± 0.013 (3)``: a bound, the mean, one standard deviation, the count
of runs. What became of runs that were not solved stands below.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from gpaplan.display import counted
from gpaplan.experiments.report.checks import EXCEPTIONS, MEANING, Finding, check, paper_is_optimal
from gpaplan.experiments.report.document import (
    Chapter,
    Entry,
    Items,
    Paragraph,
    Picture,
    Piece,
    ReportTable,
    TableColumn,
)
from gpaplan.experiments.report.figure import bar_id
from gpaplan.experiments.report.notation import Sample, amount, factor, names, plus_minus
from gpaplan.experiments.report.reading import Ratio, learning, ratio_of, read_series, take_away
from gpaplan.experiments.report.summary import Cell, Clock, Row, Section, Summary, better
from gpaplan.statuses import Status

EXCEPTIONS_TITLE = "Costs out of line"
"""Above the list of cells whose verdict is one of `EXCEPTIONS`."""

_UNITS = {"time_limit": " s", "memory_limit": " MB"}
_SHORT = {"time-limit": "t/o", "memory-limit": "m/o", "no-proper-policy": "none", "crashed": "crash"}


def report(summary: Summary, found: Sequence[Finding], svg: str | None) -> Chapter:
    """The whole report, with the figure if there is one."""
    facts = [
        f"{name.replace('_', ' ')}: {', '.join(values)}{_UNITS.get(name, '')}"
        for name, values in summary.settings.items()
        if values
    ]
    return Chapter(
        "Report",
        [
            Paragraph(headline(summary)),
            *(Paragraph(text, "Note:", "warning") for text in warnings(summary)),
            Chapter("Conditions and how to read the numbers", [Paragraph(_protocol(summary)), Items(facts)], "fold"),
            Chapter("Figure", [_figure(summary, svg)]),
            Chapter("Reading", [_reading(section) for section in summary.sections]),
            Chapter("Ratios", [Paragraph(_RATIOS, look="note"), _ratio_table(summary)]),
            Chapter("Costs against what is known", list(_check_blocks(found))),
            Chapter("Results", [Chapter(each.title, [_results(each)], "results") for each in summary.sections]),
        ],
    )


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


def _protocol(summary: Summary) -> str:
    """How the numbers are to be read."""
    text = (
        f"Times are seconds of {_clock(summary.clock)} from the ground task to the checked policy, with all that the "
        "automaton needs (abstraction, and where it does not suffice the whole problem too); parsing, grounding and "
        "learning are not in them. A cell is the mean over runs ± one standard deviation (the population's, as in the "
        "paper), and in parentheses the count of runs behind it. Costs are the means of simulated trials. Bold is "
        f"better by at least 5 %. A run that met its time limit counts with {_at_the_limit(summary.clock)}, which "
        "makes the mean a lower bound (≥); runs that ended otherwise count in no mean. A cost in square brackets is "
        "that of the policies which unsolved runs had when the limit came."
    )
    if summary.least_peak is not None:
        text += (
            " A run meets its memory limit when it holds that much, or when the arrays that it needs next would pass "
            f"it; the least that such a run held is {summary.least_peak:,.0f} MB."
        )
    if set(summary.settings["symmetry"]) - {"off"}:
        text += " Unless symmetry is off, states are counted up to symmetry of objects that are found interchangeable."
    if summary.statuses.get(Status.NOT_RUN):
        text += (
            " Some runs were spared, as the suite's settings say: they are not run because runs before them met the "
            "limit, and count in no mean."
        )
    if any(section.has_paper for section in summary.sections):
        text += (
            " Next to ours are the numbers that the paper on generalized policy automata prints (mean ± standard "
            "deviation over 10 runs, limits of 7200 s and 16 GiB). They come from another machine, another "
            "implementation and other PPDDL files: they show what was reported, and are no baseline."
        )
    return text


def _clock(clock: Clock) -> str:
    return "wall-clock time" if clock == "wall" else "processor time"


def _at_the_limit(clock: Clock) -> str:
    own = " or, limits being of the clock, with the processor time that it had got by then, if that is less"
    return "the limit" + (own if clock == "cpu" else "")


def _figure(summary: Summary, svg: str | None) -> Picture | Paragraph:
    """The figure; what is said about each bar is its cell."""
    if svg is None:
        return Paragraph("There is no figure: matplotlib is not installed (pip install gpaplan[plots]).", look="note")
    notes = {
        bar_id(place, number, index, gpa): (
            f"{row.problem}, {series.title} {'with' if gpa else 'without'} automaton, s: {time_cell(runs, None)}"
        )
        for place, section in enumerate(summary.sections)
        for number, series in enumerate(section.series)
        for index, row in enumerate(series.rows)
        for gpa, runs, _ in row.cells
        if runs is not None
    }
    label = "Time (bars) and cost (points) of each problem, without and with the automaton"
    return Picture("figure.svg", label, svg, notes)


def _reading(section: Section) -> Chapter:
    learned = (Paragraph(learning(each), look="note") for each in section.automata)
    return Chapter(section.title, [Paragraph(take_away(section)), *learned])


# --- cells ------------------------------------------------------------------------------------------------------------


def _text(text: str) -> Entry:
    return Entry([[Piece(text)]])


def _number(key: float | None, text: str = "{}", *rest: Piece) -> Entry:
    return Entry() if key is None else Entry([[Piece(text.format(key)), *rest]], key)


def _measured(sample: Sample, places: int | None = None, *, bold: bool = False, usual: int = 0) -> list[Piece]:
    """A mean with its spread; the count of runs is left out where it is the usual one."""
    mean, spread, runs = plus_minus(sample, places)
    pieces = [Piece(mean, "bold" if bold else ""), Piece(spread, "spread"), Piece(runs, "runs")]
    return [piece for piece in pieces if piece.text and (piece.look != "runs" or sample.count != usual)]


def time_cell(runs: Cell | None, other: Cell | None, usual: int = 0) -> Entry:
    """``0.412 ± 0.013 (3)``, ``3 of 3 runs: time-limit 600 s``, or both."""
    if runs is None:
        return Entry()
    lines = []
    if runs.time is not None and runs.solved:
        bound = [Piece("≥ ")] if runs.stopped else []
        lines.append(bound + _measured(runs.time, bold=better(runs, other, "time"), usual=usual))
    for status, text in runs.failures.items():
        lines.append([Piece(text, "failed", f"{runs.statuses[status]} {_SHORT.get(status, status)}")])
    return Entry(lines, None if runs.time is None else runs.time.mean)


def _time_cells(row: Row, usual: int = 0) -> list[Entry]:
    """The times without and with the automaton, or why there are none."""
    without = time_cell(row.baseline, row.gpa, usual)
    if row.not_run:
        without = Entry([[Piece(f"not run: {row.not_run}", "failed", "not run")]])
    return [without, time_cell(row.gpa, row.baseline, usual)]


def cost_cell(runs: Cell | None, other: Cell | None, usual: int = 0) -> Entry:
    """``9.75 ± 0.03 (3)``, and in brackets the cost of policies that runs had when a limit came."""
    if runs is None:
        return Entry()
    lines = [] if runs.cost is None else [_measured(runs.cost, 2, bold=better(runs, other, "cost"), usual=usual)]
    if runs.unfinished_cost is not None:
        lines.append([Piece("["), *_measured(runs.unfinished_cost, 2), Piece("]")])
    sample = runs.cost or runs.unfinished_cost
    return Entry(lines, None if sample is None else sample.mean)


def _mean(sample: Sample | None, places: int) -> Entry:
    return Entry() if sample is None else _number(sample.mean, f"{{:,.{places}f}}", Piece(f" ({sample.count})", "runs"))


def _ratio(ratio: Ratio | None, *, where: bool = False) -> Entry:
    if ratio is None:
        return Entry()
    return _number(ratio.value, str(ratio), *([Piece(f" ({ratio.row.problem})", "spread")] if where else []))


def _fallbacks(number: int | None, decided: int | None) -> Entry:
    """In how many runs the automaton did not suffice, of those that tell; blank if there are none."""
    return _number(number, f"{{}} of {decided}") if decided else Entry()


def _verdict(runs: Cell | None, section: Section, row: Row) -> Entry:
    if runs is None:
        return Entry()
    result = check(runs, section.domain, row.theta, row.optimal)
    errors = [] if result.errors is None else [Piece(f" ({result.errors:+.1f} SE)", "spread")]
    exception = result.verdict in EXCEPTIONS
    return Entry([[Piece(result.verdict), *errors]], None, "exception" if exception else "", MEANING[result.verdict])


def _printed(sample: Sample | None) -> Entry:
    return Entry() if sample is None else Entry([_measured(sample, 2)], sample.mean, "paper")


# --- tables -----------------------------------------------------------------------------------------------------------

_RATIOS = (
    "Time without the automaton divided by time with it: the geometric mean, and that on the last problem which was "
    "solved both ways, and on the last for which it, or a bound (≥, ≤), is known. Growth is the factor from one "
    "problem to the next, exponent that of the number of states which the baseline expands; both from least squares "
    "on logarithms, without bounds. Fell back: in how many runs the automaton did not suffice, of those that tell; a "
    "run that met a limit before says nothing of it."
)


def _ratio_table(summary: Summary) -> ReportTable:
    columns = [TableColumn("domain", text=True), TableColumn("solver", text=True)]
    columns += map(TableColumn, ("faster", "same", "slower", "unsolved", "mean (problems)", "last solved both ways"))
    columns += map(TableColumn, ("last known", "growth", "exponent", "fell back"))
    rows = []
    for section in summary.sections:
        for reading in map(read_series, section.series):
            groups = (reading.faster, reading.similar, reading.slower, reading.open)
            mean, exact = reading.geometric_mean, reading.exact
            rows.append(
                [
                    _text(section.title),
                    _text(reading.series.title),
                    *(_number(len(group)) for group in groups),
                    _number(mean, factor(mean or 0), Piece(f" ({len(exact)})", "runs")),
                    _ratio(exact[-1] if exact else None, where=True),
                    _ratio(reading.ratios[-1] if reading.ratios else None, where=True),
                    _number(reading.growth, "× {:.2f}"),
                    _number(reading.exponent, "{:.2f}"),
                    _fallbacks(reading.fallbacks, reading.decided),
                ]
            )
    return ReportTable(columns, rows)


def _check_blocks(found: Sequence[Finding]) -> Iterator[ReportTable | Paragraph | Chapter]:
    counts: Counter[str] = Counter(finding.check.verdict for finding in found)
    rows = [
        [Entry([[Piece(verdict)]], look="exception" if verdict in EXCEPTIONS else ""), _number(number), _text(meaning)]
        for verdict, meaning in MEANING.items()
        if (number := counts[verdict])
    ]
    yield ReportTable(
        [TableColumn("verdict", text=True), TableColumn("cells"), TableColumn("meaning", text=True)], rows
    )
    agreement = " ".join(_paper_agreement(found))
    if agreement:
        yield Paragraph(agreement)
    exceptions = [
        f"{each.series.title} {'with' if each.gpa else 'without'} automaton on {each.row.problem}: "
        + describe_check(each)
        for each in found
        if each.check.verdict in EXCEPTIONS
    ]
    if exceptions:
        about = Paragraph(
            "The cost of each of these cells is not what it should be, or says less than it could: its verdict is one "
            f"of {', '.join(f'“{verdict}”' for verdict in EXCEPTIONS)}. None of these runs failed; a run that does has "
            "no cost, and is counted by its status."
        )
        yield Chapter(f"{EXCEPTIONS_TITLE} ({len(exceptions)})", [about, Items(exceptions)], "fold")
    else:
        yield Paragraph("No cell's cost is out of line.")


def _paper_agreement(found: Sequence[Finding]) -> Iterator[str]:
    """Where the paper's own cell is at the optimum, ours should be."""
    paired = [f for f in found if f.paper is not None and f.check.verdict != "unsolved"]
    at_optimum = [
        f for f in paired if f.paper and paper_is_optimal(f.paper, f.section.domain, f.row.theta, f.row.optimal)
    ]
    others = [
        f"{f.series.title}{' + GPA' if f.gpa else ''} on {f.row.problem}"
        for f in at_optimum
        if f.check.verdict != "optimal"
    ]
    if at_optimum:
        yield (
            f"Of {len(paired)} solved cells that the paper prints too, {len(at_optimum)} are at the optimum in the "
            f"paper; {len(at_optimum) - len(others)} of these are at the optimum here."
        )
    if others:
        yield f"The others: {names(others, 40)}."


def describe_check(finding: Finding) -> str:
    """An exception in words."""
    result, row, runs = finding.check, finding.row, finding.cell
    if result.verdict in ("above", "below") and result.excess is not None and runs.value is not None:
        cost, by = amount(runs.value.mean, 4), f"{abs(result.excess):.2%}"
        text = f"the exact cost, {cost} ({runs.value.count}), is {by} {result.verdict} the optimum"
        text += f" {amount(row.optimal, 4)}" if row.optimal is not None else ""
        return text + (f", although {runs.claims} of these runs claim to be optimal" if runs.claims else "")
    if result.verdict == "outside" and runs.cost is not None and result.errors is not None:
        return f"the simulated mean, {''.join(plus_minus(runs.cost))}, is {result.errors:+.1f} standard errors off"
    if result.verdict == "horizon" and runs.goal_rate is not None:
        return f"a run reached the goal in only {runs.goal_rate:.0%} of its trials within the horizon"
    return MEANING[result.verdict]


_GROUPS = {
    "time, s": ("time", "without", "with GPA", "ratio"),
    "states expanded": ("time", "without", "with GPA", "fell back"),
    "simulated cost": ("cost", "without", "with GPA", "optimum"),
    "exact cost": ("cost", "without", "with GPA"),
    "check": ("cost", "without", "with GPA"),
    "paper: time, s": ("time", "without", "with GPA"),
    "paper: cost": ("cost", "without", "with GPA"),
}


def _results(section: Section) -> ReportTable:
    """All problems and solvers of a domain in one table."""
    columns = [TableColumn("problem", text=True), TableColumn("ID"), TableColumn("solver", text=True)]
    for group, (part, *titles) in _GROUPS.items():
        if section.has_paper or not group.startswith("paper"):
            columns += [TableColumn(title, group, part, group == "check") for title in titles]
    rows = []
    for series, row in section.rows:
        sides = ((row.baseline, row.gpa), (row.gpa, row.baseline))
        both = (row.baseline, row.gpa)
        cells = [_text(row.problem), _number(row.id), _text(series.title)]
        cells += [*_time_cells(row), _ratio(ratio_of(row))]
        cells += [_mean(None if runs is None else runs.expanded, 0) for runs in both]
        cells.append(Entry() if row.gpa is None else _fallbacks(row.gpa.fallbacks, row.gpa.decided))
        cells += [*(cost_cell(*side) for side in sides), _number(row.optimal, "{:,.4f}")]
        cells += [_mean(None if runs is None else runs.value, 4) for runs in both]
        cells += [_verdict(runs, section, row) for runs in both]
        if section.has_paper:
            paper = (row.paper_baseline, row.paper_gpa)
            cells += [_printed(each and each.time) for each in paper] + [_printed(each and each.cost) for each in paper]
        rows.append(cells)
    return ReportTable(columns, rows)


def paper_tables(summary: Summary) -> list[Chapter]:
    """A table for each domain as in the paper: a line for each problem, the times of each solver and then the costs."""
    return [_paper_table(section, summary.clock) for section in summary.sections]


def _paper_table(section: Section, clock: Clock) -> Chapter:
    counts = Counter(runs.runs for runs in section.cells)
    usual = max(counts, key=lambda number: (counts[number], number))
    columns = [TableColumn("ID"), TableColumn("θ", text=True)]
    for what in ("Time", "Cost"):
        for series in section.series:
            columns += [TableColumn(title, f"{what} (x ≡ {series.title})") for title in ("x", "GPA + x")]
    by_problem: dict[tuple[int, str], list[Row | None]] = {}
    for place, series in enumerate(section.series):
        for row in series.rows:
            by_problem.setdefault((row.id, row.problem), [None] * len(section.series))[place] = row
    rows = []
    for (identity, problem), found in sorted(by_problem.items()):
        theta = next(row.theta for row in found if row is not None).split()
        line = [_number(identity), _text(f"({', '.join(theta)})" if theta else problem)]
        for each in found:
            line += [Entry(), Entry()] if each is None else _time_cells(each, usual)
        for each in found:
            without, with_gpa = (None, None) if each is None else (each.baseline, each.gpa)
            line += [cost_cell(without, with_gpa, usual), cost_cell(with_gpa, without, usual)]
        rows.append(line)
    return Chapter(section.title, [Paragraph(_caption(section, usual, clock)), ReportTable(columns, rows)])


def _caption(section: Section, usual: int, clock: Clock) -> str:
    limits = next(section.cells)
    seconds = "" if limits.time_limit is None else f" ({limits.time_limit:g} s)"
    megabytes = "" if limits.memory_limit is None else f" ({limits.memory_limit:g} MB)"
    symbols = f"({section.family.symbols})" if section.family is not None and section.family.symbols else ""
    return (
        f"Results for the {section.title}{symbols} domain (lower values better). ID refers to the problem ID in the "
        "test set. θ refers to the parameters passed to the problem generator. "
        f"Times are seconds ({_clock(clock)}) to find a policy and check it, costs are means of simulated trials. "
        f"Means over {counted(usual, 'run')} with different seeds, or as many as a superscript says, up to one "
        "(population) standard deviation. Better metrics are at least 5 % better and are indicated using bold font. "
        f"k t/o, k m/o: so many runs met the time limit{seconds}, or the memory limit{megabytes}; a mean that contains "
        "a run at the time limit is marked ≥. A cost in brackets is that of the policies that unsolved runs had when "
        "the limit came."
        + (" Not run: problems before met the limit." if any(row.not_run for _, row in section.rows) else "")
    )
