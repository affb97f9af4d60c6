"""SOURCE arguments: where ``grow`` and ``prune`` take their problems from.

``GENERATOR RANGE...`` are problems of a benchmark domain, ``DOMAIN PROBLEM...`` are files. What the first argument is
decides: the name of a generator, unless there is a file of that name.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from gpaplan.benchmarks import FAMILIES
from gpaplan.cli.conventions import INPUT_NAME, show_warning
from gpaplan.cli.inputs import training_options
from gpaplan.cli.options import COUNT, argument, bundled, limits_options, option
from gpaplan.errors import UsageError, did_you_mean
from gpaplan.files import STDIN, can_be_read
from gpaplan.learning.constants import STATES
from gpaplan.learning.instances import Instance, instances_of_files, instances_of_generator
from gpaplan.learning.solving import GROWING, Solving
from gpaplan.limits import AnyLimits, Limits
from gpaplan.solving.settings import RunSettings
from gpaplan.tasks.grounding import CostMode, check_same_costs

SYNTAX = """\b
SOURCE is one of
  GENERATOR RANGE...   a benchmark domain ('gpaplan generate --help') and a range for each of its
                       parameters: 5, 1..12, 1..9..2, 1,2,5; or several in step: 3..9..2:1..4;
                       a + stands between two such sets of ranges
  DOMAIN PROBLEM...    PPDDL files of one domain
"""


class Source:
    """Problems of a generator or of files, and more of the same kind."""

    def __init__(self, arguments: Sequence[str], cost: CostMode, relevance: bool) -> None:
        self._first, *self._rest = arguments
        self._cost = cost
        self.relevance = relevance
        self._read_so_far: list[tuple[str, str]] = []
        name = self._first.lower().replace("_", "-")
        self.generator = name if name in FAMILIES and not can_be_read(self._first) else None
        if self.generator is None and not can_be_read(self._first):
            hint = did_you_mean(name, FAMILIES) or f"generators are {', '.join(FAMILIES)}"
            raise UsageError(f"there is no file and no generator '{self._first}';  {hint}")
        if self.generator is not None and cost == "metric":
            raise UsageError("the problems of the generators have no metric; leave --cost metric out")
        if not self._rest:
            wanted = "a range for each parameter" if self.generator else "at least one problem file"
            raise UsageError(f"'{self._first}' must be followed by {wanted}")

    def instances(self, limits: AnyLimits = None) -> list[Instance]:
        """The problems, in ascending order of size."""
        return self._read(self._rest, limits)

    def more(self, texts: Iterable[str], limits: AnyLimits = None) -> list[Instance]:
        """The problems of ``--validate``: each text is the ranges of a generator, or a file."""
        if self.generator is None:
            return self._read(list(texts), limits) if texts else []
        found = [instance for text in texts for instance in self._read(shlex.split(text), limits)]
        return list({instance.name: instance for instance in found}.values())

    def _read(self, arguments: Sequence[str], limits: AnyLimits) -> list[Instance]:
        if self.generator is not None:
            if STDIN in arguments:
                raise UsageError(f"standard input (-) has a problem file, and '{self.generator}' takes ranges: 1..6")
            return instances_of_generator(self.generator, *arguments, relevance=self.relevance)
        how: dict[str, Any] = {"cost": self._cost, "relevance": self.relevance, "limits": limits}
        found = instances_of_files(
            self._first, arguments, **how, on_warning=lambda warning: show_warning(warning.render())
        )
        self._read_so_far += [(instance.name, instance.costs.mode) for instance in found]
        check_same_costs(self._read_so_far)
        return found


source_argument = argument("SOURCE...", INPUT_NAME, nargs=-1, required=True)


@bundled
def solving_options(
    max_states: int = option(
        "--max-states",
        COUNT,
        "Expand at most N states in one search; no other budget changes what is learned.",
        STATES,
    ),
    limits: Limits = limits_options,
    settings: RunSettings = training_options(GROWING),
) -> Solving:
    """How problems are solved, and within which budget. The clock runs once the command is called."""
    return Solving(replace(limits, states=max_states), settings)
