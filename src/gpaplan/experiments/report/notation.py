"""How numbers, cells and names are written, in every format of a report."""

from __future__ import annotations

from collections.abc import Sequence

from gpaplan.experiments.report.paper import canonical
from gpaplan.experiments.report.summary import Cell, Sample, Section, Series

__all__ = [
    "amount",
    "count",
    "decimals",
    "domain_title",
    "factor",
    "failures",
    "names",
    "parameter_letters",
    "plus_minus",
    "section_title",
    "series_title",
    "solver_title",
]

_SOLVERS = {
    "lrtdp": "LRTDP",
    "soft-flares": "Soft-FLARES",
    "vi": "Topological VI",
    "ilao": "ILAO*",
    "lao": "LAO*",
}
_DOMAINS = {
    "keva": ("Keva", "P, h"),
    "rover": ("Rover", "r, w, s, o"),
    "schedule": ("Schedule", "C, p"),
    "delicate-can": ("Delicate Can", "c"),
    "gripper": ("Gripper", "b"),
}
_LIMITS = {"time-limit": "time_limit", "memory-limit": "memory_limit"}


def solver_title(solver: str) -> str:
    return _SOLVERS.get(solver, solver)


def series_title(series: Series) -> str:
    """The solver, with its settings where there are several series of it."""
    return solver_title(series.solver) + (f" ({series.variant})" if series.variant else "")


def domain_title(domain: str) -> str:
    return _DOMAINS.get(canonical(domain), (domain, ""))[0]


def parameter_letters(domain: str) -> str:
    """The letters that the paper has for a domain's θ, such as ``P, h``; empty for other domains."""
    return _DOMAINS.get(canonical(domain), (domain, ""))[1]


def section_title(section: Section) -> str:
    return domain_title(section.domain) + (f" (suite {section.suite})" if section.ambiguous else "")


def decimals(mean: float) -> int:
    """How many decimals a positive number is written with: two, and more if it is small."""
    size = abs(mean)
    if size >= 100:
        return 1
    if size >= 1:
        return 2
    places = 3
    while places < 6 and 0 < size < 10.0 ** (1 - places) * 10:
        places += 1
    return places


def amount(number: float, places: int | None = None) -> str:
    return f"{number:,.{decimals(number) if places is None else places}f}"


def plus_minus(sample: Sample, places: int | None = None) -> str:
    """Mean, one standard deviation if there are several runs, and the count of runs: ``0.412 ± 0.013 (3)``."""
    digits = decimals(sample.mean) if places is None else places
    spread = f" ± {amount(sample.sd, digits)}" if sample.count > 1 else ""
    return f"{amount(sample.mean, digits)}{spread} ({sample.count})"


def failures(cell: Cell) -> str:
    """What became of the runs that were not solved: ``3 of 3 runs: time-limit 600 s``; empty if all were."""
    parts = []
    for status, number in cell.statuses.items():
        if status != "solved":
            limit = getattr(cell, _LIMITS[status]) if status in _LIMITS else None
            unit = "s" if status == "time-limit" else "MB"
            parts.append(f"{number} of {cell.runs} runs: {status}" + (f" {limit:g} {unit}" if limit else ""))
    return "; ".join(parts)


def factor(number: float) -> str:
    """A ratio, with about three digits."""
    if number >= 100:
        return f"{number:,.0f}"
    return f"{number:.1f}" if number >= 10 else f"{number:.2f}"


def count(number: int, noun: str, plural: str | None = None) -> str:
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def names(items: Sequence[str], most: int = 6) -> str:
    """A list for a sentence, cut short if it is long."""
    if len(items) > most:
        return f"{', '.join(items[: most - 1])} and {len(items) - most + 1} more"
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}" if items else "none"
