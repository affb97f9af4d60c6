"""Which files of a collection of PPDDL tasks gpaplan reads and grounds, and at what cost.

The collection is a directory tree whose files end in ``.pddl`` or ``.ppddl``, such as the benchmarks of the
probabilistic planning competitions. Where a directory has a file named ``domain``, the other files in it are problems
of that domain; otherwise each file holds a domain and a problem. Each problem is parsed and grounded in a process of
its own, within a limit of time and of memory, so that no problem sees the memory of another.

    python bench/competition.py DIRECTORY
    python bench/competition.py DIRECTORY --seconds 60 --megabytes 4000

It prints a row for each problem, a table by domain (as Markdown), and a summary; it fails if a problem was refused.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from gpaplan import GpaplanError, Limits, ground, parse_task
from measuring import apart, options, peak_megabytes, print_head, print_row

GRACE = 5.0
"""A process that does not end by itself is killed this many seconds after its limit."""


@dataclass(frozen=True)
class Entry:
    """A problem of the collection: where it is, and where its domain is (None: in the same file)."""

    collection: str
    domain: str
    problem: Path
    domain_file: Path | None

    @property
    def files(self) -> list[str]:
        return [str(path) for path in (self.domain_file, self.problem) if path is not None]


def find(root: Path) -> Iterator[Entry]:
    """The problems of a directory tree, in order of their paths."""
    paths = sorted(path for path in root.rglob("*") if path.suffix in (".pddl", ".ppddl"))
    for directory, group in groupby(paths, key=lambda path: path.parent):
        files = list(group)
        domain_file = next((path for path in files if path.stem == "domain"), None)
        *above, name = (root / directory.relative_to(root)).parts[-2:]
        for path in files:
            if path is not domain_file:
                yield Entry("/".join(above), name, path, domain_file)


def measure(files: Iterable[str], limits: Limits) -> dict[str, Any]:
    """Parse and ground one problem in this process; ``refused`` is the reason if it is refused."""
    started = time.perf_counter()
    record: dict[str, Any] = {"refused": None}
    try:
        stop = limits.start()
        parsed = parse_task(*files)
        record["parse"] = time.perf_counter() - started
        started = time.perf_counter()
        task = ground(parsed.domain, parsed.problem, limits=stop)
        record["ground"] = time.perf_counter() - started
        record |= {
            "atoms": task.core.atom_count,
            "static": task.core.static_count,
            "actions": task.core.action_count,
        }
    except GpaplanError as error:
        record["refused"] = str(error).splitlines()[0]
    record["peak"] = peak_megabytes()
    return record


def measure_apart(entry: Entry, seconds: float, megabytes: float) -> dict[str, Any]:
    """The measurement of one problem, in a new process."""
    record = apart(seconds, megabytes, *entry.files, timeout=seconds + GRACE)
    return record or {"refused": f"failed, or killed after {seconds + GRACE:g} s", "peak": 0.0}


def print_problem(entry: Entry, row: dict[str, Any]) -> None:
    name = f"{entry.collection:10} {entry.domain:20} {entry.problem.stem:32}"
    if row["refused"]:
        print(f"{name} refused: {row['refused']}", flush=True)
    else:
        print(
            f"{name} {row['parse']:7.3f} {row['ground']:8.3f} {row['atoms']:7,} {row['static']:7,} "
            f"{row['actions']:11,} {row['peak']:8,.0f}",
            flush=True,
        )


def print_by_domain(rows: list[tuple[Entry, dict[str, Any]]]) -> None:
    """One line for each domain: how many files and problems, the largest of each figure, how many were refused."""
    columns = ("files", "problems", "refused", "parse s", "ground s", "atoms", "ground actions", "peak MB")
    print()
    print_head("<set", "<domain", *columns)
    for (collection, domain), group in groupby(rows, key=lambda row: (row[0].collection, row[0].domain)):
        members = list(group)
        figures = [row for _, row in members if not row["refused"]]
        files = {file for entry, _ in members for file in entry.files}
        cells = [""] * 5
        if figures:
            parse, ground_, atoms, actions, peak = (
                max(row[name] for row in figures) for name in ("parse", "ground", "atoms", "actions", "peak")
            )
            cells = [f"{parse:.2f}", f"{ground_:.2f}", f"{atoms:,}", f"{actions:,}", f"{peak:,.0f}"]
        print_row(collection, domain, len(files), len(members), len(members) - len(figures), *cells)


def main() -> int:
    parser = options(__doc__)
    parser.add_argument("files", nargs="*", metavar="DIRECTORY", type=Path, help="the root of the collection")
    parser.add_argument("--seconds", type=float, default=20.0, help="limit of time for a problem (default: 20)")
    parser.add_argument("--megabytes", type=float, default=2000.0, help="limit of memory for a problem (default: 2000)")
    arguments = parser.parse_args()
    if arguments.measure:
        seconds, megabytes, *files = arguments.measure
        print(json.dumps(measure(files, Limits(float(seconds), float(megabytes)))))
        return 0
    entries = [entry for root in arguments.files for entry in find(root)]
    if not entries:
        parser.error(f"no .pddl or .ppddl files below {', '.join(map(str, arguments.files))}")
    print(f"{'set':10} {'domain':20} {'problem':32} parse s ground s   atoms  static     actions  peak MB")
    rows = []
    for entry in entries:
        row = measure_apart(entry, arguments.seconds, arguments.megabytes)
        print_problem(entry, row)
        rows.append((entry, row))
    print_by_domain(rows)
    refused = sum(row["refused"] is not None for _, row in rows)
    files = {file for entry, _ in rows for file in entry.files}
    print(
        f"\n{len(files)} files, {len(rows)} problems: {len(rows) - refused} parsed and grounded within "
        f"{arguments.seconds:g} s and {arguments.megabytes:g} MB, {refused} refused"
    )
    return 1 if refused else 0


if __name__ == "__main__":
    raise SystemExit(main())
