"""A line on standard error that says how far a command is, where somebody looks at it."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from gpaplan import _core
from gpaplan.cli.tables import up_to
from gpaplan.display import harmless

if TYPE_CHECKING:
    from gpaplan.limits import Limits
    from gpaplan.spaces.state_space import StateSpace


def progress_line(text: Callable[[float], str]) -> Callable[[], None] | None:
    """A line on standard error that is written again and again while work goes on, or None where nobody looks at it.

    ``text`` is asked for the line with the seconds since the start. The first line appears after half a second, and
    `clear_progress` removes the last one.
    """
    if not sys.stderr.isatty():
        return None
    started = time.monotonic()
    last = started + 0.3

    def show() -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= 0.2:
            last = now
            show_progress(text(now - started))

    return show


def start_counting(limits: Limits, spaces: Sequence[StateSpace]) -> _core.Stop:
    """Start the clock, with a progress line that counts the states of the last of the spaces, once there is one."""
    return limits.start(
        progress_line(lambda seconds: f"{_counted(spaces[-1])}, {seconds:.1f} s" if spaces else "grounding …")
    )


def _counted(space: StateSpace) -> str:
    return f"{len(space):,} states{up_to(space.symmetry)}"


def show_progress(text: str) -> None:
    """Write a progress line anew, where somebody looks at it."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K{harmless(text)}")
        sys.stderr.flush()


def clear_progress() -> None:
    """Remove the progress line."""
    show_progress("")
