"""What is sound in a damaged results file: the rows that SQLite can still read and whose checksums are right.

Rows are asked for one by one, by their numbers: a page that is destroyed takes its own rows with it and no others.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gpaplan.errors import DataError, UsageError
from gpaplan.experiments.results import COLUMNS_OF, TABLES, Results, checksum, plain_columns

_LEAST_BYTES = 64
"""Of a row: so many of them at most are in a file of some size."""


@dataclass(frozen=True, slots=True)
class Salvaged:
    """How many records and automata were taken over, and how many records there must have been besides."""

    records: int
    automata: int
    lost: int


def salvage(damaged: str | os.PathLike[str], into: Results) -> Salvaged:
    """Copy every sound row of a damaged file that is not there yet."""
    path = Path(damaged)
    if not path.is_file():
        raise UsageError(f"there is no file '{path}' to salvage records from")
    taken = dict.fromkeys(TABLES, 0)
    lost = 0
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as database, into._transaction():
        database.row_factory = sqlite3.Row
        try:
            for setting in (
                "trusted_schema = OFF",
                "query_only = ON",
                "writable_schema = ON",
            ):  # the last: read what is left
                database.execute(f"PRAGMA {setting}")
            tables = {
                name: plain_columns(text)
                for name, text in database.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'table'")
            }
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise DataError(f"nothing can be read of it, for its beginning is destroyed ({error})", str(path)) from None
        for table in (name for name in TABLES if tables.get(name)):
            sound = dict(_sound_rows(database, table, path.stat().st_size // _LEAST_BYTES))
            if table == "records":
                lost = max(sound, default=0) - len(sound)
            for row in sound.values():
                if into._row(table, row["key"]) is None:
                    into._insert_row(table, row)
                    taken[table] += 1
    return Salvaged(taken["records"], taken["automata"], lost)


def _sound_rows(database: sqlite3.Connection, table: str, most: int) -> Iterator[tuple[int, dict[str, Any]]]:
    """The rows whose checksums are right, by their numbers, which begin with 1; none is ever removed."""
    for number in range(1, most + 1):
        with contextlib.suppress(sqlite3.Error, UnicodeDecodeError):
            row = database.execute(f"SELECT * FROM {table} WHERE rowid = ?", (number,)).fetchone()
            for columns in () if row is None else COLUMNS_OF.values():
                names = columns[table]
                if {*names, "checksum"} <= {*row.keys()} and row["checksum"] == _checksum(row, names):
                    yield number, {name: row[name] for name in names}
                    break


def _checksum(row: sqlite3.Row, names: tuple[str, ...]) -> str | None:
    values = [row[name] for name in names]
    return None if any(isinstance(value, bytes) for value in values) else checksum(values)
