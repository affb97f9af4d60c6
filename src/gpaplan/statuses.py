"""A result in one word: how the work on it ended, and what is proven of it.

Both are texts: ``solution.status == "solved"`` holds, and files and ``--json`` have the same words.
"""

from __future__ import annotations

from enum import StrEnum


class Status(StrEnum):
    """How a search ended. The last three are of runs of an experiment only: their process may fail, or is not started
    because runs before it say enough."""

    SOLVED = "solved"
    TIME_LIMIT = "time-limit"
    MEMORY_LIMIT = "memory-limit"
    STATE_LIMIT = "state-limit"
    INTERRUPTED = "interrupted"
    NO_PROPER_POLICY = "no-proper-policy"
    CRASHED = "crashed"
    ERROR = "error"
    NOT_RUN = "not-run"


class Guarantee(StrEnum):
    """What is proven of a policy: that it is optimal, that it is among those that an automaton allows, or nothing."""

    OPTIMAL = "optimal"
    HIERARCHICALLY_OPTIMAL = "hierarchically-optimal"
    NONE = "none"
