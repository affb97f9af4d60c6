"""The record of one run of an experiment, and files of such records.

A `Record` has everything that is known about a run: what was solved and how, what came of it, how long it took, and on
which machine. One row of the results file, or one line of a CSV file, is one record:

    records = read_records("results.sqlite")
    write_records(records, "records.csv.xz")

The columns are the fields of `Record`, in their order; what is not known is empty. A file is checked as it is read:
what is wrong with it is a `DataError` that names line, column and remedy. Files whose name ends in ``.xz`` are
compressed; when reading, it is the content that counts. Floats are written so that reading them gives the same number
again, and the same records give the same bytes.
"""

from __future__ import annotations

import csv
import io
import lzma
import math
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any, get_args, get_type_hints

from gpaplan.errors import DataError, UsageError, did_you_mean

__all__ = ["COLUMNS", "STATUSES", "Record", "checked", "read_records", "values_of", "write_records"]

STATUSES = ("solved", "time-limit", "memory-limit", "no-proper-policy", "crashed", "error")
COST_MODES = ("unit", "metric")
MAX_BYTES = 1024 * 1024 * 1024
"""Of a file's text, decompressed."""

_XZ = b"\xfd7zXZ\x00"
_SQLITE = b"SQLite format 3\x00"


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One run. None stands for what does not apply or is not known.

    The fields up to `horizon` say what was run, the others what came of it and where.
    """

    key: str
    """Unique: a hash of everything that determines the run."""
    suite: str
    domain: str
    problem: str
    """Such as ``gripper(12)``, or the name of the file."""
    theta: str
    """The generator's parameters with blanks between them; empty for a file."""
    size: int
    """The place of the problem in the suite's list of test problems, from 0."""
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
    """In 10^6 bytes."""
    trials: int
    horizon: int
    status: str
    message: str
    value: float | None = None
    """The exact expected cost of the policy."""
    estimate: float | None = None
    goal_probability: float | None = None
    guarantee: str | None = None
    mean_cost: float | None = None
    """Of the simulated trials; so are the next two."""
    sd_cost: float | None = None
    goal_rate: float | None = None
    fallback: int | None = None
    """1 if the automaton did not suffice, 0 if it did; None without one."""
    expanded: int | None = None
    generated: int | None = None
    seconds: float | None = None
    """From the ground task to the checked policy, wall clock, with all that the automaton needs."""
    seconds_parse: float | None = None
    seconds_ground: float | None = None
    seconds_search: float | None = None
    seconds_verify: float | None = None
    seconds_total: float | None = None
    """Of the whole process."""
    seconds_cpu: float | None = None
    peak_mb: float | None = None
    optimal: float | None = None
    """The least expected cost, where the generator knows it in closed form."""
    training: str | None = None
    """The labels of the training problems, as a JSON list; this and the next three are of the automaton."""
    vertices: int | None = None
    edges: int | None = None
    learn_seconds: float | None = None
    problem_hash: str
    domain_hash: str
    automaton_hash: str | None = None
    version: str
    python: str
    platform: str
    machine: str
    started: str

    @property
    def failed(self) -> bool:
        """Whether the run ended in a way that says nothing about the problem."""
        return self.status in ("crashed", "error")


COLUMNS: tuple[str, ...] = tuple(field.name for field in fields(Record))
"""The columns of every file of records, in order."""

_COUNTS = ("size", "run", "trials", "horizon", "expanded", "generated", "vertices", "edges")
_FLAGS = ("gpa", "fallback")
_SHARES = ("goal_rate", "goal_probability")


@cache
def _kinds() -> dict[str, tuple[type, bool]]:
    """For each field its type, and whether it may be None."""
    kinds: dict[str, tuple[type, bool]] = {}
    for name, hint in get_type_hints(Record).items():
        options = get_args(hint) or (hint,)
        kinds[name] = options[0], type(None) in options
    return kinds


def checked(values: Mapping[str, object], file: str, place: str = "", *, line: int | None = None) -> Record:
    """A record from the plain values of a row: numbers, texts, and None for what is not known.

    Whatever is wrong with them is a `DataError` about ``file``, at ``place`` or ``line``.
    """

    def wrong(name: str, message: str) -> DataError:
        column = COLUMNS.index(name) + 1 if line is not None else None
        where = f"{place}, column '{name}'" if place else f"column '{name}'"
        return DataError(message, file, where, line=line, column=column)

    clean: dict[str, Any] = {}
    for name, (kind, optional) in _kinds().items():
        value = values.get(name)
        if value is None:
            if not optional:
                raise wrong(name, "there is no value, and there must be one")
            clean[name] = None
            continue
        problem = _objection(name, kind, value)
        if problem is not None:
            raise wrong(name, problem)
        clean[name] = kind(value)
    record = Record(**clean)
    if record.status == "solved" and record.seconds is None:
        raise wrong("seconds", "a run that was solved must have its time")
    return record


def _objection(name: str, kind: type, value: object) -> str | None:
    """What speaks against a value, or None."""
    if kind is str:
        if not isinstance(value, str):
            return f"expected a text, found {value!r}"
        return _name_objection(name, value)
    if not isinstance(value, (int, float)) or isinstance(value, bool) or (kind is int and isinstance(value, float)):
        return f"expected a {'whole ' if kind is int else ''}number, found {value!r}"
    if not math.isfinite(value):
        return f"expected a finite number, found {value!r}"
    if name in _FLAGS and value not in (0, 1):
        return f"expected 0 or 1, found {value!r}"
    if value < 0 and (name in _COUNTS or name.startswith("seconds") or name in ("peak_mb", "sd_cost", "epsilon")):
        return f"must not be negative, and is {value!r}"
    if name in _SHARES and not -1e-9 <= value <= 1 + 1e-9:
        return f"must be from 0 to 1, and is {value!r}"
    return None


def _name_objection(name: str, value: str) -> str | None:
    known = {"status": STATUSES, "cost_mode": COST_MODES}.get(name)
    if known is not None and value not in known:
        return f"unknown value '{value}';  {did_you_mean(value, known) or 'there are ' + ', '.join(known)}"
    if name in ("key", "domain", "problem", "solver") and not value:
        return "must not be empty"
    return None


def values_of(record: Record) -> tuple[str | int | float | None, ...]:
    """The values of a record, in the order of `COLUMNS`."""
    return tuple(getattr(record, name) for name in COLUMNS)


# --- CSV --------------------------------------------------------------------------------------------------------------


def write_records(records: Iterable[Record], path: str | os.PathLike[str]) -> None:
    """Write records as CSV, compressed if the name ends in ``.xz``; the file appears as a whole or not at all."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for record in records:
        writer.writerow("" if value is None else value for value in values_of(record))
    data = text.getvalue().encode()
    target = Path(path)
    if target.suffix == ".xz":
        data = lzma.compress(data, preset=9)
    passing = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        try:
            passing.write_bytes(data)
            passing.replace(target)
        finally:
            passing.unlink(missing_ok=True)
    except OSError as error:
        raise UsageError(f"cannot write '{target}': {error.strerror or error}") from error


def read_records(path: str | os.PathLike[str]) -> list[Record]:
    """The records of a results file, of a CSV file, or of one compressed with xz, in the order of the file."""
    name = os.fspath(path)
    try:
        with open(name, "rb") as file:
            start = file.read(len(_SQLITE))
    except OSError as error:
        raise UsageError(f"cannot read '{name}': {error.strerror or error}") from error
    if start == _SQLITE:
        from gpaplan.experiments.results import Results

        with Results(name) as results:
            return results.records()
    return _read_csv(name, _read_text(name, compressed=start.startswith(_XZ)))


def _read_csv(name: str, text: str) -> list[Record]:
    if not text.strip():
        raise DataError(f"the file is empty;  {_REMEDY}", name)
    if not text.endswith("\n"):
        raise DataError(f"the last line has no end, so the file was cut short;  {_REMEDY}", name)
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    records: dict[str, Record] = {}
    try:
        header = next(reader)
        _check_header(header, name)
        line = reader.line_num + 1
        for row in reader:
            if row:
                record = _parse_row(header, row, name, line)
                if record.key in records:
                    raise DataError(
                        f"the run with key '{record.key}' is recorded twice;  remove one of the two lines",
                        name,
                        line=line,
                        column=1,
                    )
                records[record.key] = record
            line = reader.line_num + 1
    except csv.Error as error:
        raise DataError(f"this is not CSV: {error};  {_REMEDY}", name, line=reader.line_num, column=1) from error
    return list(records.values())


_REMEDY = "write it again from the results with 'gpaplan bench --export', or take the copy you have"


def _read_text(name: str, *, compressed: bool) -> str:
    try:
        with lzma.open(name) if compressed else open(name, "rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise UsageError(f"cannot read '{name}': {error.strerror or error}") from error
    except (lzma.LZMAError, EOFError) as error:
        raise DataError(f"the compressed data is damaged or cut short ({error});  {_REMEDY}", name) from error
    if len(data) > MAX_BYTES:
        raise DataError(f"the file has more than {MAX_BYTES // 2**20} MiB of text, which is no file of records", name)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        message = f"this is neither a results file nor CSV in UTF-8 ({error.reason} at byte {error.start})"
        raise DataError(message, name) from error


def _check_header(header: list[str], name: str) -> None:
    for column, title in enumerate(header, 1):
        if title not in COLUMNS:
            hint = did_you_mean(title, COLUMNS) or "the first line must have the names of the columns of records"
            raise DataError(f"unknown column '{title}';  {hint}", name, line=1, column=column)
        if title in header[: column - 1]:
            raise DataError(f"column '{title}' is there twice", name, line=1, column=column)
    missing = [title for title in COLUMNS if title not in header]
    if missing:
        raise DataError(
            f"there is no column '{missing[0]}' ({len(missing)} missing of {len(COLUMNS)});  {_REMEDY}", name
        )


def _parse_row(header: list[str], row: list[str], name: str, line: int) -> Record:
    if len(row) != len(header):
        raise DataError(
            f"the line has {len(row)} of {len(header)} values: it was cut short or damaged;  {_REMEDY}",
            name,
            line=line,
            column=1,
        )
    values: dict[str, object] = {}
    for title, text in zip(header, row, strict=True):
        kind, optional = _kinds()[title]
        values[title] = None if text == "" and (optional or kind is not str) else _parsed(kind, text)
    return checked(values, name, line=line)


def _parsed(kind: type, text: str) -> object:
    """The number that a text spells; a text that spells none is left as it is, for `checked` to refuse."""
    if kind is str:
        return text
    try:
        return float(text) if kind is float else int(text)
    except ValueError:
        return text
