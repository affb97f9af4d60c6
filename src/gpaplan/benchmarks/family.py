"""What the benchmark domains share: a family of tasks, one task of it, and how its text is laid out.

A *family* is a domain with a generator: given its parameters θ, say the number of balls, it writes a problem of that
size. The domain text is the same for every θ, unless constants of it depend on θ. A *benchmark* is one pair of texts
that a family has written.

The seed of a benchmark permutes the names of the objects within each type and nothing else. Objects are declared, and
atoms listed, in the order of the structure (the goal can first, then those that obstruct it), so with another seed the
text is the same with other names in it. What depends on more than names, a number of states or an optimal cost, must
not change with the seed. Problems that differ in more are told apart by θ (`gpaplan.benchmarks.maps`).
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import NamedTuple, SupportsIndex

from gpaplan.display import counted
from gpaplan.errors import UsageError
from gpaplan.files import write_files
from gpaplan.ppddl import Domain, Problem, parse_domain, parse_problem

_WIDTH = 100  # characters of a line
_LARGEST = 10_000_000
"""More of anything would make a file that nobody has room for."""


@dataclass(frozen=True)
class Benchmark:
    """One task of a family, of size theta, its names permuted by seed: a domain_text and a problem_text in PPDDL."""

    name: str
    """The family's name, which is the domain's."""
    theta: tuple[int, ...]
    seed: int
    domain_text: str
    problem_text: str

    @property
    def problem_name(self) -> str:
        """Such as ``rover-1-4-3-2``, and ``rover-1-4-3-2-seed-7`` where names are permuted."""
        return problem_name(self.name, self.theta, self.seed)

    @cached_property
    def domain(self) -> Domain:
        """The domain, parsed when it is first asked for."""
        return parse_domain(self.domain_text)

    @cached_property
    def problem(self) -> Problem:
        """The problem, parsed when it is first asked for."""
        return parse_problem(self.domain, self.problem_text)

    def write(self, directory: str | os.PathLike[str]) -> tuple[Path, Path]:
        """Write ``domain.ppddl`` and, say, ``gripper-5.ppddl`` into a directory, made if need be; return their paths.

        Each file appears as a whole or not at all.
        """
        texts = {"domain.ppddl": self.domain_text, f"{self.problem_name}.ppddl": self.problem_text}
        domain, problem = write_files(directory, texts)
        return domain, problem


def read_domain(name: str) -> str:
    """The text of a domain of this package."""
    return Path(__file__).with_name("domains").joinpath(f"{name}.ppddl").read_text(encoding="utf-8")


def unknown(*_theta: int) -> None:
    """The closed form of what has none."""


@dataclass(frozen=True)
class Family:
    """A benchmark domain: its name and description, its parameters θ, and what is known of its cost in closed form."""

    name: str
    least: Mapping[str, int]
    """What each number of θ counts, with the least value that it may have: ``{"planks": 2, "height": 1}``."""
    description: str
    write_problem: Callable[..., ProblemParts]
    """``write_problem(names, *theta)`` are the parts of a problem."""
    write_domain: Callable[..., str] | None = None
    """``write_domain(*theta)`` is the text of the domain; without it, the file of this name in ``domains/``."""
    closed_form_cost: Callable[..., Fraction | None] = unknown
    """``closed_form_cost(*theta)`` is the least expected cost, or None where that is not known."""
    objection: Callable[..., str | None] = unknown
    """What speaks against a θ whose numbers are each in range, or None."""
    paper_domain: str = ""
    """The paper's domain that it is another encoding of; empty for one of its own name, or of none."""

    @property
    def parameters(self) -> tuple[str, ...]:
        """What each number of θ counts."""
        return tuple(self.least)

    @property
    def title(self) -> str:
        """The name as a heading has it: ``Delicate Can``."""
        return self.name.replace("-", " ").title().replace("Ippc", "IPPC")

    def generate(self, *theta: int, seed: int = 0) -> Benchmark:
        """The family's task of size θ, its object names permuted by the seed (0: not at all)."""
        self.check(*theta)
        for parameter, value in zip(self.parameters, theta, strict=True):
            if value > _LARGEST:
                raise UsageError(
                    f"{self.name}: '{parameter}' must be at most {_LARGEST:,} to be written, not {value:,}"
                )
        if not isinstance(seed, SupportsIndex) or seed < 0:
            raise UsageError(f"the seed must be a whole number of at least 0, not {seed!r}")
        problem = self.write_problem(Names(seed), *theta).to_text(problem_name(self.name, theta, seed), self.name)
        return Benchmark(self.name, theta, seed, self.domain_of(*theta), problem)

    def domain_of(self, *theta: int) -> str:
        """The text of the domain of the tasks of size θ."""
        self.check(*theta)
        return read_domain(self.name) if self.write_domain is None else self.write_domain(*theta)

    def optimal_cost(self, *theta: int) -> float | None:
        """The least expected cost, at 1 per action, of reaching the goal; None where no closed form is known."""
        self.check(*theta)
        cost = self.closed_form_cost(*theta)
        return None if cost is None else float(cost)

    def check(self, *theta: int) -> None:
        """Raise `UsageError` unless θ is a size this family has."""
        if len(theta) != len(self.parameters):
            wanted = f"{counted(len(self.parameters), 'parameter')} ({', '.join(self.parameters)})"
            raise UsageError(f"{self.name} takes {wanted}, not {len(theta)}")
        for (parameter, minimum), value in zip(self.least.items(), theta, strict=True):
            if not isinstance(value, SupportsIndex):
                raise UsageError(f"{self.name}: '{parameter}' must be a whole number, not {value!r}")
            if value < minimum:
                raise UsageError(f"{self.name}: '{parameter}' must be at least {minimum}, not {value}")
        message = self.objection(*theta)
        if message is not None:
            raise UsageError(f"{self.name}: {message}")


class Names:
    """Names for the objects of a problem, permuted within each type by a seed."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._random = random.Random(seed)

    def permute(self, names: Sequence[str]) -> list[str]:
        """The names of one type, in the natural order for seed 0, else shuffled (Fisher and Yates)."""
        shuffled = list(names)
        if self._seed == 0:
            return shuffled
        for last in range(len(shuffled) - 1, 0, -1):
            other = int(self._random.random() * (last + 1))
            shuffled[last], shuffled[other] = shuffled[other], shuffled[last]
        return shuffled

    def number(self, prefix: str, count: int) -> list[str]:
        """``count`` names of one type, numbered from 0, in their permuted order."""
        return self.permute([f"{prefix}{index}" for index in range(count)])


def problem_name(family: str, theta: Iterable[int], seed: int) -> str:
    """The name of a problem, and of its file without the suffix."""
    numbers = "-".join(map(str, theta))
    return f"{family}-{numbers}" + (f"-seed-{seed}" if seed else "")


def lay_out(items: Iterable[str], indent: int = 4) -> str:
    """Items side by side, in lines no wider than a screen; all but the first line indented."""
    lines = [""]
    for item in items:
        if lines[-1] and indent + len(lines[-1]) + 1 + len(item) > _WIDTH:
            lines.append("")
        lines[-1] += f" {item}" if lines[-1] else item
    return ("\n" + " " * indent).join(lines)


def atoms(predicate: str, arguments: Iterable[str]) -> str:
    """One atom for each entry, whose arguments are written with spaces between them; laid out like `lay_out`."""
    return lay_out(f"({predicate} {entry})" for entry in arguments)


def neighbours(line: Sequence[str]) -> list[str]:
    """Arguments for the pairs of names that stand next to each other in a line, in both directions."""
    return [
        f"{name} {line[other]}" for at, name in enumerate(line) for other in (at - 1, at + 1) if 0 <= other < len(line)
    ]


class ProblemParts(NamedTuple):
    """What a problem is about, its objects by type, and the lines of its initial state and of its goal."""

    about: str
    objects: Mapping[str, Iterable[str]]
    init: Iterable[str]
    """Empty lines are left out, here and in the goal."""
    goal: Iterable[str]
    """A text is written as it is."""

    def to_text(self, problem: str, domain: str) -> str:
        """The problem in PPDDL."""
        declared = "\n    ".join(f"{lay_out(names)} - {kind}" for kind, names in self.objects.items())
        wanted = self.goal if isinstance(self.goal, str) else f"(and\n    {_lines(self.goal)})"
        return f"""\
; {self.about}
(define (problem {problem})
  (:domain {domain})

  (:objects
    {declared})

  (:init
    {_lines(self.init)})

  (:goal {wanted}))
"""


def _lines(texts: Iterable[str]) -> str:
    return "\n    ".join(filter(None, texts))
