"""Draws docs/images/landing.svg, the picture at the head of the documentation: what automata save as problems grow.

    python bench/landing_picture.py

It has a panel for each of four domains of the paper's evaluation, with the processor time of LRTDP without and with the
automaton over the size of the problem, from docs/results/records-evaluation.csv.xz. The largest speed-up between two
times that were measured is written between them. A line that ends with a letter met a limit there: T of time, M of
memory.
"""

from __future__ import annotations

import io
from typing import Any

from gpaplan.experiments.record import read_records
from gpaplan.experiments.report.notation import factor
from gpaplan.experiments.report.summary import Cell, Row, Section, summarize
from speed_ups import RECORDS, RESULTS, series_of

PICTURE = RESULTS.parent / "images" / "landing.svg"
PANELS = {
    "schedule-ippc": ("Router", "packets"),
    "keva-shah": ("Towers of planks", "height"),
    "delicate-can-shah": ("Cans on a table", "cans"),
    "rover": ("Rover on four waypoints", "samples"),
}
"""Title and name of the size, by domain."""
INK, GRID = "#1b1f24", "#d9dee3"
COLOURS = {"without": "#00568a", "with": "#c26a00"}
STYLE: dict[Any, Any] = {
    "svg.hashsalt": "gpaplan",
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 9.0,
}


def sizes(section: Section) -> list[tuple[int, Row]]:
    """The rows of LRTDP with the last number of the problem's parameters; of Rover, those with four waypoints."""
    series = series_of(section, "lrtdp")
    assert series is not None
    found: dict[int, Row] = {}
    for row in series.rows:
        numbers = [int(part) for part in row.theta.split()]
        if section.domain == "rover":
            _, waypoints, samples, _ = numbers
            if waypoints == 4:
                found[samples] = row
        else:
            found[numbers[-1]] = row
    return sorted(found.items())


def time_of(cell: Cell | None) -> float | None:
    """The mean of the processor seconds, if all runs were solved."""
    measured = cell is not None and cell.time is not None and not cell.stopped and cell.solved
    return cell.time.mean if measured and cell is not None and cell.time is not None else None


def draw_panel(axes: Any, section: Section) -> None:
    rows = sizes(section)
    title, name = PANELS[section.domain]
    for kind, cells in (("without", [row.baseline for _, row in rows]), ("with", [row.gpa for _, row in rows])):
        points = [(size, time) for (size, _), cell in zip(rows, cells, strict=True) if (time := time_of(cell))]
        marker = "o" if kind == "without" else "D"
        axes.plot(*zip(*points, strict=True), color=COLOURS[kind], marker=marker, markersize=4, linewidth=1.6)
        limits = [
            (size, "T" if cell.stopped else "M")
            for (size, _), cell in zip(rows, cells, strict=True)
            if cell is not None and not cell.solved and ("memory-limit" in cell.statuses or cell.stopped)
        ]
        if limits:
            (size, letter), top = limits[0], points[-1][1] * 2.5
            axes.plot([points[-1][0], size], [points[-1][1], top], color=COLOURS[kind], linewidth=1.2, linestyle="--")
            axes.text(size, top, letter, color=COLOURS[kind], ha="left", va="bottom", weight="bold")
    both = [
        (size, before, after) for size, row in rows if (before := time_of(row.baseline)) and (after := time_of(row.gpa))
    ]
    size, before, after = max(both, key=lambda each: each[1] / each[2])
    axes.plot([size, size], [after, before], color=INK, linewidth=0.8, linestyle=":")
    words = f"{factor(before / after)}×"
    is_last = size == rows[-1][0]
    axes.annotate(
        words,
        (size, after),
        xytext=(0, -26) if is_last else (4, -8),
        textcoords="offset points",
        ha="center" if is_last else "left",
        va="top",
        size=12,
        weight="bold",
    )
    axes.set_yscale("log")
    axes.set_title(title, size=10, weight="bold")
    axes.set_xlabel(name)
    axes.grid(axis="y", color=GRID, linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)
    axes.xaxis.get_major_locator().set_params(integer=True)


def drawn() -> str:
    """The picture."""
    import matplotlib
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

    summary = summarize(read_records(RECORDS["evaluation"]), "cpu")
    sections = {section.domain: section for section in summary.sections}
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(12.5, 3.1), layout="constrained", facecolor="white")
        FigureCanvasSVG(figure)
        panels = figure.subplots(1, len(PANELS))
        for axes, domain in zip(panels, PANELS, strict=True):
            draw_panel(axes, sections[domain])
        panels[0].set_ylabel("processor time, s")
        handles = [
            Line2D(
                [], [], color=colour, marker=marker, markersize=4, linewidth=1.6, label=f"LRTDP {kind} the automaton"
            )
            for (kind, colour), marker in zip(COLOURS.items(), "oD", strict=True)
        ]
        handles += [Line2D([], [], linestyle="", label="T: limit of 600 s, M: of 8 GB")]
        figure.legend(handles=handles, loc="outside upper center", ncols=3, frameon=False)
        text = io.StringIO()
        figure.savefig(text, format="svg", metadata={"Date": None})
    return "\n".join(line.rstrip() for line in text.getvalue().splitlines()) + "\n"


def main() -> None:
    PICTURE.write_text(drawn(), encoding="utf-8")
    print(f"wrote {PICTURE.name}")


if __name__ == "__main__":
    main()
