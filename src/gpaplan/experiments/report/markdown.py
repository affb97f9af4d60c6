"""A document as Markdown."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator

from gpaplan.experiments.report.document import BLANK, Block, Chapter, Entry, Items, Paragraph, Picture, ReportTable


def to_markdown(document: Chapter, level: int = 1) -> str:
    """The document, its title a heading of this level."""
    return "\n".join(_lines(document, level)).rstrip() + "\n"


def _lines(block: Block, level: int) -> Iterator[str]:
    match block:
        case Chapter():
            yield f"{'#' * level} {_escaped(block.title)}"
            yield ""
            for each in block.blocks:
                yield from _lines(each, level + 1)
            return
        case Paragraph():
            text = f"**{_escaped(block.lead)}** {_escaped(block.text)}" if block.lead else _escaped(block.text)
            yield from textwrap.wrap(text, 120, break_long_words=False, break_on_hyphens=False)
        case Items():
            yield from (f"- {_escaped(item)}" for item in block.items)
        case Picture():
            yield f"![{_escaped(block.label)}]({block.file})"
        case ReportTable():
            yield from _table(block)
            return
    yield ""


def _table(table: ReportTable) -> Iterator[str]:
    """A table, or one for each of its parts."""
    for part in dict.fromkeys(column.part for column in table.columns if column.part) or [""]:
        shown = [place for place, column in enumerate(table.columns) if column.part in ("", part)]
        columns = [table.columns[place] for place in shown]
        yield f"| {' | '.join(_escaped(f'{c.group}: {c.title}' if c.group else c.title) for c in columns)} |"
        yield f"|{'|'.join('---' if column.text else '---:' for column in columns)}|"
        yield from (f"| {' | '.join(_entry(row[place]) for place in shown)} |" for row in table.rows)
        yield ""


def _entry(entry: Entry) -> str:
    lines = (((_escaped(text), look) for text, look, _ in line) for line in entry.lines)
    return (
        "; ".join("".join(f"**{text}**" if look == "bold" else text for text, look in line) for line in lines) or BLANK
    )


def _escaped(text: str) -> str:
    """Text that Markdown shows as it is; addresses do not become links."""
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    text = re.sub(r"([\\`*_|#\[\]~]|:(?=//)|(?<=www)\.)", r"\\\1", text, flags=re.IGNORECASE)
    return text.replace("@", "@<!-- -->").replace("\n", " ")
