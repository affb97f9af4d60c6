"""The page of an automaton in a real browser: links, the search, the levels, and names that are not run."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser.conftest import Page
from tests.policy_automata import HOSTILE, empty, grown, hostile, learned

pytestmark = pytest.mark.browser

GRIPPER = learned("gripper", 1, 2, 3)


@pytest.mark.parametrize("automaton", [GRIPPER, grown(60), hostile()], ids=["gripper", "grown", "hostile"])
def test_every_vertex_and_edge_is_drawn_at_the_level_shown(page: Page, automaton: Any) -> None:
    page.show(automaton)
    shown = [each for each in page.all(".level") if each.is_displayed()]
    assert len(shown) == 1
    assert len(shown[0].find_elements("css selector", "svg .vertex")) == len(automaton.vertices)
    assert len(shown[0].find_elements("css selector", "svg .action")) == len(automaton.edges)


def test_an_empty_automaton_says_so(page: Page) -> None:
    page.show(empty())
    assert "This automaton is empty" in page.find(".details").text
    assert page.all("svg") == []


def test_a_click_shows_what_is_known_and_links_lead_on(page: Page) -> None:
    page.show(GRIPPER)
    page.find("svg a[href='#level0-v0'] .name").click()
    assert page.find("#level0-v0").is_displayed()
    assert not page.find("#level0-v1").is_displayed()
    assert "State v0" in page.find("#level0-v0").text
    assert [each.get_attribute("href").partition("#")[2] for each in page.all("#level0-v0 a")]
    assert page.all("svg .selected")[0].get_attribute("href") is not None
    page.all("#level0-v0 a[href^='#level0-e']")[0].click()
    assert not page.find("#level0-v0").is_displayed()
    assert next(each.text for each in page.all(".item") if each.is_displayed()).startswith("Action e")


def test_the_search_marks_what_has_all_words(page: Page) -> None:
    page.show(GRIPPER)
    page.find("#query").send_keys("drop")
    found = [each for each in page.all("svg .action.match") if each.is_displayed()]
    assert len(found) == sum(str(edge.action).startswith("drop") for edge in GRIPPER.edges)
    page.find("#query").send_keys(" nothinglikethis")
    assert page.find("#matches").text == "0 found"
    assert page.all("svg .match") == []


def test_a_switch_shows_each_level_and_a_slider_the_size(page: Page) -> None:
    page.show(GRIPPER)
    for level, option in enumerate(page.all("#level option")):
        option.click()
        assert [each.is_displayed() for each in page.all(".level")] == [i == level for i in range(4)]
    width = "return document.querySelectorAll('svg')[3].getBoundingClientRect().width"
    before = page.run(width)
    page.run("const s = document.getElementById('size'); s.value = 2; s.dispatchEvent(new Event('input'))")
    assert page.run(width) == pytest.approx(2 * before, rel=0.01)
    page.find("#fit").click()
    letters = "return document.querySelectorAll('svg')[3].querySelector('text').getBoundingClientRect().height"
    assert page.run(letters) > 8
    room = page.run("return document.querySelectorAll('.drawing')[3].clientWidth")
    assert page.run(width) <= max(0.8 * before, room) + 1
    page.show_text(GRIPPER.to_html(level=2))
    assert page.find("#level").get_property("selectedIndex") == 2


def test_on_a_phone_nothing_is_out_of_reach(page: Page) -> None:
    page.resize(360, 640)
    page.show(GRIPPER)
    assert page.run("return document.documentElement.scrollWidth") <= 360
    page.resize(None, None)


def test_names_are_shown_and_not_run(page: Page) -> None:
    page.show(hostile())
    assert HOSTILE in page.find("h1").get_attribute("textContent")
    assert page.run("return window.hacked === undefined")
    assert page.all("img") == []
    assert len(page.all("script")) == 1


def test_the_policy_stops_foreign_scripts(page: Page) -> None:
    """The second line of defence: even markup that got into the page would not run."""
    page.show(GRIPPER)
    page.run("const s = document.createElement('script'); s.textContent = 'window.hacked = 3'; document.body.append(s)")
    page.run("const i = document.createElement('img'); i.src = 'http://localhost:9/x'; document.body.append(i)")
    assert page.run("return window.hacked === undefined")
    complaints = page.complaints()
    assert len(complaints) == 2
    assert all("Content Security Policy" in each for each in complaints)
    page.requests()  # the attempt, which was stopped
    page.run("performance.clearResourceTimings()")


def test_the_page_works_in_the_frame_of_a_notebook(page: Page) -> None:
    page.show_text(f"<!doctype html><meta charset=utf-8><title>notebook</title>{GRIPPER._repr_html_()}")
    page.driver.switch_to.frame(page.find("iframe"))
    assert len([each for each in page.all("svg .vertex") if each.is_displayed()]) == len(GRIPPER.vertices)
    page.find("svg a[href='#level0-v0'] .name").click()
    assert page.find("#level0-v0").is_displayed()
    page.driver.switch_to.default_content()
