"""Start-up: how long `gpaplan solve` takes on a tiny problem, next to Python itself.

    python bench/start_up.py
    python bench/start_up.py --repeat 50

Each is a process of its own. What counts is the least and the median time, by the clock and of the processor. On a
machine that has other work to do, the least is nearer to what a user sees.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from gpaplan.benchmarks import generate
from measuring import options, print_head, print_row


def timed(command: list[str], folder: Path) -> tuple[float, float]:
    """Seconds of one run, by the clock and of the processor."""
    before, started = os.times(), time.perf_counter()
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    seconds, after = time.perf_counter() - started, os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return seconds, used


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--repeat", type=int, default=20, help="runs of each command (default: 20)")
    repeat = parser.parse_args().repeat
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        domain, problem = generate("gripper", 2).write(folder)
        python = [sys.executable, "-P"]
        commands = {
            "python": [*python, "-c", "pass"],
            "gpaplan --help": [*python, "-m", "gpaplan", "--help"],
            "gpaplan solve": [*python, "-m", "gpaplan", "solve", str(domain), str(problem)],
            "gpaplan solve --prove": [*python, "-m", "gpaplan", "solve", str(domain), str(problem), "--prove"],
        }
        print_head("<command", "least s", "median s", "least CPU s", "median CPU s")
        for name, command in commands.items():
            timed(command, folder)  # what is read from the disk is now in memory
            clock, processor = zip(*(timed(command, folder) for _ in range(repeat)), strict=True)
            figures = [min(clock), statistics.median(clock), min(processor), statistics.median(processor)]
            print_row(name, *(f"{figure:.3f}" for figure in figures))


if __name__ == "__main__":
    main()
