"""Problems to learn from, smallest first.

An `Instance` is a problem that is grounded only when its turn comes. Sizes of a generator are written as ranges, one
for each of its parameters:

    5          this value
    1..12      these values;  1..9..2  every second one;  1,2,5..8  a list
    3..9..2:1..4   two parameters in step: (3, 1), (5, 2), (7, 3), (9, 4)

Ranges of different parameters are combined freely, and what the generator objects to is left out. A ``+`` stands
between two sets of ranges, where problems of both are wanted.
"""

from __future__ import annotations

import itertools
import math
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from gpaplan.benchmarks import Family, family
from gpaplan.benchmarks.family import problem_name
from gpaplan.errors import Diagnostic, UsageError, misplaced
from gpaplan.limits import AnyLimits
from gpaplan.ppddl import Domain, parse_domain
from gpaplan.tasks.grounding import NO_METRIC, AnyTask, CostMode, Costs, costs_of, given_task, load
from gpaplan.tasks.task import GroundTask

MAX_INSTANCES = 100_000


@dataclass(frozen=True)
class Instance:
    """A problem that is to be learned from, or checked with: its name, its domain, and how to ground it."""

    name: str
    domain: Domain
    make: Callable[[AnyLimits], GroundTask]
    """Grounds it."""
    theta: tuple[int, ...] | None = None
    """Its size, if it is of a generator."""
    known_cost: float | None = None
    """Its optimal cost in closed form, where there is one. Shown next to what was found; nothing is learned from it."""
    costs: Costs = NO_METRIC
    """What its actions cost."""

    def task(self, *, limits: AnyLimits = None) -> GroundTask:
        """The problem, grounded."""
        return self.make(limits)

    def to_json(self) -> dict[str, Any]:
        """What it is called, how large it is, and what it costs if that is known."""
        theta = None if self.theta is None else list(self.theta)
        return {"problem": self.name, "theta": theta, "closed_form": self.known_cost}


def given_instances(given: Iterable[Instance | AnyTask]) -> Iterator[Instance]:
    """The problems that are meant, one after the other; a task is an instance that is ground already."""
    if isinstance(given, str | os.PathLike | GroundTask) or not isinstance(given, Iterable):
        raise misplaced(given, "list of problems", "pass a list, or what instances_of_files gives")
    for each in given:
        yield each if isinstance(each, Instance) else instance_of_task(given_task(each))


def instance_of_task(task: GroundTask) -> Instance:
    """A problem that is grounded already."""
    return Instance(task.problem.name, task.domain, lambda _limits: task, costs=costs_of(task))


# --- generators ---


def instances_of_generator(name: str, *ranges: str, seed: int = 0, relevance: bool = True) -> list[Instance]:
    """The problems of a benchmark domain with sizes in these ranges, in ascending order of their sizes' sums."""
    source = family(name)
    return [instance_of(source, theta, seed, relevance=relevance) for theta in parse_sizes(source, ranges)]


def instance_of(source: Family, theta: Sequence[int], seed: int = 0, *, relevance: bool = True) -> Instance:
    """One problem of a family."""
    domain = _parsed(source.domain_of(*theta))

    def make(limits: AnyLimits) -> GroundTask:
        return load(domain, source.generate(*theta, seed=seed).problem_text, relevance=relevance, limits=limits)

    name = problem_name(source.name, theta, seed)
    return Instance(name, domain, make, tuple(theta), source.optimal_cost(*theta))


@cache
def _parsed(domain_text: str) -> Domain:
    """The domain of a family, parsed once."""
    return parse_domain(domain_text)


def parse_sizes(source: Family, ranges: Iterable[str]) -> list[tuple[int, ...]]:
    """All sizes θ that the ranges describe and the family has: by ascending sum, then by the numbers themselves."""
    sets: list[list[str]] = [[]]
    for text in ranges:
        if text == "+":
            sets.append([])
        else:
            sets[-1].append(text)
    found = {theta for each in sets for theta in _combined(source, each)}
    return sorted(found, key=lambda theta: (sum(theta), theta))


def _combined(source: Family, ranges: list[str]) -> list[tuple[int, ...]]:
    """The sizes of one set: the ranges of different parameters combined."""
    combined = [_parameter_values(text) for text in ranges]
    width = sum(len(choices[0]) for choices in combined)
    if width != len(source.parameters):
        wanted = " ".join(parameter.upper().replace(" ", "-") for parameter in source.parameters)
        raise UsageError(
            f"{source.name} takes a range for each of {len(source.parameters)} parameter(s), {wanted}; {width} given. "
            "A range is 5, 1..12, 1..9..2 or 1,2,5; 3..9..2:1..4 are two in step; + stands between sets of ranges"
        )
    if math.prod(map(len, combined)) > MAX_INSTANCES:
        raise UsageError(f"{' '.join(ranges)} are more than {MAX_INSTANCES:,} problems")
    found = []
    objection: UsageError | None = None
    for parts in itertools.product(*combined):
        theta = tuple(itertools.chain.from_iterable(parts))
        try:
            source.check(*theta)
            found.append(theta)
        except UsageError as error:
            objection = objection or error
    if not found:
        raise objection or UsageError(f"the ranges for {source.name} are empty")
    return found


def _parameter_values(text: str) -> list[tuple[int, ...]]:
    """One argument: the values of one parameter, or of several that go in step."""
    columns = [_values(part, text) for part in text.split(":")]
    length = max(map(len, columns))
    for column in columns:
        if len(column) not in (1, length):
            sizes = ", ".join(str(len(each)) for each in columns)
            raise UsageError(f"'{text}': ranges in step must have the same number of values, not {sizes}")
    return list(zip(*(column * length if len(column) == 1 else column for column in columns), strict=True))


def _values(text: str, whole: str) -> list[int]:
    values: list[int] = []
    for part in text.split(","):
        match = re.fullmatch(r"(-?\d{1,9})(?:\.\.(-?\d{1,9})(?:\.\.(\d{1,9}))?)?", part.strip())
        if match is None:
            raise UsageError(f"'{whole}' is no range: '{part}' should be a number such as 5, or 1..12, or 1..9..2")
        first, last, step = int(match[1]), int(match[2] or match[1]), int(match[3] or 1)
        if last < first or step < 1:
            raise UsageError(f"'{whole}': the range {part} is empty; write the smaller number first")
        if len(values) + (last - first) // step >= MAX_INSTANCES:
            raise UsageError(f"'{whole}' has more than {MAX_INSTANCES:,} values")
        values += range(first, last + 1, step)
    return values


# --- files ---


def instances_of_files(
    domain_file: str | os.PathLike[str],
    problem_files: Iterable[str | os.PathLike[str]],
    *,
    cost: CostMode = "auto",
    relevance: bool = True,
    limits: AnyLimits = None,
    on_warning: Callable[[Diagnostic], None] | None = None,
) -> list[Instance]:
    """The problems of these files, in ascending order of their numbers of ground atoms and actions.

    All of them are read and grounded at once, to find what is wrong with any of them before the work begins.
    """
    sized = []
    names: dict[str, str] = {}
    for place, file in enumerate(problem_files):
        path = Path(file)
        task = load(Path(domain_file), path, cost=cost, relevance=relevance, limits=limits, on_warning=on_warning)
        name = task.problem.name
        if name in names:
            raise UsageError(f"'{os.fspath(file)}' and '{names[name]}' both have a problem named '{name}'; rename one")
        names[name] = os.fspath(file)
        size = len(task.atoms) + task.core.action_count
        sized.append((size, place, instance_of_task(task)))
    if not sized:
        raise UsageError("there are no problems to learn from")
    return [instance for _, _, instance in sorted(sized, key=lambda entry: entry[:2])]
