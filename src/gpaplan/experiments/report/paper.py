"""The numbers that the paper on generalized policy automata prints for its test problems.

``paper.csv`` has one line for each line of the five tables of its appendix: domain, ID, θ, and for each solver without
and with the automaton the mean and standard deviation of time (seconds), and those of the simulated cost, over 10 runs
of 100 trials each. They were obtained on the authors' machine, with their own implementation and their own PPDDL files,
under limits of 7200 s and 16 GiB. A run that met the time limit counts as 7200 s there.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import NamedTuple

from gpaplan.benchmarks import FAMILIES

RUNS = 10  # of each problem, in the paper


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


class PaperCell(NamedTuple):
    """What the paper prints for one problem, solved by one solver with or without automaton."""

    time: Sample
    cost: Sample


@cache
def paper_domains() -> tuple[str, ...]:
    """The domains in the order of the paper's tables."""
    return tuple(dict.fromkeys(domain for domain, _, _, _ in _cells()))


@cache
def _cells() -> dict[tuple[str, str, str, bool], dict[int, PaperCell]]:
    """By domain, θ, solver and automaton, and then by ID: one θ is printed twice."""
    cells: dict[tuple[str, str, str, bool], dict[int, PaperCell]] = {}
    text = resources.files("gpaplan.experiments.report").joinpath("paper.csv").read_text(encoding="utf-8")
    for row in csv.DictReader(text.splitlines()):
        domain, size, theta = (row.pop(name) for name in ("domain", "id", "theta"))
        for column, numbers in row.items():
            solver, _, gpa = column.partition("+")
            time, time_sd, cost, cost_sd = map(float, numbers.split())
            cell = PaperCell(Sample(RUNS, time, time_sd), Sample(RUNS, cost, cost_sd))
            cells.setdefault((domain, theta, solver, bool(gpa)), {})[int(size)] = cell
    return cells


def canonical(domain: str) -> str:
    """A domain's name as the benchmarks have it: ``Delicate Can`` is ``delicate-can``."""
    return domain.strip().lower().replace("_", "-").replace(" ", "-")


def paper_domain(domain: str) -> str:
    """The name of the paper's domain that this one encodes, or else its own."""
    family = FAMILIES.get(canonical(domain))
    return canonical(domain) if family is None or not family.paper_domain else family.paper_domain


def paper_cell(domain: str, theta: str, size: int, solver: str, gpa: bool) -> PaperCell | None:
    """What the paper prints for a problem, or None; ``size`` tells apart the two rows of a θ that is printed twice."""
    found = _cells().get((paper_domain(domain), " ".join(theta.split()), solver, gpa))
    if not found:
        return None
    return found.get(size, next(iter(found.values())))
