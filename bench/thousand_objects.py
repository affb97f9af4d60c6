"""A thousand objects: the largest problems, with a grown automaton and up to renaming of interchangeable objects.

    python bench/thousand_objects.py
    python bench/thousand_objects.py --domain gripper --time-limit 30 --memory-limit 4000

For each domain an automaton is grown from the smallest problems on; then the problem is solved by `gpaplan solve` with
LRTDP and FF, in a process of its own. Printed are the policy's cost next to the optimal one in closed form, the states
expanded, the seconds of the whole command by the clock and by the processor, and its peak memory, as Markdown.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from gpaplan.benchmarks import DOMAINS, generate

SOURCES = {
    "gripper": "1..12",
    "schedule": "1 2..15",
    "delicate-can": "2..12",
    "rover": "1 3..4 1..13 2",
    "keva": "3..27..2:1..13 + 4..28..2:1..13",
}
"""Where growing looks for problems; it takes as many as it needs, smallest first."""

TARGETS: dict[str, tuple[int, ...]] = {
    "gripper": (1000,),
    "schedule": (1, 500),
    "delicate-can": (200,),
    "rover": (1, 4, 100, 2),
    "keva": (401, 200),
}


def run(*arguments: object) -> tuple[dict[str, Any], float, float, float]:
    """What a command prints as JSON, its seconds by the clock and by the processor, and its peak megabytes."""
    started = time.perf_counter()
    with tempfile.TemporaryFile("w+") as output:
        command = [sys.executable, "-m", "gpaplan", *map(str, arguments), "--json"]
        process = subprocess.Popen(command, stdout=output)
        _, _, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - started
        output.seek(0)
        record = json.load(output)
    return record, seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024 / 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--domain", action="append", choices=list(TARGETS), help="only this one; may be repeated")
    parser.add_argument("--time-limit", type=float, default=30)
    parser.add_argument("--memory-limit", type=float, default=4000, help="megabytes")
    arguments = parser.parse_args()
    print("| problem | automaton | cost | optimal | states | s | CPU s | peak MB |")
    print("|---|---|---:|---:|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as folder:
        for name in arguments.domain or TARGETS:
            theta = TARGETS[name]
            file = Path(folder) / f"{name}.gpa.json"
            grown, seconds, _, _ = run(
                "grow", name, *SOURCES[name].split(), "--time-limit", 60, "--no-advise", "-o", file
            )
            automaton = f"{grown['edges']} edges from {len(grown['training'])} problems in {seconds:.1f} s"
            limits = "--time-limit", arguments.time_limit, "--memory-limit", arguments.memory_limit
            files = generate(name, *theta).write(folder)
            found, seconds, cpu, peak = run("solve", *files, "--gpa", file, "--symmetry", "on", *limits)
            cost = found["status"] if found["value"] is None else f"{found['value']:.4f}"
            if found["gpa"]["fallback"]:
                cost += " (fallback)"
            optimal = DOMAINS[name].optimal_cost(*theta)
            print(
                f"| {name}({','.join(map(str, theta))}) | {automaton} | {cost} | {optimal:.4f} | {found['expanded']:,} "
                f"| {seconds:.2f} | {cpu:.2f} | {peak:.0f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
