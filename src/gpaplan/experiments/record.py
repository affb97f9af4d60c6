"""What is kept of a run: one `Record`, a line of CSV.

The fields are in the order of the columns. Numbers that are not known, or not finite, are None, which is an empty
field. Floats are written so that reading them gives the same number again. Whatever is wrong with a file is a
`DataError` that names the line: a value that is none of its type, a time below zero, a share above one.
"""

from __future__ import annotations

import csv
import io
import lzma
import os
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, fields
from typing import Annotated, TypeAlias

from msgspec import Meta

from gpaplan.data import typed
from gpaplan.errors import DataError, did_you_mean
from gpaplan.files import file_name, read_bytes, written_whole
from gpaplan.statuses import Guarantee, Status

STATUSES = tuple(status for status in Status if status not in (Status.STATE_LIMIT, Status.INTERRUPTED))
"""Of records. Runs have no limit of states, and one that is interrupted has none."""
MAX_BYTES = 1024 * 1024 * 1024
"""Of the text of a file."""
_MOST_TIMES, _LEAST_BYTES = 100, 64 * 1024 * 1024
"""A compressed file becomes at most so many times as long, or so long if that is more; records take about a seventh."""
_XZ_MEMORY = 256 * 1024 * 1024
"""Bytes that decompression itself may take; xz -9 asks for a quarter of it."""
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


def _without_apostrophe(text: str) -> str:
    return text[1:] if text.startswith("'") and _FORMULA.match(text) else text


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
            data = b"".join(_decompressed(data, most + 1))
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
                column: _without_apostrophe(value)
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


def _decompressed(data: bytes, most: int) -> Iterator[bytes]:
    """What was compressed with xz, piece by piece, and no more than so much of it."""
    while data and most > 0:
        decompressor = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_XZ_MEMORY)
        while not decompressor.eof and most > 0:
            piece = decompressor.decompress(data, min(most, 1 << 20))
            if not piece and decompressor.needs_input and not decompressor.eof:
                raise EOFError("it has no end")
            data = b""
            most -= len(piece)
            yield piece
        data = decompressor.unused_data.lstrip(b"\0")  # another one may follow, after a gap of zeros


def _check_header(header: list[str], name: str) -> None:
    if "key" not in header:
        raise DataError("this is no file of records, as 'gpaplan bench' writes it", name)
    for column in header:
        if column not in COLUMNS and column != "checksum":  # which a database had
            hint = did_you_mean(column, COLUMNS) or f"there are {', '.join(COLUMNS)}"
            raise DataError(f"unknown column '{column}';  {hint}", name, "line 1")
    missing = [column for column in COLUMNS if column not in header]
    if missing or len(header) != len(set(header)):
        what = f"columns are missing: {', '.join(missing)}" if missing else "a column occurs twice"
        raise DataError(what, name, "line 1")
