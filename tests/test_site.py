"""The parts of the site that need no MkDocs: its navigation, its links, its frames, and what it must not load.

That it can be built, with every link and anchor in place, is what ``make docs`` says.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from docs.site import built, elsewhere, hooks, live, navigation, notebooks, outside
from tests.paths import ROOT

DOCS = ROOT / "docs"
INDEX = (DOCS / "index.md").read_text(encoding="utf-8")


def pages_of(nav: list[Any]) -> list[str]:
    """The pages of a navigation, from top to bottom."""
    found: list[str] = []
    for entry in nav:
        for below in [entry] if isinstance(entry, str) else entry.values():
            found += [below] if isinstance(below, str) else pages_of(below)
    return found


@cache
def made() -> list[built.Built]:
    return list(built.built())


def the_navigation() -> list[dict[str, Any]]:
    below = built.below(made())
    return navigation.navigation(INDEX, lambda target: outside.place((DOCS / target).resolve()), below)


def test_the_navigation_has_the_groups_of_the_map() -> None:
    titles = [title for entry in the_navigation() for title in entry]
    groups = ["Start here", "Tutorials", "How-to guides", "Reference", "Background", "Results", "Project", "Decisions"]
    assert titles[0] == "gpaplan"
    assert [title for title in titles if title in groups] == groups


def test_every_page_is_in_the_navigation_once() -> None:
    found = pages_of(the_navigation())
    ours = {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")}
    others = {*outside.PAGES.values(), *(f"notebooks/{path.stem}.md" for path in (ROOT / "examples").rglob("*.ipynb"))}
    assert sorted(found) == sorted(ours | others | {page.place for page in made()})


def test_what_is_made_is_listed_on_the_page_that_it_belongs_to() -> None:
    for page, below in built.below(made()).items():
        text = built.listed(page, below)
        assert (DOCS / page).is_file()
        assert all(f"]({place.removeprefix('results/')}" in text for _, place in below)
        assert not [place for _, place in below if (DOCS / place).exists()], "it is not committed"


def test_rows_with_several_links_are_sections() -> None:
    nav = navigation.navigation("# m\n\n## Group\n\n| [A](a/index.md) | [b](a/b.md) |\n- [C](c.md)\n", str)
    assert nav[1] == {"Group": [{"A": ["a/index.md", {"B": "a/b.md"}]}, {"C": "c.md"}]}


def test_links_out_of_docs_lead_to_pages_of_the_site() -> None:
    page = DOCS / "howto" / "page.md"
    text = "[a](../../CONTRIBUTING.md#style) [b](robots.md) [c](../../examples/robot.py) [d](https://example.org)"
    assert outside.relinked(page, text) == (
        "[a](../project/contributing.md#style) [b](robots.md) [c](../source/examples/robot.py.md) [d](https://example.org)"
    )
    assert outside.relinked(ROOT / "README.md", "[t](docs/tutorial.md)") == "[t](../tutorial.md)"
    assert outside.relinked(page, f"```\n{text}\n```") == f"```\n{text}\n```"


def test_what_is_linked_outside_docs_is_found_and_shown() -> None:
    found = outside.found_from(sorted(DOCS.rglob("*.md")))
    names = [path.relative_to(ROOT).as_posix() for path in found]
    assert {"examples/robot.py", "src/core/task/task.hpp", "LICENSE", "bench/compare.py"} <= set(names)
    assert len(names) == len(set(names))
    assert "````python\n" in outside.shown(ROOT / "examples" / "robot.py")


def test_a_picture_becomes_a_frame() -> None:
    text = live.framed("![An automaton](../images/automaton.png)\n<!-- live: automaton -->\n", "../")
    assert '<iframe class="live" src="../live/automaton.html" title="An automaton"' in text
    assert "`gpaplan show gripper.gpa.json --format html" in text
    assert live.framed("![A picture](a.png)", "") == "![A picture](a.png)"


def test_every_live_page_has_its_place() -> None:
    marks = [name for path in DOCS.rglob("*.md") for name in re.findall(r"<!-- live: (\w+) -->", path.read_text())]
    assert sorted(marks) == sorted(live.COMMANDS)


def test_a_notebook_becomes_a_page() -> None:
    result = {"output_type": "execute_result", "data": {"text/plain": ["x"], "text/html": ["<b>\n\n", "x</b>"]}}
    cells = [
        {"cell_type": "markdown", "source": ["# Title\n", "text"]},
        {"cell_type": "code", "source": ["print(1)\n", "x"], "outputs": [{"output_type": "stream", "text": ["1\n"]}]},
        {"cell_type": "code", "source": ["x"], "outputs": [result]},
    ]
    assert notebooks.as_markdown(json.dumps({"cells": cells})) == (
        "# Title\ntext\n\n```python\nprint(1)\nx\n```\n\n```text\n1\n```\n\n"
        '```python\nx\n```\n\n<div class="output"><b> x</b></div>\n'
    )


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.html", '<script src="https://example.org/a.js"></script>'),
        ("a.html", '<link rel="stylesheet" href="//example.org/a.css">'),
        ("a.html", '<img alt="" srcset="a.png 1x, https://example.org/b.png 2x">'),
        ("a.html", "<style>@import 'https://example.org/a.css';</style>"),
        ("a.html", '<p style="background: url(https://example.org/a.png)">'),
        ("a.html", '<script>fetch("https://example.org/a.json")</script>'),
        ("a.html", '<iframe srcdoc="&lt;img src=https://example.org/a.png&gt;"></iframe>'),
        ("a.svg", '<svg><image href="https://example.org/a.png"/></svg>'),
        ("a.css", "@font-face { src: url(https://example.org/a.woff) }"),
        ("a.js", "import('https://example.org/a.js')"),
    ],
)
def test_what_is_loaded_from_elsewhere_is_found(name: str, text: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    assert [path.name for path, _ in elsewhere.loaded(tmp_path)] == [name]


def test_links_that_a_reader_may_click_load_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text('<a href="https://example.org">a</a><img src="a.png"><svg xmlns="http://a.b"/>')
    assert list(elsewhere.loaded(tmp_path)) == []


def test_the_landing_picture_fits_narrow_screens_and_dark_pages() -> None:
    """Exponents of 6 pixels on one that is 480 wide; nothing white behind, and no limit named in vain."""
    text = (DOCS / "images" / "landing.svg").read_text(encoding="utf-8")
    width = re.search(r'viewBox="0 0 ([\d.]+) ', text)
    assert width
    smallest = min(float(size) for size in re.findall(r"font-size: ([\d.]+)px", text))
    assert smallest * 480 / float(width[1]) >= 6
    assert not re.search(r"fill: (#fff|white)", text)
    drawn = set(re.findall(r">([TM])</text>", text))
    assert drawn == {letter for letter in "TM" if f"{letter}: limit of" in text}


def test_ppddl_has_colours() -> None:
    pygments = pytest.importorskip("pygments")
    from pygments.lexers import get_lexer_by_name  # type: ignore[import-untyped, unused-ignore]

    from docs.site.lexer import register

    register()
    text = "(define (domain d) (:action go :effect (probabilistic 0.5 (at ?x-1)))) ; end"
    found = [(str(kind), value) for kind, value in pygments.lex(text, get_lexer_by_name("ppddl")) if value.strip()]
    assert ("Token.Keyword", "define") in found
    assert ("Token.Keyword.Declaration", ":action") in found
    assert ("Token.Keyword.Type", "probabilistic") in found
    assert ("Token.Name.Variable", "?x-1") in found
    assert ("Token.Comment.Single", "; end") in found
    assert "".join(value for _, value in pygments.lex(text, get_lexer_by_name("ppddl"))).strip() == text


def test_options_have_no_backslashes() -> None:
    row = hooks.without_backslashes(r"| `--cost auto\|unit\|metric` | a \| b |")
    assert row == r"| `--cost auto|unit|metric` | a \| b |"
    assert hooks.without_backslashes(r"`a\|b`") == r"`a\|b`", "only in tables"
