"""Draws docs/images/landing.svg, the picture at the head of the documentation: what automata save as problems grow.

    python bench/landing_picture.py

It has a panel for each of four domains of the paper's evaluation, with the processor time of LRTDP without and with the
automaton over the size of the problem, from docs/results/records-evaluation.csv.xz. The largest speed-up between two
times that were measured is written below them. A line that ends with a letter met a limit there: T of time, M of
memory. The panels stand two by two, so that a narrow screen has all of them; the ground is transparent, and the colours
can be told from a white page and from a dark one.
"""

from __future__ import annotations

import io
from typing import Any

from gpaplan.experiments.record import read_records
from gpaplan.experiments.report.summary import Cell, Row, Section, factor, summarize
from speed_ups import RECORDS, RESULTS, series_of

PICTURE = RESULTS.parent / "images" / "landing.svg"
PANELS = {
    "schedule-ippc": ("Router", "packets"),
    "keva-shah": ("Towers of planks", "height"),
    "delicate-can-shah": ("Cans on a table", "cans"),
    "rover": ("Rover on four waypoints", "samples"),
}
"""Title and name of the size, by domain."""
INK, GRID = "#7f8389", "#7f838955"
"""A grey that stands out from white as much as from the dark pages of the site."""
COLOURS = {"without": "#2b8acb", "with": "#d4730b"}
LIMITS = {"T": "T: limit of 600 s", "M": "M: limit of 8 GB"}
STYLE: dict[Any, Any] = {
    "svg.hashsalt": "gpaplan",
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 9.0,
    **dict.fromkeys(("text.color", "axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color"), INK),
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


def time_of(cell: Cell) -> float | None:
    """The mean of the processor seconds, if all runs were solved."""
    return cell.time.mean if cell.time is not None and not cell.stopped and cell.solved else None


def draw_panel(axes: Any, section: Section) -> set[str]:
    """Draw a domain; the letters of the limits that were met."""
    rows = sizes(section)
    letters = set()
    title, name = PANELS[section.domain]
    for kind, cells in (("without", [row.baseline for _, row in rows]), ("with", [row.gpa for _, row in rows])):
        points = [(size, time) for (size, _), cell in zip(rows, cells, strict=True) if (time := time_of(cell))]
        marker = "o" if kind == "without" else "D"
        axes.plot(*zip(*points, strict=True), color=COLOURS[kind], marker=marker, markersize=4, linewidth=1.6)
        limits = [
            (size, "T" if cell.stopped else "M")
            for (size, _), cell in zip(rows, cells, strict=True)
            if not cell.solved and ("memory-limit" in cell.statuses or cell.stopped)
        ]
        if limits:
            (size, letter), top = limits[0], points[-1][1] * 2.5
            axes.plot([points[-1][0], size], [points[-1][1], top], color=COLOURS[kind], linewidth=1.2, linestyle="--")
            place = {"xytext": (3, -2), "textcoords": "offset points", "ha": "left", "va": "center"}
            axes.annotate(letter, (size, top), color=COLOURS[kind], weight="bold", **place)
            letters.add(letter)
    both = [
        (size, before, after) for size, row in rows if (before := time_of(row.baseline)) and (after := time_of(row.gpa))
    ]
    size, before, after = max(both, key=lambda each: each[1] / each[2])
    axes.plot([size, size], [after, before], color=INK, linewidth=0.9, linestyle=":")
    last = size == rows[-1][0]
    axes.annotate(
        f"{factor(before / after)}×",
        (size, after),
        xytext=(4, -37) if last else (5, -9),  # where the line, which rises, is not
        textcoords="offset points",
        ha="right" if last else "left",
        va="top",
        size=13,
        weight="bold",
    )
    axes.set_yscale("log")
    low, high = axes.get_ylim()
    axes.set_ylim(low / (high / low) ** 0.22, high)  # room below for the speed-up
    axes.set_title(title, size=10, weight="bold")
    axes.set_xlabel(name)
    axes.grid(axis="y", color=GRID, linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)
    axes.xaxis.get_major_locator().set_params(integer=True)
    return letters


def drawn(form: str = "svg") -> bytes:
    """The picture."""
    import matplotlib
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

    summary = summarize(read_records(RECORDS["evaluation"]), "cpu")
    sections = {section.domain: section for section in summary.sections}
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(6.2, 5.4), layout="constrained")
        panels = figure.subplots(2, 2)
        letters: set[str] = set()
        for axes, domain in zip(panels.flat, PANELS, strict=True):
            letters |= draw_panel(axes, sections[domain])
        for axes in panels[:, 0]:
            axes.set_ylabel("processor time, s")
        handles = [
            Line2D(
                [], [], color=colour, marker=marker, markersize=4, linewidth=1.6, label=f"LRTDP {kind} the automaton"
            )
            for (kind, colour), marker in zip(COLOURS.items(), "oD", strict=True)
        ]
        figure.legend(handles=handles, loc="outside upper center", ncols=2, frameon=False)
        if letters:
            figure.supxlabel(", ".join(LIMITS[letter] for letter in sorted(letters, reverse=True)), size=9)
        data = io.BytesIO()
        figure.savefig(data, format=form, transparent=True, metadata={"Date": None} if form == "svg" else None)
    return data.getvalue()


def main() -> None:
    lines = drawn().decode().splitlines()
    PICTURE.write_text("\n".join(line.rstrip() for line in lines) + "\n", encoding="utf-8")
    print(f"wrote {PICTURE.name}")


if __name__ == "__main__":
    main()
