"""How many random examples a property is tried on: enough for every change, and more of them once a week.

``EFFORT=10 make test`` tries ten times as many.
"""

from __future__ import annotations

import os

from hypothesis import settings

EFFORT = float(os.environ.get("EFFORT", "1"))


def examples(count: int) -> settings:
    """Decorates a property with how many examples it is tried on, times the effort. They may take their time."""
    return settings(max_examples=max(1, round(count * EFFORT)), deadline=None)
