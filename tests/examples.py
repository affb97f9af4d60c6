"""Which random examples a property is tried on, and how many.

The same ones on every machine, so that `make test` says the same everywhere: what is drawn follows from the text of the
property alone. ``DRAWS=new`` draws others every time (`make fuzz`, and a workflow once a week), and ``EFFORT=10`` ten
times as many. The settings are loaded when this module is imported, which ``conftest.py`` does before all else.
"""

from __future__ import annotations

import os
from typing import TypeVar

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.internal.conjecture import providers
from hypothesis.strategies import SearchStrategy

EFFORT = float(os.environ.get("EFFORT", "1"))
_IS_NEW = os.environ.get("DRAWS") == "new"
_Value = TypeVar("_Value")

# Examples may take their time, on a slow machine too.
settings.register_profile(
    "gpaplan",
    derandomize=not _IS_NEW,
    database=None,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("gpaplan")
# Now and then a constant is drawn that stands in some module: in one that happens to be imported by then, from a folder
# that happens not to be called "tests".
providers.is_local_module_file = lambda _path: False  # type: ignore[assignment,attr-defined]


def examples(count: int, *, fixed: bool = False) -> settings:
    """Decorates a property with how many examples it is tried on, times the effort; ``fixed``: the same ones always."""
    return settings(max_examples=max(1, round(count * EFFORT)), derandomize=fixed or not _IS_NEW)


def drawn_from(strategy: SearchStrategy[_Value], count: int) -> list[_Value]:
    """So many examples, the same ones every time: to see that they are what they should be."""
    found: list[_Value] = []

    @settings(max_examples=count, derandomize=True, phases=[Phase.generate])
    @given(strategy)
    def keep(value: _Value) -> None:
        found.append(value)

    keep()
    return found
