"""Results as plain data.

``to_json`` means the same on every class: a dict of texts, numbers, lists and dicts that ``json.dumps`` takes as it is.
JSON has no infinity; a number that is not finite is None. Where a class has a file, ``to_text`` is the file's text, and
``from_json``, where there is one, takes what ``to_json`` gave.
"""

from __future__ import annotations

import math
from dataclasses import fields
from typing import Any

__all__ = ["as_record"]


def as_record(result: Any, **instead: object) -> dict[str, Any]:
    """The fields of a dataclass by name; those that are no plain data are given as what stands ``instead`` of them."""
    record = {each.name: getattr(result, each.name) for each in fields(result)} | instead
    return {k: None if isinstance(v, float) and not math.isfinite(v) else v for k, v in record.items()}
