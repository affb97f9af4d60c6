"""What a state space is like: one record, passed whole from wherever it is chosen to wherever a space is made.

settings = SpaceSettings(symmetry="on")
StateSpace(task, settings)
StateSpace(task, dataclasses.replace(settings, max_outcomes=1_000_000))
"""

from __future__ import annotations

from dataclasses import dataclass

from gpaplan.errors import UsageError
from gpaplan.spaces.symmetry import AnySymmetry
from gpaplan.tasks.costs import CostMode

__all__ = ["MAX_OUTCOMES", "SpaceSettings"]

MAX_OUTCOMES = 65_536
"""Joint outcomes of one action in one state beyond which planning refuses it, unless told otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpaceSettings:
    """What actions cost, up to what states are the same, and how many outcomes are too many."""

    cost: CostMode = "auto"
    """With which a problem is to be grounded. A task that is grounded has its costs, whatever this says."""
    symmetry: AnySymmetry = "auto"
    """Up to which renaming of interchangeable objects states are met (`gpaplan.spaces.symmetry`)."""
    max_outcomes: int = MAX_OUTCOMES
    """Joint outcomes of one action in one state beyond which planning refuses it."""

    def __post_init__(self) -> None:
        if self.max_outcomes < 1:
            raise UsageError(f"the largest number of outcomes must be at least 1, not {self.max_outcomes}")
