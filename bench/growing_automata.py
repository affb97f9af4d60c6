"""Growing automata: how little they are learned from, and how far they carry.

    python bench/growing_automata.py                          everything
    python bench/growing_automata.py --part domains           the paper's five domains: every test problem, and beyond
    python bench/growing_automata.py --part families          a competition domain, against plain search
    python bench/growing_automata.py --part gripper           Gripper with 8 and more balls, with and without
    python bench/growing_automata.py --part families --plain-limit 600

Each search is a process of its own. Growing gets at most 60 s a domain; it is done twice, and the files must be the
same to the byte. The tables are Markdown.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from gpaplan.benchmarks import FAMILIES, generate
from measuring import SOURCES, Ran, command, options, print_head, print_row

GROWING_SECONDS = 60

TESTS: dict[str, list[tuple[int, ...]]] = {
    "gripper": [(b,) for b in range(1, 14)],
    "rover": [(1, w, s, 2) for s in range(1, 15) for w in (3, 4)],
    "schedule": [(1, p) for p in range(2, 17)],
    "keva": [*((29, h) for h in range(1, 15)), (31, 15)],
    "delicate-can": [(c,) for c in range(2, 14)],
}
"""The paper's test problems and the next size beyond."""


class Competition(NamedTuple):
    """A family after a competition domain: how it is grown, and on what it is compared with plain search."""

    grow: list[str]
    plain: list[tuple[int, ...]]
    """Ascending; after the first that it does not solve, plain search tries only the last."""
    guided: list[tuple[int, ...]]


COMPETITIONS = {
    "blocksworld": Competition(
        ["2..12", "--goals", "--max-states", "1000"],
        [(n,) for n in range(6, 21)],
        [(n,) for n in (6, 7, 8, 9, 10, 12, 15, 20, 30, 40)],
    ),
}


def shown(theta: tuple[int, ...]) -> str:
    return " ".join(map(str, theta))


def grow(name: str, arguments: list[str], folder: Path) -> tuple[Path, dict[str, Any], bool]:
    """Grow twice; the file, what the first run printed, and whether both wrote the same bytes."""
    files = [folder / f"{name}-{number}.gpa.json" for number in (1, 2)]
    limits = ["--time-limit", GROWING_SECONDS, "--symmetry", "off"]
    records = [command("grow", name, *arguments, *limits, "--relevance", "off", "-o", file).record for file in files]
    return files[0], records[0], files[0].read_bytes() == files[1].read_bytes()


def describe(record: dict[str, Any], same: bool) -> str:
    learned = ", ".join(record["training"])
    return (
        f"Looked at {len(record['steps'])} problems and learned from {len(record['training'])} ({learned}) in "
        f"{record['seconds']['grow']:.2f} s: {record['vertices']} vertices, {record['edges']} edges; "
        f"ended because: {record['stopped_by']}. Grown twice: the files are {'the same' if same else 'NOT the same'} "
        "to the byte."
    )


def search(name: str, theta: tuple[int, ...], folder: Path, limits: tuple[float, float], *given: object) -> Ran:
    files = generate(name, *theta).write(folder)
    fixed = ("--symmetry", "off", "--time-limit", limits[0], "--memory-limit", limits[1])
    return command("solve", *files, *fixed, *given)


def domains(arguments: argparse.Namespace, folder: Path) -> None:
    print("\n## The paper's domains\n")
    for name, source in SOURCES.items():
        if arguments.domain and name not in arguments.domain:
            continue
        file, record, same = grow(name, source.split(), folder)
        print(f"\n### {name}\n\n`gpaplan grow {name} {source}`. {describe(record, same)}\n")
        print_head("<θ", "optimal cost", "cost", "<without fallback", "states", "s")
        good = 0
        for theta in TESTS[name]:
            guide = ("--solver", "lrtdp", "--gpa", file, "--fallback", "none", *arguments.solve_options)
            found = search(name, theta, folder, (arguments.time_limit, arguments.memory_limit), *guide).record
            optimal = FAMILIES[name].optimal_cost(*theta)
            assert optimal is not None
            solved = found["status"] == "solved" and not found["gpa"]["fallback"]
            good += solved and abs(found["value"] - optimal) <= 1e-6 * optimal
            cost = f"{found['value']:.6f}" if solved else found["status"]
            seconds = f"{found['seconds']['total']:.2f}"
            print_row(
                shown(theta), f"{optimal:.6f}", cost, "yes" if solved else "no", f"{found['expanded']:,}", seconds
            )
        print(f"\n{good} of {len(TESTS[name])} solved without fallback at the optimal cost.", flush=True)


def families(arguments: argparse.Namespace, folder: Path) -> None:
    print("\n## A competition domain as a family")
    for name, family in COMPETITIONS.items():
        if arguments.domain and name not in arguments.domain:
            continue
        file, record, same = grow(name, family.grow, folder)
        print(f"\n### {name}\n\n`gpaplan grow {name} {' '.join(family.grow)}`. {describe(record, same)}", flush=True)
        print("\nWith the automaton:\n")
        print_head("<θ", "<solver", "cost", "states", "s")
        limits = arguments.time_limit, arguments.memory_limit
        for theta in family.guided:
            for solver in ("lrtdp", "soft-flares"):
                guide = ("--gpa", file, "--fallback", "none", "--solver", solver)
                print_search(theta, solver, search(name, theta, folder, limits, *guide).record)
        if arguments.plain_limit == 0:
            continue
        print(f"\nWithout it, at most {arguments.plain_limit:g} s and {arguments.memory_limit:g} MB each:\n")
        print_head("<θ", "<solver", "cost", "states", "s")
        for solver, heuristic in (("lrtdp", "ff"), ("soft-flares", "ff"), ("lrtdp", "hadd")):
            for theta in family.plain:
                if compare(name, theta, solver, heuristic, folder, arguments) == "solved":
                    continue
                if theta != family.plain[-1]:
                    compare(name, family.plain[-1], solver, heuristic, folder, arguments)
                break


def compare(
    name: str, theta: tuple[int, ...], solver: str, heuristic: str, folder: Path, arguments: argparse.Namespace
) -> str:
    """A search without an automaton; prints its row and returns its status."""
    method = ("--solver", solver, "--heuristic", heuristic)
    found = search(name, theta, folder, (arguments.plain_limit, arguments.memory_limit), *method).record
    print_search(theta, f"{solver}, {heuristic}", found)
    return str(found["status"])


def print_search(theta: tuple[int, ...], solver: str, found: dict[str, Any]) -> None:
    cost = f"{found['value']:.4f}" if found["status"] == "solved" else found["status"]
    print_row(shown(theta), solver, cost, f"{found['expanded']:,}", f"{found['seconds']['total']:.2f}")


GRIPPER = {
    "plain": (),
    "automaton": ("--gpa", "FILE"),
    "symmetry": ("--symmetry", "on"),
    "both": ("--gpa", "FILE", "--symmetry", "on"),
}


def gripper(arguments: argparse.Namespace, folder: Path) -> None:
    print("\n## Gripper, where pruning helps least\n")
    file, _, _ = grow("gripper", SOURCES["gripper"].split(), folder)
    print("LRTDP with FF; states expanded, and processor seconds of the whole command, the better of two runs each.\n")
    print_head("<b", *(title for each in GRIPPER for title in (f"{each}: states", "s")), "plain / both")
    limits = arguments.time_limit, arguments.memory_limit
    for balls in range(8, 14):
        cells: list[str] = []
        times: list[float] = []
        for guide in GRIPPER.values():
            given = [file if option == "FILE" else option for option in guide]
            given += ["--solver", "lrtdp", *arguments.solve_options]
            runs = [search("gripper", (balls,), folder, limits, *given) for _ in range(2)]
            times.append(min(run.processor_seconds for run in runs))
            cells += [f"{runs[0].record['expanded']:,}", f"{times[-1]:.2f}"]
        print_row(balls, *cells, f"{times[0] / times[-1]:.2f}")


PARTS = {"domains": domains, "families": families, "gripper": gripper}


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--part", action="append", choices=list(PARTS), help="only this one; may be repeated")
    parser.add_argument("--domain", action="append", help="only this one; may be repeated")
    parser.add_argument("--time-limit", type=float, default=300, help="seconds of a search with an automaton")
    parser.add_argument(
        "--plain-limit", type=float, default=600, help="seconds of a search of the families without one; 0: none"
    )
    parser.add_argument("--memory-limit", type=float, default=8000, help="megabytes")
    parser.add_argument("--solve-option", dest="solve_options", action="append", default=[], help="given to 'solve'")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        for part in arguments.part or PARTS:
            PARTS[part](arguments, Path(name))


if __name__ == "__main__":
    main()
