"""The navigation of the site, which is the map on docs/index.md.

Each heading of the second level is a group. In it, a row of a table or an item of a list that begins with a link is a
page; what else is linked from the same row lies below that page, and so does what is made for it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

__all__ = ["groups", "navigation"]

_LINK = re.compile(r"\[([^\]]+)\]\(([^)#\s]+)\)")


def groups(index: str) -> dict[str, list[list[tuple[str, str]]]]:
    """The rows of each group of the map: titles and targets of their links, as they are written."""
    found: dict[str, list[list[tuple[str, str]]]] = {}
    for section in re.split(r"^## ", index, flags=re.MULTILINE)[1:]:
        title, _, text = section.partition("\n")
        rows = [line for line in text.splitlines() if re.match(r"(\| |- )\[", line)]
        if rows:
            found[title.strip()] = [_LINK.findall(row) for row in rows]
    return found


def navigation(
    index: str, place: Callable[[str], str], made: Mapping[str, list[tuple[str, str]]] = MappingProxyType({})
) -> list[dict[str, Any]]:
    """The same as MkDocs wants it; ``place`` says where on the site a target is, ``made`` what is made for a page."""
    nav: list[dict[str, Any]] = [{"gpaplan": ["index.md"]}]
    for title, rows in groups(index).items():
        found = [[(name, place(target)) for name, target in row] for row in rows]
        nav.append({title: [_entry([*row, *made.get(row[0][1], [])]) for row in found]})
    return nav


def _entry(row: list[tuple[str, str]]) -> dict[str, Any]:
    """A page, or where more than one is linked a section of them that begins with the page itself."""
    (title, page), *below = row
    if not below:
        return {title: page}
    first = page if page.endswith("index.md") else {"In short": page}
    return {title: [first, *({_capitalized(name): target} for name, target in below)]}


def _capitalized(name: str) -> str:
    return name[:1].upper() + name[1:]
