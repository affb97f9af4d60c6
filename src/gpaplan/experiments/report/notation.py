"""Numbers and lists, and how they are written in every format of a report."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sample:
    """Some numbers: how many, their mean, their population standard deviation, the least and the largest."""

    count: int
    mean: float
    sd: float
    low: float = math.nan
    high: float = math.nan

    @staticmethod
    def of(values: Iterable[float | None]) -> Sample | None:
        """The sample of the values that are known; None where there are none."""
        known = [float(value) for value in values if value is not None]
        if not known:
            return None
        mean = math.fsum(known) / len(known)
        sd = math.sqrt(math.fsum((value - mean) ** 2 for value in known) / len(known))
        return Sample(len(known), mean, sd, min(known), max(known))


def decimals(mean: float) -> int:
    """How many decimals a positive number is written with: two, and more if it is small."""
    size = abs(mean)
    if size >= 1:
        return 1 if size >= 100 else 2
    places = 3
    while places < 6 and 0 < size < 10.0 ** (1 - places) * 10:
        places += 1
    return places


def amount(number: float, places: int | None = None) -> str:
    return f"{number:,.{decimals(number) if places is None else places}f}"


def plus_minus(sample: Sample, places: int | None = None) -> tuple[str, str, str]:
    """Mean, one standard deviation if there are several runs, and their count: ``0.412``, `` ± 0.013``, `` (3)``."""
    digits = decimals(sample.mean) if places is None else places
    spread = f" ± {amount(sample.sd, digits)}" if sample.count > 1 else ""
    return amount(sample.mean, digits), spread, f" ({sample.count})"


def factor(number: float) -> str:
    """A ratio, with about three digits."""
    if number >= 100:
        return f"{number:,.0f}"
    return f"{number:.1f}" if number >= 10 else f"{number:.2f}"


def names(items: Sequence[str], most: int = 6) -> str:
    """A list for a sentence, cut short if it is long."""
    if len(items) > most:
        return f"{', '.join(items[: most - 1])} and {len(items) - most + 1} more"
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}" if items else "none"
