"""What a report consists of, and how it is written: as Markdown, and as one page that needs no network.

Names may come from anybody: both writers escape them. The tables of the page can be sorted and searched
(``gpaplan/pages``); without scripts it shows everything as well.
"""

from __future__ import annotations

import base64
import re
import textwrap
from collections.abc import Iterator, Sequence
from html import escape
from typing import NamedTuple

from gpaplan.pages import assemble

BLANK = "–"


class Entry(NamedTuple):
    """An entry of a table."""

    text: str = BLANK
    key: float | None = None
    """The number that it is sorted by."""
    bold: bool = False


class Heading(NamedTuple):
    level: int
    title: str


class ReportTable(NamedTuple):
    columns: Sequence[str]
    rows: Sequence[Sequence[Entry]]


class Picture(NamedTuple):
    """A figure: its file, what it shows, and its drawing as SVG."""

    file: str
    label: str
    svg: str


Block = Heading | ReportTable | Picture | str | tuple[str, ...]
"""A text is a paragraph, a tuple of texts a list."""


def to_markdown(blocks: Sequence[Block]) -> str:
    """The document as text."""
    return "\n".join(line for block in blocks for line in (*_lines(block), ""))


def _lines(block: Block) -> Iterator[str]:
    match block:
        case Heading():
            yield f"{'#' * block.level} {_marked(block.title)}"
        case Picture():
            yield f"![{_marked(block.label)}]({block.file})"
        case ReportTable():
            yield f"| {' | '.join(map(_marked, block.columns))} |"
            yield f"|{'---|' * len(block.columns)}"
            for row in block.rows:
                texts = (f"**{_marked(each.text)}**" if each.bold else _marked(each.text) for each in row)
                yield f"| {' | '.join(texts)} |"
        case str():
            yield from textwrap.wrap(_marked(block), 120, break_long_words=False, break_on_hyphens=False)
        case _:
            yield from (f"- {_marked(item)}" for item in block)


def _marked(text: str) -> str:
    """Text that Markdown shows as it is; addresses do not become links."""
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    text = re.sub(r"([\\`*_|#\[\]~]|:(?=//)|(?<=www)\.)", r"\\\1", text, flags=re.IGNORECASE)
    return text.replace("@", "@<!-- -->").replace("\n", " ")


def to_html(blocks: Sequence[Block]) -> str:
    """The document as a page."""
    title = next(block.title for block in blocks if isinstance(block, Heading))
    return assemble("report.html", title=escape(title), body="\n".join(map(_html, blocks)))


def _html(block: Block) -> str:
    match block:
        case Heading():
            return f"<h{block.level}>{escape(block.title)}</h{block.level}>"
        case Picture():
            data = base64.b64encode(block.svg.encode()).decode()
            return f'<img id="figure" alt="{escape(block.label)}" src="data:image/svg+xml;base64,{data}">'
        case ReportTable():
            heads = "".join(f'<th><button type="button">{escape(each)}</button></th>' for each in block.columns)
            rows = "\n".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in block.rows)
            return f'<div class="scroll"><table><thead><tr>{heads}</tr></thead><tbody>\n{rows}\n</tbody></table></div>'
        case str():
            return f"<p>{escape(block)}</p>"
        case _:
            return f"<ul>{''.join(f'<li>{escape(item)}</li>' for item in block)}</ul>"


def _cell(entry: Entry) -> str:
    text = f"<b>{escape(entry.text)}</b>" if entry.bold else escape(entry.text)
    return f"<td>{text}</td>" if entry.key is None else f'<td data-sort="{entry.key!r}">{text}</td>'
