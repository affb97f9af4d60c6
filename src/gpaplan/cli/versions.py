"""``gpaplan --version``: what a bug report should say of the installation."""

from __future__ import annotations

import importlib.metadata
import platform
from typing import Any

from gpaplan import _core
from gpaplan.version import __version__

_NEEDED = ("click", "msgspec")
_OPTIONAL = {
    "distributed": ("cluster", "suites on a Dask cluster"),
    "gymnasium": ("gym", "environments for agents"),
    "matplotlib": ("plots", "figures of reports"),
    "pandas": ("pandas", "results as tables"),
    "unified-planning": ("unified-planning", "problems of that library"),
    "z3-solver": ("proofs", "proofs of rule lists (certify)"),
}
"""The packages that extras for users bring: the extra, and what it is good for."""


def describe_versions() -> dict[str, Any]:
    """The versions of gpaplan and of all that matters for it, as ``--json`` prints them."""
    build = _core.build()
    return {
        "status": "ok",
        "gpaplan": __version__,
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "platform": platform.platform(),
        "core": {"compiler": build["compiler"], "build_type": build["type"], "nanobind": build["nanobind"]},
        "packages": {name: _version(name) for name in _NEEDED},
        "optional": {name: _version(name) for name in _OPTIONAL},
    }


def _version(package: str) -> str | None:
    """The version of a package; None where it is not installed. The package is not imported."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def version_lines() -> list[str]:
    """The same for people; the first line is ``gpaplan X.Y.Z``."""
    found = describe_versions()
    core = found["core"]
    rows = [
        ("Python", f"{found['python']}, {found['platform']}"),
        ("core", f"{core['compiler']}, {core['build_type']} build, nanobind {core['nanobind']}"),
        ("packages", ", ".join(f"{name} {version}" for name, version in found["packages"].items())),
    ]
    for package, version in found["optional"].items():
        extra, purpose = _OPTIONAL[package]
        how = "" if version else f"; pip install 'gpaplan[{extra}]'"
        rows.append(("optional", f"{package} {version or 'is missing'}: {purpose}{how}"))
    return [f"gpaplan {found['gpaplan']}", *(f"  {name:<8}  {text}" for name, text in rows)]
