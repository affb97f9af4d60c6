"""What is kept of a run: one `Record`, the same in the results file and as a line of CSV.

The fields are in the order of the columns. Numbers that are not known, or not finite, are None; in CSV that is an empty
field. Floats are written so that reading them gives the same number again.
"""

from __future__ import annotations

import csv
import io
import lzma
import math
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from typing import Any, TextIO

from gpaplan.errors import DataError, did_you_mean
from gpaplan.files import STDIN, read_bytes, written_whole
from gpaplan.statuses import Guarantee, Status

STATUSES = tuple(status for status in Status if status not in (Status.STATE_LIMIT, Status.INTERRUPTED))
"""Of records. Runs have no limit of states, and one that is interrupted has none."""
MAX_BYTES = 1024 * 1024 * 1024
"""Of the text of a CSV file."""
_MOST_TIMES, _LEAST_BYTES = 100, 64 * 1024 * 1024
"""A compressed file becomes at most so many times as long, or so long if that is more; records take about a seventh."""
_XZ_MEMORY = 256 * 1024 * 1024
"""What decompression itself may take; xz -9 asks for a quarter of it."""
_SQLITE = b"SQLite format 3\0"


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One run. The fields up to `horizon` say what was run, the others what came of it."""

    key: str
    """Of everything that determines the run; no two records have the same."""
    suite: str
    domain: str
    problem: str
    """A label: ``gripper(12)``, or the name of a file."""
    theta: str
    """``1 4 13 2``; empty for a file."""
    size: int
    """The problem's place in the suite's list, from 0."""
    solver: str
    gpa: int
    """1 with the automaton, 0 without."""
    run: int
    seed: int
    heuristic: str | None
    epsilon: float
    cost_mode: str
    symmetry: str
    time_limit: float
    memory_limit: float
    trials: int
    horizon: int
    status: Status
    message: str
    value: float | None = None
    """The exact expected cost of the policy."""
    estimate: float | None = None
    goal_probability: float | None = None
    guarantee: Guarantee | None = None
    mean_cost: float | None = None
    sd_cost: float | None = None
    goal_rate: float | None = None
    fallback: int | None = None
    expanded: int | None = None
    generated: int | None = None
    seconds: float | None = None
    """Time to the solution: search, verification and all that the automaton needs, without parsing and grounding."""
    seconds_parse: float | None = None
    seconds_ground: float | None = None
    seconds_search: float | None = None
    seconds_verify: float | None = None
    seconds_total: float | None = None
    """Of the process, from its start to its end."""
    seconds_cpu: float | None = None
    """Processor time of what `seconds` measures."""
    peak_mb: float | None = None
    optimal: float | None = None
    """The least expected cost, where it is known in closed form."""
    training: str | None = None
    """The labels of the training problems, as a JSON list; None without the automaton, like the next three."""
    vertices: int | None = None
    edges: int | None = None
    learn_seconds: float | None = None
    problem_hash: str
    domain_hash: str
    automaton_hash: str | None = None
    match: str | None = None
    """How states were compared with the automaton; None without one, and in records older than other ways than the
    paper's, ``strict``. The same for the next."""
    fallback_mode: str | None = None
    """When the whole problem was searched; what is not known was ``full``."""
    relevance: str | None = None
    """Whether what the goal cannot depend on was dropped; what is not known was ``off``."""
    version: str
    python: str
    platform: str
    machine: str
    started: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "status", Status(self.status))
        object.__setattr__(self, "relevance", self.relevance or "off")
        object.__setattr__(self, "guarantee", None if self.guarantee is None else Guarantee(self.guarantee))

    @property
    def failed(self) -> bool:
        """Whether the run ended in a way that says nothing about the problem."""
        return self.status in (Status.CRASHED, Status.ERROR)


def kinds_of(record: type) -> dict[str, tuple[type, bool]]:
    """Of each field the type, as it is stored, and whether it may be None."""
    return {
        each.name: ({"int": int, "float": float}.get(str(each.type).split(" ")[0], str), "None" in str(each.type))
        for each in fields(record)
    }


_KINDS = kinds_of(Record)
COLUMNS: tuple[str, ...] = tuple(_KINDS)
LATER_COLUMNS = {"match": 2, "fallback_mode": 2, "relevance": 3}
"""Those that older files do not have, and the format of results files that was the first to have each."""


def checked(values: dict[str, Any], file: str, place: str) -> Record:
    """A record of values from a file: every field there, of its type."""
    clean: dict[str, Any] = {}
    for name, (kind, optional) in _KINDS.items():
        value = values.get(name) if name in LATER_COLUMNS else values[name]
        if kind is float and type(value) is int:
            value = float(value)
        sound = (value is None and optional) or type(value) is kind
        if not sound or (kind is float and value is not None and not math.isfinite(value)):
            raise DataError(f"{name} is {value!r}, which is not {_wanted(kind, optional)}", file, place)
        clean[name] = value
    for name, words in {"status": STATUSES, "guarantee": tuple(Guarantee)}.items():
        if clean[name] is not None and clean[name] not in words:
            raise DataError(f"the {name} '{clean[name]}' is none of {', '.join(words)}", file, place)
    return Record(**clean)


def _wanted(kind: type, optional: bool) -> str:
    return {str: "a text", int: "a whole number", float: "a finite number"}[kind] + (" or empty" if optional else "")


# --- CSV ---


def write_records(records: Iterable[Record], path: str | os.PathLike[str]) -> None:
    """Write records as CSV; compressed where the name ends with ``.xz``. The file appears whole or not at all."""
    with written_whole(path) as file:
        if os.fspath(path).endswith(".xz"):
            text = io.StringIO(newline="")
            _write(records, text)
            file.buffer.write(lzma.compress(text.getvalue().encode(), preset=6 | lzma.PRESET_EXTREME))
        else:
            _write(records, file)


def _write(records: Iterable[Record], file: TextIO) -> None:
    file.write(",".join(COLUMNS) + "\n")
    for record in records:
        file.write(",".join(_field(getattr(record, name)) for name in COLUMNS) + "\n")


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


def read_records(path: str | os.PathLike[str]) -> list[Record]:
    """The records of a results file, of a CSV file or standard input, or of either compressed with xz."""
    name = os.fspath(path)
    if name == STDIN and read_bytes(name, MAX_BYTES).startswith(_SQLITE):
        raise DataError("is a results file, which SQLite reads from a disk only; give its name, or pipe its CSV", name)
    if os.path.isfile(name) and read_bytes(name, 16).startswith(_SQLITE):
        from gpaplan.experiments.results import Results

        with Results(name) as results:
            return results.records()
    return list(_read_csv(name, read_bytes(name, MAX_BYTES)))


def _read_csv(name: str, data: bytes) -> Iterator[Record]:
    try:
        most = MAX_BYTES
        if data.startswith(b"\xfd7zXZ\0"):
            most = min(MAX_BYTES, max(_LEAST_BYTES, _MOST_TIMES * len(data)))
            data = b"".join(_decompressed(data, most + 1))
        if len(data) > most:
            raise DataError(f"has more than {most // 2**20} MiB of text; this is no file of records", name)
        text = data.decode("utf-8-sig")
    except (lzma.LZMAError, EOFError) as error:
        raise DataError(f"cannot be decompressed: {error}; the file is damaged or cut short", name) from None
    except UnicodeDecodeError as error:
        raise DataError(f"is not UTF-8 text (byte {error.start}); this is no file of records", name) from None
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
            record = checked(_typed(dict(zip(header, row, strict=True)), name, place), name, place)
            if record.key in seen:
                raise DataError(f"is the same run as line {seen[record.key]}; leave one of them out", name, place)
            seen[record.key] = rows.line_num
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
        raise DataError("this is neither a results file nor CSV that 'gpaplan bench --csv' has written", name)
    for column in header:
        if column not in COLUMNS:
            hint = did_you_mean(column, COLUMNS) or f"there are {', '.join(COLUMNS)}"
            raise DataError(f"unknown column '{column}';  {hint}", name, "line 1")
    missing = [column for column in COLUMNS if column not in header and column not in LATER_COLUMNS]
    if missing or len(header) != len(set(header)):
        what = f"columns are missing: {', '.join(missing)}" if missing else "a column occurs twice"
        raise DataError(what, name, "line 1")


def _typed(row: dict[str, str], name: str, place: str) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for column, text in row.items():
        kind, optional = _KINDS[column]
        try:
            values[column] = None if not text and optional else kind(_without_apostrophe(text))
        except ValueError:
            raise DataError(f"{column} is '{text}', which is not {_wanted(kind, optional)}", name, place) from None
    return values
