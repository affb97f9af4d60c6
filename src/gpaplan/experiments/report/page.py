"""A document as one page that needs no network, with tables that can be sorted and filtered (``gpaplan/pages``).

Everything is in the file; the figure is SVG, so that it follows the colours of the page. Names may come from anybody:
they enter the page as escaped text. Without scripts the page shows everything as well.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape
from itertools import groupby

from gpaplan.experiments.report.document import (
    BLANK,
    Block,
    Chapter,
    Entry,
    Items,
    Paragraph,
    Picture,
    Piece,
    ReportTable,
)
from gpaplan.pages import assemble

_WIDE = 1500
"""A figure wider than so many points is scrolled and not shrunk."""


def to_html(document: Chapter) -> str:
    """The whole page."""
    return assemble("report.html", title=escape(document.title), body=_html(document, 1))


def _html(block: Block, level: int) -> str:
    match block:
        case Chapter():
            title, inside = escape(block.title), "\n".join(_html(each, level + 1) for each in block.blocks)
            if block.kind == "fold":
                return f"<details><summary>{title}</summary>\n{inside}\n</details>"
            head = f'<section class="{block.kind}" data-title="{title}">\n<h{level}>{title}</h{level}>'
            return f"{head}\n{inside}\n</section>"
        case Paragraph():
            lead = f"<b>{escape(block.lead)}</b> " if block.lead else ""
            return f'<p class="{block.look}">{lead}{escape(block.text)}</p>'
        case Items():
            return f"<ul>{''.join(f'<li>{escape(item)}</li>' for item in block.items)}</ul>"
        case Picture():
            drawing = inline_svg(block.svg, block.notes)
            return f'<div id="figure" role="img" aria-label="{escape(block.label)}">{drawing}</div>'
        case ReportTable():
            return _table(block)


# --- tables -----------------------------------------------------------------------------------------------------------


def _table(table: ReportTable) -> str:
    looks = [_column_classes(place, table) for place in range(len(table.columns))]
    heads = "".join(
        f'<th class="{look}"><button type="button">{escape(column.title)}</button></th>'
        for column, look in zip(table.columns, looks, strict=True)
    )
    groups = [(title, len(list(group))) for title, group in groupby(table.columns, lambda column: column.group)]
    above = "".join(f'<th class="group" colspan="{size}">{escape(title)}</th>' for title, size in groups)
    head = (f"<tr>{above}</tr>" if len(groups) > 1 else "") + f"<tr>{heads}</tr>"
    rows = ("".join(map(_entry, row, (column.text for column in table.columns), looks)) for row in table.rows)
    body = "\n".join(f"<tr>{row}</tr>" for row in rows)
    return f'<div class="scroll"><table><thead>{head}</thead><tbody>\n{body}\n</tbody></table></div>'


def _column_classes(place: int, table: ReportTable) -> str:
    """The classes of a column: it names the row, has words, or is the first of its group, with a line on its left."""
    column = table.columns[place]
    look = "name" if place == 0 else "left" if column.text else ""
    return f"{look} start".strip() if place and column.group != table.columns[place - 1].group else look


def _entry(entry: Entry, text: bool, look: str) -> str:
    key = "" if text else f' data-sort="{"" if entry.key is None else repr(entry.key)}"'
    note = entry.note or (str(entry) if look == "name" else "")
    title = f' title="{escape(note)}"' if note else ""
    lines = "<br>".join("".join(map(_piece, line)) for line in entry.lines)
    return f'<td class="{look} {entry.look}"{key}{title}>{lines or BLANK}</td>'


def _piece(piece: Piece) -> str:
    text = escape(piece.text)
    if piece.look == "bold":
        return f"<b>{text}</b>"
    return f'<span class="{piece.look}">{text}</span>' if piece.look else text


# --- the figure -------------------------------------------------------------------------------------------------------
def inline_svg(svg: str, titles: Mapping[str, str]) -> str:
    """A drawing of matplotlib for the inside of a page: without prologue and style, so that the page's own style rules.

    Style attributes become presentation attributes, which the page may override and its policy allows.
    """
    body = svg[svg.index("<svg") :]
    body = re.sub(r"<metadata>.*?</metadata>\s*", "", body, flags=re.DOTALL)
    body = re.sub(r"<style[^>]*>.*?</style>\s*", "", body, flags=re.DOTALL)
    size = re.search(r'<svg[^>]*? width="([\d.]+)pt" height="[\d.]+pt"', body)
    wide = size is not None and float(size[1]) > _WIDE
    body = re.sub(r' width="([\d.]+)pt" height="[\d.]+pt"', r' class="wide" width="\1"' if wide else "", body, count=1)
    body = re.sub(r' style="([^"]*)"', lambda match: _attributes(match[1]), body)

    def titled(match: re.Match[str]) -> str:
        title = titles.get(match[1])
        return match[0] + (f"<title>{escape(title)}</title>" if title is not None else "")

    return re.sub(r'<g id="(bar-[^"]*)">', titled, body)


def _attributes(style: str) -> str:
    pairs = (part.split(":", 1) for part in style.split(";") if ":" in part)
    return "".join(f' {name.strip()}="{value.strip()}"' for name, value in pairs)
