"""How results show themselves: as plain data, in words, in a notebook, and as tables of pandas; and what is shown
while they are not there yet.

``to_json`` means the same on every class: a dict of texts, numbers, lists and dicts that ``json.dumps`` takes as it is;
what has a name, such as an atom, is a text. JSON has no infinity; a number that is not finite is None. Where a class
has a file, ``to_text`` is the file's text, and ``from_json``, where there is one, takes what ``to_json`` gave.

Names may come from anybody's files. What is shown in a notebook is escaped, or stands in a frame that can touch nothing
of the notebook; what may end up on a terminal is made `harmless`.

What is under way is one line that is written again and again, for whoever waits for a command or a cell:

    with under_way("verifying"):                    # or @under_way("verifying") above a function
        note(f"{done} of {total} problems")         # what is known so far
    with under_way("solving", known=self.words):    # which is asked by whoever polls the limits

The line comes after two seconds, and goes with the work. A thread of its own writes it, so that it goes on whoever has
the word: Python, the core or a prover. It says what the thread that works has noted, and reads nothing else of the
work. Threads that work on parts of it say nothing. It is seen on the terminal of a command, or of an interpreter that
somebody types into, and in notebooks; elsewhere, as in scripts, nothing is written.
"""

from __future__ import annotations

import json
import math
import os
import re
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
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


def json_lines(head: Mapping[str, object], **lists: Iterable[str]) -> Iterator[str]:
    """The text of a file, piece by piece: what comes first, on a line each, and lists of JSON texts, an item a line."""
    yield "{\n"
    yield from (f"  {dump_json(name)}: {dump_json(value)},\n" for name, value in head.items())
    for place, (name, items) in enumerate(lists.items()):
        end = "]"
        yield (",\n" if place else "") + f"  {dump_json(name)}: ["
        for number, item in enumerate(items):
            yield f"{',' if number else ''}\n    {item}"
            end = "\n  ]"
        yield end
    yield "\n}\n"


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
    first = "td" if columns else "th"
    body = "".join(f"<tr>{_cells(first, row[:1])}{_cells('td', row[1:])}</tr>" for row in shown)
    more = f'<tr><td colspan="{len(columns)}">… and {left:,} more</td></tr>' if left and columns else ""
    style = "text-align:left;font-weight:bold"
    return f'<table><caption style="{style}">{_escaped(caption)}</caption>{head}<tbody>{body}{more}</tbody></table>'


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
    """A record of a result. A notebook shows it: as its text if it has one, else as a table of its fields."""

    __slots__ = ()

    def to_json(self) -> Any:
        """The same as plain data."""
        return as_record(self)

    def _repr_html_(self) -> str:
        if type(self).__str__ is not object.__str__:
            return f"<pre>{_escaped(str(self))}</pre>"
        rows: list[tuple[str, object]] = []
        for name, value in self.to_json().items():
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
    """The fields of a dataclass by name, as plain data, ``without`` some, with something ``instead`` of others."""
    record = {each.name: getattr(result, each.name) for each in fields(result) if each.name not in without}
    return {name: plain(value) for name, value in (record | instead).items()}


def plain(value: Any) -> Any:
    """A value as plain data: what has ``to_json`` says it itself, and what is in a set is sorted."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {name: plain(each) for name, each in value.items()}
    if hasattr(value, "to_json"):
        return value.to_json()
    if isinstance(value, tuple | list):
        return [plain(each) for each in value]
    return sorted(map(plain, value)) if isinstance(value, frozenset) else value


# --- what is under way ---

_PATIENCE, _BETWEEN = 2.0, 0.2
"""Seconds before the first line, and from one to the next."""

_is_command = False
_work: _Work | None = None


def show_on_terminal() -> None:
    """Say that this process is a command, whose standard error is for people."""
    global _is_command
    _is_command = True


@contextmanager
def under_way(what: str, known: Callable[[], str] | None = None) -> Iterator[None]:
    """While this lasts, ``what`` is under way, perhaps as a part of something else."""
    global _work
    work, is_whole = _work, False
    if work is None and (show := _screen()) is not None:
        is_whole, work = True, _Work(show)
        _work = work
    if work is None or not work.is_mine:
        yield
        return
    work.parts.append((what, "", known))
    try:
        yield
    finally:
        work.parts.pop()
        if is_whole:
            _work = None
            work.end()


def note(known: str) -> None:
    """Say what is known so far of what is under way."""
    if _work is not None and _work.is_mine and _work.parts:
        what, _, ask = _work.parts[-1]
        _work.parts[-1] = (what, known, ask)


def look() -> None:
    """Ask what is known so far, if somebody sees the answer. Whoever polls limits does that, every 20 ms or so."""
    if _work is not None and _work.is_mine and _work.is_due():
        for place, (what, _, ask) in enumerate(_work.parts):
            if ask is not None:
                _work.parts[place] = (what, ask(), ask)


def hidden() -> AbstractContextManager[None]:
    """A context without the line, for what else is written to the terminal."""
    return nullcontext() if _work is None else _work.hidden()


class _Work:
    """The work of one thread, and the line about it."""

    def __init__(self, show: Callable[[str], None]) -> None:
        self.parts: list[tuple[str, str, Callable[[], str] | None]] = []
        """What is under way, each a part of the one before; what is known of it, and whom to ask."""
        self._show, self._thread = show, threading.get_ident()
        self._began, self._is_over = time.monotonic(), threading.Event()
        self._asked = self._began + _PATIENCE / 2
        self._writing, self._is_visible = threading.RLock(), False
        threading.Thread(target=self._write, name="progress", daemon=True).start()

    @property
    def is_mine(self) -> bool:
        """Whether the present thread is the one that works."""
        return self._thread == threading.get_ident()

    def is_due(self) -> bool:
        """Whether to ask again."""
        now = time.monotonic()
        if now - self._asked < _BETWEEN:
            return False
        self._asked = now
        return True

    def end(self) -> None:
        """Take the line away for good."""
        self._is_over.set()
        with self.hidden():
            pass

    @contextmanager
    def hidden(self) -> Iterator[None]:
        """Keep the line away."""
        with self._writing:
            if self._is_visible:
                self._show("")
                self._is_visible = False
            yield

    def _write(self) -> None:
        wait = _PATIENCE
        while not self._is_over.wait(wait):
            wait = _BETWEEN
            with self._writing:
                if not self._is_over.is_set():
                    self._show(f"{time.monotonic() - self._began:.0f} s  {self._words()}")
                    self._is_visible = True

    def _words(self) -> str:
        *around, (what, known, _) = [*self.parts] or [("", "", None)]
        said = [f"{outer}: {of_it}" for outer, of_it, _ in around if of_it]
        return "; ".join([*said, f"{what}: {known}" if known else what])


def _screen() -> Callable[[str], None] | None:
    """What shows a line in place of the one before; None if there is nobody to see it."""
    if "IPython" in sys.modules and hasattr(sys.modules["IPython"].get_ipython(), "kernel"):
        return _Cell().show
    is_seen = (_is_command or hasattr(sys, "ps1")) and os.environ.get("TERM") != "dumb"
    return _show_on_terminal if is_seen and sys.stderr.isatty() else None


def _show_on_terminal(text: str) -> None:
    with suppress(OSError):  # a terminal may be closed before the work is done
        width = (os.get_terminal_size(sys.stderr.fileno()).columns or 80) - 1  # some say 0
        sys.stderr.write(f"\r\x1b[K{harmless(text)[:width]}")
        sys.stderr.flush()


class _Cell:
    """The place below a cell of a notebook."""

    def __init__(self) -> None:
        self._handle: Any = None

    def show(self, text: str) -> None:
        """Show a line there."""
        from IPython.display import display  # type: ignore[import-not-found, unused-ignore]

        data = {"text/plain": text}
        if self._handle is None:
            self._handle = display(data, raw=True, display_id=True)
        else:
            self._handle.update(data, raw=True)
