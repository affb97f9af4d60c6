"""The figure in the paper's form: a panel for each domain and solver, time as bars, cost as points.

Left axis and bars: seconds on a logarithmic scale, without and with the automaton side by side, with one standard
deviation. Right axis and points: the mean simulated cost, with one standard deviation. A hatched bar is a lower bound:
its runs, or some of them, met the time limit. Colours are told apart by everybody, and each kind of point has its own
shape.

matplotlib draws it; it is imported here and nowhere else, when a figure is asked for. The same summary gives the same
bytes with the same matplotlib: no date, no random names.
"""

from __future__ import annotations

import io
import math
import textwrap
from typing import Any, NamedTuple

from gpaplan.experiments.report.summary import Cell, Row, Section, Series, Summary

_BARS = {False: "#7fb8dc", True: "#f2b44c"}
_LINES = {False: "#00568a", True: "#9a4f00"}
_POINTS = {False: "o", True: "D"}
_WIDTH = 0.4  # of a bar; problems are 1 apart
_STYLE: dict[Any, Any] = {
    "svg.hashsalt": "gpaplan",
    "svg.fonttype": "none",
    "text.parse_math": False,
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 8.0,
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


def draw(summary: Summary) -> Drawings:
    """Draw the figure."""
    import matplotlib as mpl
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    columns = list(dict.fromkeys(series.title for section in summary.sections for series in section.series))
    most = max(len(series.rows) for section in summary.sections for series in section.series)
    size = (max(2.6, 0.4 + 0.17 * min(most, 60)) + 1.1) * len(columns), 3.0 * len(summary.sections) + 0.4
    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=size, dpi=150, layout="constrained")
        panels = figure.subplots(len(summary.sections), len(columns), squeeze=False)
        for place, section in enumerate(summary.sections):
            for axes in panels[place]:
                axes.set_visible(False)
            for series in section.series:
                axes = panels[place][columns.index(series.title)]
                axes.set_visible(True)
                _draw_panel(axes, section, series)
                axes.set_ylabel("time, s" if summary.clock == "wall" else "processor time, s")
        _draw_legend(figure)
        # The canvases are asked directly: savefig would draw everything twice.
        svg, png = io.StringIO(), io.BytesIO()
        raster: Any = FigureCanvasAgg(figure)
        raster.print_png(png, metadata={"Software": None})
        vector: Any = FigureCanvasSVG(figure)
        vector.print_svg(svg, metadata={"Date": None, "Creator": None})
    return Drawings("\n".join(line.rstrip() for line in svg.getvalue().splitlines()) + "\n", png.getvalue())


def _draw_panel(axes: Any, section: Section, series: Series) -> None:
    samples = [cell.time for row in series.rows for _, cell, _ in row.cells]
    times = [time.mean for time in samples if time is not None and time.mean > 0]
    bottom = 10.0 ** math.floor(math.log10(min(times)) - 0.05) if times else 1e-3
    costs = axes.twinx()
    for gpa in (False, True):
        placed = [
            (index + (0.5 if gpa else -0.5) * _WIDTH, row.gpa if gpa else row.baseline)
            for index, row in enumerate(series.rows)
        ]
        _draw_bars(axes, placed, gpa, bottom)
        found = [(x, cell.cost) for x, cell in placed if cell.cost is not None]
        if found:
            xs, means, spread = zip(*((x, cost.mean, cost.sd) for x, cost in found), strict=True)
            costs.errorbar(xs, means, yerr=spread, **_error_bars(gpa) | {"fmt": _POINTS[gpa], "color": _LINES[gpa]})
    axes.set_yscale("log")
    axes.set_ylim(bottom, max([*times, bottom * 100]) * 3)
    axes.yaxis.set_major_formatter(lambda value, _place: f"{value:g}")  # by default they are formulas
    title = textwrap.wrap(f"{section.title}, {series.title}", 44, max_lines=2)
    axes.set_title("\n".join(title), fontsize=9.5, fontweight="bold")
    axes.grid(axis="y", color="#d9dee3", linewidth=0.5)
    axes.set_axisbelow(True)
    costs.set_ylabel("cost")
    costs.set_ylim(bottom=0)
    labels, below = _tick_labels(section, series.rows)
    axes.set_xticks(range(len(labels)), labels)
    axes.tick_params(axis="x", labelrotation=0 if max(map(len, labels)) * len(labels) < 40 else 90)
    axes.set_xlabel(below)


def _draw_bars(axes: Any, placed: list[tuple[float, Cell]], gpa: bool, bottom: float) -> None:
    """The times, each with one standard deviation."""
    for x, cell in placed:
        if cell.time is not None and cell.time.mean > 0:
            mean, sd = cell.time.mean, cell.time.sd
            look = {"color": _BARS[gpa] if cell.solved else "none", "edgecolor": _LINES[gpa], "lw": 0.5}
            axes.bar(x, mean - bottom, _WIDTH, bottom=bottom, hatch="/////" if cell.stopped else None, **look)
            axes.errorbar(x, mean, yerr=[[min(sd, mean - bottom)], [sd]], **_error_bars(gpa))


def _error_bars(gpa: bool) -> dict[str, Any]:
    return {"fmt": "none", "ecolor": _LINES[gpa], "elinewidth": 0.9, "capsize": 1.6, "markersize": 5, "zorder": 5}


def _tick_labels(section: Section, rows: tuple[Row, ...]) -> tuple[list[str], str]:
    """What stands below the bars: the parts of θ that vary, or the problems' names."""
    thetas = [row.theta.split() for row in rows]
    if not all(thetas) or len({len(theta) for theta in thetas}) > 1:
        return [row.problem if len(row.problem) <= 18 else f"…{row.problem[-17:]}" for row in rows], "problem"
    varying = [place for place in range(len(thetas[0])) if len({theta[place] for theta in thetas}) > 1]
    shown = varying or list(range(len(thetas[0])))
    known = () if section.family is None else section.family.parameters
    names = known if len(known) == len(thetas[0]) else [f"θ{place + 1}" for place in range(len(thetas[0]))]
    return [",".join(theta[place] for place in shown) for theta in thetas], ", ".join(names[place] for place in shown)


def _draw_legend(figure: Any) -> None:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    entries: list[Any] = []
    for gpa, words in ((False, "without automaton"), (True, "with automaton")):
        entries.append(Patch(facecolor=_BARS[gpa], edgecolor=_LINES[gpa], label=f"time {words}"))
        look: Any = {"marker": _POINTS[gpa], "color": _LINES[gpa], "label": f"cost {words}"}
        entries.append(Line2D([], [], linestyle="none", **look))
    entries.append(Patch(label="time limit met: lower bound", facecolor="none", edgecolor="#1b1f24", hatch="/////"))
    figure.legend(handles=entries, loc="outside upper center", ncols=3, frameon=False, fontsize=9)
