"""The record of one run of an experiment, and files of such records.

A `Record` has everything that is known about a run: what was solved and how, what came of it, how long it took, and on
which machine. One row of the results file, or one line of a CSV file, is one record:

    records = read_csv("records.csv.xz")
    write_csv(records, "records.csv")

The columns are the fields of `Record`, in their order; what is not known is empty. A file is checked as it is read: what
is wrong with it is a `DataError` that names line, column and remedy. Files whose name ends in ``.xz`` are compressed; when
reading, it is the content that counts. The same records give the same bytes.
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

__all__ = ["FIELDS", "STATUSES", "Record", "make_record", "read_csv", "values_of", "write_csv"]

STATUSES = ("solved", "time-limit", "memory-limit", "no-proper-policy", "crashed", "error")
COST_MODES = ("unit", "metric")
MAX_BYTES = 1024 * 1024 * 1024
"""Of a file's text, decompressed."""

_XZ = b"\xfd7zXZ\x00"


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One run. None stands for what does not apply or is not known."""

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
    gpa: bool
    """Whether the run had the automaton."""
    run: int
    seed: int
    heuristic: str | None
    epsilon: float
    cost_mode: str
    symmetry: str
    time_limit: float | None
    memory_limit: float | None
    """In 10^6 bytes."""
    trials: int
    horizon: int
    status: str
    message: str
    value: float | None
    """The exact expected cost of the policy."""
    estimate: float | None
    goal_probability: float | None
    guarantee: str | None
    mean_cost: float | None
    """Of the simulated trials; so are the next two."""
    sd_cost: float | None
    goal_rate: float | None
    fallback: bool | None
    """Whether the automaton did not suffice; None without one."""
    expanded: int | None
    generated: int | None
    seconds: float | None
    """From the ground task to the checked policy, wall clock, with all that the automaton needs."""
    seconds_parse: float | None
    seconds_ground: float | None
    seconds_search: float | None
    seconds_verify: float | None
    seconds_total: float | None
    """Of the whole process."""
    seconds_cpu: float | None
    peak_mb: float | None
    optimal: float | None
    """The least expected cost, where the generator knows it in closed form."""
    training: str | None
    """The labels of the training problems, as a JSON list; this and the next three are of the automaton."""
    vertices: int | None
    edges: int | None
    learn_seconds: float | None
    problem_hash: str
    domain_hash: str
    automaton_hash: str | None
    version: str
    python: str
    platform: str
    machine: str
    started: str


FIELDS: tuple[str, ...] = tuple(field.name for field in fields(Record))
"""The columns of every file of records, in order."""

_COUNTS = ("size", "run", "trials", "horizon", "expanded", "generated", "vertices", "edges")
_SHARES = ("goal_rate", "goal_probability")


@cache
def _kinds() -> dict[str, tuple[type, bool]]:
    """For each field its type, and whether it may be None."""
    kinds: dict[str, tuple[type, bool]] = {}
    for name, hint in get_type_hints(Record).items():
        options = get_args(hint) or (hint,)
        kinds[name] = options[0], type(None) in options
    return kinds


def make_record(values: Mapping[str, object], file: str, place: str = "", *, line: int | None = None) -> Record:
    """A record from the plain values of a row: numbers, texts, None, and 0 or 1 for what is true or false.

    Whatever is wrong with them is a `DataError` about ``file``, at ``place`` or ``line``.
    """

    def wrong(name: str, message: str) -> DataError:
        column = FIELDS.index(name) + 1 if line is not None else None
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
    if kind is bool:
        return None if value in (0, 1) and not isinstance(value, float) else f"expected 0 or 1, found {value!r}"
    if not isinstance(value, (int, float)) or isinstance(value, bool) or (kind is int and isinstance(value, float)):
        return f"expected a {'whole ' if kind is int else ''}number, found {value!r}"
    if not math.isfinite(value):
        return f"expected a finite number, found {value!r}"
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
    """The plain values of a record, in the order of `FIELDS`; True and False as 1 and 0."""
    values = (getattr(record, name) for name in FIELDS)
    return tuple(int(value) if isinstance(value, bool) else value for value in values)


# --- CSV --------------------------------------------------------------------------------------------------------------


def write_csv(records: Iterable[Record], path: str | os.PathLike[str]) -> None:
    """Write records as CSV, compressed if the name ends in ``.xz``; the file appears as a whole or not at all."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(FIELDS)
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


def read_csv(path: str | os.PathLike[str]) -> list[Record]:
    """The records of a CSV file, compressed with xz or not, in the order of the file."""
    name = os.fspath(path)
    text = _read_text(name)
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


def _read_text(name: str) -> str:
    try:
        with open(name, "rb") as file:
            compressed = file.read(len(_XZ)) == _XZ
            file.seek(0)
            if compressed:
                with lzma.open(file) as stream:
                    data = stream.read(MAX_BYTES + 1)
            else:
                data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise UsageError(f"cannot read '{name}': {error.strerror or error}") from error
    except (lzma.LZMAError, EOFError) as error:
        raise DataError(f"the compressed data is damaged or cut short ({error});  {_REMEDY}", name) from error
    if len(data) > MAX_BYTES:
        raise DataError(f"the file has more than {MAX_BYTES // 2**20} MiB of text, which is no file of records", name)
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        message = f"this is neither a results file nor CSV in UTF-8 ({error.reason} at byte {error.start})"
        raise DataError(message, name) from error


def _check_header(header: list[str], name: str) -> None:
    for column, title in enumerate(header, 1):
        if title not in FIELDS:
            hint = did_you_mean(title, FIELDS) or "the first line must have the names of the columns of records"
            raise DataError(f"unknown column '{title}';  {hint}", name, line=1, column=column)
        if title in header[: column - 1]:
            raise DataError(f"column '{title}' is there twice", name, line=1, column=column)
    missing = [title for title in FIELDS if title not in header]
    if missing:
        raise DataError(f"there is no column '{missing[0]}' ({len(missing)} missing of {len(FIELDS)});  {_REMEDY}", name)


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
    return make_record(values, name, line=line)


def _parsed(kind: type, text: str) -> object:
    """The number that a text spells; a text that spells none is left as it is, for `make_record` to refuse."""
    if kind is str:
        return text
    try:
        return float(text) if kind is float else int(text)
    except ValueError:
        return text
