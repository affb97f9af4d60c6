"""Writes docs/results/evaluation.md: what automata save, problem by problem, next to what the paper reports.

    python bench/speed_ups.py

It also draws docs/images/speed-ups.svg (bench/speed_up_picture.py), and writes what docs/results.md has between marks:
the table that it leads with, and which costs are above the optimum. A test says when a page is not what the records
say.

The records are those of the suites `paper` and `paper-best`, which bench/write_results.py takes over.

A speed-up is the mean time without the automaton over that with it, in processor seconds. Where the runs without it met
the limit it is at least so much. `paper` is strict matching without symmetry, as in the paper; `paper-best` has the
defaults of gpaplan, coarse matching, turns and symmetry, but no relevance.
"""

from __future__ import annotations

import math
import re
import textwrap
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from gpaplan.experiments.record import read_records
from gpaplan.experiments.report.summary import Cell, Row, Section, Series, Summary, factor, summarize

DOCS = Path(__file__).parent.parent / "docs"
RESULTS = DOCS / "results"
PAGE = RESULTS / "evaluation.md"
FRONT = DOCS / "results.md"
RECORDS = {name: RESULTS / f"records-{name}.csv.xz" for name in ("evaluation", "by-itself")}
MARK = "<!-- written by bench/speed_ups.py from records-evaluation.csv.xz and records-by-itself.csv.xz -->"
SHORT = {"lrtdp": "LRTDP", "soft-flares": "Soft-FLARES", "vi": "VI"}
OBJECTS = {
    "keva-shah": (1, "level"),
    "rover": (2, "sample"),
    "schedule-ippc": (1, "packet"),
    "delicate-can-shah": (0, "can"),
    "gripper": (0, "ball"),
}
"""Which number of θ grows in a domain, and what it counts."""
NOISE = 0.01
"""Seconds below which growth is not looked at."""
FEW = 5
"""Growth is told of at least so many problems."""
PAPER_LIMIT = 7000.0
"""A mean of the paper of so many seconds is one of runs that met its time limit of 7200 s."""

ABOUT = """
Each cell has the mean processor seconds without and with the automaton. The speed-up is the first divided by the
second. The automaton was learned once, from the paper's training problems; no time contains that. What it means is on
the page of [results](../results.md#the-papers-evaluation).

*As in the paper*: strict matching, no symmetry, and the whole problem is searched only after a failure. *By itself*:
the same solver with gpaplan's defaults: symmetry, coarse matching, turns with the whole problem. Only relevance is off,
as in the paper. *The paper's*: what the paper reports, from another machine, with other code and other PPDDL files.

`≥`: the runs without the automaton met the limit of 300 s by the clock, and count with the processor time that they
had got by then. `—`: there is no time, because runs met the limit of 8 GB, or were not run after two problems in a row
had met a limit. `fallback`: the automaton did not suffice in some run. The last column names the solvers whose policies
cost at least 0.05 % more than the optimum on average, without or with the automaton, and by how much at most.

*Growth* is the factor by which time grows with each further object (sample, packet, can, level, ball): least squares on
the logarithm of the time, for our times and for the paper's. Problems of Rover with other numbers of waypoints share
the factor, but not the time from which it starts. Times below 10 ms, runs that met a limit, and problems on which the
automaton did not suffice are left out. There is no factor for fewer than five problems.
"""
PICTURE = (
    "![Speed-up of each problem with LRTDP and Soft-FLARES: ours next to the paper's as bars, and ours by itself as "
    "points](../images/speed-ups.svg)"
)


# --- the page ---------------------------------------------------------------------------------------------------------


def page(paper: Summary, best: Summary) -> str:
    """The whole page."""
    about = [
        line for part in ABOUT.strip().split("\n\n") for line in (*textwrap.wrap(part, 120, break_on_hyphens=False), "")
    ]
    title = "# Results: the paper's evaluation, problem by problem"
    lines = [MARK, "", title, "", *about, *conditions(paper, best), "", PICTURE, ""]
    for section in paper.sections:
        own = section_of(best, section.domain)
        _, noun = OBJECTS[section.domain]
        lines += [f"## {section.title}", "", "As in the paper:", "", *table(section, with_paper=True), ""]
        lines += ["By itself:", "", *table(own, with_paper=False), ""]
        lines += [f"Growth with each further {noun}:", "", *growth_table(section, own), ""]
    return "\n".join(lines).rstrip() + "\n"


def conditions(paper: Summary, best: Summary) -> Iterator[str]:
    """Which version made the records, where and when."""
    for name, summary in (("As in the paper", paper), ("By itself", best)):
        version, machine, started = (", ".join(summary.settings[key]) for key in ("version", "machine", "started"))
        yield f"- {name}: version {version} on {machine}, {started}"


def table(section: Section, *, with_paper: bool) -> Iterator[str]:
    """All problems of a domain, a solver next to the other; next to the paper's speed-ups if asked for."""
    titles = ["problem"]
    for series in section.series:
        titles += [f"{SHORT[series.solver]}, s", "speed-up"]
        titles += ["the paper's"] if with_paper and series.solver != "vi" else []
    titles.append("above the optimum")
    yield f"| {' | '.join(titles)} |"
    yield "|---|" + "---:|" * (len(titles) - 1)
    for place, row in enumerate(section.series[0].rows):
        cells = [row.problem]
        for series in section.series:
            cells += compared(series.rows[place], with_paper=with_paper and series.solver != "vi")
        cells.append(dearer({SHORT[series.solver]: series.rows[place] for series in section.series}))
        yield f"| {' | '.join(cells)} |"


def section_of(summary: Summary, domain: str) -> Section:
    return next(each for each in summary.sections if each.domain == domain)


def series_of(section: Section, solver: str) -> Series:
    return next(each for each in section.series if each.solver == solver)


def compared(row: Row, *, with_paper: bool) -> list[str]:
    """Times, speed-up, and the paper's."""
    cells = [f"{seconds(row.baseline)} → {seconds(row.gpa)}", speed_up(row)]
    return cells + ([papers_speed_up(row)] if with_paper else [])


def speed_up(row: Row) -> str:
    found = row.ratio
    words = "" if found is None else f"{found.bound}{factor(found.value)}"
    return f"{words} fallback".strip() if row.gpa.fallbacks else words


def papers_ratio(row: Row) -> float | None:
    """The speed-up that follows from the paper's times; None if it prints none, or 0.00."""
    before, after = row.paper_baseline, row.paper_gpa
    known = before is not None and after is not None and before.time.mean > 0 and after.time.mean > 0
    return before.time.mean / after.time.mean if before and after and known else None


def papers_speed_up(row: Row) -> str:
    found = papers_ratio(row)
    return "" if found is None else factor(found)


def seconds(cell: Cell) -> str:
    if cell.time is None:
        return "—"
    return f"{'≥' if cell.stopped else ''}{cell.time.mean:.3g}"


# --- costs ------------------------------------------------------------------------------------------------------------


def excess(row: Row, *, gpa: bool) -> float:
    """By which share the policies of solved runs cost more than the optimum, in the mean; 0 if it is below 0.05 %."""
    cell = row.gpa if gpa else row.baseline
    if cell.value is None or not row.optimal:
        return 0.0
    share = cell.value.mean / row.optimal - 1
    return share if share >= 5e-4 else 0.0


def percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def dearer(rows: dict[str, Row]) -> str:
    """By how much the policies of which solvers cost more than the optimum, without or with; nothing if none do."""
    worst = {solver: max((excess(row, gpa=gpa), gpa) for gpa in (False, True)) for solver, row in rows.items()}
    found = [(solver, share, gpa) for solver, (share, gpa) in worst.items() if share]
    return ", ".join(f"{solver} {'with' if gpa else 'without'} {percent(share)}" for solver, share, gpa in found)


def costs(summary: Summary) -> Iterator[str]:
    """Where policies cost more than the optimum, a line for each domain and solver, without and with."""
    for section in summary.sections:
        for series in section.series:
            parts = []
            for gpa, words in ((False, "without"), (True, "with")):
                found = [(share, row) for row in series.rows if (share := excess(row, gpa=gpa))]
                if found:
                    share, row = max(found, key=lambda each: each[0])
                    where = (
                        f"{len(found)} of {len(series.rows)} problems, at the most by {percent(share)} ({row.problem})"
                    )
                    parts.append(f"{words} the automaton on {where}")
            if parts:
                yield f"{section.title}, {SHORT[series.solver]}: {'; '.join(parts)}"


# --- growth -----------------------------------------------------------------------------------------------------------


def growth_table(section: Section, own: Section) -> Iterator[str]:
    yield "| solver | without | the paper's | with | the paper's | by itself, without | with |"
    yield "|---|" + "---:|" * 6
    for series in section.series:
        cells = [SHORT[series.solver]]
        for gpa in (False, True):
            cells += [_factor(growth(section, series, gpa=gpa)), _factor(papers_growth(section, series, gpa=gpa))]
        cells += [_factor(growth(own, series_of(own, series.solver), gpa=gpa)) for gpa in (False, True)]
        yield f"| {' | '.join(cells)} |"


def _factor(found: float | None) -> str:
    return "" if found is None else f"{found:.2f}"


def growth(section: Section, series: Series, *, gpa: bool) -> float | None:
    """By which factor our time grows with each further object; None if too few times tell."""
    cells = [(row, row.gpa if gpa else row.baseline) for row in series.rows]
    times = [
        (row, cell.time.mean)
        for row, cell in cells
        if cell.time is not None and not cell.stopped and not cell.fallbacks
    ]
    return _fit(section.domain, times)


def papers_growth(section: Section, series: Series, *, gpa: bool) -> float | None:
    cells = [(row, row.paper_gpa if gpa else row.paper_baseline) for row in series.rows]
    times = [(row, cell.time.mean) for row, cell in cells if cell is not None and cell.time.mean < PAPER_LIMIT]
    return _fit(section.domain, times)


def _fit(domain: str, times: Iterable[tuple[Row, float]]) -> float | None:
    """The factor of least-squares lines through the logarithms of times, parallel for what differs otherwise."""
    place, _ = OBJECTS[domain]
    groups: dict[tuple[str, ...], list[tuple[int, float]]] = defaultdict(list)
    for row, time in times:
        if time >= NOISE:
            theta = row.theta.split()
            groups[(*theta[:place], *theta[place + 1 :])].append((int(theta[place]), math.log(time)))
    if sum(map(len, groups.values())) < FEW:
        return None
    products, squares = [], []
    for points in groups.values():
        x_mean, y_mean = (math.fsum(values) / len(points) for values in zip(*points, strict=True))
        products += [(x - x_mean) * (y - y_mean) for x, y in points]
        squares += [(x - x_mean) ** 2 for x, _ in points]
    spread = math.fsum(squares)
    return math.exp(math.fsum(products) / spread) if spread > 0 else None


# --- docs/results.md --------------------------------------------------------------------------------------------------


class Leading(NamedTuple):
    """A line of the table that docs/results.md leads with."""

    domain: str
    theta: str
    records: str = "evaluation"
    label: str = ""


LEADING = (
    Leading("rover", "1 4 13 2"),
    Leading("schedule-ippc", "1 10"),
    Leading("schedule-ippc", "1 11"),
    Leading("delicate-can-shah", "11"),
    Leading("delicate-can-shah", "12"),
    Leading("keva-shah", "29 13"),
    Leading("keva-shah", "29 14"),
    Leading("keva-shah", "29 14", "by-itself", "by itself: coarse matching, symmetry, turns"),
    Leading("gripper", "12"),
)
"""The largest problems that LRTDP solves without the automaton, and those before that the paper has."""
_BLOCK = re.compile(r"(<!-- (table|costs of [a-z-]+): bench/speed_ups.py -->\n).*?(<!-- end -->)", re.DOTALL)


def leading_table(summaries: dict[str, Summary]) -> Iterator[str]:
    titles = ["domain", "problem", "without, s", "with, s", "speed-up", "the paper's"]
    titles += ["growth with each further …, without → with", "the paper's", "without fallback, at the optimum"]
    yield f"| {' | '.join(titles)} |"
    yield "|---|---|---:|---:|---:|---:|---|---|---|"
    seen: set[tuple[str, str]] = set()
    for line in LEADING:
        section = section_of(summaries[line.records], line.domain)
        series = series_of(section, "lrtdp")
        row = next(each for each in series.rows if each.theta == line.theta)
        name = f"({line.theta.replace(' ', ',')})"
        cells = [section.title, f"{name} {line.label}".strip(), seconds(row.baseline), seconds(row.gpa)]
        cells += [speed_up(row), papers_speed_up(row)]
        first = (line.domain, line.records) not in seen
        seen.add((line.domain, line.records))
        cells += _of_domain(section, series) if first else [""] * 3
        yield f"| {' | '.join(cells)} |"


def _of_domain(section: Section, series: Series) -> list[str]:
    """What the table says of a domain, in its first line."""
    _, noun = OBJECTS[section.domain]
    ours, theirs = (
        " → ".join(_factor(found(section, series, gpa=gpa)) for gpa in (False, True))
        for found in (growth, papers_growth)
    )
    good = sum(suffices_at_the_optimum(row) for row in series.rows)
    return [f"{noun}: {ours}", theirs, f"{good} of {len(series.rows)}"]


def suffices_at_the_optimum(row: Row) -> bool:
    """Whether all runs with the automaton were solved with what it leaves, at the optimal cost."""
    cell = row.gpa
    if cell.solved != cell.runs or cell.fallbacks or cell.value is None:
        return False
    return row.optimal is not None and abs(cell.value.high - row.optimal) <= 1e-4 * max(1.0, row.optimal)


def front_page(text: str, summaries: dict[str, Summary]) -> str:
    """docs/results.md, with what belongs between its marks."""

    def written_anew(found: re.Match[str]) -> str:
        start, what, end = found.groups()
        if what == "table":
            lines = [*leading_table(summaries)]
        else:
            lines = [f"- {line}" for line in costs(summaries[what.removeprefix("costs of ")])]
            lines = lines or ["- none: every policy costs the optimum"]
        return "\n".join([start, *lines, "", end])

    return _BLOCK.sub(written_anew, text)


# --- all of it --------------------------------------------------------------------------------------------------------


def read() -> dict[str, Summary]:
    """What the records say, by the name of their set."""
    return {name: summarize(read_records(file), "cpu") for name, file in RECORDS.items()}


def written(summaries: dict[str, Summary]) -> dict[Path, str]:
    """What the pages should say."""
    front = front_page(FRONT.read_text(encoding="utf-8"), summaries)
    return {PAGE: page(summaries["evaluation"], summaries["by-itself"]), FRONT: front}


def main() -> None:
    from speed_up_picture import PICTURE as DRAWING, drawn

    summaries = read()
    texts = {**written(summaries), DRAWING: drawn(summaries)}
    for path, text in texts.items():
        path.write_text(text, encoding="utf-8")
        print(f"wrote {path.name}")


if __name__ == "__main__":
    main()
