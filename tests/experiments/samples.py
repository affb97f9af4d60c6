"""Suites, records and processes for the tests of experiments."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

from gpaplan.experiments.record import Record, read_records

COMMAND = [sys.executable, "-m", "gpaplan", "bench"]

SMALL = """
runs = 2
time_limit = 60
memory_limit = 2000
solvers = ["lrtdp"]
symmetry = "off"

[[domain]]
generator = "gripper"
training = [[1], [2]]
test = [[1], [2], [3]]
"""
"""Twelve runs, each of them short."""

EIGHT = SMALL.replace("[[1], [2], [3]]", "[[1], [2]]")
"""For those who wait for each of them."""

ENDLESS = """
runs = 1
time_limit = 100000
memory_limit = 1000
gpa = [false]
solvers = ["lrtdp"]
heuristic = "lmcut"
symmetry = "off"

[[domain]]
generator = "schedule"
test = [[1, 40]]

[[domain]]
generator = "gripper"
test = [[1]]
"""
"""One run that takes days, and little memory; then a short one."""

HUNGRY = """
runs = 1
gpa = [false]
solvers = ["vi"]
symmetry = "off"

[[domain]]
generator = "keva"
test = [[29, 14]]
"""
"""A run that takes more and more memory."""

PATIENCE = 120.0
"""Seconds after which a test gives up waiting for an event. Nothing is measured by it."""

T = TypeVar("T")


def wait_for(event: Callable[[], T], what: str) -> T:
    """Wait until an event has a true value, and return that."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        found = event()
        if found:
            return found
        time.sleep(0.02)
    raise AssertionError(f"waited in vain for {what}")


def write_suite(folder: Path, text: str, name: str = "sample") -> Path:
    path = folder / f"{name}.toml"
    path.write_text(text, encoding="utf-8")
    return path


def bench(folder: Path, *arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    command = [*COMMAND, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, cwd=folder, **options)


def start_bench(folder: Path, *arguments: str, **options: Any) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*COMMAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=folder, **options
    )


def bench_json(folder: Path, *arguments: str, **options: Any) -> dict[str, Any]:
    done = bench(folder, *arguments, "--json", **options)
    record: dict[str, Any] = json.loads(done.stdout)
    return record


def rows(path: Path) -> list[dict[str, Any]]:
    """The records of a results file, in the order of its lines; none if it is not there yet."""
    if not path.exists():
        return []
    return [asdict(record) for record in read_records(path, unfinished=True)]


def children(pid: int) -> list[int]:
    """The runs' processes of a process."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            command = (folder / "cmdline").read_bytes()
        except (OSError, ValueError, IndexError):
            continue
        if parent == pid and b"gpaplan.experiments.one_run" in command:
            found.append(int(folder.name))
    return found


def is_alive(pid: int) -> bool:
    """Whether a process exists and is more than an entry waiting to be read."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in ("Z", "X")
    except OSError:
        return False


def end(process: subprocess.Popen[Any]) -> None:
    """End a process that a test has started, if it still runs."""
    if process.poll() is None:
        os.kill(process.pid, signal.SIGKILL)
    process.communicate()


def sample_record(number: int = 0, **changes: Any) -> Record:
    values: dict[str, Any] = {
        "key": f"{number:064x}",
        "suite": "sample",
        "domain": "gripper",
        "problem": f"gripper({number + 1})",
        "theta": str(number + 1),
        "size": number,
        "solver": "lrtdp",
        "gpa": 0,
        "run": 0,
        "seed": 0,
        "heuristic": "ff",
        "epsilon": 1e-5,
        "cost_mode": "unit",
        "symmetry": "off",
        "time_limit": 60.0,
        "memory_limit": 2000.0,
        "trials": 100,
        "horizon": 100,
        "relevance": "off",
        "status": "solved",
        "message": "",
        "value": 5.5,
        "seconds": 0.1 + number,
        "seconds_total": 0.3,
        "problem_hash": "p" * 64,
        "domain_hash": "d" * 64,
        "version": "0.1.0",
        "python": "3.11.0",
        "platform": "Linux",
        "machine": "a processor, 2 cores",
        "started": "2026-01-01T00:00:00Z",
    }
    return Record(**{**values, **changes})
