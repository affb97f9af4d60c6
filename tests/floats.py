"""Comparing numbers that were computed in floating point, which the machine may change a little."""

from __future__ import annotations

from typing import Any

import pytest


def near(value: float, relative: float = 1e-9) -> Any:
    """What is equal to all that is this number but for rounding."""
    return pytest.approx(value, rel=relative)


def at_most(less: float, more: float, relative: float = 1e-9) -> bool:
    """Whether a cost or an estimate, which is at least 0, is no more than another one but for rounding."""
    return less <= more * (1 + relative)
