"""Whether a built site loads anything from elsewhere: scripts, styles, fonts, pictures, frames.

Links that a reader may click are another matter, and are not looked at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

__all__ = ["loaded"]

_AWAY = re.compile(r"\s*(?:https?:)?//", re.IGNORECASE)
_IN_STYLE = re.compile(r"""(?:url\(|@import)\s*["']?((?:https?:)?//[^"')\s]+)""", re.IGNORECASE)
_LOADERS = r"(?:\bfetch\(|\bimport\(|\bfrom|\bimport|importScripts\(|new Worker\(|\.src\s*=)"
_IN_SCRIPT = re.compile(_LOADERS + r"""\s*["'`]((?:https?:)?//[^"'`]+)""")
_READ_BY_A_LINK = ("canonical", "next", "prev", "author", "license")
"""Kinds of <link> that load nothing."""


class _Loads(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._inside = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self._inside = tag
        addresses = [given.get(name, "") for name in ("src", "data", "poster")]
        addresses += [part.split()[0] for part in given.get("srcset", "").split(",") if part.split()]
        if tag == "link" and given.get("rel") not in _READ_BY_A_LINK:
            addresses.append(given.get("href", ""))
        if tag in ("image", "use"):
            addresses += [given.get("href", ""), given.get("xlink:href", "")]
        self.found += [address for address in addresses if _AWAY.match(address)]
        self.found += _IN_STYLE.findall(given.get("style", ""))
        if given.get("srcdoc"):
            inner = _Loads()
            inner.feed(given["srcdoc"])
            self.found += inner.found

    def handle_data(self, data: str) -> None:
        if self._inside == "style":
            self.found += _IN_STYLE.findall(data)
        if self._inside == "script":
            self.found += _IN_SCRIPT.findall(data)

    def handle_endtag(self, tag: str) -> None:  # noqa: ARG002
        self._inside = ""


def loaded(site: Path) -> Iterator[tuple[Path, str]]:
    """What pages, styles, pictures and scripts below a folder load from elsewhere: the file and the address."""
    for path in sorted(site.rglob("*")):
        if path.suffix in (".html", ".svg"):
            parser = _Loads()
            parser.feed(path.read_text(encoding="utf-8"))
            yield from ((path, address) for address in parser.found)
        elif path.suffix == ".css":
            yield from ((path, address) for address in _IN_STYLE.findall(path.read_text(encoding="utf-8")))
        elif path.suffix == ".js":
            yield from ((path, address) for address in _IN_SCRIPT.findall(path.read_text(encoding="utf-8")))
