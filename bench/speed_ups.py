"""Writes docs/results/speed-ups.md: what automata save, problem by problem, next to what the paper reports.

    python bench/speed_ups.py

The records are those of the suites `paper` and `paper-best`, which bench/write_results.py takes over.

A speed-up is the mean time without the automaton over that with it, in processor seconds. Where the runs without it met
the limit it is at least so much. `paper` is strict matching without symmetry, as in the paper; `paper-best` is what
gpaplan does by itself: coarse matching, turns, symmetry.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterable, Sequence
from pathlib import Path

from gpaplan.experiments.record import read_records
from gpaplan.experiments.report.notation import factor
from gpaplan.experiments.report.reading import ratio_of
from gpaplan.experiments.report.summary import Cell, Row, Section, Series, Summary, summarize

RESULTS = Path(__file__).parent.parent / "docs" / "results"
PAGE = RESULTS / "speed-ups.md"
RECORDS = {name: RESULTS / f"records-{name}.csv.xz" for name in ("evaluation", "by-itself")}
MARK = "<!-- written by bench/speed_ups.py from records-evaluation.csv.xz and records-by-itself.csv.xz -->"
SHORT = {"lrtdp": "LRTDP", "soft-flares": "Soft-FLARES", "vi": "VI"}
NOISE = 0.01
"""Seconds below which growth is not looked at."""

ABOUT = """
Mean processor seconds without and with the automaton, and the speed-up: the one over the other. The automaton was
learned from the paper's training problems, once, which no time contains. As in the paper: strict matching, no symmetry,
the whole problem only after a failure. *By itself* is what `gpaplan solve` does without options, on both sides:
symmetry, coarse matching, turns. *The paper's* is what the paper reports, on another machine, with other code and other
PPDDL files. `≥`: the runs without the automaton met the limit of 600 s or 8 GB; —: there is no time, because runs met
the memory limit, or were not run since two problems in a row before had met a limit. `fallback`: the automaton did not
suffice in some run. The last column is empty where the policies of all runs cost the optimum.
"""


def page(paper: Summary, best: Summary) -> str:
    """The whole page."""
    lines = [MARK, "", "# Results: speed-ups next to the paper's", "", *textwrap.wrap(ABOUT.strip(), 120), ""]
    for section in paper.sections:
        other = next((each for each in best.sections if each.domain == section.domain), None)
        lines += [f"## {section.title}", "", *table(section, other), "", *growth(section), ""]
    return "\n".join(lines).rstrip() + "\n"


def table(section: Section, best: Section | None) -> Iterable[str]:
    titles = ["problem"]
    for series in section.series:
        name = SHORT.get(series.solver, series.solver)
        titles += [f"{name}, s", "speed-up"] + (["the paper's"] if series.solver != "vi" else [])
    titles += ["LRTDP by itself, s", "speed-up", "above the optimum"]
    yield f"| {' | '.join(titles)} |"
    yield "|---|" + "---:|" * (len(titles) - 1)
    own = series_of(best, "lrtdp")
    for place, row in enumerate(section.series[0].rows):
        cells = [row.problem]
        for series in section.series:
            cells += compared(series.rows[place], with_paper=series.solver != "vi")
        mine = None if own is None else next((each for each in own.rows if each.problem == row.problem), None)
        cells += compared(mine, with_paper=False) if mine is not None else ["", ""]
        rows = {SHORT[series.solver]: series.rows[place] for series in section.series}
        cells.append(dearer(rows if mine is None else {**rows, "by itself": mine}))
        yield f"| {' | '.join(cells)} |"


def series_of(section: Section | None, solver: str) -> Series | None:
    return None if section is None else next((each for each in section.series if each.solver == solver), None)


def compared(row: Row, *, with_paper: bool) -> list[str]:
    """Times, speed-up, and the paper's."""
    found = ratio_of(row)
    speed = "" if found is None else f"{found.bound}{factor(found.value)}"
    if row.gpa is not None and row.gpa.fallbacks:
        speed += " fallback"
    cells = [f"{seconds(row.baseline)} → {seconds(row.gpa)}", speed.strip()]
    if with_paper:
        before, after = row.paper_baseline, row.paper_gpa
        known = before is not None and after is not None and before.time.mean > 0 and after.time.mean > 0
        cells.append(factor(before.time.mean / after.time.mean) if before and after and known else "")
    return cells


def seconds(cell: Cell | None) -> str:
    if cell is None or cell.time is None:
        return "—"
    return f"{'≥' if cell.stopped else ''}{cell.time.mean:.3g}"


def dearer(rows: dict[str, Row]) -> str:
    """By how much the policies of which solver cost more than the optimum, at the most; nothing if none does."""
    worst, who = 0.0, ""
    for solver, row in rows.items():
        for cell in (row.baseline, row.gpa):
            if cell is not None and cell.value is not None and row.optimal:
                worst, who = max((worst, who), (cell.value.mean / row.optimal - 1, solver))
    return f"{who} {worst:.1%}" if worst >= 5e-4 else ""


def growth(section: Section) -> Iterable[str]:
    """By which factor the time grows from one problem to the next, ours and the paper's."""
    for series in section.series:
        parts = []
        for gpa, words in ((False, "without"), (True, "with")):
            ours = _slope([(row.gpa if gpa else row.baseline) for row in series.rows])
            paper = [(row.paper_gpa if gpa else row.paper_baseline) for row in series.rows]
            theirs = _fit([None if cell is None else cell.time.mean for cell in paper], most=7000)
            if ours is not None:
                also = "" if theirs is None else f" (the paper's: {theirs:.2f})"
                parts.append(f"{ours:.2f} {words}{also}")
        if parts:
            factors = " and ".join(parts)
            yield f"{series.title}: time grows by a factor of {factors} the automaton from one problem to the next."
            yield ""


def _slope(cells: Sequence[Cell | None]) -> float | None:
    return _fit([None if c is None or c.time is None or c.stopped else c.time.mean for c in cells], most=math.inf)


def _fit(times: Sequence[float | None], most: float) -> float | None:
    """The factor of the least-squares line through the logarithms of the times that are long enough to tell."""
    points = [(float(x), math.log(t)) for x, t in enumerate(times) if t is not None and NOISE <= t < most]
    if len(points) < 3:
        return None
    x_mean, y_mean = (math.fsum(values) / len(points) for values in zip(*points, strict=True))
    spread = math.fsum((x - x_mean) ** 2 for x, _ in points)
    return math.exp(math.fsum((x - x_mean) * (y - y_mean) for x, y in points) / spread)


def written() -> str:
    """The page of the records in docs/results."""
    paper, best = (summarize(read_records(file), "cpu") for file in RECORDS.values())
    return page(paper, best)


def main() -> None:
    PAGE.write_text(written(), encoding="utf-8")
    print(f"wrote {PAGE.name}")


if __name__ == "__main__":
    main()
