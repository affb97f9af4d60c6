"""A notebook as a page: its text, its code, and the outputs that are stored in it."""

from __future__ import annotations

import json
from typing import Any

__all__ = ["as_markdown"]


def as_markdown(text: str) -> str:
    """The page of a notebook, given the text of its file."""
    parts: list[str] = []
    for cell in json.loads(text)["cells"]:
        source = _joined(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
        else:
            parts.append(f"```python\n{source}\n```")
            parts += [_output(output) for output in cell["outputs"]]
    return "\n\n".join(part for part in parts if part) + "\n"


def _output(output: dict[str, Any]) -> str:
    """What a cell gave: a picture or a table if there is one, else text."""
    if output["output_type"] == "stream":
        return _fenced(_joined(output["text"]))
    data = output["data"]
    if "image/png" in data:
        return f'<img alt="A figure" class="output" src="data:image/png;base64,{_joined(data["image/png"]).strip()}">'
    for kind in ("image/svg+xml", "text/html"):
        if kind in data:
            return f'<div class="output">{" ".join(_joined(data[kind]).split())}</div>'
    return _fenced(_joined(data["text/plain"]))


def _fenced(text: str) -> str:
    return f"```text\n{text.rstrip()}\n```"


def _joined(lines: str | list[str]) -> str:
    return lines if isinstance(lines, str) else "".join(lines)
