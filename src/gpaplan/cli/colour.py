"""Colour in what is printed for people, where it helps and somebody can see it.

A text is painted wherever it is made, and `echo` takes the colours away again unless they are wanted: on a terminal,
unless ``NO_COLOR`` is set or ``TERM`` is ``dumb``; elsewhere only if ``FORCE_COLOR`` or ``CLICOLOR_FORCE`` is set.
``NO_COLOR`` has the last word. What ``--json`` prints is never painted. Colours say nothing that words do not say too.

All that is said for people goes out here. Names come from files, and files from anybody: what would do something to the
terminal is shown and not done. Colours are exempt because they are not written with the character that terminals know
but with `_MARK`, half of a character, which no file has; it is replaced at the very end.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import partial
from typing import Any, TextIO, TypeAlias

import click

from gpaplan.display import harmless
from gpaplan.errors import STOPPED
from gpaplan.statuses import Status

Paint: TypeAlias = Callable[[str], str]
_MARK = "\udc1b"


def _painted(text: str, **look: Any) -> str:
    before, after = click.style("|", **look).replace("\x1b", _MARK).split("|")
    return f"{before}{text}{after}"


title: Paint = partial(_painted, bold=True)
command: Paint = partial(_painted, fg="cyan")
_dim: Paint = partial(_painted, dim=True)
_good: Paint = partial(_painted, fg="green", bold=True)
_limited: Paint = partial(_painted, fg="yellow", bold=True)
_bad: Paint = partial(_painted, fg="red", bold=True)

_STATUSES: dict[str, Paint] = {Status.SOLVED: _good, **dict.fromkeys(STOPPED, _limited)}
_STATUSES |= {Status.NO_PROPER_POLICY: _bad, Status.ERROR: _bad, "crashed": _bad}


def wanted(stream: TextIO) -> bool:
    """Whether what is printed there is to be in colour."""
    if os.environ.get("NO_COLOR"):
        return False
    if any(os.environ.get(name, "0") not in ("", "0") for name in ("FORCE_COLOR", "CLICOLOR_FORCE")):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def echo(text: str, *, err: bool = False) -> None:
    """Print a text, on standard error if so asked, with its colours or without them."""
    click.echo(rendered(text), err=err, color=wanted(sys.stderr if err else sys.stdout))


def rendered(text: str) -> str:
    """A painted text as terminals know it, with no other control characters than its colours."""
    return harmless(text).replace(_MARK, "\x1b")


def paint_row(name: str, value: str) -> tuple[str, str]:
    """The name and a line of the value of a row of an answer."""
    if name == "status":
        return _dim(name), _STATUSES.get(value, _bad)(value)
    if name in _STATUSES:
        return _STATUSES[name](name), value
    return _dim(name), value


def paint_message(message: str) -> str:
    """An error or a warning: what is wrong stands out, and what goes with it, indented, does not."""
    lines = []
    for line in message.splitlines():
        paint = _limited if "warning: " in line else _bad
        lines.append(_dim(line) if line.startswith((" ", "Usage: ", "try '")) else paint(line))
    return "\n".join(lines)
