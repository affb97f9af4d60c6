"""What is sound in a damaged results file, looked for page by page.

SQLite finds rows from the root of a table: of what hangs below a page that is destroyed it sees nothing, and nothing at
all where the schema is. But each row is in one place (and, if it is long, in pages that follow from there), and has a
checksum. So every page is looked at by itself, and SQLite has no part in it: the file may say what it wants.

The format is described in https://www.sqlite.org/fileformat2.html. A page of rows has a head, the places of its cells,
and the cells; a cell has the length of its row, the row's number, and the row: types first, then values.
"""

from __future__ import annotations

import contextlib
import os
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from gpaplan.errors import UsageError
from gpaplan.experiments.record import LATER_COLUMNS, kinds_of
from gpaplan.experiments.results import COLUMNS_OF, SCHEMA_VERSION, TABLES, Results, checksum

__all__ = ["Salvaged", "salvage"]

_ROWS, _INNER = 0x0D, 0x05
_ENTRIES = {0x0A: 8, 0x02: 12}
"""Pages of an index, and the lengths of their heads."""
_INTEGERS = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}
_MOST_BYTES = 256 * 2**20
"""A longer row is none of ours."""


@dataclass(frozen=True, slots=True)
class Salvaged:
    """How many records and automata were taken over, and how many records there must have been besides."""

    records: int
    automata: int
    lost: int


def salvage(damaged: str | os.PathLike[str], into: Results) -> Salvaged:
    """Copy every sound row of a damaged file that is not there yet."""
    if not Path(damaged).is_file():
        raise UsageError(f"there is no file '{os.fspath(damaged)}' to salvage records from")
    taken = dict.fromkeys(TABLES, 0)
    numbers, keys = set(), set()
    with open(damaged, "rb") as file, into._transaction():
        pages = _Pages(file)
        for number in range(1, pages.count + 1):
            for row, values in pages.rows(number):
                table, found = _sound_row(values)
                if table == "records" and row <= pages.bytes:
                    numbers.add(row)
                    keys.add(found["key"])
                if table and into._row(table, found["key"]) is None:
                    into._insert_row(table, found)
                    taken[table] += 1
        lost = _count_lost(pages, numbers, keys)
    return Salvaged(taken["records"], taken["automata"], lost)


def _count_lost(pages: _Pages, numbers: set[int], keys: set[str]) -> int:
    """How many records there must have been besides those with these numbers and keys.

    Rows are numbered from 1, and none is ever removed. Inner pages have numbers of rows, and an index has keys; what
    has none that is known belongs to another table, or is destroyed itself.
    """
    last = max(numbers, default=0)
    missing = set()
    for number in range(1, pages.count + 1):
        between = {row for row in pages.numbers(number) if row <= pages.bytes}
        if between & numbers:
            last = max(last, *between)
        listed = {values[0] for values in pages.entries(number) if len(values) == 2}
        if listed & keys:
            missing |= listed - keys
    return max(len(missing), last - len(numbers))


# --- rows ---


class _Layout(NamedTuple):
    """A table as a file may have it: columns in the order of the file, and those that the checksum is of."""

    table: str
    names: tuple[str, ...]
    summed: tuple[str, ...]


def _layouts() -> Iterator[_Layout]:
    """Of files made with each version, and brought up to date or not: columns that came later are the last ones."""
    for table in TABLES:
        for made in COLUMNS_OF:
            for now in range(made, SCHEMA_VERSION + 1):
                later = tuple(name for name, since in LATER_COLUMNS.items() if made < since <= now)
                added = later if table == "records" else ()
                yield _Layout(table, (*COLUMNS_OF[made][table], "checksum", *added), COLUMNS_OF[now][table])


_LAYOUTS = tuple(dict.fromkeys(_layouts()))
_REAL = {table: {name for name, (kind, _) in kinds_of(of).items() if kind is float} for table, of in TABLES.items()}


def _sound_row(values: list[Any]) -> tuple[str, dict[str, Any]]:
    """The table of a row, and its values by name; nothing if its checksum is wrong, or if it is none of ours."""
    for table, names, summed in _LAYOUTS:
        if len(names) == len(values):
            row = dict(zip(names, values, strict=True))
            for name in _REAL[table]:  # a whole number takes less room
                row[name] = float(row[name]) if isinstance(row[name], int) else row[name]
            found = {name: row[name] for name in summed}
            if row["checksum"] == checksum(list(found.values())):
                return table, found
    return "", {}


# --- pages ---


class _Pages:
    """The pages of a file, numbered from 1. What makes no sense is passed over."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        head = file.read(100).ljust(100, b"\0")
        size = int.from_bytes(head[16:18], "big")
        self._size = 65536 if size == 1 else size if size >= 512 and size & (size - 1) == 0 else 4096
        self._usable = self._size - head[20]
        self.bytes = os.fstat(file.fileno()).st_size
        self.count = -(-self.bytes // self._size)

    def _page(self, number: int) -> bytes:
        self._file.seek((number - 1) * self._size)
        return self._file.read(self._size)

    def rows(self, number: int) -> Iterator[tuple[int, list[Any]]]:
        """The rows of a page, with their numbers."""
        page = self._page(number)
        for at in _cells(page, 100 if number == 1 else 0, {_ROWS: 8}):
            try:
                length, at = _number(page, at)
                row, at = _number(page, at)
                yield row, _values(self._payload(page, at, length, self._usable - 35))
            except (LookupError, ValueError, struct.error):
                continue

    def entries(self, number: int) -> Iterator[list[Any]]:
        """The entries of a page of an index."""
        page = self._page(number)
        for at in _cells(page, 0, _ENTRIES):
            try:
                length, at = _number(page, at + (4 if page[0] == 0x02 else 0))
                yield _values(self._payload(page, at, length, (self._usable - 12) * 64 // 255 - 23))
            except (LookupError, ValueError, struct.error):
                continue

    def numbers(self, number: int) -> Iterator[int]:
        """The numbers of rows by which an inner page of a table tells where to look for others."""
        page = self._page(number)
        for at in _cells(page, 0, {_INNER: 12}):
            with contextlib.suppress(LookupError):
                yield _number(page, at + 4)[0]

    def _payload(self, page: bytes, at: int, length: int, most: int) -> bytes:
        """What a cell holds; more than so many bytes go on in other pages, each of which has the number of the next."""
        if length <= most:
            return page[at : at + length]
        if length > min(self.bytes, _MOST_BYTES):
            raise ValueError("longer than can be")
        least = (self._usable - 12) * 32 // 255 - 23
        here = least + (length - least) % (self._usable - 4)
        here = here if here <= most else least
        pieces = [page[at : at + here]]
        left, following = length - here, page[at + here : at + here + 4]
        while left > 0:
            page = self._page(max(1, int.from_bytes(following, "big")))
            following = page[:4]
            pieces.append(page[4 : 4 + min(left, self._usable - 4)])
            left -= self._usable - 4
        return b"".join(pieces)


def _cells(page: bytes, start: int, heads: dict[int, int]) -> Iterator[int]:
    """The places of the cells of a page, if it is of one of the kinds given with the lengths of their heads."""
    head = heads.get(page[start]) if len(page) > start + 12 else None
    if head is not None:
        (count,) = struct.unpack_from(">H", page, start + 3)
        places = page[start + head : start + head + 2 * count]
        yield from (place for (place,) in struct.iter_unpack(">H", places[: len(places) // 2 * 2]))


def _number(data: bytes, at: int) -> tuple[int, int]:
    """A number of up to nine bytes, seven bits in each but the ninth, and the place after it."""
    value = 0
    for place in range(at, at + 8):
        value = value << 7 | data[place] & 0x7F
        if data[place] < 0x80:
            return value, place + 1
    return value << 8 | data[at + 8], at + 9


def _values(payload: bytes) -> list[Any]:
    """A row."""
    end, at = _number(payload, 0)
    kinds = []
    while at < end:
        kind, at = _number(payload, at)
        kinds.append(kind)
    values: list[Any] = []
    for kind in kinds:
        size = _INTEGERS.get(kind, 8 if kind == 7 else (kind - 12) // 2 if kind >= 12 else 0)
        piece, at = payload[at : at + size], at + size
        if len(piece) < size or kind in (10, 11) or (kind >= 12 and kind % 2 == 0):
            raise ValueError("cut short, or of no type that we have")
        if kind in _INTEGERS:
            values.append(int.from_bytes(piece, "big", signed=True))
        elif kind == 7:
            values += struct.unpack(">d", piece)
        else:
            values.append(piece.decode() if kind >= 12 else {0: None, 8: 0, 9: 1}[kind])
    return values
