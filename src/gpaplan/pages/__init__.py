"""Pages for a browser: each is one HTML file that needs nothing else, neither a library nor a network.

A page is put together from readable files in this folder: a skeleton, and the styles and scripts that it needs. A
content security policy names these by their hashes, so that nothing else is run or fetched, even if a name that came
from outside were not escaped.
"""

from __future__ import annotations

import base64
import hashlib
import re
from importlib import resources

__all__ = ["assemble", "read"]

_NEEDED = {
    "graph.html": ("drawing.css", "graph.css", "graph.js"),
    "report.html": ("report.css", "report.js"),
    "rules.html": ("report.css",),
    "trace.html": ("drawing.css", "graph.css", "trace.js"),
    "workbench.html": ("graph.css", "workbench.css", "workbench.js"),
}
"""The styles and scripts of each skeleton."""


def assemble(skeleton: str, *, asks: bool = False, **parts: str) -> str:
    """Fill in a skeleton: ``{{name}}`` is a part; ``title`` is that of the page.

    Only a page that ``asks`` may speak with somebody: with the server that it came from.
    """
    files = {name: read(name) for name in _NEEDED[skeleton]}
    styles, scripts = ([name for name in files if name.endswith(end)] for end in (".css", ".js"))
    style, script = (" ".join(_source(files[name]) for name in names) for names in (styles, scripts))
    nothing = "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:"
    policy = f"{nothing}; style-src {style}; script-src {script}" + ("; connect-src 'self'" if asks else "")
    text = read("page.html").replace("{{skeleton}}", read(skeleton))
    text = text.replace("{{styles}}", "".join(f"<style>{{{{{name}}}}}</style>\n" for name in styles))
    text = text.replace("{{scripts}}", "".join(f"<script>{{{{{name}}}}}</script>\n" for name in scripts))
    filled = {**files, **parts, "policy": policy}
    return re.sub(r"\{\{([\w.]+)\}\}", lambda match: filled[match[1]], text)


def read(name: str) -> str:
    """The text of a file of this folder."""
    return resources.files("gpaplan.pages").joinpath(name).read_text(encoding="utf-8")


def _source(text: str) -> str:
    """How a content security policy names an inline style or script."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
