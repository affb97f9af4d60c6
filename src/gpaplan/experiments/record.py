"""What is kept of runs: a `Record` of each, a line of CSV, and in `Results` the file of them, with the automata.

The fields are in the order of the columns. Numbers that are not known, or not finite, are None, which is an empty
field. Floats are written so that reading them gives the same number again. Whatever is wrong with a file is a
`DataError` that names the line: a value that is none of its type, a time below zero, a share above one.

A line is appended, and is on the disk, before the next run starts: whatever happens to the process or the machine, the
file holds whole records, each once. A line that a failure cut short is left out when the suite goes on, and its run is
made again. Only one process writes at a time; it holds a lock, which the system takes back if the process dies.
"""

from __future__ import annotations

import contextlib
import csv
import errno
import io
import json
import lzma
import os
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

from msgspec import Meta

from gpaplan.data import read_json, typed
from gpaplan.errors import DataError, UsageError, did_you_mean
from gpaplan.files import alone_with, file_name, read_bytes, written_whole
from gpaplan.statuses import Guarantee, Status

if TYPE_CHECKING:
    from gpaplan.experiments.suite import Run

STATUSES = tuple(status for status in Status if status not in (Status.STATE_LIMIT, Status.INTERRUPTED))
"""Of records. Runs have no limit of states, and one that is interrupted has none."""
MAX_BYTES = 1024 * 1024 * 1024
"""Of the text of a file."""
_MOST_TIMES, _LEAST_BYTES = 100, 64 * 1024 * 1024
"""A compressed file becomes at most so many times as long, or so long if that is more; records take about a seventh."""
_MOST = 1.7976931348623157e308  # the largest double

Number: TypeAlias = Annotated[float, Meta(ge=-_MOST, le=_MOST, description="a finite number")]
Amount: TypeAlias = Annotated[float, Meta(ge=0, le=_MOST, description="a finite number from 0")]
Count: TypeAlias = Annotated[int, Meta(ge=0)]
Share: TypeAlias = Annotated[float, Meta(ge=-1e-9, le=1 + 1e-9, description="a number from 0 to 1")]
Flag: TypeAlias = Annotated[int, Meta(ge=0, le=1)]
Name: TypeAlias = Annotated[str, Meta(min_length=1, description="a text that is not empty")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One run. The fields up to `horizon` say what was run, the others what came of it."""

    key: str
    """Of everything that determines the run; no two records have the same."""
    suite: str
    domain: Name
    problem: Name
    """A label: ``gripper(12)``, or the name of a file."""
    theta: str
    """``1 4 13 2``; empty for a file."""
    size: Count
    """The problem's place in the suite's list, from 0."""
    solver: Name
    gpa: Flag
    """1 with the automaton, 0 without."""
    run: Count
    seed: Count
    heuristic: str | None = None
    epsilon: Number
    cost_mode: str
    symmetry: str
    time_limit: Amount
    memory_limit: Amount
    trials: Count
    horizon: Count
    status: Status
    message: str
    value: Number | None = None
    """The exact expected cost of the policy."""
    estimate: Number | None = None
    goal_probability: Share | None = None
    guarantee: Guarantee | None = None
    mean_cost: Number | None = None
    sd_cost: Amount | None = None
    goal_rate: Share | None = None
    fallback: Flag | None = None
    expanded: Count | None = None
    generated: Count | None = None
    seconds: Amount | None = None
    """Time to the solution: search, verification and all that the automaton needs, without parsing and grounding."""
    seconds_parse: Number | None = None
    seconds_ground: Number | None = None
    seconds_search: Number | None = None
    seconds_verify: Number | None = None
    seconds_total: Number | None = None
    """Of the process, from its start to its end."""
    seconds_cpu: Amount | None = None
    """Processor time of what `seconds` measures."""
    peak_mb: Number | None = None
    optimal: Number | None = None
    """The least expected cost, where it is known in closed form."""
    training: str | None = None
    """The labels of the training problems, as a JSON list; None without the automaton, like the next three."""
    vertices: Count | None = None
    edges: Count | None = None
    learn_seconds: Amount | None = None
    problem_hash: str
    domain_hash: str
    automaton_hash: str | None = None
    match: str | None = None
    """How states were compared with the automaton; None without one. The same for the next."""
    fallback_mode: str | None = None
    """When the whole problem was searched."""
    relevance: str
    """Whether what the goal cannot depend on was dropped."""
    version: str
    python: str
    platform: str
    machine: str
    started: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "status", Status(self.status))
        object.__setattr__(self, "guarantee", None if self.guarantee is None else Guarantee(self.guarantee))

    @property
    def failed(self) -> bool:
        """Whether the run ended in a way that says nothing about the problem."""
        return self.status in (Status.CRASHED, Status.ERROR)


COLUMNS: tuple[str, ...] = tuple(each.name for each in fields(Record))
_OPTIONAL = {each.name for each in fields(Record) if str(each.type).endswith("None")}

# --- writing ---


def write_records(records: Iterable[Record], path: str | os.PathLike[str]) -> None:
    """Write records as CSV; compressed where the name ends with ``.xz``. The file appears whole or not at all."""
    text = ",".join(COLUMNS) + "\n" + "".join(map(csv_line, records))
    with written_whole(path) as file:
        if os.fspath(path).endswith(".xz"):
            file.buffer.write(lzma.compress(text.encode(), preset=6 | lzma.PRESET_EXTREME))
        else:
            file.write(text)


def csv_line(record: Record) -> str:
    """A record as a line of CSV."""
    return ",".join(_field(getattr(record, name)) for name in COLUMNS) + "\n"


def _field(value: object) -> str:
    """A field of CSV. (The writer of the standard library does not quote a carriage return in every version.)"""
    text = "" if value is None else repr(value) if isinstance(value, float) else no_formula(str(value))
    return '"' + text.replace('"', '""') + '"' if any(mark in text for mark in ',"\r\n') else text


_FORMULA = re.compile(r"'*[=+\-@\t\r]")
_NUMBER = re.compile(r"[+-]?\d+(\.\d*)?(e[+-]?\d+)?", re.IGNORECASE | re.ASCII)


def no_formula(text: str) -> str:
    """A field with an apostrophe before it if a spreadsheet would take it for a formula, and run it."""
    return f"'{text}" if _FORMULA.match(text) and not _NUMBER.fullmatch(text) else text


# --- reading ---


def read_records(path: str | os.PathLike[str], *, unfinished: bool = False) -> list[Record]:
    """The records of a CSV file or of standard input, which may be compressed with xz, in the order of the suite. The
    last line of an ``unfinished`` file is left out if it has no end."""
    name = file_name(path, "records")
    text = _text(name, read_bytes(name, MAX_BYTES))
    return in_order(list(_parsed(text[: text.rfind("\n") + 1] if unfinished else text, name)))


def in_order(records: Collection[Record]) -> list[Record]:
    """In the order of the suite: domain, problem, solver, without and with automaton, run. Which of the runs that are
    made at the same time is recorded first is chance."""
    first: dict[tuple[str, str], int] = {}
    for each in records:
        first.setdefault((each.suite, each.domain), len(first))
    return sorted(records, key=lambda r: (first[r.suite, r.domain], r.size, r.problem, r.solver, r.gpa, r.run, r.key))


def _text(name: str, data: bytes) -> str:
    if data.startswith(b"SQLite format 3\0"):
        how = f"sqlite3 -header -csv {name} 'SELECT * FROM records' > {name}.csv"
        raise DataError(f"is a results file of gpaplan 0.1, which was a database; make CSV of it: {how}", name)
    try:
        most = MAX_BYTES
        if data.startswith(b"\xfd7zXZ\0"):
            most = min(MAX_BYTES, max(_LEAST_BYTES, _MOST_TIMES * len(data)))
            with lzma.open(io.BytesIO(data)) as file:
                data = file.read(most + 1)
        if len(data) > most:
            raise DataError(f"has more than {most // 2**20} MiB of text; this is no file of records", name)
        return data.decode("utf-8-sig")
    except (lzma.LZMAError, EOFError) as error:
        raise DataError(f"cannot be decompressed: {error}; the file is damaged or cut short", name) from None
    except UnicodeDecodeError as error:
        raise DataError(f"is not UTF-8 text (byte {error.start}); this is no file of records", name) from None


def _parsed(text: str, name: str) -> Iterator[Record]:
    rows = csv.reader(io.StringIO(text, newline=""), strict=True)
    seen: dict[str, int] = {}
    try:
        header = next(rows, [])
        _check_header(header, name)
        for row in rows:
            place = f"line {rows.line_num}"
            if len(row) != len(header):
                message = f"{len(row)} fields where {len(header)} belong; was the file cut short?"
                raise DataError(message, name, place)
            values = {
                column: value[1:] if value.startswith("'") and _FORMULA.match(value) else value
                for column, value in zip(header, row, strict=True)
                if column in COLUMNS and (value or column not in _OPTIONAL)
            }
            record = typed(values, Record, name, place, of_text=True)
            if record.status == Status.SOLVED and record.seconds is None:
                raise DataError("seconds is empty, and a run that was solved must have its time", name, place)
            if seen.setdefault(record.key, rows.line_num) != rows.line_num:
                raise DataError(f"is the same run as line {seen[record.key]}; leave one of them out", name, place)
            yield record
        if not text.endswith("\n"):
            raise DataError("the line has no end; was the file cut short?", name, f"line {rows.line_num}")
    except csv.Error as error:
        raise DataError(f"not CSV: {error}; was the file cut short?", name, f"line {rows.line_num}") from None


def _check_header(header: list[str], name: str) -> None:
    if "key" not in header:
        raise DataError("this is no file of records, as 'gpaplan bench' writes it", name)
    for column in header:
        if column not in COLUMNS and column != "checksum":  # which a database had
            hint = did_you_mean(column, COLUMNS) or f"there are {', '.join(COLUMNS)}"
            raise DataError(f"unknown column '{column}';  {hint}", name, "line 1")
    if missing := [column for column in COLUMNS if column not in header]:
        raise DataError(f"columns are missing: {', '.join(missing)}", name, "line 1")
    if len(header) != len(set(header)):
        raise DataError("a column occurs twice", name, "line 1")


# --- the results file ---


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


class Results(contextlib.AbstractContextManager["Results"]):
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
        if record.key in self:
            if not replace:
                raise UsageError(f"the run {record.key} is recorded in '{self.name}' already")
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
        if not self._place(key).is_file():
            return None
        record, name = read_json(self._place(key), "an automaton")
        return typed(record, StoredAutomaton, name)


def _ends_with_a_line(path: Path) -> bool:
    """Whether there is a file, and a failure has not cut its last line short."""
    with contextlib.suppress(OSError), open(path, "rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read() == b"\n"
    return False
