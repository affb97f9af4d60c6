"""What a state space is like: one record, passed whole from wherever it is chosen to wherever a space is made.

settings = SpaceSettings(symmetry="on")
StateSpace(task, settings)
StateSpace(task, dataclasses.replace(settings, max_outcomes=1_000_000))
"""

from __future__ import annotations

from dataclasses import dataclass

from gpaplan.settings import Settings, setting
from gpaplan.spaces.symmetry import AnySymmetry
from gpaplan.tasks.grounding import CostMode

MAX_OUTCOMES = 65_536
"""Joint outcomes of one action in one state beyond which planning refuses it, unless told otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpaceSettings(Settings):
    """What actions cost, up to what states are the same, and how many outcomes are too many."""

    cost: CostMode = setting(
        "auto",
        "Cost of an action: 1 (unit) or what :metric says (metric); auto: metric if it is minimised.",
        choices=("auto", "unit", "metric"),
    )
    """With which a problem is to be grounded. A task that is grounded has its costs, whatever this says."""
    symmetry: AnySymmetry = setting(
        "auto",
        "Treat states that differ only by swapping interchangeable objects as one; auto: if at least three objects are "
        "interchangeable.",
        choices=("on", "off", "auto"),
    )
    """Up to which symmetry of interchangeable objects states are met (`gpaplan.spaces.symmetry`)."""
    max_outcomes: int = setting(
        MAX_OUTCOMES,
        "Refuse actions with more than N outcomes in a state.",
        least=1,
        most=2**64 - 1,
        is_whole=True,
        metavar="N",
        is_rare=True,
    )
    """Joint outcomes of one action in one state beyond which planning refuses it."""
