"""The page of a report in a real browser: it shows everything, sorts, filters, and follows the colour scheme."""

from __future__ import annotations

from functools import cache

import pytest

from gpaplan.experiments.report import figure
from gpaplan.experiments.report.checks import findings
from gpaplan.experiments.report.contents import report
from gpaplan.experiments.report.page import to_html
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
    return to_html(report(summary, list(findings(summary)), figure.draw(summary).svg))


def shown(page: Page, selector: str = ".results tbody tr") -> list[str]:
    """The texts of the rows that are not hidden."""
    script = (
        "return [...document.querySelectorAll(arguments[0])].filter(e => e.checkVisibility()).map(e => e.innerText)"
    )
    return [str(text) for text in page.run(script, selector)]


def test_everything_is_there_and_nothing_is_fetched(page: Page) -> None:
    page.show_text(page_text())
    assert len(page.all("#figure svg")) == 1
    assert len(page.all("#figure g[id^='bar-']")) == 2 * 3 * (12 + 12) + 1
    assert len(shown(page)) == 3 * (12 + 12) + 1
    assert page.find("#shown").text == "73 rows"
    assert "time-limit 1 s" in page.find(".results").get_attribute("textContent")
    assert page.texts("#figure #bar-0-0-0-gpa title")[0].startswith("delicate-can(2), LRTDP with automaton, s: 0.000")
    assert page.run("return window.hacked === undefined")
    assert page.all("img") == []
    assert HOSTILE in page.texts(".results td.name")


def test_the_figure_is_as_wide_as_the_page_and_its_labels_do_not_overlap(page: Page) -> None:
    page.show_text(page_text())
    boxes = page.run(
        "return [...document.querySelectorAll('#figure svg text')].map(e => {const b = e.getBoundingClientRect();"
        "return [b.left, b.top, b.right, b.bottom, e.textContent]})"
    )
    assert len(boxes) > 100
    width = page.run("return document.querySelector('#figure svg').getBoundingClientRect().right")
    for left, _, right, _, text in boxes:
        assert left >= 0, text
        assert right <= width + 1, text
    for number, one in enumerate(boxes):
        for other in boxes[number + 1 :]:
            across = min(one[2], other[2]) - max(one[0], other[0])
            down = min(one[3], other[3]) - max(one[1], other[1])
            assert across < 2 or down < 3, (one[4], other[4])


def test_a_click_on_a_column_sorts_by_it(page: Page) -> None:
    page.show_text(page_text())
    table = ".results[data-title='Gripper'] "
    time = next(each for each in page.all(f"{table} thead tr:last-child th:nth-child(4) button"))

    def times() -> list[float]:
        return [float(str(each.get_attribute("data-sort"))) for each in page.all(f"{table} tbody td:nth-child(4)")]

    before = times()
    time.click()
    assert times() == sorted(before) != before
    assert page.find(f"{table} thead tr:last-child th:nth-child(4)").get_attribute("aria-sort") == "ascending"
    time.click()
    assert times() == sorted(before, reverse=True)
    page.find(f"{table} thead tr:last-child th:nth-child(3) button").click()
    assert (
        page.texts(f"{table} tbody td:nth-child(3)") == ["LRTDP"] * 12 + ["Soft-FLARES"] * 12 + ["Topological VI"] * 12
    )
    assert len(page.all("th[aria-sort]")) == 1


def test_unknown_values_come_last_either_way(page: Page) -> None:
    page.show_text(page_text())
    table = ".results[data-title='Delicate Can'] "
    for _ in range(2):
        page.find(f"{table} thead tr:last-child th:nth-child(7) button").click()
        keys = [str(each.get_attribute("data-sort")) for each in page.all(f"{table} tbody td:nth-child(7)")]
        known = [key for key in keys if key]
        assert 0 < len(known) < len(keys)
        assert keys == known + [""] * (len(keys) - len(known))


def test_rows_are_filtered(page: Page) -> None:
    page.show_text(page_text())
    page.find("#query").send_keys("gripper(12) flares")
    assert len(shown(page)) == 1
    assert page.find("#shown").text == "1 of 73 rows"
    assert [each.is_displayed() for each in page.all(".results h3")] == [False, True, False]
    page.find("#query").clear()
    assert len(shown(page)) == 73
    page.find("#domain option:nth-child(2)").click()
    assert len(shown(page)) == 36
    page.find("#solver option:nth-child(3)").click()
    assert len(shown(page)) == 12
    page.find("#exceptions").click()
    found = shown(page)
    assert 0 < len(found) < 12
    assert all("above" in text for text in found)


def test_the_page_follows_the_colour_scheme(page: Page) -> None:
    def brightness(selector: str, name: str) -> float:
        colour = page.find(selector).value_of_css_property(name)
        return sum(float(each) for each in colour[colour.index("(") + 1 : -1].split(",")[:3]) / 3

    grounds, inks = {}, {}
    for scheme in ("light", "dark"):
        page.prefer(scheme)
        page.show_text(page_text())
        grounds[scheme] = brightness("body", "background-color")
        inks[scheme] = brightness("#figure svg text", "fill")
    assert grounds["light"] > 200 > 60 > grounds["dark"]
    assert inks["light"] < 60 < 200 < inks["dark"]


def test_controls_have_names(page: Page) -> None:
    page.show_text(page_text())
    assert all(each.accessible_name for each in page.all("input, select, th button"))
