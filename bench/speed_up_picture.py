"""Draws docs/images/speed-ups.svg: the speed-up of each problem, next to the paper's. bench/speed_ups.py writes it.

A panel for each domain, with LRTDP on the left and Soft-FLARES on the right. A pair of bars for each problem says by
which factor the automaton makes it faster (upwards from 1) or slower (downwards): ours as in the paper, and the paper's
own. A point is ours by itself. A bar that is pale, or a point that is hollow, tells little: either way takes less than
10 ms. An arrow says at least so much, because runs without the automaton met the time limit. Where they met the memory
limit, or were not run after two problems that met a limit, there is no bar but the letter L. F: the automaton did not
suffice.
"""

from __future__ import annotations

import io
from typing import Any

from gpaplan.experiments.report.summary import Row, Section, Summary
from speed_ups import DOCS, OBJECTS, SHORT, papers_ratio, section_of, series_of

PICTURE = DOCS / "images" / "speed-ups.svg"
SOLVERS = ("lrtdp", "soft-flares")
INK, GRID = "#1b1f24", "#d9dee3"
OURS, PAPERS, BY_ITSELF = "#c26a00", "#9db4c6", "#00568a"
WIDTH = 0.42
NOISE = 0.01
"""Seconds below which a difference between two times says little."""
STYLE: dict[Any, Any] = {
    "svg.hashsalt": "gpaplan",
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 9.0,
    "axes.edgecolor": INK,
    "text.color": INK,
}


def drawn(summaries: dict[str, Summary]) -> str:
    """The picture."""
    import matplotlib
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    sections = summaries["evaluation"].sections
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(13, 2.5 * len(sections) + 0.6), layout="constrained", facecolor="white")
        FigureCanvasSVG(figure)
        panels = figure.subplots(len(sections), len(SOLVERS), squeeze=False)
        for line, section in zip(panels, sections, strict=True):
            own = section_of(summaries["by-itself"], section.domain)
            for axes, solver in zip(line, SOLVERS, strict=True):
                draw_panel(axes, section, own, solver)
            share_scale(line)
        figure.legend(handles=legend(), loc="outside upper center", ncols=3, frameon=False)
        text = io.StringIO()
        figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
    return "\n".join(line.rstrip() for line in text.getvalue().splitlines()) + "\n"


def share_scale(line: Any) -> None:
    """One scale for the panels of a domain, with room for letters above the bars."""
    from matplotlib.ticker import LogLocator, NullLocator

    limits = [axes.get_ylim() for axes in line]
    low, high = min(low for low, _ in limits) / 1.3, 1.9 * max(high for _, high in limits)
    steps = (1.0,) if high / low > 300 else (1.0, 2.0, 5.0)
    for axes in line:
        axes.set_ylim(low, high)
        axes.yaxis.set_major_locator(LogLocator(subs=steps, numticks=12))
        axes.yaxis.set_minor_locator(NullLocator())
        axes.yaxis.set_major_formatter(lambda value, _: f"{value:,g}")
    line[0].set_ylabel("speed-up")


def draw_panel(axes: Any, section: Section, own: Section, solver: str) -> None:
    rows = series_of(section, solver).rows
    for place, row in enumerate(rows):
        draw_ours(axes, place, row, f"speed-up-{section.domain}-{solver}-{row.id}")
        paper = papers_ratio(row)
        if paper is not None:
            axes.bar([place + WIDTH / 2], [paper - 1], WIDTH, bottom=1, color=PAPERS, zorder=2)
    for place, row in enumerate(series_of(own, solver).rows):
        ratio = row.ratio
        if ratio is not None:
            axes.plot([place], [ratio.value], zorder=4, **point(pale=is_short(row)))
    axes.set_yscale("log")
    axes.axhline(1, color=INK, linewidth=0.9, zorder=3)
    axes.grid(axis="y", color=GRID, linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_title(f"{section.title}, {SHORT[solver]}", size=10, weight="bold")
    axes.set_xticks(range(len(rows)), [label(section, row) for row in rows], size=8)
    axes.tick_params(axis="x", rotation=90 if len(rows) > 20 else 0)
    axes.set_xlim(-0.8, len(rows) - 0.2)
    axes.set_xlabel(names(section))


def draw_ours(axes: Any, place: int, row: Row, name: str) -> None:
    """Our bar, or the letter of what kept the runs without the automaton from ending."""
    x, ratio = place - WIDTH / 2, row.ratio
    if ratio is None:
        axes.annotate("L", (x, 1), **above(gid=name))
        return
    axes.bar([x], [ratio.value - 1], WIDTH, bottom=1, color=OURS, alpha=0.35 if is_short(row) else 1.0, zorder=2)
    axes.patches[-1].set_gid(name)
    if row.gpa is not None and row.gpa.fallbacks:
        axes.annotate("F", (x, max(1.0, ratio.value)), **above())
    elif ratio.bound:
        axes.annotate("↑", (x, ratio.value), **above())


def is_short(row: Row) -> bool:
    """Whether either way takes so little time that the ratio says little."""
    return all(cell is None or cell.time is None or cell.time.mean < NOISE for cell in (row.baseline, row.gpa))


def point(*, pale: bool) -> dict[str, Any]:
    face = "white" if pale else BY_ITSELF
    look = {"marker": "D", "markersize": 3.8, "markerfacecolor": face, "markeredgecolor": BY_ITSELF}
    return {**look, "markeredgewidth": 0.8, "linestyle": "none"}


def above(**more: Any) -> dict[str, Any]:
    """How a letter stands above a bar."""
    place = {"xytext": (0, 1), "textcoords": "offset points", "ha": "center", "va": "bottom"}
    return {**place, "color": OURS, "size": 8, "weight": "bold", **more}


def label(section: Section, row: Row) -> str:
    """The number of objects that grow; of Rover the waypoints too."""
    theta = row.theta.split()
    return f"{theta[1]},{theta[2]}" if section.domain == "rover" else theta[OBJECTS[section.domain][0]]


def names(section: Section) -> str:
    return "waypoints, samples" if section.domain == "rover" else f"{OBJECTS[section.domain][1]}s"


def legend() -> list[Any]:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    return [
        Patch(color=OURS, label="ours, as in the paper"),
        Patch(color=OURS, alpha=0.35, label="either way below 10 ms"),
        Patch(color=PAPERS, label="the paper's"),
        Line2D([], [], label="ours, by itself", **point(pale=False)),
        Line2D([], [], label="either way below 10 ms", **point(pale=True)),
        Line2D([], [], linestyle="none", label="↑: at least,  F: fallback,  L: limit met without"),
    ]
