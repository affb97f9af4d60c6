"""Limits of time, memory and states, the same everywhere.

`Limits` is what a user asked for; `Limits.start()` starts the clock and gives the `_core.Stop` that long calls poll. A
caller with several phases starts once and hands the same stop to each: everything that takes limits takes either.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from gpaplan import _core, interrupts
from gpaplan.display import look
from gpaplan.errors import UsageError
from gpaplan.settings import Settings, setting

_NO_LIMIT = 2**64 - 1


@dataclass(frozen=True, slots=True)
class Limits(Settings):
    """Seconds of wall-clock time, megabytes (10^6 bytes) of resident memory of the whole process, and states.

    The last is the number of states that a search may expand (it may go beyond by a few). Unlike the others it does not
    depend on the machine: what is found within it is always the same.
    """

    seconds: float | None = setting(None, "Stop after this long.", above=0, metavar="SECONDS")
    megabytes: float | None = setting(None, "Stop when the process holds more memory than this.", above=0, metavar="MB")
    states: int | None = setting(None, "Expand at most N states in one search.", least=1, is_whole=True)

    def start(self, progress: Callable[[], None] | None = None) -> _core.Stop:
        """Start the clock. ``progress`` is called now and then, every 20 ms at the most, while a long call runs."""
        seconds = 1e18 if self.seconds is None else self.seconds
        memory = _NO_LIMIT if self.megabytes is None else min(int(self.megabytes * 1_000_000), _NO_LIMIT)
        states = _NO_LIMIT if self.states is None else min(self.states, _NO_LIMIT)

        def is_interrupted() -> bool:
            try:
                look()
                if progress is not None:
                    progress()
                return interrupts.taken()
            except KeyboardInterrupt:
                interrupts.taken()
                return True

        return _core.Stop(seconds, memory, states, is_interrupted)


SEARCH_UNITS = 10
"""Work of a search (``_core.Search.work``) that counts as one unit of a `WorkBudget`."""


class WorkBudget:
    """An amount of work, counted by whoever does it: the same on every machine, however busy.

    A unit is what takes about a microsecond of processor time on a present machine. Whoever spends the last of it gets
    `_core.Stopped`, as at a time limit.
    """

    def __init__(self, seconds: float) -> None:
        """As much as takes about so many ``seconds``."""
        self.units = 1e6 * seconds
        self.spent = 0.0

    @property
    def left(self) -> float:
        """What may still be spent."""
        return max(0.0, self.units - self.spent)

    @property
    def is_spent(self) -> bool:
        """Whether nothing is left of it."""
        return self.spent > self.units

    def spend(self, units: float) -> None:
        """Count work that was done."""
        self.spent += units
        if self.is_spent:
            raise _core.Stopped("time")


AnyLimits: TypeAlias = Limits | _core.Stop | None
"""What ``limits=`` takes: limits, limits whose clock runs already (`Limits.start`), or none."""


def started(limits: AnyLimits, progress: Callable[[], None] | None = None) -> _core.Stop:
    """Limits whose clock runs; None means none. What runs already keeps the ``progress`` that it was started with."""
    if isinstance(limits, _core.Stop):
        if progress is not None:
            raise UsageError("these limits run already and cannot call progress; give it to Limits.start")
        return limits
    if not isinstance(limits, Limits | None):
        raise UsageError(f"limits are Limits(seconds, megabytes, states), or such limits started, not {limits!r}")
    return (limits or Limits()).start(progress)
