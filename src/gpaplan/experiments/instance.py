"""One problem of a suite, as text: generated, or read from PPDDL files.

A run's process gets its problem as text, so it needs no files, and the hashes in its record are those of the very text
that was solved.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from gpaplan.errors import UsageError


def sha256(text: str) -> str:
    """The hash of a text, in hexadecimal."""
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


@dataclass(frozen=True)
class SuiteInstance:
    """A domain and a problem."""

    label: str
    theta: str
    domain_text: str
    problem_text: str
    problem_name: str | None = None
    """Which problem of the text, where it has several."""
    optimal: float | None = None
    """The least expected cost at 1 for each action, where it is known in closed form."""
    cost_asked_for: str = "unit"
    """What ``cost = "auto"`` means for it: ``unit`` or ``metric``."""

    @cached_property
    def domain_hash(self) -> str:
        return sha256(self.domain_text)

    @cached_property
    def problem_hash(self) -> str:
        return sha256(self.problem_text)

    @property
    def identity(self) -> list[str | None]:
        """What tells this problem from every other."""
        return [self.domain_hash, self.problem_hash, self.problem_name]


def generated(name: str, theta: Sequence[int], seed: int) -> SuiteInstance:
    """A problem of a benchmark domain."""
    from gpaplan.benchmarks import family

    generator = family(name)
    benchmark = generator.generate(*theta, seed=seed)
    label = f"{generator.name}({','.join(map(str, theta))})" + (f" seed {seed}" if seed else "")
    return SuiteInstance(
        label,
        " ".join(map(str, theta)),
        benchmark.domain_text,
        benchmark.problem_text,
        optimal=generator.optimal_cost(*theta),
    )


def from_files(domain: Path, problem: Path, problem_name: str | None) -> SuiteInstance:
    """A problem from files, which are read and checked now: a mistake in them should not show after hours of runs."""
    from gpaplan.ppddl import parse_task
    from gpaplan.ppddl.loading import read_source
    from gpaplan.tasks.grounding import costs_asked_for

    parsed = parse_task(domain, problem, problem_name)
    label = problem.stem if problem_name is None else f"{problem.stem}:{problem_name}"
    texts = read_source(domain).text, read_source(problem).text
    for path, text in zip((domain, problem), texts, strict=True):
        if "(" not in text:
            raise UsageError(f"{path} has no PPDDL text in it")
    mode = costs_asked_for(parsed.domain, parsed.problem).mode
    return SuiteInstance(label, "", *texts, problem_name=problem_name, cost_asked_for=mode)
