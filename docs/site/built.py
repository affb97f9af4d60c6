"""Pages that are made when the site is, from docstrings and records; the repository does not have them."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import NamedTuple

from docs.site import reference

sys.path.append(str(reference.ROOT / "bench"))
import rule_pages
from write_results import TITLES, reports

__all__ = ["Built", "below", "built", "listed"]

_REPORTED_ON = {
    "evaluation": "results/evaluation.md",
    "by-itself": "results/evaluation.md",
}
"""The page of docs/ below which the report of a set of records stands."""


class Built(NamedTuple):
    """A page that is made."""

    place: str
    """Where it is below docs/."""
    below: str
    """The page of docs/ that it belongs to."""
    title: str
    text: str


def built() -> Iterator[Built]:
    """All of them: the reference, reports with all cells, and what rules do problem by problem."""
    for place, text in reference.pages().items():
        yield Built(place, "reference.md", _title(text), text)
    for name in TITLES:
        for page, text in reports(name).items():
            yield Built(f"results/{page}", _REPORTED_ON[name], _title(text), text)
    text = rule_pages.problems_page(json.loads(rule_pages.RECORDS.read_text("utf-8")))
    yield Built("results/rules-problem-by-problem.md", "results/rules.md", _title(text), text)


def below(pages: list[Built]) -> dict[str, list[tuple[str, str]]]:
    """Titles and places of what is made, by the page that it belongs to."""
    found: dict[str, list[tuple[str, str]]] = {}
    for page in pages:
        found.setdefault(page.below, []).append((page.title, page.place))
    return found


def listed(page: str, made: list[tuple[str, str]]) -> str:
    """What is added to a page of docs/: links to what is made for it."""
    if page == "reference.md":
        return reference.list_of_names()
    links = (f"- [{title}]({place.rpartition('/')[2]})" for title, place in made)
    return "\n".join(("## Made from the records", "", *links, ""))


def _title(text: str) -> str:
    return text.partition("\n")[0].removeprefix("# ")
