"""How ``gpaplan bench`` shows its progress on standard error: a line for each run that ends, and on a terminal one more
that says how far the suite is.
"""

from __future__ import annotations

from gpaplan.cli import colour
from gpaplan.cli.progress_line import clear_progress, show_progress
from gpaplan.experiments.record import Record
from gpaplan.experiments.runner import Progress


class Display:
    """Shows the progress of a suite, unless it is to be quiet."""

    def __init__(self, quiet: bool) -> None:
        self._quiet = quiet
        self._learning: list[str] = []

    def show(self, progress: Progress) -> None:
        """Say what is new."""
        if self._quiet:
            return
        if progress.learning != self._learning:
            self._learning = progress.learning
            if self._learning:
                self._say(f"learning: {', '.join(self._learning)}")
        if progress.last is not None:
            done = f"[{progress.recorded_before + progress.done}/{progress.total}]"
            self._say(f"{done} {described(progress.last)}{time_left(progress)}")
        show_progress(status_line(progress))

    def _say(self, text: str) -> None:
        clear_progress()
        colour.echo(text, err=True)

    def close(self) -> None:
        """Remove the line that says how far the suite is."""
        if not self._quiet:
            clear_progress()


def status_line(progress: Progress) -> str:
    """How far a suite is, in a line."""
    limited = sum(progress.statuses.get(status, 0) for status in ("time-limit", "memory-limit"))
    return (
        f"{progress.recorded_before + progress.done:,} of {progress.total:,} runs: {len(progress.running):,} running, "
        f"{progress.failed:,} failed, {limited:,} at a limit{time_left(progress)}"
    )


def time_left(progress: Progress) -> str:
    """How much time is left, if that can be guessed."""
    return "" if progress.seconds_left is None else f", about {duration(progress.seconds_left)} left"


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
