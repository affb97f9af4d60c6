"""Results as plain data.

``to_json`` means the same on every class: a dict of texts, numbers, lists and dicts that ``json.dumps`` takes as it is.
JSON has no infinity; a number that is not finite is None. Where a class has a file, ``to_text`` is the file's text, and
``from_json``, where there is one, takes what ``to_json`` gave.
"""

from __future__ import annotations

import math
from dataclasses import fields
from typing import Any


def as_record(result: Any, *without: str, **instead: object) -> dict[str, Any]:
    """The fields of a dataclass by name, ``without`` some; what is no plain data has something ``instead``."""
    record = {each.name: getattr(result, each.name) for each in fields(result) if each.name not in without}
    return {name: plain(value) for name, value in (record | instead).items()}


def plain(value: Any) -> Any:
    """A value as plain data."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {name: plain(each) for name, each in value.items()}
    if isinstance(value, tuple | list):
        return [plain(each) for each in value]
    return value.to_json() if hasattr(value, "to_json") else value
