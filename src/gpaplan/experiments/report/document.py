"""What a report consists of, whatever it is written as: chapters of paragraphs, lists, tables and a figure.

`contents` builds it once from the records. `markdown`, `page` (HTML) and `latex` write it, and know nothing of records:
an entry of a table says what is in it, piece by piece, and each writer has its own way to show that a piece is bold or
a count of runs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

BLANK = "–"


class Piece(NamedTuple):
    """Some words of an entry, and what they are."""

    text: str
    look: Literal["", "bold", "spread", "runs", "failed"] = ""
    short: str = ""
    """What stands for the text where there is little room."""


class Entry(NamedTuple):
    """An entry of a table: lines of pieces; none where nothing is known."""

    lines: Sequence[Sequence[Piece]] = ()
    key: float | None = None
    """The number that it is sorted by."""
    look: Literal["", "exception", "paper"] = ""
    note: str = ""
    """What else is to be said about it."""

    def __str__(self) -> str:
        return "; ".join("".join(piece.text for piece in line) for line in self.lines) or BLANK


class TableColumn(NamedTuple):
    """A column of a table."""

    title: str
    group: str = ""
    """What it shares with its neighbours."""
    part: str = ""
    """Where a table is too wide, it is shown in parts, each with all columns that belong to none."""
    text: bool = False
    """Whether it has words, and not numbers."""


class ReportTable(NamedTuple):
    columns: Sequence[TableColumn]
    rows: Sequence[Sequence[Entry]]


class Paragraph(NamedTuple):
    text: str
    lead: str = ""
    """Words in front of it that stand out."""
    look: Literal["", "note", "warning"] = ""


class Items(NamedTuple):
    """A list."""

    items: Sequence[str]


class Picture(NamedTuple):
    """The figure: its file, what it shows, its drawing as SVG, and what is said about elements of it, by their ids."""

    file: str
    label: str
    svg: str
    notes: Mapping[str, str]


class Chapter(NamedTuple):
    """A heading and what stands below it."""

    title: str
    blocks: Sequence[Block]
    kind: Literal["", "fold", "results"] = ""
    """Whether it may be folded away, or has rows that can be searched, where that is possible."""


Block = Chapter | Paragraph | Items | ReportTable | Picture
