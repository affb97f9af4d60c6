"""The page of a report in a real browser: it shows everything, sorts, filters, and follows the colour scheme."""

from __future__ import annotations

from functools import cache

import pytest

from gpaplan.experiments.report import figure
from gpaplan.experiments.report.contents import report, to_html
from gpaplan.experiments.report.summary import summarize
from tests.browser.conftest import Page
from tests.experiment_records import paper_like, record

pytestmark = pytest.mark.browser

HOSTILE = "</td><img src=x onerror='window.hacked=1'><script>window.hacked=1</script>"


@cache
def page_text() -> str:
    """Gripper and Delicate Can as in the paper, a problem without runs with the automaton, and a hostile name."""
    records = paper_like(("delicate-can", "gripper"), runs=2, limit=1.0)
    records += [record(domain="ant", problem=HOSTILE, theta="", seconds=3.0)]
    summary = summarize(records)
    return to_html(report(summary, [figure.draw(summary).svg]))


def shown(page: Page, selector: str = "tbody tr") -> list[str]:
    """The texts of the rows that are not hidden."""
    script = (
        "return [...document.querySelectorAll(arguments[0])].filter(e => e.checkVisibility()).map(e => e.innerText)"
    )
    return [str(text) for text in page.run(script, selector)]


def test_everything_is_there_and_nothing_is_fetched(page: Page) -> None:
    page.show_text(page_text())
    assert page.run("return document.querySelector('.figure').naturalWidth > 500")
    rows = len(shown(page))
    assert rows > 2 * (3 * (12 + 12) + 1)
    assert page.find("#shown").text == f"{rows} of {rows} rows"
    assert page.run("return window.hacked === undefined")
    assert len(page.all("img")) == 1
    assert HOSTILE in page.texts("td")


TIMES = "h3 + .scroll "
"""The first table of a domain."""


def test_a_click_on_a_column_sorts_by_it(page: Page) -> None:
    """What is not known comes last either way."""
    page.show_text(page_text())
    table = page.all(TIMES)[1]

    def keys(column: int) -> list[float | None]:
        cells = table.find_elements("css selector", f"tbody td:nth-child({column})")
        found = [each.get_attribute("data-sort") for each in cells]
        return [None if each is None else float(each) for each in found]

    def click(column: int) -> None:
        table.find_element("css selector", f"thead th:nth-child({column}) button").click()

    for column in (2, 6):
        click(column)
        found = keys(column)
        known = [each for each in found if each is not None]
        assert found == sorted(known) + [None] * (len(found) - len(known))
        click(column)
        assert keys(column) == sorted(known, reverse=True) + [None] * (len(found) - len(known))
    assert len(page.all("th[aria-sort]")) == 1


def test_rows_are_filtered(page: Page) -> None:
    page.show_text(page_text())
    rows = len(shown(page))
    page.find("#query").send_keys("gripper(12) flares")
    assert len(shown(page)) == 2, "its times and its costs"
    assert page.find("#shown").text == f"2 of {rows} rows"
    page.find("#query").clear()
    page.find("#query").send_keys("gripper(1")
    assert 0 < len(shown(page)) < rows


def test_the_page_follows_the_colour_scheme(page: Page) -> None:
    def brightness(selector: str, name: str) -> float:
        colour = page.find(selector).value_of_css_property(name)
        return sum(float(each) for each in colour[colour.index("(") + 1 : -1].split(",")[:3]) / 3

    grounds, inks = {}, {}
    for scheme in ("light", "dark"):
        page.prefer(scheme)
        page.show_text(page_text())
        grounds[scheme] = brightness("body", "background-color")
        inks[scheme] = brightness("td", "color")
    assert grounds["light"] > 200 > 60 > grounds["dark"]
    assert inks["light"] < 60 < 200 < inks["dark"]


def test_controls_have_names(page: Page) -> None:
    page.show_text(page_text())
    assert all(each.accessible_name for each in page.all("input, th button"))
