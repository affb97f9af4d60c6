"""Problems of the triangle tireworld, ground."""

from __future__ import annotations

from gpaplan import ground
from gpaplan.benchmarks import generate
from gpaplan.tasks.task import GroundTask


def triangle_tireworld(size: int) -> GroundTask:
    """The problem with the number `size` of the competition of 2008."""
    benchmark = generate("triangle-tireworld", size)
    return ground(benchmark.domain, benchmark.problem)
