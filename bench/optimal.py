"""Which problems are solved and proven optimal within limits, by each configuration, and which are not.

The problems are those of a directory tree of PPDDL files (see competition.py), if one is given, and some of the
generated families. Each is solved by each configuration in a process of its own, within a limit of time and of memory,
with unit costs and a dead-end cost, so that every problem has a finite value. A file with known values, as CSV with the
columns set, domain, problem and a value, is compared with what was found.

    python bench/optimal.py
    python bench/optimal.py DIRECTORY --values FILE --seconds 30 --megabytes 2000

It prints a row for each problem, how many were solved by each configuration, and the list of those that none has
solved; it fails if two configurations, or the known values, disagree.
"""

from __future__ import annotations

import csv
import json
import time
from pathlib import Path
from typing import Any

from competition import find
from gpaplan import GpaplanError, Limits, ground, parse_task, solve
from gpaplan.benchmarks import generate
from measuring import apart, options, peak_megabytes

CONFIGURATIONS: dict[str, tuple[str, str]] = {
    "vi": ("vi", "blind"),
    "lmcut": ("ilao", "lmcut"),
    "pdb": ("ilao", "pdb"),
    "best": ("ilao", "best"),
}
"""Solver and heuristic, by name."""

GENERATED = (
    *(("gripper", (n,)) for n in (2, 5, 10)),
    *(("rover", theta) for theta in ((1, 3, 2, 2), (1, 4, 4, 2), (1, 4, 6, 2))),
    *(("schedule", theta) for theta in ((2, 2), (1, 9))),
    *(("keva", theta) for theta in ((4, 1), (6, 2))),
    *(("triangle-tireworld", (n,)) for n in (2, 3, 4)),
)
DEAD_END_COST = 500.0
GRACE = 10.0


def measure(configuration: str, source: list[str], limits: Limits) -> dict[str, Any]:
    """Solve one problem in this process."""
    record: dict[str, Any] = {"status": "refused", "guarantee": "none"}
    started, cpu = time.perf_counter(), time.process_time()
    try:
        if source[0] == "generated":
            made = generate(source[1], *map(int, source[2:]))
            task = ground(made.domain, made.problem, cost="unit")
        else:
            parsed = parse_task(*source)
            task = ground(parsed.domain, parsed.problem, cost="unit")
        solver, heuristic = CONFIGURATIONS[configuration]
        found = solve(task, solver, heuristic=heuristic, dead_end_cost=DEAD_END_COST, limits=limits)
        record |= {
            "status": str(found.status),
            "guarantee": str(found.guarantee),
            "value": found.value,
            "expanded": found.expanded,
        }
    except GpaplanError as error:
        record["status"] = str(error).splitlines()[0]
    record |= {"seconds": time.perf_counter() - started, "cpu": time.process_time() - cpu, "peak": peak_megabytes()}
    return record


def known_values(path: Path | None) -> dict[tuple[str, str, str], float]:
    if path is None:
        return {}
    with path.open(encoding="utf-8") as file:
        rows = list(csv.reader(file))[1:]
    return {(row[0], row[1], row[2]): float(row[3]) for row in rows}


def problems(root: Path | None) -> list[tuple[tuple[str, str, str], list[str]]]:
    """The name of each problem (set, domain, problem), and what `measure` makes it from."""
    named = [(("generated", name, "-".join(map(str, theta))), name, theta) for name, theta in GENERATED]
    result = [(key, ["generated", name, *map(str, theta)]) for key, name, theta in named]
    for entry in [] if root is None else find(root):
        files = competition_source(entry.problem, entry.domain_file)
        result.append(((Path(entry.collection).name, entry.domain, entry.problem.stem.split("-")[0]), files))
    return result


def competition_source(problem: Path, domain_file: Path | None) -> list[str]:
    """The file of a problem, after the domain's unless it holds a domain itself."""
    own = "(domain " in problem.read_text(encoding="utf-8").replace("(:domain ", "")
    return [str(problem)] if own or domain_file is None else [str(domain_file), str(problem)]


def disagreement(found: dict[str, dict[str, Any]], known: float | None) -> str:
    values = {name: row["value"] for name, row in found.items() if row["guarantee"] == "optimal"}
    if known is not None:
        values["known"] = known
    if len(values) > 1 and max(values.values()) - min(values.values()) > 1e-3 + 1e-5 * max(values.values()):
        return f"  DISAGREE: {values}"
    return ""


def main() -> int:
    parser = options(__doc__)
    parser.add_argument("files", nargs="*", metavar="DIRECTORY", help="the root of a collection of PPDDL files")
    parser.add_argument("--values", type=Path, help="known values, as CSV")
    parser.add_argument("--seconds", type=float, default=30.0, help="limit of time for a problem (default: 30)")
    parser.add_argument("--megabytes", type=float, default=2000.0, help="limit of memory for a problem (default: 2000)")
    parser.add_argument("--only", default="", help="problems whose name, set/domain/problem, contains this")
    parser.add_argument("--configurations", nargs="+", default=list(CONFIGURATIONS), choices=list(CONFIGURATIONS))
    arguments = parser.parse_args()
    if arguments.measure:
        configuration, seconds, megabytes, *source = arguments.measure
        limits = Limits(seconds=float(seconds), megabytes=float(megabytes))
        print(json.dumps(measure(configuration, source, limits)))
        return 0
    root = Path(arguments.files[0]) if arguments.files else None
    known = known_values(arguments.values)
    solved = dict.fromkeys(arguments.configurations, 0)
    unsolved, wrong, count = [], 0, 0
    for key, source in problems(root):
        name = "/".join(key)
        if arguments.only not in name:
            continue
        count += 1
        found = {}
        for configuration in arguments.configurations:
            row = apart(
                configuration, arguments.seconds, arguments.megabytes, *source, timeout=arguments.seconds + GRACE
            )
            found[configuration] = row or {"status": "killed", "guarantee": "none", "cpu": 0.0, "value": 0.0}
        cells = []
        for configuration, row in found.items():
            is_solved = row["guarantee"] == "optimal"
            solved[configuration] += is_solved
            shown = f"{row['cpu']:.2f} s, {row['expanded']:,} states" if is_solved else row["status"]
            cells.append(f"{configuration} {shown}")
        value = next((row["value"] for row in found.values() if row["guarantee"] == "optimal"), None)
        if value is None:
            unsolved.append(name)
        apart_from = disagreement(found, known.get(key))
        wrong += bool(apart_from)
        print(f"{name:45} {'-' if value is None else f'{value:.4f}':>9}  {'; '.join(cells)}{apart_from}", flush=True)
    print(f"\nsolved and proven of {count}: " + ", ".join(f"{name} {number}" for name, number in solved.items()))
    print("by none: " + (", ".join(unsolved) or "-"))
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
