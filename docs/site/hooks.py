"""What the site has besides the pages of docs/ (mkdocs.yml names this file).

MkDocs calls these functions: first `on_config`, then `on_files`, then `on_page_markdown` for each page, at last
`on_post_build`.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from docs.site.built import Built, below, built, listed
from docs.site.elsewhere import loaded
from docs.site.lexer import register
from docs.site.live import framed, made
from docs.site.navigation import navigation
from docs.site.outside import DOCS, ROOT, found_from, place, relinked, shown

_origin: dict[str, Path] = {}
"""The file that a page of the site was made from, for those outside docs/."""
_built: list[Built] = []
"""Pages that are made from docstrings and records."""


def on_config(config: Any) -> Any:
    """The navigation is the map, with what is made below the pages that it belongs to."""
    _built[:] = built()
    register()
    index = (DOCS / "index.md").read_text(encoding="utf-8")
    config["nav"] = navigation(index, lambda target: place((DOCS / target).resolve()), below(_built))
    config["watch"] += [str(ROOT / name) for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "examples")]
    return config


def on_files(files: Any, config: Any) -> Any:
    """Adds what the pages link to outside docs/, and the pages that gpaplan makes."""
    from mkdocs.structure.files import File

    pages = [Path(file.abs_src_path) for file in files.documentation_pages()]
    _origin.clear()
    for path in found_from(pages):
        _origin[place(path)] = path
        files.append(File.generated(config, place(path), content=shown(path)))
    for each in _built:
        files.append(File.generated(config, each.place, content=each.text))
    for name, page in made().items():
        files.append(File.generated(config, f"live/{name}.html", content=page))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:  # noqa: ARG001
    """Links that lead out of docs/ lead to where the same is on the site; pictures of pages become the pages."""
    name = page.file.src_uri
    if name == "index.md":
        page.meta["hide"] = ["navigation"]  # it is a map already
    made_for = below(_built).get(name)
    if made_for:
        markdown += f"\n{listed(name, made_for)}"
    markdown = without_backslashes(markdown)
    return framed(relinked(_origin.get(name, DOCS / name), markdown), "../" * name.count("/"))


def without_backslashes(markdown: str) -> str:
    """In code in a table GitHub wants ``\\|`` where MkDocs wants ``|``, and would show the backslash."""

    def mended(row: re.Match[str]) -> str:
        return re.sub(r"`[^`]*`", lambda code: code[0].replace("\\|", "|"), row[0])

    return re.sub(r"^\|.*", mended, markdown, flags=re.MULTILINE)


def on_post_build(config: Any) -> None:
    """Nothing may be loaded from elsewhere."""
    from mkdocs.exceptions import PluginError

    site = Path(config["site_dir"])
    found = [f"  {path.relative_to(site)}: {address}" for path, address in loaded(site)]
    if found:
        raise PluginError("pages of the site load from elsewhere:\n" + "\n".join(found))
