"""Which problems are solved, and proven optimal, within limits, by each configuration, and which are not.

The configurations are the default, the two other efforts, the members of the portfolio alone, and a few others.

The problems are those of a directory tree of PPDDL files (see competition.py), if one is given, and a few of each
generated family. Each is solved by each configuration in a process of its own, within a limit of time and of memory,
with unit costs and a dead-end cost, so that every problem has a finite value. A file with known values, as CSV with the
columns set, domain, problem and a value, is compared with what was found.

    python bench/optimal.py
    python bench/optimal.py DIRECTORY --values FILE --seconds 60 --megabytes 4000 --give-up-after 2 --records FILE

With --give-up-after N, a configuration that has failed on N problems of a domain in a row is not run on the rest of
them. With --records every run is kept in a file, a line each (compressed, if its name ends in .xz), and runs that are
in it are not made again; optimal_page.py makes a page of them.

It prints a row for each problem, how many were solved and proven by each configuration, and those that none has proven;
it fails if two configurations, or the known values, disagree.
"""

from __future__ import annotations

import argparse
import csv
import json
import lzma
import time
from pathlib import Path
from typing import IO, Any, Literal

from competition import find
from gpaplan import GpaplanError, Limits, ground, parse_task, solve
from gpaplan.benchmarks import generate
from measuring import apart, options, peak_megabytes, print_head, print_row

CONFIGURATIONS: dict[str, dict[str, Any]] = {
    "vi": {"solver": "vi"},
    "hmax": {"solver": "lrtdp", "heuristic": "hmax"},
    "lmcut": {"solver": "ilao", "heuristic": "lmcut"},
    "best": {"solver": "ilao", "heuristic": "best"},
    "prove": {"solver": "lrtdp", "heuristic": "ff", "prove": True},
    "ff": {"solver": "lrtdp", "heuristic": "ff"},
    "rff": {"solver": "rff"},
    "default": {},
    "first": {"effort": "first"},
    "proven": {"effort": "proven"},
}
"""The settings of a run, by name."""

GENERATED: dict[str, tuple[tuple[int, ...], ...]] = {
    "gripper": ((2,), (5,), (10,), (100,)),
    "rover": ((1, 3, 2, 2), (1, 4, 4, 2), (1, 4, 6, 2), (1, 4, 13, 2)),
    "schedule": ((2, 2), (1, 9), (1, 100)),
    "keva": ((4, 1), (6, 2), (29, 14)),
    "delicate-can": ((5,), (12,), (50,)),
    "schedule-ippc": ((1, 4), (1, 15)),
    "keva-shah": ((4, 2), (8, 4)),
    "delicate-can-shah": ((5,), (12,)),
    "triangle-tireworld": ((2,), (3,), (4,), (5,)),
    "triangle-tireworld-little": ((2,), (4,), (6,)),
    "blocksworld": ((4,), (6,)),
    "blocksworld-towers": ((4, 1), (6, 1)),
    "delivery": ((1, 6, 2, 0, 1), (3, 9, 2, 1, 1)),
    "maintenance": ((1, 6, 2, 1), (3, 9, 3, 1)),
    "rectangle-tireworld": ((4, 1, 2, 1), (8, 2, 8, 1)),
    "cosanostra": ((2,), (4,), (6,)),
    "zenotravel": ((3, 2, 1, 1), (3, 2, 2, 1)),
    "elevators": ((3, 3, 1, 2, 1, 1), (3, 3, 2, 2, 1, 1)),
}
"""Families and parameters."""
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
        found = solve(task, **CONFIGURATIONS[configuration], dead_end_cost=DEAD_END_COST, limits=limits)
        record |= {
            "status": str(found.status),
            "guarantee": str(found.guarantee),
            "value": found.value,
            "lower_bound": found.lower_bound,
            "closed": found.closed,
            "first": found.seconds.get("first"),
            "by": found.policy_by,
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
    named = [
        (("generated", name, "-".join(map(str, theta))), name, theta)
        for name, sizes in GENERATED.items()
        for theta in sizes
    ]
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


class Runs:
    """What was measured, by problem and configuration; kept in a file if one is given."""

    def __init__(self, file: Path | None) -> None:
        self.file = file
        self.made: dict[tuple[str, str], dict[str, Any]] = {}
        if file is not None and file.exists():
            with self._open("rt") as lines:
                for row in map(json.loads, lines):
                    self.made[row["problem"], row["configuration"]] = row

    def add(self, name: str, configuration: str, row: dict[str, Any]) -> None:
        self.made[name, configuration] = row | {"problem": name, "configuration": configuration}
        if self.file is not None:
            with self._open("at") as file:
                file.write(json.dumps(self.made[name, configuration]) + "\n")

    def _open(self, mode: Literal["rt", "at"]) -> IO[str]:
        assert self.file is not None
        if self.file.suffix == ".xz":
            return lzma.open(self.file, mode, encoding="utf-8")
        return self.file.open(mode, encoding="utf-8")


def is_solved(row: dict[str, Any]) -> bool:
    return bool(row["status"] == "solved")


def is_proven(row: dict[str, Any] | None) -> bool:
    return row is not None and row["guarantee"] == "optimal"


def shown(row: dict[str, Any]) -> str:
    """Processor time, and states if it is proven, the cost if it is not."""
    if is_proven(row):
        return f"{row['cpu']:.2f} s, {row['expanded']:,} states"
    if is_solved(row):
        return f"{row['cpu']:.2f} s, costs {row['value']:.4g}"
    return f"{row['status']}, {'costs ' + format(row['value'], '.4g') if row.get('closed') else 'no closed policy'}"


def main() -> int:
    parser = options(__doc__)
    parser.add_argument("files", nargs="*", metavar="DIRECTORY", help="the root of a collection of PPDDL files")
    parser.add_argument("--values", type=Path, help="known values, as CSV")
    parser.add_argument("--seconds", type=float, default=60.0, help="limit of time for a problem (default: 60)")
    parser.add_argument("--megabytes", type=float, default=4000.0, help="limit of memory for a problem (default: 4000)")
    parser.add_argument("--only", default="", help="problems whose name, set/domain/problem, contains this")
    parser.add_argument("--configurations", nargs="+", default=list(CONFIGURATIONS), choices=list(CONFIGURATIONS))
    parser.add_argument("--proven", action="store_true", help="count what is not proven as a failure, too")
    parser.add_argument("--give-up-after", type=int, metavar="N", help="failures in a row in a domain")
    parser.add_argument("--records", type=Path, metavar="FILE", help="where runs are kept, a line each")
    arguments = parser.parse_args()
    if arguments.measure:
        configuration, seconds, megabytes, *source = arguments.measure
        limits = Limits(seconds=float(seconds), megabytes=float(megabytes))
        print(json.dumps(measure(configuration, source, limits)))
        return 0
    runs = Runs(arguments.records)
    return run_all(arguments, runs)


def run_all(arguments: argparse.Namespace, runs: Runs) -> int:
    known = known_values(arguments.values)
    names = arguments.configurations
    rows: dict[str, list[dict[str, Any]]] = {each: [] for each in names}
    unproven, wrong, count = [], 0, 0
    failures: dict[tuple[str, str], int] = {}
    limits = (arguments.seconds, arguments.megabytes)
    for key, source in problems(Path(arguments.files[0]) if arguments.files else None):
        name, domain = "/".join(key), "/".join(key[:2])
        if arguments.only not in name:
            continue
        count += 1
        for each in names:
            gives_up = arguments.give_up_after and failures.get((domain, each), 0) >= arguments.give_up_after
            if (name, each) not in runs.made:
                row = None if gives_up else apart(each, *limits, *source, timeout=arguments.seconds + GRACE)
                runs.add(name, each, row or {"status": "not run" if gives_up else "killed", "guarantee": "none"})
            rows[each].append(runs.made[name, each])
            failed = not (is_proven if arguments.proven else is_solved)(rows[each][-1])
            failures[domain, each] = failures.get((domain, each), 0) + 1 if failed else 0
        found = {each: rows[each][-1] for each in names}
        value = next((row["value"] for row in found.values() if is_proven(row)), None)
        if value is None:
            unproven.append(name)
        apart_from = disagreement(found, known.get(key))
        wrong += bool(apart_from)
        cells = "; ".join(f"{each} {shown(row)}" for each, row in found.items())
        print(f"{name:45} {'-' if value is None else f'{value:.4f}':>9}  {cells}{apart_from}", flush=True)
    print_head("<configuration", f"solved of {count}", "proven", "closed at a limit", "seconds of all that are solved")
    for each, made in rows.items():
        stopped = [row for row in made if not is_solved(row) and "closed" in row]
        counts = sum(map(is_solved, made)), sum(map(is_proven, made))
        closed = f"{sum(row['closed'] for row in stopped)} of {len(stopped)}"
        print_row(each, *counts, closed, f"{sum(row['cpu'] for row in made if is_solved(row)):.1f}")
    print("proven by none: " + (", ".join(unproven) or "-"))
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
