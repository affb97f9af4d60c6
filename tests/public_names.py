"""The public names of the package, as the API reference has them: each with its module."""

from __future__ import annotations

import importlib
import runpy
from typing import Any

from tests.paths import ROOT

REFERENCE: dict[str, Any] = runpy.run_path(str(ROOT / "docs" / "site" / "reference.py"))
MODULES: dict[str, str] = REFERENCE["public"]()


def named(name: str) -> Any:
    """What has a public name."""
    return getattr(importlib.import_module(f"gpaplan.{MODULES[name]}"), name)
