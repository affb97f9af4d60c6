"""What `solve` does without options, next to the members of its portfolio alone and to the other efforts.

The problems are those of a directory tree of PPDDL files (see competition.py), if one is given, and three sizes of each
generated family. Each is solved by each configuration in a process of its own, within a limit of *processor* time and
of memory, with unit costs and a dead-end cost, so that every problem has a finite value. A configuration that has
failed on two problems of a domain in a row is not run on the rest of them. The portfolio's searches run side by side on
the processors of a machine, and a member alone on one of them. Processor time is the same on a busy machine, so
everything is measured in one thread, and the portfolio may take PROCESSORS times as much of it as a member.

    rm -f docs/results/records-default.jsonl.xz
    python bench/default.py DIRECTORY --jobs 2 --minutes 24 --records docs/results/records-default.jsonl.xz
    python bench/default.py --page

The first problem of each domain comes first, then the second ones; a problem is solved by all configurations before the
next one. Every run is kept in the file of --records, a line each, and runs that are in it are not made again: what was
stopped, by --minutes or Ctrl-C, goes on where it was. --page writes docs/results/default.md from the records
of the problems that all configurations were tried on, and runs nothing. The script fails
if two configurations disagree about an optimal cost, or with --values, a CSV file with the columns set, domain, problem
and value.
"""

from __future__ import annotations

import argparse
import csv
import json
import lzma
import math
import signal
import statistics
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO, Any, Literal, TypeAlias

from competition import find
from gpaplan import GpaplanError, Limits, ground, parse_task, solve
from gpaplan.benchmarks import generate
from gpaplan.version import __version__
from measuring import apart, options, peak_megabytes

Row: TypeAlias = dict[str, Any]

MEMBERS: dict[str, dict[str, Any]] = {
    "wlao": {"solver": "wlao"},
    "vi": {"solver": "vi"},
    "ilao": {"solver": "ilao", "heuristic": "best"},
}
"""The members of the portfolio, alone."""
CONFIGURATIONS: dict[str, dict[str, Any]] = {
    "default": {},
    "first": {"effort": "first"},
    "proven": {"effort": "proven"},
    **MEMBERS,
}
"""The settings of a run, by name."""
PROCESSORS = 2
"""Whose time the portfolio may take."""
CHOSEN_ON = ("boxworld", "rectangle-tireworld", "schedule", "ippc2006/blocksworld")
"""Domains of the competitions on which the portfolio's numbers were chosen (decision 0048)."""

GENERATED: dict[str, tuple[tuple[int, ...], ...]] = {
    "gripper": ((5,), (50,), (150,)),
    "rover": ((1, 4, 6, 2), (1, 6, 20, 4), (4, 15, 30, 20)),
    "schedule": ((2, 2), (1, 9), (1, 100)),
    "keva": ((4, 1), (6, 2), (29, 14)),
    "delicate-can": ((5,), (12,), (50,)),
    "schedule-ippc": ((1, 4), (1, 15), (2, 6)),
    "keva-shah": ((4, 2), (8, 4), (12, 6)),
    "delicate-can-shah": ((5,), (12,), (30,)),
    "triangle-tireworld": ((3,), (5,), (8,)),
    "triangle-tireworld-little": ((2,), (4,), (6,)),
    "blocksworld": ((6,), (12,), (30,)),
    "blocksworld-towers": ((4, 1), (8, 1), (12, 1)),
    "delivery": ((1, 6, 2, 0, 1), (3, 9, 2, 1, 1), (4, 20, 4, 2, 1)),
    "maintenance": ((1, 6, 2, 1), (3, 9, 3, 1), (4, 20, 5, 1)),
    "rectangle-tireworld": ((4, 1, 2, 1), (8, 2, 8, 1), (14, 3, 14, 1)),
    "cosanostra": ((4,), (7,), (20,)),
    "zenotravel": ((3, 2, 2, 1), (4, 4, 2, 1), (8, 6, 3, 1)),
    "elevators": ((3, 3, 2, 2, 1, 1), (5, 4, 3, 3, 2, 1), (8, 6, 3, 8, 5, 1)),
}
"""Families and parameters, three sizes each."""

DEAD_END_COST = 500.0
GIVE_UP_AFTER = 2
MEASURABLE = 0.1
"""Seconds: what takes less is run again, …"""
MOST_RUNS = 10
"""… so many times at the most."""
RESULTS = Path(__file__).parent.parent / "docs" / "results"
PAGE = RESULTS / "default.md"
RECORDS = RESULTS / "records-default.jsonl.xz"


# --- measuring ---


def measure(configuration: str, source: list[str], seconds: float, megabytes: float) -> Row:
    """Solve one problem in this process. The processor time is that from reading the files to the checked policy. Its
    clock is coarse, so what takes but a moment is done again and again, and the mean counts."""
    record: Row = {"status": "refused", "guarantee": "none", "seconds": seconds, "megabytes": megabytes}
    record["version"] = __version__
    stop = Limits(megabytes=megabytes).start()
    signal.signal(signal.SIGPROF, lambda *_: stop.interrupt())
    signal.setitimer(signal.ITIMER_PROF, seconds)
    began = time.process_time()
    runs = 0
    try:
        while runs == 0 or (runs < MOST_RUNS and time.process_time() - began < min(MEASURABLE, seconds / 2)):
            if source[0] == "generated":
                made = generate(source[1], *map(int, source[2:]))
                task = ground(made.domain, made.problem, cost="unit", limits=stop)
            else:
                parsed = parse_task(*source)
                task = ground(parsed.domain, parsed.problem, cost="unit", limits=stop)
            found = solve(task, **CONFIGURATIONS[configuration], dead_end_cost=DEAD_END_COST, limits=stop)
            runs += 1
        record |= {
            "status": str(found.status),
            "guarantee": str(found.guarantee),
            "value": found.value,
            "bound": found.lower_bound,
            "closed": found.closed,
            "by": found.policy_by,
            "bound_by": found.bound_by,
            "expanded": found.expanded,
        }
    except GpaplanError as error:
        record["status"] = str(error).splitlines()[0]
    return record | {"cpu": (time.process_time() - began) / max(1, runs), "peak": peak_megabytes()}


def problems(root: Path | None, every: int = 1) -> dict[str, list[tuple[str, list[str]]]]:
    """By domain: the name of each problem, and what `measure` makes it from; of the files every so manieth."""
    groups: dict[str, list[tuple[str, list[str]]]] = {}
    for name, sizes in GENERATED.items():
        for theta in map(tuple[str, ...], (map(str, size) for size in sizes)):
            group = groups.setdefault(f"generated/{name}", [])
            group.append((f"generated/{name}/{'-'.join(theta)}", ["generated", name, *theta]))
    for entry in [] if root is None else find(root):
        domain = f"{Path(entry.collection).name}/{entry.domain}"
        own = "(domain " in entry.problem.read_text(encoding="utf-8").replace("(:domain ", "")
        files = [str(entry.problem)] if own else entry.files
        groups.setdefault(domain, []).append((f"{domain}/{entry.problem.stem.split('-')[0]}", files))
    return {
        domain: members if domain.startswith("generated/") else members[every - 1 :: every]
        for domain, members in groups.items()
    }


class Runs:
    """What was measured, by problem and configuration; kept in a file if one is given."""

    def __init__(self, file: Path | None) -> None:
        self.file = file
        self.made: dict[tuple[str, str], Row] = {}
        self.lock = threading.Lock()
        if file is not None and file.exists():
            with self._open("rt") as lines:
                for row in map(json.loads, lines):
                    self.made[row["problem"], row["configuration"]] = row

    def add(self, name: str, configuration: str, row: Row) -> None:
        with self.lock:
            self.made[name, configuration] = {"problem": name, "configuration": configuration, **row}
            if self.file is not None:
                with self._open("at") as file:
                    file.write(json.dumps(self.made[name, configuration]) + "\n")

    def _open(self, mode: Literal["rt", "at"]) -> IO[str]:
        assert self.file is not None
        if self.file.suffix == ".xz":
            return lzma.open(self.file, mode, encoding="utf-8")
        return self.file.open(mode, encoding="utf-8")

    def names(self) -> list[str]:
        """The problems that all configurations were tried on, by domain."""
        names = dict.fromkeys(name for name, _ in self.made)
        tried = [name for name in names if all((name, each) in self.made for each in CONFIGURATIONS)]
        return [name for members in grouped(tried).values() for name in members]

    def of(self, names: Iterable[str], configuration: str) -> list[Row]:
        return [self.made[name, configuration] for name in names if (name, configuration) in self.made]


def run_problem(runs: Runs, members: list[tuple[str, list[str]]], at: int, arguments: argparse.Namespace) -> None:
    """All runs of a problem of a domain that are not made so far; those of the problems before it are."""
    name, source = members[at]
    for configuration in arguments.configurations:
        if (name, configuration) in runs.made or time.monotonic() > arguments.until:
            continue
        last = runs.of([earlier for earlier, _ in members[max(0, at - GIVE_UP_AFTER) : at]], configuration)
        is_hopeless = len(last) == GIVE_UP_AFTER and not any(map(is_solved, last))
        row = (
            {"status": "not run", "guarantee": "none"} if is_hopeless else made_apart(configuration, source, arguments)
        )
        runs.add(name, configuration, row)
        print(f"{name:45} {configuration:8} {shown(row)}", flush=True)


def made_apart(configuration: str, source: list[str], arguments: argparse.Namespace) -> Row:
    seconds = arguments.seconds * (1 if configuration in MEMBERS else PROCESSORS)
    # A call that does not look at its limits is ended by the clock; the machine may be busy.
    row = apart(configuration, seconds, arguments.megabytes, *source, timeout=10 * seconds + 60)
    return row or {"status": "killed", "guarantee": "none", "cpu": seconds}


# --- what was found ---


def is_solved(row: Row) -> bool:
    return bool(row["status"] == "solved")


def is_proven(row: Row) -> bool:
    return bool(row["guarantee"] == "optimal")


def was_stopped(row: Row) -> bool:
    """Whether it met a limit with something to show."""
    return not is_solved(row) and "closed" in row


def shown(row: Row) -> str:
    """Processor time; states if it is proven, else the cost and the bound."""
    if is_proven(row):
        return f"{row['cpu']:.2f} s, {row['expanded']:,} states"
    if is_solved(row) or row.get("closed"):
        return f"{row['status']}, {row['cpu']:.2f} s, cost {row['value']:.4g}, bound {row['bound']:.4g}"
    return str(row["status"])


def disagreements(runs: Runs, known: dict[str, float]) -> Iterator[str]:
    """Problems whose optimal cost is not the same everywhere, or below a bound or above a policy."""
    for name in runs.names():
        rows = {each: runs.made[name, each] for each in CONFIGURATIONS if "value" in runs.made.get((name, each), {})}
        values = {each: row["value"] for each, row in rows.items() if is_proven(row)}
        if name in known:
            values["known"] = known[name]
        if not values:
            continue
        least, most = min(values.values()), max(values.values())
        slack = 1e-3 + 1e-5 * most
        if most - least > slack or any(
            row["bound"] > least + slack or row["value"] < most - slack for row in rows.values()
        ):
            yield f"{name}: {values}"


def known_values(path: Path | None) -> dict[str, float]:
    if path is None:
        return {}
    with path.open(encoding="utf-8") as file:
        return {"/".join(row[:3]): float(row[3]) for row in list(csv.reader(file))[1:]}


# --- the page ---

ABOUT = """
{problems} problems of {domains} domains, with unit costs and a dead-end cost of {penalty:g}: {generated} of generated
families, three sizes each, and {competition} of the planning competitions, whose names begin with `ippc`. Each is
solved in a process of its own, within {megabytes:g} MB. The portfolio runs its searches side by side on the processors
of a machine, and a member alone runs on one. So that the figures do not depend on what else a machine does, all are
processor times of runs in one thread: a member may take {seconds:g} s, the portfolio {both:g} s, which is the time
of {processors} processors for {seconds:g} s by the clock. (Side by side, a search also waits at the end of a round for
the others; that is not in the figures.) A configuration that has failed on two problems of a domain in a row was not
run on the rest of them. `python bench/default.py DIRECTORY --seconds {seconds:g} --jobs 2 --megabytes {megabytes:g}
--records docs/results/{records}` made the runs, in parts, with version {version}; `python bench/default.py --page` this
page.
The runs of the members alone were made hours before those of the portfolio. Nothing that concerns them has changed
since but how often value iteration looks at its limits. How busy the machine was may differ, and a busy machine makes
processor times longer, too: ratios of times are rough. All are older than two changes:
improved LAO* backs up less, and more is looked at after a limit (decision 0048).

| configuration | what it is |
|---|---|
| default | `solve` and nothing else: [the portfolio](../solvers.md#the-portfolio), effort balanced |
| first, proven | the same with `--effort first` and `--effort proven` |
| wlao, vi, ilao | the members of the portfolio alone: `--solver wlao`, `vi`, and `ilao --heuristic best` |

*Solved* means that a policy was found and checked before the limit, *proven* that it is optimal, too. *Closed* is said
of runs that met the limit: how many of them had a closed policy to show, after a tenth of a second by the clock of the
busy machine. *Seconds* are processor seconds, from
reading the files to the checked policy; where that is less than 0.1 s, the mean of up to 10 runs.
The portfolio may [learn from the task](../solvers.md#learning-from-the-task).
The shares of its members, and when it learns, were chosen on the generated families and on some problems of the
competitions ({chosen}). The problems of all other domains of the competitions are outside that choice, and counted
apart.
"""


def page(runs: Runs) -> Iterator[str]:
    """The lines of the page."""
    names = runs.names()
    ran = [row for row in runs.made.values() if "version" in row]
    made_here = [name for name in names if name.startswith("generated/")]
    given = [name for name in names if name not in made_here]
    about = ABOUT.format(
        problems=len(names),
        domains=len(grouped(names)),
        generated=len(made_here),
        competition=len(given),
        penalty=DEAD_END_COST,
        seconds=seconds_alone(runs),
        both=PROCESSORS * seconds_alone(runs),
        processors=PROCESSORS,
        chosen=", ".join(CHOSEN_ON),
        megabytes=max(row.get("megabytes", 2000) for row in ran),
        records=RECORDS.name,
        version=", ".join(sorted({row["version"] for row in ran})),
    )
    yield from (f"<!-- written by bench/default.py from {RECORDS.name} -->", "", "# Results: the default", "")
    yield from (about.strip(), "", "## In all", "")
    seen = [name for name in given if any(each in name for each in CHOSEN_ON)]
    parts = (
        ("Problems of the competitions", given),
        ("Of these, those of domains on which nothing was chosen", [name for name in given if name not in seen]),
        ("Generated problems", made_here),
    )
    for title, part in parts:
        yield from (f"{title}:", "", *summary(runs, part), "", *aims(runs, part), "")
    yield from ("## By domain", "", "Solved, and in brackets proven, of so many problems.", "")
    yield from by_domain_table(runs, names)
    yield from ("", "## How long", "", HOW_LONG.strip(), "")
    yield from times(runs, names)
    yield from ("", "## How good", "", HOW_GOOD.strip(), "")
    yield from quality(runs, names)


def aims(runs: Runs, names: list[str]) -> Iterator[str]:
    """What is wanted of the default, as sentences."""
    default = {name: runs.made[name, "default"] for name in names}
    others = {name: [runs.made[name, each] for each in CONFIGURATIONS] for name in names}
    missed = [name for name in names if not is_solved(default[name])]
    for holds, word in ((is_solved, "solved"), (is_proven, "proven")):
        by_member = [name for name in names if any(holds(runs.made[name, each]) for each in MEMBERS)]
        lost = [name for name in by_member if not holds(default[name])]
        yield f"- {word} by a member and not by the default: {len(lost)} of {len(by_member)}{listed(lost)}"
    limit = seconds_alone(runs)
    on_one = [runs.made[name, "first"]["cpu"] <= limit for name in names if is_solved(runs.made[name, "first"])]
    proven = sum(is_proven(row) and row["cpu"] <= limit for row in default.values())
    yield f"- by the default within the {limit:g} s of a member alone: {sum(on_one)} solved, {proven} proven"
    known = [name for name in missed if any(row.get("closed") for row in others[name])]
    closed = sum(bool(default[name].get("closed")) for name in known)
    yield f"- not solved by the default, but a closed policy is known: {len(known)}; it had one in {closed}"
    ratios = {name: ratio for name in names if (ratio := as_good(runs, name)) is not None}
    over = [name for name, ratio in ratios.items() if ratio > 2 and default[name]["cpu"] > 1]
    yield f"- median of the ratio to the fastest member with as good an answer: {median(ratios.values())}"
    yield f"- over 1 s, and more than twice that member's time: {len(over)}{listed(over)}"


def seconds_alone(runs: Runs) -> float:
    """The limit of a member alone."""
    rows = (row for row in runs.made.values() if row["configuration"] in MEMBERS)
    return max(float(row["seconds"]) for row in rows if "seconds" in row)


def listed(names: list[str]) -> str:
    return f" ({', '.join(names)})" if names else ""


def as_good(runs: Runs, name: str) -> float | None:
    """The default's time to that of the fastest member whose answer is proven if the default's is; None if the default
    has not solved the problem, or no member has."""
    row = runs.made[name, "default"]
    return ratio_of(runs, name, is_proven if is_proven(row) else is_solved) if is_solved(row) else None


HOW_LONG = """
Medians over the problems of a domain that the default solves: seconds to the first policy (`first`), to the answer, and
to the proof (`proven`, where there is one). Ratio: the default's time to that of the fastest member that solves the
problem, and to that of the fastest one whose answer is proven if the default's is.
"""
HOW_GOOD = """
The cost of the policy of each, divided by the best lower bound that any configuration
has found: geometric means over the problems that have a closed policy there, at a limit or not.
"""


def table(*titles: str) -> tuple[str, str]:
    """The head of a table, with numbers in all columns but the first."""
    return f"| {' | '.join(titles)} |", f"|---|{'---:|' * (len(titles) - 1)}"


def summary(runs: Runs, names: list[str]) -> Iterator[str]:
    yield from table(
        "configuration", f"solved of {len(names)}", "proven", "closed at the limit", "seconds where all solve"
    )
    common = [name for name in names if all(map(is_solved, (runs.made[name, each] for each in CONFIGURATIONS)))]
    for each in CONFIGURATIONS:
        made = runs.of(names, each)
        stopped = list(filter(was_stopped, made))
        closed = f"{sum(row['closed'] for row in stopped)} of {len(stopped)}"
        seconds = math.fsum(row["cpu"] for row in runs.of(common, each))
        yield f"| {each} | {sum(map(is_solved, made))} | {sum(map(is_proven, made))} | {closed} | {seconds:.1f} |"
    rows = [[runs.made[name, each] for each in MEMBERS] for name in names]
    solved, proven = (sum(any(map(holds, made)) for made in rows) for holds in (is_solved, is_proven))
    yield f"| any member | {solved} | {proven} | | |"


def by_domain_table(runs: Runs, names: list[str]) -> Iterator[str]:
    yield from table("domain", "problems", *CONFIGURATIONS)
    for domain, members in grouped(names).items():
        cells = [
            f"{sum(map(is_solved, made))} ({sum(map(is_proven, made))})"
            for made in (runs.of(members, each) for each in CONFIGURATIONS)
        ]
        yield f"| {domain} | {len(members)} | {' | '.join(cells)} |"


def times(runs: Runs, names: list[str]) -> Iterator[str]:
    yield from table("domain", "problems", "first", "default", "proven", "ratio", "ratio, as good")
    ratios: list[float] = []
    all_alike: list[float] = []
    for domain, members in grouped(names).items():
        solved = [name for name in members if is_solved(runs.made[name, "default"])]
        first, default, proven = (runs.of(solved, each) for each in ("first", "default", "proven"))
        own = [ratio for name in solved if (ratio := ratio_of(runs, name, is_solved)) is not None]
        alike = [ratio for name in solved if (ratio := as_good(runs, name)) is not None]
        ratios += own
        all_alike += alike
        cells = (
            median(row["cpu"] for row in first if is_solved(row)),
            median(row["cpu"] for row in default),
            median(row["cpu"] for row in proven if is_proven(row)),
            median(own),
            median(alike),
        )
        yield f"| {domain} | {len(solved)} | {' | '.join(cells)} |"
    yield f"| all | {len(ratios)} | | | | {median(ratios)} | {median(all_alike)} |"


def ratio_of(runs: Runs, name: str, holds: Callable[[Row], bool]) -> float | None:
    """The default's time on a problem to that of the fastest member of which something holds there, if there is one."""
    members = (runs.made[name, each] for each in MEMBERS)
    least = min((row["cpu"] for row in members if holds(row)), default=None)
    return None if least is None else float(runs.made[name, "default"]["cpu"] / least)


def quality(runs: Runs, names: list[str]) -> Iterator[str]:
    shown_here = ("default", "first", "wlao")
    yield from table("domain", *shown_here)
    for domain, members in grouped(names).items():
        bounds = {
            name: max(
                (row["bound"] for row in (runs.made[name, each] for each in CONFIGURATIONS) if "bound" in row),
                default=0,
            )
            for name in members
        }
        cells = []
        for each in shown_here:
            logs = [
                math.log(row["value"] / bounds[row["problem"]])
                for row in runs.of(members, each)
                if row.get("closed") and 0 < row["value"] < math.inf and bounds[row["problem"]] > 0
            ]
            cells.append(f"{math.exp(statistics.fmean(logs)):.3f} ({len(logs)})" if logs else "-")
        yield f"| {domain} | {' | '.join(cells)} |"


def median(values: Iterable[float]) -> str:
    listed = list(values)
    return f"{statistics.median(listed):.2f}" if listed else "-"


def grouped(names: list[str]) -> dict[str, list[str]]:
    """The problems of each domain."""
    groups: dict[str, list[str]] = {}
    for name in names:
        groups.setdefault(name.rsplit("/", 1)[0], []).append(name)
    return groups


def written() -> str:
    """The page of the records in docs/results."""
    return "\n".join(page(Runs(RECORDS))) + "\n"


def main() -> int:
    parser = options(__doc__)
    parser.add_argument("directory", nargs="?", type=Path, help="the root of a collection of PPDDL files")
    parser.add_argument("--seconds", type=float, default=5.0, help="processor time for a problem (default: 5)")
    parser.add_argument("--megabytes", type=float, default=4000.0, help="limit of memory for a problem (default: 4000)")
    parser.add_argument("--only", default="", help="problems whose name, set/domain/problem, contains this")
    parser.add_argument("--configurations", nargs="+", default=list(CONFIGURATIONS), choices=list(CONFIGURATIONS))
    parser.add_argument("--every", type=int, default=1, help="take every so manieth file of a domain (default: 1)")
    parser.add_argument("--minutes", type=float, default=math.inf, help="begin no run after that (default: no limit)")
    parser.add_argument("--jobs", type=int, default=1, help="problems at a time (default: 1)")
    parser.add_argument("--values", type=Path, help="known values, as CSV")
    parser.add_argument("--records", type=Path, metavar="FILE", help="where runs are kept, a line each")
    parser.add_argument("--page", action="store_true", help="write the page of the records, and run nothing")
    arguments = parser.parse_args()
    if arguments.measure:
        configuration, seconds, megabytes, *source = arguments.measure
        print(json.dumps(measure(configuration, source, float(seconds), float(megabytes))))
        return 0
    if arguments.page:
        PAGE.write_text(written(), encoding="utf-8")
        print(f"wrote {PAGE.name}")
        return 0
    runs = Runs(arguments.records)
    groups = [
        [each for each in members if arguments.only in each[0]]
        for members in problems(arguments.directory, arguments.every).values()
    ]
    arguments.until = time.monotonic() + 60 * arguments.minutes
    with ThreadPoolExecutor(arguments.jobs) as pool:
        for at in range(max(map(len, groups))):
            here = [members for members in groups if at < len(members)]
            list(pool.map(lambda members: run_problem(runs, members, at, arguments), here))  # noqa: B023
    print("\n".join(summary(runs, runs.names())))
    wrong = list(disagreements(runs, known_values(arguments.values)))
    print("\n".join(f"DISAGREE {each}" for each in wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
