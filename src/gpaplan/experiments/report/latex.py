"""Tables as LaTeX, laid out as in the paper's appendix: groups of columns side by side, a rule over each.

What is written is to be included into a document that loads *booktabs*; `DOCUMENT` is such a document.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from gpaplan.experiments.report.document import BLANK, Chapter, Entry, Paragraph, Piece, ReportTable

DOCUMENT = r"""% A document with the tables of this directory: pdflatex tables-document.tex
\documentclass[10pt]{article}
\usepackage[T1]{fontenc}
\usepackage[utf8]{inputenc}
\usepackage[a3paper,landscape,margin=1.5cm]{geometry}
\usepackage{booktabs}
\begin{document}
\input{tables}
\end{document}
"""

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "[": "{[}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "–": "--",
    "θ": r"$\theta$",
    "≡": r"$\equiv$",
    "≥": r"$\geq$",
    "±": r"$\pm$",
    "\n": " ",
}
_MARKUP = {"bold": r"\textbf{{{}}}", "runs": r"\textsuperscript{{{}}}"}


def escape(text: str) -> str:
    """Text that LaTeX sets as it is; characters beyond Latin letters become question marks."""
    escaped = "".join(_SPECIAL.get(character, character) for character in text)
    return "".join(character if ord(character) < 0x180 and character.isprintable() else "?" for character in escaped)


def to_latex(chapters: Sequence[Chapter]) -> str:
    """The tables of the chapters; the paragraph before a table is its caption."""
    lines = [r"% Needs \usepackage[T1]{fontenc} and \usepackage{booktabs}, as in tables-document.tex."]
    for chapter in chapters:
        label = re.sub("[^a-z0-9]+", "-", chapter.title.lower()).strip("-")
        lines += [r"\begin{table}[p]", r"    \centering", r"    \scriptsize"]
        for block in chapter.blocks:
            if isinstance(block, Paragraph):
                lines.append(rf"    \caption{{\small {escape(block.text)}}}")
            if isinstance(block, ReportTable):
                lines += [f"    {line}" for line in _table(block)]
        lines += [rf"    \label{{table:{label}}}", r"\end{table}", ""]
    return "\n".join(lines)


def _table(table: ReportTable) -> Iterator[str]:
    """Between any two groups there is an empty column."""
    groups = [list(group) for _, group in groupby(enumerate(table.columns), lambda each: each[1].group)]
    yield rf"\begin{{tabular}}{{{'l'.join('l' * len(group) for group in groups)}}}"
    yield r"\toprule"
    titles, rules, first = [], [], 1
    for group in groups:
        titles.append(rf"\multicolumn{{{len(group)}}}{{c}}{{{escape(group[0][1].group)}}}")
        rules += [rf"\cmidrule{{{first}-{first + len(group) - 1}}}"] if group[0][1].group else []
        first += len(group) + 1
    yield rf"{' & & '.join(titles)} \\"
    yield " ".join(rules)
    heads = [[rf"\multicolumn{{1}}{{c}}{{{escape(column.title)}}}" for _, column in group] for group in groups]
    yield rf"{' & & '.join(map(' & '.join, heads))} \\"
    yield r"\midrule"
    for row in table.rows:
        cells = [[_entry(row[place]) for place, _ in group] for group in groups]
        yield rf"{' & & '.join(map(' & '.join, cells))} \\"
    yield r"\bottomrule"
    yield r"\end{tabular}"


def _entry(entry: Entry) -> str:
    return ", ".join("".join(map(_piece, line)) for line in entry.lines) or escape(BLANK)


def _piece(piece: Piece) -> str:
    text = escape(piece.short or piece.text)
    return _MARKUP[piece.look].format(text.strip()) if piece.look in _MARKUP else text
