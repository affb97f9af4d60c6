"""Pages for a browser: each is one HTML file that needs nothing else, neither a library nor a network.

A page is put together from readable files in this folder: a skeleton, and the style and the scripts that it names. A
content security policy names these by their hashes, so that nothing else is run or fetched, even if a name that came
from outside were not escaped.
"""

from __future__ import annotations

import base64
import hashlib
import re
from importlib import resources

__all__ = ["assemble"]


def assemble(skeleton: str, *, asks: bool = False, **parts: str) -> str:
    """Fill in a skeleton: ``{{name.html}}``, ``.css`` and ``.js`` are files of this folder, ``{{name}}`` is a part.

    Only a page that ``asks`` may speak with somebody: with the server that it came from.
    """
    text = _read(skeleton)
    files = {name: _read(name) for name in re.findall(r"\{\{(\w+\.\w+)\}\}", text)}
    style, script = (" ".join(_source(files[name]) for name in files if name.endswith(end)) for end in (".css", ".js"))
    nothing = "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:"
    policy = f"{nothing}; style-src {style}; script-src {script}" + ("; connect-src 'self'" if asks else "")
    filled = {**files, **parts, "policy": policy}
    return re.sub(r"\{\{([\w.]+)\}\}", lambda match: filled[match[1]], text)


def _read(name: str) -> str:
    text = resources.files("gpaplan.pages").joinpath(name).read_text(encoding="utf-8")
    return re.sub(r"\{\{(\w+\.html)\}\}", lambda match: _read(match[1]).removesuffix("\n"), text)


def _source(text: str) -> str:
    """How a content security policy names an inline style or script."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
