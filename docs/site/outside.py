"""What the pages link to outside docs/: where it is on the site, and links that lead there.

Pages of Markdown and notebooks become pages; any other file becomes a page that shows it. In a checkout the links lead
to the files themselves.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from docs.site.notebooks import as_markdown

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"

PAGES = {
    "README.md": "project/readme.md",
    "CHANGELOG.md": "project/changelog.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "CODE_OF_CONDUCT.md": "project/code-of-conduct.md",
    "SECURITY.md": "project/security.md",
    "bench/README.md": "project/bench.md",
}
"""Where the pages are that lie elsewhere."""

_FENCED = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"(\[(?:[^\]\\]|\\.)*\]\()([^)#\s]+)(#[^)\s]*)?(\))")
_LANGUAGES = {".py": "python", ".sh": "sh", ".hpp": "cpp", ".cpp": "cpp", ".yaml": "yaml", ".toml": "toml"}


def place(path: Path) -> str:
    """Where a file of the repository is on the site."""
    if path.is_relative_to(DOCS):
        return path.relative_to(DOCS).as_posix()
    name = path.relative_to(ROOT).as_posix()
    if name in PAGES:
        return PAGES[name]
    if path.suffix == ".ipynb":
        return f"notebooks/{path.stem}.md"
    return f"source/{name.lstrip('.')}.md"


def linked(page: Path, text: str) -> Iterator[Path]:
    """The files outside docs/ that a page links to. (MkDocs complains of links to what is none.)"""
    for part in _FENCED.split(text)[::2]:
        for match in _LINK.finditer(part):
            target = _target(page, match[2])
            if target is not None and not target.is_relative_to(DOCS) and target.is_file():
                yield target


def found_from(pages: list[Path]) -> list[Path]:
    """All files outside docs/ that belong on the site: what these pages link to, and what pages outside link to."""
    found: dict[Path, None] = {ROOT / name: None for name in PAGES}
    queue = [*pages, *found]
    while queue:
        page = queue.pop(0)
        for target in linked(page, page.read_text(encoding="utf-8")):
            if target not in found:
                found[target] = None
                queue += [target] if target.suffix == ".md" else []
    return list(found)


def shown(path: Path) -> str:
    """The Markdown that shows a file outside docs/."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        return text
    if path.suffix == ".ipynb":
        return as_markdown(text)
    name = path.relative_to(ROOT).as_posix()
    return f"# {name}\n\n````{_LANGUAGES.get(path.suffix, 'text')}\n{text.rstrip()}\n````\n"


def relinked(page: Path, text: str) -> str:
    """The text of a page with links as they are on the site."""
    here = os.path.dirname(place(page))

    def link(match: re.Match[str]) -> str:
        target = _target(page, match[2])
        if target is None or (page.is_relative_to(DOCS) and target.is_relative_to(DOCS)):
            return match[0]
        return f"{match[1]}{os.path.relpath(place(target), here or '.')}{match[3] or ''}{match[4]}"

    parts = _FENCED.split(text)
    return "".join(part if number % 2 else _LINK.sub(link, part) for number, part in enumerate(parts))


def _target(page: Path, target: str) -> Path | None:
    """The file that a link means; None for an address elsewhere."""
    if re.match(r"[a-z]+:", target):
        return None
    return Path(os.path.normpath(page.parent / target))
