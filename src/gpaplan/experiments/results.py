"""The results file: a CSV file with a line for each run that has ended, and next to it a folder with the automata.

A line is appended, and is on the disk, before the next run starts: whatever happens to the process or the machine, the
file holds whole records, each once. A line that a failure cut short is left out when the suite goes on, and its run is
made again. Only one process writes at a time; it holds a lock, which the system takes back if the process dies.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from gpaplan.data import parse_json, read_text, typed
from gpaplan.errors import UsageError
from gpaplan.experiments.record import Record, csv_line, in_order, read_records, write_records
from gpaplan.experiments.suite import Run
from gpaplan.files import alone_with, file_name, written_whole


class WriteError(UsageError):
    """A result could not be written, say because the disk is full. What was recorded before is safe."""


@dataclass(frozen=True, slots=True)
class StoredAutomaton:
    """What was learned from the training problems of a domain."""

    key: str
    domain: str
    training: str
    """For each training problem its label, cost, number of states and seconds, as a JSON list."""
    text: str
    """The automaton's file."""
    hash: str
    vertices: int
    edges: int
    seconds: float
    """Of solving the training problems and learning."""
    version: str
    started: str


class Results:
    """A results file. With ``write`` it is made if need be, and locked against other writers until it is closed."""

    def __init__(self, path: str | os.PathLike[str], *, write: bool = False) -> None:
        self.name = file_name(path, "the results")
        self.path = Path(path)
        self.folder = self.path.with_suffix(".automata")
        """Where the automata are."""
        self._lock = contextlib.ExitStack()
        if not write and not self.path.is_file():
            raise UsageError(f"there is no results file '{self.name}'; 'gpaplan bench SUITE' makes one")
        if (self.path.exists() and not self.path.is_file()) or (write and self.path.suffix == ".xz"):
            raise UsageError(f"'{self.name}' is no file that records can be added to; name another one with --output")
        self._records: dict[str, Record] = {}
        if write and not self._lock.enter_context(alone_with(self.path, wait=False)):
            self.close()
            raise UsageError(
                f"another 'gpaplan bench' is writing to '{self.name}'; wait for it, or name another file with --output"
            )
        try:
            found = read_records(self.path, unfinished=write) if self.path.exists() else []
            self._records = {record.key: record for record in found}
            if write and not _ends_with_a_line(self.path):
                self._write_all()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Let go of the file; what was added is in it."""
        self._lock.close()

    def __enter__(self) -> Results:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    # --- writing ---

    def _write_all(self) -> None:
        with self._safely():
            write_records(self._records.values(), self.path)

    @contextlib.contextmanager
    def _safely(self) -> Iterator[None]:
        """Say what to do where something cannot be written."""
        try:
            yield
        except (OSError, UsageError) as error:
            reason = getattr(error, "strerror", None) or error
            raise WriteError(
                f"cannot write to '{self.name}': {reason}. What was recorded before is safe: make room (or mend the "
                "file's permissions, or put it back) and give the same command again, and it goes on where it stopped"
            ) from error

    def begin(self, runs: Iterable[Run]) -> None:
        """Bring what records say of their place in a suite up to date."""
        before = dict(self._records)
        for run in runs:
            if run.key in before:
                self._records[run.key] = replace(before[run.key], suite=run.plan.suite, size=run.size, run=run.index)
        if self._records != before:
            self._write_all()

    def add(self, record: Record, *, replace: bool = False) -> None:
        """Record a run. A second record of the same run is refused unless it is to replace the first."""
        if record.key in self and not replace:
            raise UsageError(f"the run {record.key} is recorded in '{self.name}' already")
        if record.key in self:
            self._records[record.key] = record
            self._write_all()
            return
        line = csv_line(record).encode()
        with self._safely(), open(self.path, "r+b", buffering=0) as file:
            end = file.seek(0, os.SEEK_END)
            try:
                if file.write(line) < len(line):
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
                os.fsync(file.fileno())
            except OSError:
                file.truncate(end)
                raise
        self._records[record.key] = record

    def add_automaton(self, automaton: StoredAutomaton) -> None:
        """Keep an automaton under its key."""
        with self._safely():
            self.folder.mkdir(exist_ok=True)
            with written_whole(self._place(automaton.key)) as file:
                file.write(json.dumps(asdict(automaton), indent=1) + "\n")

    # --- reading ---

    def __contains__(self, key: str) -> bool:
        return key in self._records

    def __len__(self) -> int:
        return len(self._records)

    def records(self) -> list[Record]:
        """All records, in the order of the suite."""
        return in_order(self._records.values())

    def _place(self, key: str) -> Path:
        return self.folder / f"{key[:16]}.json"

    def automaton(self, key: str) -> StoredAutomaton | None:
        """The automaton with a key, if there is one."""
        place = self._place(key)
        return _read_automaton(place) if place.is_file() else None

    def automata(self) -> list[StoredAutomaton]:
        """All automata, by domain."""
        found = map(_read_automaton, sorted(self.folder.glob("*.json")))
        return sorted(found, key=lambda each: (each.domain, each.key))


def _ends_with_a_line(path: Path) -> bool:
    """Whether there is a file, and a failure has not cut its last line short."""
    with contextlib.suppress(OSError), open(path, "rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read() == b"\n"
    return False


def _read_automaton(path: Path) -> StoredAutomaton:
    name = os.fspath(path)
    return typed(parse_json(read_text(path, name, "an automaton"), name, "an automaton"), StoredAutomaton, name)
