"""The solvers' times, next to published ones, and how they scale.

    python bench/solvers.py                         comparison, Storm if it is installed, memory, scaling
    python bench/solvers.py --competition DIRECTORY  with competition problems (ippc2006/, ippc2008/ below it)
    python bench/solvers.py --plot scaling.svg       the scaling as a figure too (needs matplotlib)

Each measurement is a process of its own, the best of two, in CPU seconds: from the ground task to the checked policy,
so exploration, the heuristic's preparation and the verification are in it, and parsing and grounding are not. The
figures to beat are CPU seconds too, on the same encodings with epsilon 1e-5, on a machine with similar cores:

- ProbFD (C++): topological value iteration with exploration, LRTDP and improved LAO* with h-max;
- mdp-lib (C++): LRTDP with FF;
- the paper's own Python: its LRTDP and Soft-FLARES baselines, without an automaton.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import tempfile
import time
from itertools import takewhile
from pathlib import Path
from typing import Any

from gpaplan import GroundTask, Limits, StateSpace, solve
from gpaplan.solving.solvers import make_solver
from gpaplan.spaces.export import explored, write_drn
from measuring import apart, competition_files, generated, options, print_head, print_row, read

PARTS = ("times", "storm", "memory", "scaling")

RUNS = [("vi", "blind"), ("lrtdp", "hmax"), ("ilao", "hmax"), ("lrtdp", "ff"), ("soft-flares", "ff")]

PUBLISHED: dict[str, dict[tuple[str, str], list[tuple[str, float]]]] = {
    "gripper 10": {
        ("vi", "blind"): [("ProbFD", 0.25)],
        ("lrtdp", "ff"): [("paper", 264.59)],
        ("soft-flares", "ff"): [("paper", 392.91)],
    },
    "gripper 12": {
        ("vi", "blind"): [("ProbFD", 1.9)],
        ("lrtdp", "hmax"): [("ProbFD", 12.6)],
        ("ilao", "hmax"): [("ProbFD", 44.0)],
        ("lrtdp", "ff"): [("mdp-lib", 98.6), ("paper", 2037.65)],
        ("soft-flares", "ff"): [("paper", 2941.24)],
    },
    "rover 1 4 10 2": {
        ("vi", "blind"): [("ProbFD", 0.10)],
        ("lrtdp", "hmax"): [("ProbFD", 1.2)],
        ("ilao", "hmax"): [("ProbFD", 7.0)],
        ("lrtdp", "ff"): [("mdp-lib", 11.7), ("paper", 599.74)],
        ("soft-flares", "ff"): [("paper", 848.57)],
    },
    "schedule 1 8": {
        ("vi", "blind"): [("ProbFD", 0.06)],
        ("lrtdp", "hmax"): [("ProbFD", 0.77)],
        ("ilao", "hmax"): [("ProbFD", 1.4)],
        ("lrtdp", "ff"): [("paper", 145.33)],
        ("soft-flares", "ff"): [("paper", 142.70)],
    },
    "delicate-can 10": {
        ("lrtdp", "ff"): [("mdp-lib", 25.4), ("paper", 960.96)],
        ("soft-flares", "ff"): [("paper", 331.06)],
    },
    "ippc2008/triangle-tireworld/p04": {("ilao", "hmax"): [("ProbFD", 1.5)]},
    "ippc2008/zenotravel/p01": {("ilao", "hmax"): [("ProbFD", 0.09)]},
    "ippc2006/blocksworld/p01": {("ilao", "hmax"): [("ProbFD", 0.07)]},
}

SCALING = {
    "gripper": [f"gripper {balls}" for balls in range(6, 13)],
    "rover": [f"rover 1 4 {samples} 2" for samples in range(4, 11)],
    "schedule": [f"schedule 1 {packets}" for packets in range(4, 10)],
}

DEAD_END_COST = 500.0
"""For competition problems, which have dead ends that cannot be avoided."""


def load(case: str, directory: str) -> GroundTask:
    if "/" not in case:
        name, *theta = case.split()
        return generated(name, map(int, theta))
    folder, stem = case.rsplit("/", 1)
    return read(*competition_files(Path(directory) / folder, stem))


# --- in a process of its own ---


def measure_solver(case: str, directory: str, solver: str, heuristic: Any, seconds: float) -> dict[str, Any]:
    task = load(case, directory)
    penalty = DEAD_END_COST if "/" in case else None
    started = time.process_time()
    limits = Limits(seconds=seconds)
    solution = solve(
        task, make_solver(solver), heuristic=heuristic, dead_end_cost=penalty, limits=limits, symmetry="off"
    )
    taken = time.process_time() - started
    core = solution.space.core
    return {
        "status": solution.status,
        "seconds": taken,
        "value": solution.value,
        "expanded": solution.expanded,
        "generated": solution.generated,
        "packed": 8 * task.core.word_count,
        "transitions": core.transition_bytes / solution.generated,
        "other": (core.state_bytes + solution.search.bytes) / solution.generated - 8 * task.core.word_count,
    }


def measure_storm(case: str, directory: str, method: str) -> dict[str, Any]:
    """Reading the exported model, and checking it with the sparse engine."""
    import stormpy

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.drn"
        with path.open("w") as file:
            file.writelines(write_drn(explored(StateSpace(load(case, directory)))))
        started = time.process_time()
        model = stormpy.build_model_from_drn(str(path))
    read = time.process_time() - started
    environment = stormpy.Environment()
    minmax = environment.solver().min_max()
    minmax.method = stormpy.environments.MinMaxMethod[method.upper()]
    minmax.precision = stormpy.Rational("1/100000")
    (formula,) = stormpy.parse_properties('Rmin=? [F "goal"]')
    started = time.process_time()
    result = stormpy.model_checking(model, formula, environment=environment)
    checked = time.process_time() - started
    return {"read": read, "seconds": checked, "value": float(result.get_value(model.initial_states[0]))}


# --- tables ---


class Bench:
    """What the command line asks for, and the measurements made so far."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self.directory = str(arguments.competition or "")
        self.seconds = arguments.time_limit
        self.repeat = arguments.repeat
        self.known: dict[tuple[str, ...], dict[str, Any] | None] = {}

    def apart(self, *what: str) -> dict[str, Any] | None:
        """The fastest of a few measurements, None if one does not end in time."""
        if what not in self.known:
            timeout = 90 if what[0] == "storm" else 3 * self.seconds
            found = (apart(self.directory, self.seconds, *what, timeout=timeout) for _ in range(self.repeat))
            rows = [row for row in takewhile(lambda row: row is not None, found) if row is not None]
            self.known[what] = min(rows, key=lambda row: float(row["seconds"])) if rows else None
        return self.known[what]

    def compare(self) -> None:
        print_head("<task", "<solver", "CPU s", "expected cost", "expanded", "<to beat", "times faster")
        for case, published in PUBLISHED.items():
            if "/" in case and not self.directory:
                continue
            for solver, heuristic in RUNS:
                row = self.apart("solver", case, solver, heuristic)
                beside = published.get((solver, heuristic), [])
                cells = [f"over {self.seconds:g}", "", "", _targets(beside), ""]
                if row is not None and row["status"] == "solved":
                    factors = ", ".join(f"{seconds / row['seconds']:,.1f}" for _, seconds in beside)
                    cost, expanded = f"{row['value']:.4f}", f"{row['expanded']:,}"
                    cells = [f"{row['seconds']:.3f}", cost, expanded, _targets(beside), factors]
                print_row(case, _title(solver, heuristic), *cells)

    def storm(self) -> None:
        print_head("<task", "<method", "reading s", "checking s", "expected cost", "vi of gpaplan s")
        for case in [case for case in PUBLISHED if "/" not in case]:
            own = self.apart("solver", case, "vi", "blind")
            for method in ("value_iteration", "policy_iteration"):
                row = self.apart("storm", case, method)
                shown = ["", "does not end in time", ""]
                if row is not None:
                    shown = [f"{row['read']:.2f}", f"{row['seconds']:.2f}", f"{row['value']:.4f}"]
                print_row(case, method, *shown, f"{own['seconds'] if own else 0:.3f}")

    def memory(self) -> None:
        print_head("<task", "<solver", "states", "packed bits", "transitions", "everything else")
        for solver, heuristic in RUNS:
            row = self.apart("solver", "gripper 12", solver, heuristic)
            if row is not None:
                cells = (f"{row['generated']:,}", row["packed"], f"{row['transitions']:.0f}", f"{row['other']:.0f}")
                print_row("gripper 12", f"{solver} + {heuristic}", *cells)

    def scaling(self) -> dict[str, dict[str, list[tuple[int, float]]]]:
        print_head("<task", "states", *(_title(*run) for run in RUNS))
        curves: dict[str, dict[str, list[tuple[int, float]]]] = {}
        for family, cases in SCALING.items():
            for case in cases:
                rows = [self.apart("solver", case, *run) for run in RUNS]
                states = max(row["generated"] for row in rows if row is not None)
                shown = [f"{row['seconds']:.3f}" if row and row["status"] == "solved" else "limit" for row in rows]
                print_row(case, f"{states:,}", *shown)
                for (solver, heuristic), row in zip(RUNS, rows, strict=True):
                    if row is not None and row["status"] == "solved":
                        curve = curves.setdefault(family, {}).setdefault(f"{solver} + {heuristic}", [])
                        curve.append((states, row["seconds"]))
        return curves


def _title(solver: str, heuristic: Any) -> str:
    return solver if solver == "vi" else f"{solver} + {heuristic}"


def _targets(beside: list[tuple[str, float]]) -> str:
    return ", ".join(f"{source} {seconds:g}" for source, seconds in beside)


def plot(curves: dict[str, dict[str, list[tuple[int, float]]]], path: str) -> None:
    """CPU seconds over reachable states, both logarithmic; a panel for each family."""
    from matplotlib import pyplot

    figure, panels = pyplot.subplots(1, len(curves), figsize=(4 * len(curves), 3.6), sharey=True, layout="constrained")
    for panel, (family, lines) in zip(panels, curves.items(), strict=True):
        for label, points in lines.items():
            panel.loglog(*zip(*points, strict=True), marker="o", markersize=3, label=label)
        panel.set_title(family)
        panel.set_xlabel("reachable states")
        panel.grid(alpha=0.3)
    panels[0].set_ylabel("CPU seconds")
    panels[0].legend(fontsize="small")
    figure.savefig(path)


def measured(arguments: list[str]) -> dict[str, Any]:
    directory, seconds, kind, case, *rest = arguments
    if kind == "storm":
        return measure_storm(case, directory, rest[0])
    return measure_solver(case, directory, rest[0], rest[1], float(seconds))


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--competition", type=Path, help="a directory with ippc2006/ and ippc2008/")
    parser.add_argument("--time-limit", type=float, default=120, help="of a run (default 120 s)")
    parser.add_argument("--repeat", type=int, default=2, help="the best of so many counts (default 2)")
    parser.add_argument("--part", action="append", choices=PARTS, help="only this part; may be repeated")
    parser.add_argument("--plot", help="write the scaling to this SVG or PNG file")
    arguments = parser.parse_args()
    if arguments.measure:
        print(json.dumps(measured(arguments.measure)))
        return
    bench = Bench(arguments)
    wanted = arguments.part or PARTS
    print(f"Load of the machine at the start: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores.")
    if "times" in wanted:
        print("\n## Times\n")
        bench.compare()
    if "storm" in wanted and importlib.util.find_spec("stormpy") is not None:
        print("\n## Storm on the exported model\n")
        bench.storm()
    if "memory" in wanted:
        print("\n## Memory, in bytes for each generated state\n")
        bench.memory()
    if "scaling" in wanted:
        print("\n## Scaling, in CPU seconds\n")
        curves = bench.scaling()
        if arguments.plot:
            plot(curves, arguments.plot)


if __name__ == "__main__":
    main()
