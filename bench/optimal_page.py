"""Writes docs/results/optimal.md: which problems are solved and proven optimal, from the records of bench/optimal.py.

python bench/optimal.py DIRECTORY --values FILE --give-up-after 2 --records docs/results/records-optimal.jsonl.xz
python bench/optimal_page.py
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

from optimal import Runs, is_proven

Row: TypeAlias = dict[str, Any] | None

RESULTS = Path(__file__).parent.parent / "docs" / "results"
PAGE = RESULTS / "optimal.md"
RECORDS = RESULTS / "records-optimal.jsonl.xz"
MARK = f"<!-- written by bench/optimal_page.py from {RECORDS.name} -->"

ABOUT = """
The problems of the planning competitions of 2006 and 2008 that have probabilistic effects, and a few of each generated
family: solved, and *proven* optimal, within 60 s by the clock and 4 GB each, with unit costs and a dead-end cost of
500. Every value was compared with known ones where there are some, and with those of the other configurations. A
configuration that has failed on two problems of a domain in a row was not run on the rest of them. `best` was
run on all of them, and `prove` on what `best` has solved; the other records are older. The figures are those of the
version before some mechanisms of tables [were removed](../decisions/0047-mechanisms-that-earn-their-place.md),
and zenotravel p03, p05, p06 and p08 are no longer proven within the limit.

| configuration | what it is |
|---|---|
| vi | `--solver vi`: topological value iteration on all states, up to symmetry |
| hmax | `--solver lrtdp --heuristic hmax` |
| lmcut | `--solver ilao --heuristic lmcut` |
| best | `--solver ilao --heuristic best`: pattern databases, LM-cut, or both |
| prove | `--prove`, and nothing else: the default search, in turns with two that prove |

A cell has processor seconds from reading the files to the checked policy; *time* and *memory* say which limit came
first, and a cell is empty where nothing was run. The clock of the limit starts after grounding; a run that takes 10 s
longer than that in all has met it, too.
"""
ABOUT_PROBFD = """
ProbFD is the best of the other planners in C++ that we know of. It has probability-aware pattern databases, too, and
partitions costs between them. How many problems it solves within 25 s, and its processor seconds with the best of its
configurations, were measured on a machine like ours, with the same files and costs. *gpaplan* is any of the five
configurations within 25 processor seconds.
"""

PROBFD = {
    "ippc2006/blocksworld": 9,
    "ippc2006/drive": 14,
    "ippc2006/ex-blocksworld": 4,
    "ippc2006/schedule": 5,
    "ippc2008/blocksworld": 8,
    "ippc2008/ex-blocksworld": 4,
    "ippc2008/rectangle-tireworld": 12,
    "ippc2008/triangle-tireworld": 5,
    "ippc2008/zenotravel": 3,
}
"""How many problems of a domain ProbFD solves with its pattern databases, within 25 s each."""
PROBFD_SECONDS = {
    "ippc2006/blocksworld/p01": 0.02,
    "ippc2006/blocksworld/p04": 0.02,
    "ippc2006/blocksworld/p06": 0.65,
    "ippc2006/blocksworld/p08": 1.0,
    "ippc2006/blocksworld/p09": 1.0,
    "ippc2006/blocksworld/p10": 2.0,
    "ippc2008/blocksworld/p05": 14.0,
    "ippc2008/blocksworld/p08": 6.0,
    "ippc2008/zenotravel/p01": 0.03,
    "ippc2008/zenotravel/p02": 0.01,
    "ippc2008/zenotravel/p04": 0.2,
    "ippc2008/triangle-tireworld/p04": 0.22,
    "ippc2008/triangle-tireworld/p05": 9.0,
    "ippc2008/ex-blocksworld/p03": 4.9,
}
"""Its processor seconds with the best of its configurations, on a machine like the one of our figures."""
PROBFD_LIMIT = 25.0

CONFIGURATIONS = ("vi", "hmax", "lmcut", "best", "prove")
"""Those that are to prove."""


def page(runs: Runs) -> Iterator[str]:
    """The lines of the page."""
    names = list(dict.fromkeys(name for name, _ in runs.made))
    yield from (MARK, "", "# Results: solved and proven optimal", "", ABOUT.strip(), "", "## How many", "")
    yield from counts(runs, names)
    yield from ("", "## Next to ProbFD", "", ABOUT_PROBFD.strip(), "")
    yield from next_to_probfd(runs, names)
    yield from ("", "## All problems", "")
    yield from table("problem", ["cost", *CONFIGURATIONS])
    unsolved: list[str] = []
    not_run: list[str] = []
    for name in names:
        rows = [runs.made.get((name, each)) for each in CONFIGURATIONS]
        if value := cost_of(rows):
            yield f"| {name} | {value} | {' | '.join(map(cell, rows))} |"
        else:
            (unsolved if any(map(was_run, rows)) else not_run).append(name)
    for title, names_of in (("Run, and solved and proven by none:", unsolved), ("Run by none, after these:", not_run)):
        yield from ("", title, "")
        for group, members in by_domain(names_of).items():
            yield f"- {group}: {', '.join(name.rsplit('/', 1)[1] for name in members)}"


def table(first: str, titles: Iterable[str]) -> tuple[str, str]:
    """The head of a table, with numbers in all columns but the first."""
    titles = list(titles)
    return f"| {first} | {' | '.join(titles)} |", f"|---|{'---:|' * len(titles)}"


def counts(runs: Runs, names: list[str]) -> Iterator[str]:
    """A row for each domain: how many of its problems each configuration has solved."""
    yield from table("domain", ["problems", *CONFIGURATIONS, "any"])
    total = [0] * (len(CONFIGURATIONS) + 2)
    for group, members in by_domain(names).items():
        by_each = [sum(is_proven(runs.made.get((name, each))) for name in members) for each in CONFIGURATIONS]
        row = [len(members), *by_each, sum(solved_within(runs, name) for name in members)]
        total = [a + b for a, b in zip(total, row, strict=True)]
        yield f"| {group} | {' | '.join(map(str, row))} |"
    yield f"| all | {' | '.join(map(str, total))} |"


def next_to_probfd(runs: Runs, names: list[str]) -> Iterator[str]:
    """How many problems, and how long for some of them."""
    yield from table("domain", ["ProbFD", "gpaplan"])
    all_theirs, all_ours = sum(PROBFD.values()), 0
    for group, theirs in PROBFD.items():
        ours = sum(solved_within(runs, name, PROBFD_LIMIT) for name in by_domain(names).get(group, ()))
        all_ours += ours
        yield f"| {group} | {theirs} | {ours} |"
    yield f"| all of these | {all_theirs} | {all_ours} |"
    yield ""
    yield from table("problem", ["cost", "ProbFD, s", "best, s", "prove, s"])
    for name, seconds in PROBFD_SECONDS.items():
        rows = [runs.made.get((name, each)) for each in ("best", "prove")]
        yield f"| {name} | {cost_of(rows)} | {seconds:g} | {' | '.join(map(cell, rows))} |"


def by_domain(names: list[str]) -> dict[str, list[str]]:
    """The problems of each domain."""
    groups: dict[str, list[str]] = {}
    for name in names:
        groups.setdefault(name.rsplit("/", 1)[0], []).append(name)
    return groups


def solved_within(runs: Runs, name: str, seconds: float = math.inf) -> bool:
    """Whether any configuration has solved a problem, in so many processor seconds at the most."""
    rows = (runs.made.get((name, each)) for each in CONFIGURATIONS)
    return any(row is not None and is_proven(row) and row["cpu"] <= seconds for row in rows)


def cost_of(rows: Iterable[Row]) -> str:
    """The optimal cost; empty if none of the rows has it."""
    return next((f"{row['value']:.4f}" for row in rows if row is not None and is_proven(row)), "")


def cell(row: Row) -> str:
    """Seconds, or why there are none."""
    if row is None:
        return ""
    if is_proven(row):
        return f"{row['cpu']:.2f}"
    status = str(row["status"])
    return {"time-limit": "time", "killed": "time", "memory-limit": "memory", "not run": ""}.get(status, status)


def was_run(row: Row) -> bool:
    return row is not None and row["status"] != "not run"


def written() -> str:
    """The page of the records in docs/results."""
    return "\n".join(page(Runs(RECORDS))) + "\n"


def main() -> None:
    PAGE.write_text(written(), encoding="utf-8")
    print(f"wrote {PAGE.name}")


if __name__ == "__main__":
    main()
