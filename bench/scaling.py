"""Scaling with size, of time and states: without anything, with an automaton, up to symmetry of objects, and with both.

    python bench/scaling.py                              all five domains, 60 s a run; takes about an hour
    python bench/scaling.py --domain gripper --time-limit 10 --records scaling.json
    python bench/scaling.py --from scaling.json --plot scaling.svg     tables and figure of earlier records

LRTDP with the FF heuristic. Each run is a process of its own, from the problem's text to the
checked policy, in CPU seconds, with at most 4,000 MB. Sizes grow by a factor of about 1.4 as long as the next one can
be expected to end in time, by what the last two took as if time were exponential; the last run is at the size
that can be. The automata are learned from the problems below, at which growing the training set by counterexamples
ends; `--automata DIRECTORY` takes others, NAME.gpa.json.

A law is fitted to the upper half of a curve's sizes, by least squares: `n^2.1` is a straight line on logarithmic
axes, `2.3^n` one on an axis of sizes that is not. The number of states, which has no noise, says which of the two fits.
"""

from __future__ import annotations

import argparse
import json
import math
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

from gpaplan import LRTDP, Limits, PolicyAutomaton, solve
from gpaplan.benchmarks import DOMAINS, generate
from measuring import apart, options, peak_megabytes, print_head, print_row, read, trained

METHODS: dict[str, tuple[bool, Literal["on", "off"]]] = {
    "baseline": (False, "off"),
    "GPA": (True, "off"),
    "symmetry": (False, "on"),
    "GPA + symmetry": (True, "on"),
}
"""Whether with an automaton, and the symmetry asked for."""
MEGABYTES = 4_000
LEAST_SECONDS = 0.1
"""Times below it say nothing about scaling."""


class Family(NamedTuple):
    parameters: Callable[[int], tuple[int, ...]]
    counted: str
    training: list[tuple[int, ...]]
    smallest: int = 2


FAMILIES = {
    "gripper": Family(lambda n: (n,), "balls", [(b,) for b in range(1, 6)]),
    "schedule": Family(lambda n: (1, n), "packets", [(1, p) for p in range(2, 6)]),
    "delicate-can": Family(lambda n: (n,), "cans", [(c,) for c in range(2, 7)]),
    "rover": Family(lambda n: (1, 4, n, 2), "samples", [(1, 3, s, 2) for s in range(1, 6)]),
    "keva": Family(
        lambda n: (2 * n + 1, n),
        "levels",
        [(3, 1), (4, 1), (5, 2), (6, 2), (7, 3), (8, 3), (9, 4), (10, 4), (11, 5), (13, 6)],
    ),
}


class Point(NamedTuple):
    """A problem that was solved."""

    size: int
    seconds: float
    states: int
    megabytes: int


Curves = dict[str, dict[str, list[Point]]]
"""Of each domain and method."""


# --- measuring ---


def run_here(name: str, size: int, method: str, gpa: str, folder: str) -> dict[str, Any]:
    """One run, in this process. The automaton's file is read in it; writing the problem's text is not part of it."""
    files = generate(name, *FAMILIES[name].parameters(size)).write(Path(folder))
    with_automaton, symmetry = METHODS[method]
    started = time.process_time()
    automaton = PolicyAutomaton.read(gpa) if with_automaton else None
    task = read(*files)
    limits = Limits(megabytes=MEGABYTES)
    solution = solve(task, LRTDP(), automaton=automaton, symmetry=symmetry, limits=limits)
    seconds = time.process_time() - started
    return {
        "status": solution.status,
        "value": solution.value,
        "fallback": solution.fallback,
        "seconds": seconds,
        "states": solution.generated,
        "megabytes": round(peak_megabytes()),
    }


def run(name: str, size: int, method: str, gpa: Path, time_limit: float) -> Point | None:
    """One run, in a process of its own; None if it is not solved within the limits, optimally and without fallback."""
    allowed = math.ceil(time_limit) + 5  # with what comes before and after

    def limit_time() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (allowed, allowed))

    with tempfile.TemporaryDirectory() as folder:
        record = apart(name, size, method, gpa, folder, prepare=limit_time)
    optimal = DOMAINS[name].optimal_cost(*FAMILIES[name].parameters(size))
    if record is None or record["status"] != "solved" or record["fallback"] or record["seconds"] > time_limit:
        return None
    if optimal is None or not math.isclose(record["value"], optimal, rel_tol=1e-6):
        print(f"{name} {size}, {method}: cost {record['value']}, not {optimal}", file=sys.stderr)
        return None
    return Point(size, record["seconds"], record["states"], record["megabytes"])


def measure(name: str, method: str, gpa: Path, time_limit: float) -> list[Point]:
    """Larger and larger problems of a domain until one takes too long."""
    points: list[Point] = []
    size = FAMILIES[name].smallest
    while (point := run(name, size, method, gpa, time_limit)) is not None:
        points.append(point)
        larger = max(size + 1, round(size * math.sqrt(2)))
        reach = expected_reach(points, 0.9 * time_limit)
        if larger > reach:
            size = reach
            if size > points[-1].size and (point := run(name, size, method, gpa, time_limit)) is not None:
                points.append(point)
            break
        size = larger
    return points


def expected_reach(points: Sequence[Point], seconds: float) -> int:
    """The size that would take so long if the time went on growing by the same factor for each object."""
    if len(points) < 2 or points[-1].seconds < max(LEAST_SECONDS, 1.1 * points[-2].seconds):
        return sys.maxsize
    before, last = points[-2:]
    rate = math.log(last.seconds / before.seconds) / (last.size - before.size)
    return int(last.size + math.log(seconds / last.seconds) / rate)


# --- fitting ---


def fit_line(x: Sequence[float], y: Sequence[float]) -> tuple[float, float]:
    """The slope of the line through the points, and the mean square that is left."""
    mean_x, mean_y = math.fsum(x) / len(x), math.fsum(y) / len(y)
    slope = math.fsum((a - mean_x) * (b - mean_y) for a, b in zip(x, y, strict=True))
    slope /= math.fsum((a - mean_x) ** 2 for a in x)
    left = math.fsum((b - mean_y - slope * (a - mean_x)) ** 2 for a, b in zip(x, y, strict=True))
    return slope, left / len(x)


def scaling(points: Sequence[Point], of: Callable[[Point], float]) -> str:
    told = [point for point in points if point.seconds >= LEAST_SECONDS]
    upper = [point for point in told if point.size**2 >= told[0].size * told[-1].size]
    upper = upper if len(upper) >= 3 else list(points[-3:])
    if len(upper) < 3:
        return ""
    sizes = [float(point.size) for point in upper]
    logs = [math.log(size) for size in sizes]
    states = [math.log(point.states) for point in upper]
    values = [math.log(of(point)) for point in upper]
    if fit_line(logs, states)[1] <= fit_line(sizes, states)[1]:
        return f"n^{fit_line(logs, values)[0]:.2f}"
    return f"{math.exp(fit_line(sizes, values)[0]):.2f}^n"


# --- tables and figure ---


def print_reach(curves: Curves, time_limit: float) -> None:
    print(f"\n## How far {time_limit:g} s reach\n")
    print_head("<domain", "<method", "largest solved", "CPU s", "states", "MB", "<time scales as", "<states scale as")
    for name, methods in curves.items():
        for method, points in methods.items():
            if not points:
                print_row(name, method, "none", *[""] * 5)
                continue
            last = points[-1]
            theta = ", ".join(map(str, FAMILIES[name].parameters(last.size)))
            cells = (f"({theta})", f"{last.seconds:.1f}", f"{last.states:,}", f"{last.megabytes:,}")
            print_row(name, method, *cells, scaling(points, lambda p: p.seconds), scaling(points, lambda p: p.states))


def print_points(curves: Curves) -> None:
    print("\n## All runs: CPU seconds (states)\n")
    print_head("<domain", "n", *METHODS)
    for name, methods in curves.items():
        for size in sorted({point.size for points in methods.values() for point in points}):
            cells = []
            for method in METHODS:
                found = [point for point in methods.get(method, []) if point.size == size]
                cells.append(f"{found[0].seconds:.3f} ({found[0].states:,})" if found else "")
            print_row(name, f"{size:,}", *cells)


def plot(curves: Curves, path: str) -> None:
    """Seconds above, states below, against size, all logarithmic; a column for each domain."""
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "scaling"
    from matplotlib import pyplot

    figure, panels = pyplot.subplots(
        2, len(curves), figsize=(3.4 * len(curves), 6), sharex="col", squeeze=False, layout="constrained"
    )
    rows: list[tuple[str, Callable[[Point], float]]] = [
        ("CPU seconds", lambda point: point.seconds),
        ("states", lambda point: point.states),
    ]
    colours = dict(zip(METHODS, ("tab:gray", "tab:blue", "tab:orange", "tab:green"), strict=True))
    for column, (name, methods) in enumerate(curves.items()):
        panels[0][column].set_title(name)
        panels[1][column].set_xlabel(FAMILIES[name].counted)
        for row, (label, of) in enumerate(rows):
            panel = panels[row][column]
            for method, points in methods.items():
                sizes, values = [p.size for p in points], [max(1e-3, of(p)) for p in points]
                text = f"{method} {scaling(points, of)}".strip()
                panel.loglog(sizes, values, marker="o", markersize=3, color=colours[method], label=text)
            panel.grid(alpha=0.3)
            panel.legend(fontsize="x-small")
            if column == 0:
                panel.set_ylabel(label)
    figure.savefig(path, metadata={"Date": None})


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--domain", action="append", choices=list(FAMILIES), help="only this one; may be repeated")
    parser.add_argument("--method", action="append", choices=list(METHODS), help="only this one; may be repeated")
    parser.add_argument("--time-limit", type=float, default=60, help="CPU seconds of a run (default 60)")
    parser.add_argument("--automata", type=Path, help="a directory with NAME.gpa.json of each domain")
    parser.add_argument("--records", type=Path, help="write all points there, as JSON; curves that it has are kept")
    parser.add_argument("--from", dest="source", type=Path, help="show these records, and measure nothing")
    parser.add_argument("--plot", help="write the figure to this SVG or PNG file (needs matplotlib)")
    arguments = parser.parse_args()
    if arguments.measure:
        name, size, method, gpa, folder = arguments.measure
        print(json.dumps(run_here(name, int(size), method, gpa, folder)))
        return
    curves = measure_all(arguments) if arguments.source is None else read_records(arguments.source)
    print_reach(curves, arguments.time_limit)
    print_points(curves)
    if arguments.plot:
        plot(curves, arguments.plot)


def measure_all(arguments: argparse.Namespace) -> Curves:
    curves = read_records(arguments.records) if arguments.records and arguments.records.exists() else {}
    with tempfile.TemporaryDirectory() as folder:
        for name in arguments.domain or FAMILIES:
            gpa = Path(folder) / f"{name}.gpa.json"
            automaton = (
                PolicyAutomaton.read(arguments.automata / gpa.name)
                if arguments.automata
                else trained(name, FAMILIES[name].training)
            )
            automaton.write(gpa)
            for method in arguments.method or METHODS:
                if method in curves.get(name, {}):
                    continue
                points = measure(name, method, gpa, arguments.time_limit)
                curves.setdefault(name, {})[method] = points
                last = f"up to {points[-1].size}, {points[-1].seconds:.1f} s" if points else "none solved"
                print(f"{name}, {method}: {last}", file=sys.stderr, flush=True)
                if arguments.records:
                    arguments.records.write_text(json.dumps(curves, indent=1) + "\n")
    return {name: {method: curves[name][method] for method in METHODS if method in curves[name]} for name in curves}


def read_records(path: Path) -> Curves:
    return {
        name: {method: [Point(*point) for point in points] for method, points in methods.items()}
        for name, methods in json.loads(path.read_text()).items()
    }


if __name__ == "__main__":
    main()
