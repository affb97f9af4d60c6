"""Is this tree slower than another revision? Both are built, and take turns at the same work in one run.

    make bench-compare BASE=<revision>
    python bench/compare.py BASE                          the tree as it is, with what is not committed, against BASE
    python bench/compare.py BASE --head REVISION          one revision against another
    python bench/compare.py BASE --case lrtdp --rounds 9  only what has "lrtdp" in its name, measured longer
    python bench/compare.py BASE --instructions           counts instructions, with valgrind, on smaller problems

Each revision is unpacked below build/compare, built there as a user's would be, and kept for the next time. Each
measurement is a process of its own; base and head take turns, so that the machine's load meets both. What counts is the
least CPU time of all rounds. Instructions do not depend on the load, so they need one round only. The ratio is head
divided by base: below 1 the head is faster. If the two do not find the same value in the same number of states, the row
says so: then it compares searches, not code.

Both revisions are driven by this file, through the public names and the command line, and through nothing else; so they
may look as different inside as they like.
"""

from __future__ import annotations

import argparse
import ctypes
import io
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
BUILDS = ROOT / "build" / "compare"
TOOLS = ["scikit-build-core>=0.11", "nanobind>=2.4", "cmake", "ninja"]

Theta = tuple[int, ...]


class Case(NamedTuple):
    """Some work on a problem of a generated domain: timed at one size, counted in instructions at a smaller one."""

    kind: str
    """A solver's name, "ground", or "check": the whole of that command, from its start."""
    domain: str
    theta: Theta
    small: Theta
    heuristic: Any = "ff"
    automaton: bool = False
    symmetry: bool = False

    @property
    def name(self) -> str:
        words = [self.kind, self.heuristic] if self.is_search and self.kind != "vi" else [self.kind]
        extra = " with automaton" * self.automaton + " up to symmetry" * self.symmetry
        return "+".join(words) + f" {self.domain}{extra}"

    @property
    def is_search(self) -> bool:
        return self.kind not in ("ground", "check")


CASES = [
    Case("vi", "gripper", (11,), (7,)),
    Case("vi", "rover", (1, 4, 11, 2), (1, 4, 8, 2)),
    Case("vi", "blocksworld", (7,), (6,)),
    Case("lrtdp", "gripper", (10,), (7,)),
    Case("lrtdp", "rover", (1, 4, 10, 2), (1, 4, 7, 2)),
    Case("lrtdp", "schedule", (1, 9), (1, 7)),
    Case("lrtdp", "blocksworld", (7,), (6,)),
    Case("lrtdp", "gripper", (9,), (6,), "lmcut"),
    Case("lrtdp", "schedule", (1, 8), (1, 6), "lmcut"),
    Case("lrtdp", "gripper", (600,), (100,), symmetry=True),
    Case("lrtdp", "schedule", (1, 12), (1, 9), automaton=True),
    Case("soft-flares", "gripper", (10,), (7,)),
    Case("soft-flares", "gripper", (10,), (7,), automaton=True),
    Case("soft-flares", "rover", (1, 4, 10, 2), (1, 4, 7, 2)),
    Case("soft-flares", "rover", (1, 4, 12, 2), (1, 4, 9, 2), automaton=True),
    Case("ground", "rover", (2, 300, 300, 4), (2, 30, 30, 4)),
    Case("ground", "blocksworld", (45,), (12,)),
    Case("check", "gripper", (3,), (3,)),
]

TRAINING: dict[str, list[Theta]] = {
    "gripper": [(balls,) for balls in range(1, 6)],
    "rover": [(1, 3, samples, 2) for samples in range(1, 6)],
    "schedule": [(1, packets) for packets in range(2, 6)],
}


# --- in a process of its own, with the gpaplan of one of the two revisions ---


def prepare(case: Case, small: bool) -> Callable[[], list[float]]:
    """The work of a case, ready to be done: its modules are loaded and its automaton is learned."""
    from gpaplan import LRTDP, GroundTask, LAOStar, SoftFLARES, ValueIteration, ground, learn, solve
    from gpaplan.benchmarks import generate

    def load(theta: Theta) -> GroundTask:
        benchmark = generate(case.domain, *theta)
        return ground(benchmark.domain, benchmark.problem)

    if case.kind == "ground":
        load(case.small)
        benchmark = generate(case.domain, *(case.small if small else case.theta))
        domain, problem = benchmark.domain, benchmark.problem
        return lambda: [len(ground(domain, problem).actions)]

    automaton = None
    if case.automaton:
        examples = [solve(load(theta), LAOStar(epsilon=1e-8), heuristic="lmcut") for theta in TRAINING[case.domain]]
        automaton = learn(generate(case.domain, *case.small).domain, examples)
    solver = {"vi": ValueIteration, "lrtdp": LRTDP, "soft-flares": SoftFLARES}[case.kind](epsilon=1e-5)

    def search(task: GroundTask) -> list[float]:
        solution = solve(
            task,
            solver,
            heuristic="blind" if case.kind == "vi" else case.heuristic,
            automaton=automaton,
            symmetry="on" if case.symmetry else "off",
        )
        return [solution.value, solution.expanded]

    search(load(case.small))
    task = load(case.small if small else case.theta)
    return lambda: search(task)


def measure(case: Case, small: bool) -> dict[str, Any]:
    """The CPU seconds of a case, and what came of it.

    The work is called through a function of Python's C interface that nothing else calls, so that valgrind can be told
    to count in there and nowhere else. (It does not see calls by ctypes, but the call that this one makes in turn.)
    """
    scope = vars(sys.modules["__main__"])
    scope["work"] = prepare(case, small)
    started = time.process_time()
    ctypes.pythonapi.PyRun_SimpleString(b"found = work()")
    return {"amount": time.process_time() - started, "found": scope["found"]}


# --- two revisions ---


class Measured(NamedTuple):
    """CPU seconds, or instructions, and what the work found: a value and a number of states, or of actions."""

    amount: float
    found: list[float]


class Revision(NamedTuple):
    """A revision that has been built, and its Python."""

    name: str
    python: Path

    def measure(self, case: Case, instructions: bool) -> Measured:
        command = [str(self.python), *command_of(case, instructions)]
        if instructions:
            command = [*callgrind(whole=case.kind == "check"), *command]
        printed, said, seconds = run(command)
        found: dict[str, Any] = json.loads(printed)
        if instructions:
            collected = re.search(r"Collected : (\d+)", said)
            if collected is None or collected[1] == "0":
                raise SystemExit(f"valgrind has counted nothing:\n{said}")
            return Measured(float(collected[1]), found.get("found", []))
        return Measured(found.get("amount", seconds), found.get("found", []))


def command_of(case: Case, small: bool) -> list[str]:
    if case.kind == "check":
        return [
            "-m",
            "gpaplan",
            "check",
            "domain.ppddl",
            f"{case.domain}-{'-'.join(map(str, case.theta))}.ppddl",
            "--json",
        ]
    return [__file__, "--measure", case.name, *(["--instructions"] if small else [])]


def callgrind(whole: bool) -> list[str]:
    """Valgrind's command line: to count in the whole process, or only in what `measure` asks it to."""
    part = [] if whole else ["--collect-atstart=no", "--toggle-collect=PyRun_SimpleStringFlags"]
    return ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *part]


def run(command: list[str]) -> tuple[str, str, float]:
    """What a command prints on its two streams, and its CPU seconds."""
    environment = {**os.environ, "PYTHONHASHSEED": "0"}
    with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as errors:
        process = subprocess.Popen(command, stdout=output, stderr=errors, env=environment, cwd=BUILDS)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        errors.seek(0)
        printed, said = output.read(), errors.read()
    if process.returncode != 0:
        raise SystemExit(f"{' '.join(command)} failed:\n{printed}{said}")
    return printed, said, usage.ru_utime + usage.ru_stime


def git(*arguments: str) -> bytes:
    return subprocess.run(["git", *arguments], cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout


def build(revision: str) -> Revision:
    """Unpack a revision below build/compare and install it there, unless that has been done before."""
    name = revision or git("describe", "--always", "--dirty").decode().strip()
    # A commit of what is not committed yet; nothing refers to it, and it is empty if there is no such thing.
    commit = revision or git("stash", "create").decode().strip() or "HEAD"
    tree = git("rev-parse", "--verify", f"{commit}^{{tree}}").decode().strip()
    folder = BUILDS / tree[:12]
    python = folder / ".venv" / "bin" / "python"
    if not (folder / ".built").exists():
        print(f"Building {name} in {folder.relative_to(ROOT)} …", file=sys.stderr, flush=True)
        shutil.rmtree(folder, ignore_errors=True)
        with tarfile.open(fileobj=io.BytesIO(git("archive", tree))) as archive:
            archive.extractall(folder, filter="data")
        subprocess.run([sys.executable, "-m", "venv", folder / ".venv"], check=True)
        pip = [str(python), "-m", "pip", "install", "-qq"]
        subprocess.run([*pip, *TOOLS], check=True)
        environment = {**os.environ, "PATH": f"{python.parent}{os.pathsep}{os.environ['PATH']}"}
        subprocess.run([*pip, "--no-build-isolation", str(folder)], check=True, env=environment)
        (folder / ".built").touch()
    return Revision(name, python)


# --- the comparison ---


def compare(base: Revision, head: Revision, cases: list[Case], rounds: int, instructions: bool) -> None:
    print(
        f"Base {base.name}, head {head.name}; load of the machine {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores.\n"
    )
    unit = "million instructions" if instructions else "CPU s"
    print(f"| work | {unit}, base | head | ratio | |\n|---|---:|---:|---:|---|")
    ratios: dict[Case, float] = {}
    for case in cases:
        measured: dict[Revision, list[Measured]] = {base: [], head: []}
        for turn in range(rounds):
            for revision in (base, head) if turn % 2 == 0 else (head, base):
                measured[revision].append(revision.measure(case, instructions))
        first, second = (min(rows) for rows in measured.values())
        ratios[case] = second.amount / first.amount
        theta = ", ".join(map(str, case.small if instructions else case.theta))
        shown = [f"{row.amount / 1e6:,.1f}" if instructions else f"{row.amount:.3f}" for row in (first, second)]
        note = "" if first.found == second.found else f"finds {second.found}, not {first.found}"
        print(f"| {case.name} ({theta}) | {shown[0]} | {shown[1]} | {ratios[case]:.3f} | {note} |", flush=True)
    searches = {case.name: ratio for case, ratio in ratios.items() if case.is_search}
    if searches:
        mean = math.exp(sum(map(math.log, searches.values())) / len(searches))
        worst = max(searches, key=lambda name: searches[name])
        print(f"\nSearches: {mean:.3f} in the mean, {searches[worst]:.3f} at most ({worst}).")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("base", nargs="?", help="a revision: a commit, a branch, a tag")
    parser.add_argument("--head", default="", help="another revision (default: the tree as it is)")
    parser.add_argument("--rounds", type=int, help="how often each measures (default 5, and 1 for instructions)")
    parser.add_argument("--case", action="append", help="only work with this in its name; may be repeated")
    parser.add_argument("--instructions", action="store_true", help="count instructions (valgrind), not time")
    parser.add_argument("--measure", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.measure:
        (case,) = [case for case in CASES if case.name == arguments.measure]
        print(json.dumps(measure(case, arguments.instructions)))
        return
    if arguments.base is None:
        parser.error("say which revision to compare with")
    if arguments.instructions and shutil.which("valgrind") is None:
        parser.error("instructions are counted by valgrind, which is not installed")
    cases = [case for case in CASES if not arguments.case or any(part in case.name for part in arguments.case)]
    base, head = build(arguments.base), build(arguments.head)
    for case in cases:
        if case.kind == "check":
            run([str(base.python), "-m", "gpaplan", "generate", case.domain, *map(str, case.theta)])
    compare(base, head, cases, arguments.rounds or (1 if arguments.instructions else 5), arguments.instructions)


if __name__ == "__main__":
    main()
