"""The figure in the paper's form: a panel for each domain and solver, time as bars, cost as points.

Left axis and bars: seconds on a logarithmic scale, without and with the automaton side by side, with one standard
deviation. Right axis and points: the mean simulated cost, with one standard deviation. A bar with a dashed outline and
hatching is a lower bound: its runs, or some of them, met the time limit. What has no time at all is marked by a letter
where its bar would stand. Colours are told apart by everybody, and each kind of point has its own shape.

matplotlib draws it; it is imported here and nowhere else, when a figure is asked for. The same summary gives the same
bytes with the same matplotlib: no date, no random names.
"""

from __future__ import annotations

import io
import math
import os
import re
import textwrap
from typing import Any, NamedTuple

from gpaplan.experiments.report.summary import Cell, Row, Section, Series, Summary

INK = "#1b1f24"
GRID = "#d9dee3"
_BARS = {False: "#7fb8dc", True: "#f2b44c"}
_LINES = {False: "#00568a", True: "#9a4f00"}
_POINTS = {False: "o", True: "D"}
_LABELS = {False: "without automaton", True: "with automaton"}
_MARKS = {"memory-limit": "M", "no-proper-policy": "N", "crashed": "C", "error": "E"}
_MEANINGS = {"M": "memory limit", "N": "no proper policy", "C": "crashed", "E": "error"}
_WIDTH = 0.4
# Inches: of a letter, around a panel, of a panel, and above all of them.
_CHARACTER = 0.065
_LEFT, _RIGHT, _TITLE, _PANEL, _LEGEND = 0.62, 0.52, 0.36, 1.95, 0.45
_STYLE: dict[Any, Any] = {
    "svg.hashsalt": "gpaplan",
    "svg.fonttype": "none",
    "text.parse_math": False,
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 8.0,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.linewidth": 0.6,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "hatch.linewidth": 0.7,
}


class Drawings(NamedTuple):
    """The figure in both formats."""

    svg: str
    png: bytes


def is_available() -> bool:
    """Whether matplotlib is there."""
    from importlib.util import find_spec

    return find_spec("matplotlib") is not None


def bar_id(section: int, column: int, row: int, gpa: bool) -> str:
    """The name of a bar in the SVG, by its places in the summary."""
    return f"bar-{section}-{column}-{row}-{'gpa' if gpa else 'baseline'}"


def draw(summary: Summary) -> Drawings:
    """Draw the figure."""
    import matplotlib as mpl
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    columns = list(dict.fromkeys(series.title for section in summary.sections for series in section.series))
    most = max(len(series.rows) for section in summary.sections for series in section.series)
    inner = max(2.6, 0.4 + 0.17 * min(most, 60))
    below = [_space_below(section, inner) for section in summary.sections]
    step = inner + _LEFT + _RIGHT
    width = step * len(columns)
    height = _LEGEND + sum(_TITLE + _PANEL + space for space in below)
    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(width, height), dpi=150)
        y = height - _LEGEND
        for place, section in enumerate(summary.sections):
            y -= _TITLE + _PANEL
            for number, series in enumerate(section.series):
                x = step * columns.index(series.title) + _LEFT
                axes = figure.add_axes((x / width, y / height, inner / width, _PANEL / height))
                _draw_panel(axes, section, series, place, number)
                axes.set_ylabel("time, s" if summary.clock == "wall" else "processor time, s")
            y -= below[place]
        _draw_legend(figure, summary)
        # The canvases are asked directly: savefig would draw everything twice.
        svg, png = io.StringIO(), io.BytesIO()
        raster: Any = FigureCanvasAgg(figure)
        raster.print_png(png, metadata={"Software": None})
        vector: Any = FigureCanvasSVG(figure)
        vector.print_svg(svg, metadata={"Date": None, "Creator": None})
    return Drawings("\n".join(line.rstrip() for line in svg.getvalue().splitlines()) + "\n", png.getvalue())


def _space_below(section: Section, inner: float) -> float:
    """Inches for the names of the problems and of what they are."""
    sets = [_tick_labels(section, series.rows)[0] for series in section.series]
    return 0.42 + max(_CHARACTER * max(map(len, labels)) if _upright(labels, inner) else 0.12 for labels in sets)


def _upright(labels: list[str], inner: float) -> bool:
    """Whether names must stand upright to find room in a panel of so many inches."""
    return _CHARACTER * (max(map(len, labels)) + 1) * max(4, len(labels)) > inner


def _draw_panel(axes: Any, section: Section, series: Series, place: int, number: int) -> None:
    cells = [cell for row in series.rows for _, cell, _ in row.cells if cell is not None]
    times = [cell.time.mean for cell in cells if cell.time is not None and cell.time.mean > 0]
    bottom = 10.0 ** math.floor(math.log10(min(times)) - 0.05) if times else 1e-3
    costs = axes.twinx()
    for gpa in (False, True):
        placed = [
            (index + (0.5 if gpa else -0.5) * _WIDTH, cell, bar_id(place, number, index, gpa))
            for index, row in enumerate(series.rows)
            if (cell := row.gpa if gpa else row.baseline) is not None
        ]
        _draw_bars(axes, placed, gpa, bottom)
        _draw_points(costs, placed, gpa)
    axes.set_yscale("log")
    axes.yaxis.set_major_formatter(lambda value, _place: f"{value:g}")  # by default they are formulas
    axes.yaxis.set_minor_formatter(lambda _value, _place: "")
    axes.set_ylim(bottom, max([*times, bottom * 100]) * 3)
    margin = 0.7 + max(0, 4 - len(series.rows)) / 2
    axes.set_xlim(-margin, len(series.rows) - 1 + margin)
    _label_axes(axes, costs, section, series)


def _draw_bars(axes: Any, placed: list[tuple[float, Cell, str]], gpa: bool, bottom: float) -> None:
    """The times, each with one standard deviation, and letters for what has no time or not only that."""
    timed = [(x, cell.time, cell, name) for x, cell, name in placed if cell.time is not None and cell.time.mean > 0]
    if timed:
        xs = [x for x, *_ in timed]
        heights = [time.mean - bottom for _, time, *_ in timed]
        bars = axes.bar(xs, heights, _WIDTH, bottom=bottom, zorder=2, color=_BARS[gpa], edgecolor=_LINES[gpa], lw=0.5)
        for bar, (_, _, cell, name) in zip(bars.patches, timed, strict=True):
            bar.set_gid(name)
            if cell.stopped:
                bar.set(hatch="/////", linestyle=(0, (3, 2)), linewidth=0.8)
            if not cell.solved:
                bar.set_facecolor("none")
        below = [min(time.sd, time.mean - bottom) for _, time, *_ in timed]
        spread = [below, [time.sd for _, time, *_ in timed]]
        axes.errorbar(xs, [time.mean for _, time, *_ in timed], yerr=spread, **_error_bars(gpa))
    for x, cell, name in placed:
        letters = "".join(mark for status, mark in _MARKS.items() if status in cell.statuses)
        if letters:
            untimed = cell.time is None
            y = bottom if cell.time is None else cell.time.mean + cell.time.sd
            place = {"xytext": (0, 2), "textcoords": "offset points", "ha": "center", "va": "bottom"}
            look = {"fontsize": 7, "fontweight": "bold", "color": _LINES[gpa]}
            axes.annotate(letters, (x, y), gid=name if untimed else None, zorder=7, **look, **place)


def _draw_points(costs: Any, placed: list[tuple[float, Cell, str]], gpa: bool) -> None:
    found = [(x, cell.cost) for x, cell, _ in placed if cell.cost is not None]
    if found:
        look = {"markerfacecolor": _LINES[gpa], "markeredgecolor": "#ffffff", "markeredgewidth": 0.7}
        drawn = costs.errorbar(
            [x for x, _ in found],
            [cost.mean for _, cost in found],
            yerr=[cost.sd for _, cost in found],
            **_error_bars(gpa) | {"fmt": _POINTS[gpa], "markersize": 4.8 if gpa else 5.4, **look},
        )
        drawn.lines[0].set_gid(f"costs-{'gpa' if gpa else 'baseline'}")


def _error_bars(gpa: bool) -> dict[str, Any]:
    return {"fmt": "none", "ecolor": _LINES[gpa], "elinewidth": 0.9, "capsize": 1.6, "capthick": 0.9, "zorder": 5}


def _label_axes(axes: Any, costs: Any, section: Section, series: Series) -> None:
    title = f"{section.title}, {series.title}"
    inner = axes.get_window_extent().width / axes.figure.dpi
    lines = textwrap.wrap(title, max(20, int(inner / 0.08)), max_lines=2, placeholder=" …")
    axes.set_title("\n".join(lines), fontsize=9.5, fontweight="bold")
    axes.grid(axis="y", color=GRID, linewidth=0.5)
    axes.set_axisbelow(True)
    axes.minorticks_off()
    if any(cell is not None and cell.cost is not None for row in series.rows for _, cell, _ in row.cells):
        costs.set_ylabel("cost")
        costs.set_ylim(0, 1.08 * costs.get_ylim()[1])
    else:
        costs.set_yticks([])
    labels, below = _tick_labels(section, series.rows)
    step = max(1, math.ceil(len(labels) / 40))
    axes.set_xticks(range(0, len(labels), step), labels[::step])
    axes.tick_params(axis="x", labelrotation=90 if _upright(labels, inner) else 0, labelsize=7.5, length=2)
    axes.set_xlabel(below)
    for each in (axes, costs):
        each.spines["top"].set_visible(False)


def _tick_labels(section: Section, rows: tuple[Row, ...]) -> tuple[list[str], str]:
    """What stands below the bars: the parts of θ that vary, or the problems' names."""
    thetas = [row.theta.split() for row in rows]
    if not all(thetas) or len({len(theta) for theta in thetas}) > 1:
        return short_names([row.problem for row in rows]), "problem"
    varying = [place for place in range(len(thetas[0])) if len({theta[place] for theta in thetas}) > 1]
    shown = varying or list(range(len(thetas[0])))
    labels = [",".join(theta[place] for place in shown) for theta in thetas]
    known = () if section.family is None else section.family.parameters
    names = known if len(known) == len(thetas[0]) else [f"θ{place + 1}" for place in range(len(thetas[0]))]
    return labels, ", ".join(names[place] for place in shown)


def short_names(names: list[str]) -> list[str]:
    """Names without the words that all of them begin or end with, and cut in the middle if they are long still."""
    start = end = 0
    if len(set(names)) > 1:
        start = _shared_words(names)
        end = _shared_words([name[::-1] for name in names])
        if any(len(name) <= start + end for name in names):
            start = end = 0
    short = [name[start : len(name) - end] for name in names]
    return [(n if len(n) <= 18 else f"{n[:8]}…{n[-9:]}") for n in short]


def _shared_words(names: list[str]) -> int:
    """How many letters all names begin with, in whole words: ``problem-`` of ``problem-01`` and ``problem-02``."""
    return len(re.sub(r"[^\W_]*$", "", os.path.commonprefix(names)))  # noqa: RUF071  letters are meant


def _draw_legend(figure: Any, summary: Summary) -> None:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    cells = [cell for section in summary.sections for cell in section.cells]
    entries: list[Any] = [
        Patch(facecolor=_BARS[gpa], edgecolor=_LINES[gpa], linewidth=0.5, label=f"time {_LABELS[gpa]}")
        for gpa in (False, True)
    ]
    for gpa in (False, True):
        look: Any = {"marker": _POINTS[gpa], "color": _LINES[gpa], "markersize": 4.5, "label": f"cost {_LABELS[gpa]}"}
        entries.append(Line2D([], [], linestyle="none", **look))
    if any(cell.stopped for cell in cells):
        label = "time limit met: lower bound"
        entries.append(Patch(label=label, facecolor="none", edgecolor=INK, hatch="/////", linestyle=(0, (3, 2))))
    statuses = {status for cell in cells for status in cell.statuses}
    for status, mark in _MARKS.items():
        if status in statuses:
            entries.append(Line2D([], [], linestyle="none", label=f"{mark}: {_MEANINGS[mark]}"))
    figure.legend(
        handles=entries, loc="upper center", ncols=_legend_columns(figure, entries), frameon=False, fontsize=9
    )


def _legend_columns(figure: Any, entries: list[Any]) -> int:
    """As many as fit; where that is not all of them, an even number of entries stands in each column."""
    fitting = max(1, int(figure.get_figwidth() / 2.1))
    return len(entries) if fitting >= len(entries) else min(fitting, math.ceil(len(entries) / 2))
