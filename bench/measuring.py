"""What the scripts that measure share: tasks, timing, processes of their own, tables, and the options of a script.

Times are compared within one run only. A measurement that must not see the memory of another is a process of its own:
`apart` runs the same script again with ``--measure``, `command` runs gpaplan itself.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from gpaplan import GroundTask, LAOStar, PolicyAutomaton, ground, learn, parse_task, solve
from gpaplan.benchmarks import generate

T = TypeVar("T")
Theta = tuple[int, ...]

SOURCES: dict[str, str] = {
    "gripper": "1..12",
    "rover": "1 3..4 1..13 2",
    "schedule": "1 2..15",
    "keva": "3..27..2:1..13 + 4..28..2:1..13",
    "delicate-can": "2..12",
}
"""Where growing an automaton looks for problems; it takes as many as it needs, smallest first."""


# --- tasks ---


def generated(name: str, theta: Iterable[int]) -> GroundTask:
    """The ground task of a benchmark domain."""
    benchmark = generate(name, *theta)
    return ground(benchmark.domain, benchmark.problem, relevance=False)


def read(file: str | Path, problem: str | Path | None = None) -> GroundTask:
    """The ground task of files: a domain and a problem, or one that holds both."""
    parsed = parse_task(file, problem)
    return ground(parsed.domain, parsed.problem, relevance=False)


def competition_files(folder: Path, problem: str) -> list[str]:
    """The file of a problem, after the folder's domain file unless the problem's file holds a domain itself."""
    (path,) = [each for each in folder.glob("*.pddl") if each.stem.split("-")[0] == problem]
    own = "(domain " in path.read_text().replace("(:domain ", "")
    return [str(path)] if own else [str(folder / "domain.pddl"), str(path)]


def trained(name: str, thetas: Iterable[Iterable[int]]) -> PolicyAutomaton:
    """An automaton that is learned from optimal policies of these problems."""
    tasks = [generated(name, theta) for theta in thetas]
    return learn(tasks[0].domain, [solve(task, LAOStar(epsilon=1e-8), heuristic="lmcut") for task in tasks])


def label(name: str, theta: Iterable[int]) -> str:
    return f"{name}({','.join(map(str, theta))})"


# --- timing ---


def fastest(work: Callable[[], T], times: int = 5, clock: Callable[[], float] = time.process_time) -> tuple[float, T]:
    """The least seconds of several runs, by the processor unless told otherwise, and what the last run gave."""
    best = float("inf")
    for _ in range(times):
        started = clock()
        result = work()
        best = min(best, clock() - started)
    return best, result


def peak_megabytes() -> float:
    """The most memory that this process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6


def apart(
    *arguments: object, timeout: float | None = None, prepare: Callable[[], None] | None = None
) -> dict[str, Any] | None:
    """What this script measures with ``--measure`` in a process of its own; None if it fails or takes too long."""
    command = [sys.executable, sys.argv[0], "--measure", *map(str, arguments)]
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, timeout=timeout, preexec_fn=prepare)
    except subprocess.TimeoutExpired:
        return None
    record: dict[str, Any] | None = json.loads(done.stdout.splitlines()[-1]) if done.returncode == 0 else None
    return record


class Ran(NamedTuple):
    """A command that was run: what it printed as JSON, seconds by the clock and by the processor, peak memory."""

    record: dict[str, Any]
    seconds: float
    processor_seconds: float
    megabytes: float


def command(*arguments: object, timeout: float | None = None) -> Ran:
    """Run a command of gpaplan. One that prints no JSON ends the script, or with a timeout has a status and no more."""
    started = time.perf_counter()
    with tempfile.TemporaryFile("w+") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "gpaplan", *map(str, arguments), "--json"], stdout=output, stderr=subprocess.DEVNULL
        )
        killer = threading.Timer(timeout or 0, process.kill)
        if timeout is not None:
            killer.start()
        _, status, usage = os.wait4(process.pid, 0)
        killer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.perf_counter() - started
        output.seek(0)
        try:
            record = json.load(output)
        except json.JSONDecodeError:
            record = {"status": f"exit code {process.returncode} and no JSON"}
            if timeout is None:
                raise SystemExit(f"gpaplan {' '.join(map(str, arguments))}: {record['status']}") from None
    return Ran(record, seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024 / 1e6)


# --- what is printed, and what is asked for ---


def print_head(*titles: str) -> None:
    """The head of a Markdown table; a title that begins with ``<`` is that of a column of words."""
    print_row(*(title.removeprefix("<") for title in titles))
    print(f"|{'|'.join('---' if title.startswith('<') else '---:' for title in titles)}|", flush=True)


def print_row(*cells: object) -> None:
    print(f"|{'|'.join(f' {cell} ' if cell != '' else ' ' for cell in cells)}|", flush=True)


def options(description: str | None) -> argparse.ArgumentParser:
    """A parser whose help is the head of the script."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--measure", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    return parser
