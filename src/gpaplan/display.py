"""How results show themselves: as plain data, in words, in a notebook, and as tables of pandas.

``to_json`` means the same on every class: a dict of texts, numbers, lists and dicts that ``json.dumps`` takes as it is.
JSON has no infinity; a number that is not finite is None. Where a class has a file, ``to_text`` is the file's text, and
``from_json``, where there is one, takes what ``to_json`` gave.

Names may come from anybody's files. What is shown in a notebook is escaped, or stands in a frame that can touch nothing
of the notebook; what may end up on a terminal is made `harmless`.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import fields
from typing import Any

from gpaplan.errors import UsageError

MOST_ROWS = 10
"""So many rows of a long table are shown in a notebook."""


class SvgText(str):
    """The text of a picture, which a notebook shows as the picture."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<picture as SVG, {len(self):,} characters>"

    def _repr_svg_(self) -> str:
        return str(self)


_HARMFUL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Control characters but tabs and ends of lines, and those that turn the direction of writing."""


def harmless(text: str) -> str:
    """A text that does nothing to a terminal: ``\\x1b`` and ``\\u202e`` for the characters that would."""
    return _HARMFUL.sub(
        lambda found: f"\\x{ord(found[0]):02x}" if found[0] < "\xff" else f"\\u{ord(found[0]):04x}", text
    )


def harmless_json(text: str) -> str:
    """The same for JSON, which stays what it is: such characters are found in its texts only, and have an escape."""
    return _HARMFUL.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def dump_json(value: object) -> str:
    """Plain data as JSON in one line, for a file that may be shown on a terminal."""
    return harmless_json(json.dumps(value, ensure_ascii=False, allow_nan=False))


def counted(number: int, noun: str, plural: str | None = None) -> str:
    """A number of things: ``1 edge``, ``1,200 edges``."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def html_table(caption: str, rows: Sequence[Sequence[object]], columns: Sequence[str] = (), total: int = 0) -> str:
    """A short table for a notebook. Without names of ``columns`` the first cell of a row says what the others are.

    A long table is cut; ``total`` says how many rows there are where not all are given.
    """
    shown = rows[:MOST_ROWS] if columns else rows
    left = max(total, len(rows)) - len(shown)
    head = f"<thead><tr>{_cells('th', columns)}</tr></thead>" if columns else ""
    body = "".join(_row(row, named=not columns) for row in shown)
    more = f'<tr><td colspan="{len(columns)}">… and {left:,} more</td></tr>' if left and columns else ""
    style = "text-align:left;font-weight:bold"
    return f'<table><caption style="{style}">{_escaped(caption)}</caption>{head}<tbody>{body}{more}</tbody></table>'


def _row(row: Sequence[object], *, named: bool) -> str:
    first = _cells("th", row[:1]) if named else _cells("td", row[:1])
    return f"<tr>{first}{_cells('td', row[1:])}</tr>"


def _cells(tag: str, values: Iterable[object]) -> str:
    return "".join(f'<{tag} style="text-align:left">{_escaped(_text(value))}</{tag}>' for value in values)


def _text(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


def _escaped(text: str) -> str:
    from html import escape  # a few milliseconds that only notebooks need

    return escape(text)


def html_frame(page: str, title: str) -> str:
    """A page in a frame of a notebook: it can run its own scripts, but touch nothing of the notebook."""
    return (
        f'<iframe srcdoc="{_escaped(page)}" sandbox="allow-scripts" '
        f'title="{_escaped(title)}" style="width:100%;height:600px;border:1px solid #ccc"></iframe>'
    )


class Shown:
    """A result that a notebook shows: as its text if it has one, else as a table of its fields."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        if type(self).__str__ is not object.__str__:
            return f"<pre>{_escaped(str(self))}</pre>"
        rows: list[tuple[str, object]] = []
        for name, value in self.to_json().items():  # type: ignore[attr-defined]
            rows += value.items() if isinstance(value, dict) else [(name, value)]
        return html_table(type(self).__name__, [(name.replace("_", " "), value) for name, value in rows])


def data_frame(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> Any:
    """A ``pandas.DataFrame``. Raises `UsageError` where pandas is not installed."""
    try:
        import pandas
    except ImportError:
        raise UsageError("to_pandas needs the package pandas; pip install 'gpaplan[pandas]'") from None
    return pandas.DataFrame(list(rows), columns=list(columns))


def as_record(result: Any, *without: str, **instead: object) -> dict[str, Any]:
    """The fields of a dataclass by name, ``without`` some; what is no plain data has something ``instead``."""
    record = {each.name: getattr(result, each.name) for each in fields(result) if each.name not in without}
    return {name: plain(value) for name, value in (record | instead).items()}


def plain(value: Any) -> Any:
    """A value as plain data."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {name: plain(each) for name, each in value.items()}
    if isinstance(value, tuple | list):
        return [plain(each) for each in value]
    return value.to_json() if hasattr(value, "to_json") else value
