"""The n-th call of a command to the system fails: does it say so, and is no file damaged?

    python -m tests.faults                      every command and call; about an hour
    python -m tests.faults solve show           these commands
    python -m tests.faults --call write bench   these calls

A command is run again and again, and each time another one of its calls fails (tests/faults.cpp): opening, reading,
writing, renaming or removing a file, bringing it to the disk, or an allocation. Once this one alone, and once all that
follow, too, as on a disk that stays full. Whatever fails, the command must end, with a documented exit code and, if
that is not 0, a message; a file that was there is what it was, or is new and whole; and what was recorded before is
still there.
"""

from __future__ import annotations

import argparse
import errno
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path

from gpaplan import GpaplanError
from gpaplan.benchmarks import generate
from gpaplan.experiments.record import read_records

SOURCE = Path(__file__).with_suffix(".cpp")
EXIT_CODES = {0, *range(10, 14), 20, *range(30, 37)}
"""What docs/command-line.md lists."""
START = "import gpaplan._core; from gpaplan.__main__ import main; main()"
"""That the core is loaded is part of the program's start, too."""
LONGEST = 120
"""Seconds; a command that takes longer hangs."""
CALLS = {
    "open": errno.EMFILE,
    "read": errno.EIO,
    "write": errno.ENOSPC,
    "rename": errno.EACCES,
    "remove": errno.EACCES,
    "fsync": errno.EIO,
    "new": errno.ENOMEM,
    "allocate": errno.ENOMEM,
}
"""Which calls may fail, and with which error."""
LARGE = 65_536
"""Allocations of fewer bytes do not fail; those of the core, by ``new``, do."""
SUITE = """
runs = 1
time_limit = 60
memory_limit = 2000
solvers = ["lrtdp"]
gpa = [true]
[[domain]]
generator = "gripper"
training = [[1], [2]]
test = [[1]]
"""


@dataclass(frozen=True)
class Case:
    """A command, and the files that it writes."""

    arguments: tuple[str, ...]
    outputs: tuple[str, ...] = ()
    """Files that are the same whenever the command is run; of a folder, those in it."""
    records: tuple[str, ...] = ()
    """Results files and tables of records."""


TASK = ("domain.ppddl", "gripper-2.ppddl")
CASES = {
    "solve": Case(("solve", *TASK, "-o", "written"), ("written",)),
    "learn": Case(("learn", *TASK, "gripper-1.ppddl", "--jobs", "1", "-o", "written"), ("written",)),
    "update": Case(("learn", *TASK, "--update", "gripper.gpa.json", "-o", "written"), ("written",)),
    "simulate": Case(("simulate", *TASK, "--policy", "policy.json", "--trace", "written"), ("written",)),
    "show": Case(("show", "gripper.gpa.json", "--format", "html", "-o", "written"), ("written",)),
    "report": Case(("report", "recorded.csv", "-o", "tables"), ("tables",)),
    "bench": Case(
        ("bench", "suite.toml", "--jobs", "1", "-o", "new.csv"),
        records=("new.csv",),
    ),
    "bench-on": Case(
        ("bench", "suite.toml", "--runs", "2", "--jobs", "1", "-o", "recorded.csv"), records=("recorded.csv",)
    ),
}
MAKE = (
    ("solve", *TASK, "-o", "policy.json"),
    ("learn", "domain.ppddl", "gripper-1.ppddl", "-o", "gripper.gpa.json"),
    ("bench", "suite.toml", "--jobs", "1", "-o", "recorded.csv"),
)
"""What the others read."""


@dataclass(frozen=True)
class Fault:
    call: str
    number: int
    """Of the call that fails; the first one is 1."""
    lasting: bool = False
    """Whether those after it fail too."""

    def __str__(self) -> str:
        return f"{self.call} {self.number}{' and all after it' if self.lasting else ''}"


@dataclass
class Tried:
    """What came of a fault."""

    fault: Fault
    happened: bool
    """Whether the command made that many calls at all."""
    code: int = 0
    message: str = ""
    wrong: list[str] = field(default_factory=list)


class Campaign:
    """Runs commands with faults, each time in a copy of the same folder."""

    def __init__(self, place: Path) -> None:
        """Raises `OSError` or `CalledProcessError` where the calls of a program cannot be made to fail."""
        self.place = Path(os.path.realpath(place))
        self.library = self.place / "faults.so"
        compiler = os.environ.get("CXX", "c++").split()
        command = [*compiler, "-std=c++20", "-O1", "-shared", "-fPIC", "-o", str(self.library), str(SOURCE), "-ldl"]
        subprocess.run(command, check=True, capture_output=True)
        self.template = self._prepared()

    def _prepared(self) -> Path:
        """A folder with all that the commands read, and a file in the place of all that they write."""
        folder = self.place / "template"
        folder.mkdir()
        for balls in (1, 2):
            generate("gripper", balls).write(folder)
        (folder / "suite.toml").write_text(SUITE, encoding="utf-8")
        for arguments in MAKE:
            ended = self._run(arguments, folder)
            assert ended.returncode == 0, ended.stderr
        for name in ("written",):
            (folder / name).write_text("old\n", encoding="utf-8")
        return folder

    def _run(self, arguments: Sequence[str], folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
        """Standard output is a file in the folder, so writing to it may fail like any other."""
        environment |= {"PYTHONHASHSEED": "0", "PYTHONPYCACHEPREFIX": str(self.place / "bytecode")}
        kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        with (folder / "output.txt").open("w", encoding="utf-8") as output:
            return subprocess.run(
                [sys.executable, "-c", START, *arguments],
                cwd=folder,
                env={**kept, **environment},
                stdout=output,
                stderr=subprocess.PIPE,
                text=True,
                timeout=LONGEST,
            )

    def _whole(self, name: str) -> Path:
        """A copy of the folder in which the command was run without a fault."""
        whole = self.place / name
        if not whole.exists():
            shutil.copytree(self.template, whole)
            ended = self._run(CASES[name].arguments, whole)
            assert ended.returncode == 0, ended.stderr
        return whole

    def sweep(self, name: str, call: str, *, lasting: bool) -> Iterator[Tried]:
        """One fault after the other, until the command makes fewer calls."""
        number = 1
        while True:
            tried = self.try_fault(name, Fault(call, number, lasting))
            yield tried
            if not tried.happened:
                return
            number = max(number + 1, number * 11 // 10) if call in ("new", "allocate") else number + 1

    def try_fault(self, name: str, fault: Fault) -> Tried:
        """Run the command in a copy of the folder and let it fail."""
        case, whole = CASES[name], self._whole(name)
        with tempfile.TemporaryDirectory(dir=self.place) as place:
            folder, done = Path(place) / "folder", Path(place) / "done"
            shutil.copytree(self.template, folder)
            environment = {
                "LD_PRELOAD": str(self.library),
                "FAULT_FOLDER": str(folder),
                "FAULT_DONE": str(done),
                "FAULT_CALL": fault.call,
                "FAULT_ERROR": str(CALLS[fault.call]),
                "FAULT_FIRST": str(fault.number),
                "FAULT_LAST": str(sys.maxsize if fault.lasting else fault.number),
                "FAULT_SIZE": str(LARGE),
            }
            try:
                ended = self._run(case.arguments, folder, **environment)
            except subprocess.TimeoutExpired:
                return Tried(fault, True, wrong=["it hangs"])
            tried = Tried(fault, done.exists(), ended.returncode, ended.stderr)
            if tried.happened:
                tried.wrong += _wrong_end(ended)
                tried.wrong += self._wrong_files(case, tried, folder, whole)
            elif ended.returncode != 0:
                tried.wrong.append("without a fault it fails")
            return tried

    def _wrong_files(self, case: Case, tried: Tried, folder: Path, whole: Path) -> Iterator[str]:
        for output in case.outputs:
            for new in _files(whole / output):
                name = new.relative_to(whole)
                found, old = _content(folder / name), _content(self.template / name)
                if found == new.read_bytes():
                    continue
                if found != old:
                    yield f"{name} is damaged"
                elif tried.code == 0:
                    yield f"{name} is not written, and nothing is said"
        for record in case.records:
            yield from _wrong_records(folder / record, self.template / record, tried.code)
        if case.records:
            again = self._run(case.arguments, folder)
            if again.returncode != 0:
                yield f"afterwards the same command fails: {again.stderr.strip()}"
        passing = [entry.name for entry in folder.rglob(".*") if entry.is_file()]
        if passing and tried.fault.call != "remove":
            yield f"left behind: {', '.join(passing)}"


def _wrong_end(ended: subprocess.CompletedProcess[str]) -> Iterator[str]:
    if ended.returncode not in EXIT_CODES:
        yield "an exit code that is not documented"
    if ended.returncode != 0 and not ended.stderr.strip():
        yield "no message"
    if "Traceback" in ended.stderr or "Exception" in ended.stderr:
        yield "a traceback"


def _wrong_records(path: Path, before: Path, code: int) -> Iterator[str]:
    """A table is whole or what it was; a results file has what it had."""
    if code != 0 and (_content(path) == _content(before) or not before.exists()):
        return  # of a new file nothing was promised but that the same command goes on with it
    try:
        found = read_records(path)
    except GpaplanError as error:
        yield f"{path.name} is damaged: {error}"
        return
    if before.exists() and not set(read_records(before)) <= set(found):
        yield f"{path.name} has lost records"


def _files(path: Path) -> list[Path]:
    return sorted(entry for entry in path.rglob("*") if entry.is_file()) if path.is_dir() else [path]


def _content(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("commands", nargs="*", metavar="COMMAND", help=f"of {', '.join(CASES)}; default: all")
    parser.add_argument("--call", action="append", choices=CALLS, help="only these")
    arguments = parser.parse_args()
    failures = 0
    with tempfile.TemporaryDirectory() as place:
        campaign = Campaign(Path(place))
        for name in arguments.commands or CASES:
            for call, lasting in product(arguments.call or CALLS, (False, True)):
                begun, codes = time.perf_counter(), Counter[int]()
                for tried in campaign.sweep(name, call, lasting=lasting):
                    codes[tried.code] += tried.happened
                    failures += len(tried.wrong)
                    for wrong in tried.wrong:
                        print(f"{name}: {tried.fault}: {wrong} (exit code {tried.code})", flush=True)
                        print("".join(f"    {line}\n" for line in tried.message.splitlines()[-12:]), flush=True)
                found = ", ".join(f"{number} with exit code {code}" for code, number in sorted(codes.items()) if number)
                seconds = f"{time.perf_counter() - begun:.0f} s"
                print(f"{name}, {call}{', lasting' if lasting else ''}: {found or 'none'}; {seconds}", flush=True)
    print(f"{failures} wrong")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
