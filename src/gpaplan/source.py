"""Source texts and places in them.

A `SourceText` is one file (or string) with its name; a `Span` is a stretch of it. Lines and columns count from 1, a
column counts characters. Line breaks are counted block by block when the first position is asked for, so a text
without errors never pays for it and one of a million lines needs no table of them.
"""

from __future__ import annotations

from functools import cached_property

_WIDEST_EXCERPT = 120  # characters
_BLOCK = 1 << 16  # characters


class SourceText:
    """A text with the name under which messages speak of it."""

    def __init__(self, text: str, name: str = "<string>") -> None:
        self.text = text
        self.name = name

    @cached_property
    def _line_breaks(self) -> list[int]:
        """How many lines end before each block of the text."""
        counts = [0]
        for start in range(0, len(self.text), _BLOCK):
            counts.append(counts[-1] + self.text.count("\n", start, start + _BLOCK))
        return counts

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column, both from 1, of an offset."""
        block = offset // _BLOCK
        line = self._line_breaks[block] + self.text.count("\n", block * _BLOCK, offset) + 1
        return line, offset - self.text.rfind("\n", 0, offset)

    def line_around(self, offset: int) -> str:
        """The text of the line that holds an offset, without its line break."""
        end = self.text.find("\n", offset)
        line = self.text[self.text.rfind("\n", 0, offset) + 1 : end if end >= 0 else len(self.text)]
        return line.rstrip("\r")

    def __repr__(self) -> str:
        return f"SourceText({self.name!r}, {len(self.text)} characters)"


class Span:
    """The stretch ``[start, end)`` of a source text."""

    __slots__ = ("end", "source", "start")

    def __init__(self, source: SourceText, start: int, end: int) -> None:
        self.source = source
        self.start = start
        self.end = end

    @property
    def line(self) -> int:
        """The line of its start, from 1."""
        return self.source.position(self.start)[0]

    @property
    def column(self) -> int:
        """The column of its start, from 1."""
        return self.source.position(self.start)[1]

    def excerpt(self) -> list[str]:
        """The line of the span's start and, below it, a caret under each of its characters.

        A line too long for a terminal is cut to a window around the span; characters that a terminal would not show
        as one column (tabs, control characters) are shown as one space or one dot.
        """
        line, column = self.source.position(self.start)
        text = self.source.line_around(self.start)
        first = column - 1
        length = max(1, min(self.end - self.start, len(text) - first))
        offset = 0
        if len(text) > _WIDEST_EXCERPT:
            offset = max(0, min(first - _WIDEST_EXCERPT // 3, len(text) - _WIDEST_EXCERPT))
            text = text[offset : offset + _WIDEST_EXCERPT]
            length = min(length, len(text) - (first - offset)) if first - offset < len(text) else 1
        shown = "".join(" " if c == "\t" else c if c.isprintable() else "." for c in text)
        return [
            f"{line:5} | {'…' if offset else ''}{shown}",
            f"      | {' ' * (first - offset + (1 if offset else 0))}{'^' * max(1, length)}",
        ]

    def __repr__(self) -> str:
        line, column = self.source.position(self.start)
        return f"Span({self.source.name}:{line}:{column})"
