"""Limits of time and memory, the same everywhere.

`Limits` is what a user asked for; `Limits.start()` starts the clock and gives the `_core.Stop` that long calls poll. A
caller with several phases starts once and hands the same stop to each.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from gpaplan import _core
from gpaplan.errors import UsageError


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds of wall-clock time, and megabytes (10^6 bytes) of resident memory of the whole process."""

    seconds: float | None = None
    megabytes: float | None = None

    def __post_init__(self) -> None:
        for name, value in (("time limit", self.seconds), ("memory limit", self.megabytes)):
            if value is not None and not (value > 0 and math.isfinite(value)):
                raise UsageError(f"the {name} must be a positive number, not {value}")

    def start(self) -> _core.Stop:
        seconds = 1e18 if self.seconds is None else self.seconds
        memory = 2**64 - 1 if self.megabytes is None else int(self.megabytes * 1_000_000)
        return _core.Stop(seconds, memory)
