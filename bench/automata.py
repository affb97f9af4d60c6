"""Automata learned from the paper's training sets, on the paper's test problems: with and without.

    python bench/automata.py                        all five domains
    python bench/automata.py --domain rover --time-limit 120 --memory-limit 8000 --output results.json

Each run is a process of its own. For every test problem and solver (LRTDP and Soft-FLARES with the FF heuristic):
expected cost, whether the automaton sufficed, states expanded, and CPU seconds of the search, with and without the
automaton; next to it the optimal cost in closed form. A run that meets its limit shows it. The table is Markdown.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from gpaplan import LAOStar, PolicyAutomaton, ground, learn, solve
from gpaplan.benchmarks import DOMAINS, generate

TRAINING: dict[str, list[tuple[int, ...]]] = {
    "gripper": [(b,) for b in range(1, 6)],
    "rover": [(1, w, s, 2) for s in range(1, 6) for w in (3, 4)],
    "schedule": [(1, p) for p in (2, 3, 4)],
    "keva": [(2 * h, h) for h in range(1, 7)],
    "delicate-can": [(c,) for c in range(2, 7)],
}
TEST: dict[str, list[tuple[int, ...]]] = {
    "gripper": [(b,) for b in range(1, 13)],
    "rover": [(1, w, s, 2) for s in range(1, 14) for w in (3, 4)],
    "schedule": [(1, p) for p in range(2, 16)],
    "keva": [(29, h) for h in range(1, 15)],
    "delicate-can": [(c,) for c in range(2, 13)],
}


def train(name: str) -> tuple[PolicyAutomaton, float]:
    """The automaton of the paper's training set, and the seconds it took, solving included."""
    started = time.perf_counter()
    solutions = []
    for theta in TRAINING[name]:
        benchmark = generate(name, *theta)
        task = ground(benchmark.domain, benchmark.problem)
        solutions.append(solve(task, LAOStar(epsilon=1e-8), heuristic="lmcut"))
    automaton = learn(generate(name, *TRAINING[name][0]).domain, solutions)
    return automaton, time.perf_counter() - started


def run(files: tuple[Path, Path], solver: str, gpa: Path | None, arguments: argparse.Namespace) -> dict[str, Any]:
    command = [sys.executable, "-m", "gpaplan", "solve", *map(str, files), "--json", "--solver", solver]
    command += ["--time-limit", str(arguments.time_limit), "--memory-limit", str(arguments.memory_limit)]
    command += ["--gpa", str(gpa)] if gpa is not None else []
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=2 * arguments.time_limit + 60)
        record: dict[str, Any] = json.loads(done.stdout)
    except (subprocess.TimeoutExpired, json.JSONDecodeError) as error:
        return {"status": type(error).__name__, "value": None, "expanded": 0, "seconds": {"search": 0.0}, "gpa": None}
    return record


def seconds_of(record: dict[str, Any]) -> float:
    return float(record["seconds"]["search"] + record["seconds"].get("constrained", 0.0))


def cell(record: dict[str, Any]) -> str:
    if record["status"] != "solved":
        return f"{record['status']} | {record['expanded']:,} | {seconds_of(record):.3f}"
    gpa = record["gpa"]
    mark = "" if gpa is None or not gpa["fallback"] else " (fallback)"
    return f"{record['value']:.4f}{mark} | {record['expanded']:,} | {seconds_of(record):.3f}"


def measure(name: str, arguments: argparse.Namespace, folder: Path) -> list[dict[str, Any]]:
    """All test problems of a domain; prints its table."""
    automaton, seconds = train(name)
    gpa = folder / f"{name}.gpa.json"
    automaton.write(gpa)
    training = ", ".join(str(theta).replace(" ", "") for theta in TRAINING[name])
    print(f"\n### {name}\n\nTrained on {training} in {seconds:.2f} s, solving included: ", end="")
    print(f"{len(automaton.vertices)} vertices, {len(automaton.edges)} edges.\n")
    columns = "cost | expanded | s"
    print(f"| θ | optimal | solver | {columns} | with automaton: {columns} | ratio |\n|---|---|---|" + "---|" * 7)
    rows = []
    for theta in TEST[name]:
        files = generate(name, *theta).write(folder)
        optimal = DOMAINS[name].optimal_cost(*theta)
        for solver in ("lrtdp", "soft-flares"):
            plain, guided = run(files, solver, None, arguments), run(files, solver, gpa, arguments)
            both = plain["status"] == guided["status"] == "solved"
            ratio = f"{seconds_of(plain) / max(1e-9, seconds_of(guided)):.2f}" if both else ""
            shown = " ".join(map(str, theta))
            print(f"| {shown} | {optimal:.4f} | {solver} | {cell(plain)} | {cell(guided)} | {ratio} |", flush=True)
            rows.append({"domain": name, "theta": theta, "solver": solver, "plain": plain, "guided": guided})
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--domain", action="append", choices=list(TEST), help="only this one; may be repeated")
    parser.add_argument("--time-limit", type=float, default=120)
    parser.add_argument("--memory-limit", type=float, default=8000, help="megabytes")
    parser.add_argument("--output", type=Path, help="write all records there, as JSON")
    arguments = parser.parse_args()
    print(f"At most {arguments.time_limit:g} s and {arguments.memory_limit:g} MB a run.")
    rows = []
    with tempfile.TemporaryDirectory() as name:
        for domain in arguments.domain or TEST:
            rows += measure(domain, arguments, Path(name))
    if arguments.output is not None:
        arguments.output.write_text(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
