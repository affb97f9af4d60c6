"""Source texts and places in them.

A `SourceText` is one file (or string) with its name; a `Span` is a stretch of it. Lines and columns count from 1, a
column counts characters. The line table is built when the first position is asked for, so a text without errors never
pays for it.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property

_WIDEST_EXCERPT = 120


class SourceText:
    """A text with the name under which messages speak of it."""

    def __init__(self, text: str, name: str = "<string>") -> None:
        self.text = text
        self.name = name

    @cached_property
    def _line_starts(self) -> list[int]:
        starts = [0]
        at = self.text.find("\n")
        while at >= 0:
            starts.append(at + 1)
            at = self.text.find("\n", at + 1)
        return starts

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column, both from 1, of an offset."""
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    def line_text(self, line: int) -> str:
        """The text of a line, without its line break."""
        start = self._line_starts[line - 1]
        end = self.text.find("\n", start)
        return self.text[start : end if end >= 0 else len(self.text)].rstrip("\r")

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
        return self.source.position(self.start)[0]

    @property
    def column(self) -> int:
        return self.source.position(self.start)[1]

    def excerpt(self) -> list[str]:
        """The line of the span's start and, below it, a caret under each of its characters.

        A line too long for a terminal is cut to a window around the span; characters that a terminal would not show
        as one column (tabs, control characters) are shown as one space or one dot.
        """
        line, column = self.source.position(self.start)
        text = self.source.line_text(line)
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
