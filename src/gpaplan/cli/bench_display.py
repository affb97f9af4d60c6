"""How ``gpaplan bench`` shows its progress on standard error.

On a terminal it is a table that is drawn again and again in the same place: how many runs are done, running, failed,
how much time is left, and which runs are under way. Elsewhere it is one line for each run that ends.
"""

from __future__ import annotations

import os
import sys
import time

from gpaplan.cli import colour
from gpaplan.display import harmless
from gpaplan.experiments.record import Record
from gpaplan.experiments.runner import Progress

_MOST_RUNNING = 8


class Display:
    """What becomes of the progress. This one shows nothing."""

    def show(self, progress: Progress) -> None:
        pass

    def close(self) -> None:
        pass


def make_display(quiet: bool) -> Display:
    if quiet:
        return Display()
    return LiveTable() if sys.stderr.isatty() else PlainLines()


class PlainLines(Display):
    """A line for each run that ends."""

    def __init__(self) -> None:
        self._learning: list[str] = []

    def show(self, progress: Progress) -> None:
        if progress.learning != self._learning:
            self._learning = progress.learning
            if self._learning:
                colour.echo(f"learning: {', '.join(self._learning)}", err=True)
        if progress.last is not None:
            count = f"{progress.recorded_before + progress.done}/{progress.total}"
            left = "" if progress.seconds_left is None else f", about {duration(progress.seconds_left)} left"
            colour.echo(f"[{count}] {described(progress.last)}{left}", err=True)


class LiveTable(Display):
    """Drawn at most five times a second, in place."""

    def __init__(self) -> None:
        self._lines = 0
        self._shown = 0.0
        self._recent: list[Record] = []

    def show(self, progress: Progress) -> None:
        if progress.last is not None:
            self._recent = [*self._recent, progress.last][-5:]
        now = time.monotonic()
        if now - self._shown >= 0.2 or progress.phase == "done":
            self._shown = now
            self._draw(table(progress, self._recent))

    def _draw(self, lines: list[str]) -> None:
        width = _columns()
        up = f"\x1b[{self._lines}A" if self._lines else ""
        body = "".join(f"\x1b[K{harmless(line)[: width - 1]}\n" for line in lines)
        sys.stderr.write(f"{up}\r{body}\x1b[J")
        sys.stderr.flush()
        self._lines = len(lines)

    def close(self) -> None:
        if self._lines:
            sys.stderr.write(f"\x1b[{self._lines}A\r\x1b[J")
            sys.stderr.flush()
            self._lines = 0


def _columns() -> int:
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns or 80
    except (OSError, ValueError):
        return 80


def table(progress: Progress, recent: list[Record]) -> list[str]:
    """The lines of the live table."""
    done = progress.recorded_before + progress.done
    filled = 30 * done // max(1, progress.total)
    left = "?" if progress.seconds_left is None else f"about {duration(progress.seconds_left)}"
    lines = [
        f"{progress.suite.name}  [{'#' * filled}{'.' * (30 - filled)}] {done:,} of {progress.total:,} runs",
        f"  done {done:,}   running {len(progress.running):,}   failed {progress.failed:,}   "
        f"at a limit {sum(progress.statuses.get(s, 0) for s in ('time-limit', 'memory-limit')):,}   time left {left}",
    ]
    lines += [f"  learning  {name}" for name in progress.learning]
    for run, seconds in progress.running[:_MOST_RUNNING]:
        lines.append(f"  running   {run}, {duration(seconds)} of {duration(run.plan.protocol.time_limit)}")
    if len(progress.running) > _MOST_RUNNING:
        lines.append(f"            and {len(progress.running) - _MOST_RUNNING} more")
    lines += [f"  ended     {described(record)}" for record in reversed(recent)]
    return lines


def described(record: Record) -> str:
    """A record in a line."""
    automaton = " with automaton" if record.gpa else ""
    cost = "" if record.value is None else f", cost {record.value:.4f}"
    seconds = record.seconds_total if record.seconds is None else record.seconds
    time_taken = "" if seconds is None else f", {seconds:.3f} s"
    fallback = ", fallback" if record.fallback else ""
    reason = f" ({record.message})" if record.message else ""
    return (
        f"{record.problem} {record.solver}{automaton}, run {record.run}: "
        f"{record.status}{cost}{fallback}{time_taken}{reason}"
    )


def duration(seconds: float) -> str:
    """Such as ``7 s``, ``3 min 20 s``, ``2 h 5 min``, ``3 d 4 h``."""
    whole = max(0, round(seconds))
    units = [("d", 86400), ("h", 3600), ("min", 60), ("s", 1)]
    for position, (unit, size) in enumerate(units):
        if whole >= size and size > 1:
            smaller, smaller_size = units[position + 1]
            rest = whole % size // smaller_size
            return f"{whole // size} {unit}" + (f" {rest} {smaller}" if rest else "")
    return f"{whole} s"
