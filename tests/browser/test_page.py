"""The page of an automaton in a real browser: what is drawn, and what clicks, keys and the search do."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest

from gpaplan.automata.drawing import describe_vertex
from tests.browser.conftest import Page
from tests.policy_automata import HOSTILE, empty, grown, hostile, learned

pytestmark = pytest.mark.browser

GRIPPER = learned("gripper", 1, 2, 3, 4)
CANS = learned("delicate-can", 2, 3, 4, 5)
ENTER, ESCAPE, TAB, SHIFT = "\ue007", "\ue00c", "\ue004", "\ue008"
LEFT, UP, RIGHT, DOWN = "\ue012", "\ue013", "\ue014", "\ue015"


def boxes(page: Page) -> list[dict[str, Any]]:
    """Where the vertices and actions are on the screen."""
    script = """return [...document.querySelectorAll('#view g[role=button]')].map(each => {
        const {left, right, top, bottom} = each.querySelector('.box').getBoundingClientRect();
        return {id: each.id, left, right, top, bottom};
    })"""
    return list(page.run(script))


# --- the drawing ---


@pytest.mark.parametrize("automaton", [GRIPPER, CANS, grown(60)], ids=lambda each: str(each.domain_name))
def test_every_vertex_edge_and_target_is_drawn(page: Page, automaton: Any) -> None:
    page.show(automaton)
    assert len(page.all("#view .vertex")) == len(automaton.vertices)
    assert len(page.all("#view .action")) == len(automaton.edges)
    targets = sum(len(edge.targets) for edge in automaton.edges)
    assert len(page.all("#view .lines path")) == len(automaton.edges) + targets
    assert len(page.all("#view .lines path[marker-end]")) == targets
    assert "NaN" not in str(page.find("#view").get_attribute("innerHTML"))
    ends = {f"v{i}" for i, v in enumerate(automaton.vertices) if not list(automaton.edges_from(v))}
    assert {each.get_attribute("id") for each in page.all("#view .final")} == ends


@pytest.mark.parametrize("automaton", [GRIPPER, CANS, grown(60)], ids=lambda each: str(each.domain_name))
def test_nothing_covers_another_and_all_is_in_sight(page: Page, automaton: Any) -> None:
    page.show(automaton)
    frame = page.run("const {left, right, top, bottom} = document.getElementById('drawing').getBoundingClientRect();"
                     "return {left, right, top, bottom}")  # fmt: skip
    found = boxes(page)
    for each in found:
        assert frame["left"] <= each["left"] < each["right"] <= frame["right"], each
        assert frame["top"] <= each["top"] < each["bottom"] <= frame["bottom"], each
    for i, a in enumerate(found):
        for b in found[:i]:
            apart = (
                a["right"] <= b["left"] or b["right"] <= a["left"] or a["bottom"] <= b["top"] or b["bottom"] <= a["top"]
            )
            assert apart, (a, b)


def test_the_drawing_is_the_same_every_time(page: Page) -> None:
    page.show(CANS)
    first = str(page.find("#view").get_attribute("innerHTML"))
    page.show(CANS)
    assert page.find("#view").get_attribute("innerHTML") == first


def test_the_header_and_the_overview_say_what_it_is(page: Page) -> None:
    page.show(GRIPPER)
    assert page.driver.title == "gripper: policy automaton"
    assert page.find("h1").text == "gripper"
    counts = f"{len(GRIPPER.vertices)} abstract states · {len(GRIPPER.edges)} edges · canonical (goals=False)"
    assert page.find("#counts").text == f"{counts} · learned from 4 problems"
    rows = [f"{each.problem} {each.states} {each.cost:g}" for each in GRIPPER.training]
    assert [row.text for row in page.all("#details .training tbody tr")] == rows
    assert len(page.all("#legend li")) == 4


def test_an_empty_automaton_says_so(page: Page) -> None:
    page.show(empty())
    assert page.find("#empty").is_displayed()
    assert "empty" in page.find("#empty").text
    assert not page.find("#query").is_enabled()
    page.press("+", "0", ESCAPE)


def test_a_thousand_vertices_are_drawn(page: Page) -> None:
    automaton = grown(1001)
    page.show(automaton)
    assert len(page.all("#view .vertex")) == 1001
    page.find("#query").send_keys("flag-3")
    assert page.find("#matches").text.startswith("143 states")


# --- details ---


def test_a_click_on_a_vertex_shows_its_words_and_training_states(page: Page) -> None:
    page.show(GRIPPER)
    for index, label in enumerate(GRIPPER.vertices):
        page.click(f"v{index}")
        assert page.find("#details h2").text == f"State v{index}"
        assert page.texts("#details .words li") == describe_vertex(label)
        assert tuple(page.texts("#details .covers li")) == GRIPPER.covers[label]
        assert page.find(f"#v{index}").get_attribute("aria-pressed") == "true"
        assert len(page.all("#view .selected")) == 1
        out = {f"e{i}" for i, edge in enumerate(GRIPPER.edges) if edge.source == label}
        into = {f"e{i}" for i, edge in enumerate(GRIPPER.edges) if label in edge.targets}
        lists = page.all("#details .edges")
        for links, wanted in zip(lists, (out, into), strict=True):
            shown = {str(each.get_attribute("data-item")) for each in links.find_elements("css selector", ".link")}
            assert {name for name in shown if name.startswith("e")} == wanted
        assert {each.get_attribute("id") for each in page.all("#view .action.near")} == out | into


def test_a_click_on_an_action_shows_its_roles_targets_and_origins(page: Page) -> None:
    page.show(GRIPPER)
    number = {label: f"v{index}" for index, label in enumerate(GRIPPER.vertices)}
    for index, edge in enumerate(GRIPPER.edges):
        page.click(f"e{index}")
        assert page.find("#details .action-text").text == str(edge.action)
        assert not isinstance(edge.action, str)
        assert page.texts("#details .roles li") == [f"an object that is {role}" for role in edge.action.roles]
        shown = [each.get_attribute("data-item") for each in page.all("#details .targets .link")]
        assert shown == [number[target] for target in edge.targets]
        counts = [f"{p}: {n} transition{'' if n == 1 else 's'}" for p, n in edge.origins.items()]
        assert page.texts("#details .origins li") == counts
        for target, entry in zip(edge.targets, page.all("#details .targets > li"), strict=True):
            gained = [each.text for each in entry.find_elements("css selector", ".gained")]
            before = describe_vertex(edge.source)
            assert gained == [f"now: {words}" for words in describe_vertex(target) if words not in before]


def test_links_lead_through_the_automaton(page: Page) -> None:
    page.show(GRIPPER)
    page.click("v0")
    page.find("#details .edges .link[data-item^=e]").click()
    assert page.find("#details h2").text.startswith("Action e")
    page.find("#details .targets .link").click()
    assert page.find("#details h2").text.startswith("State v")
    page.find("#close").click()
    assert page.find("#details h2").text == "This automaton"
    assert page.all("#view .selected") == []


# --- the search ---


def test_the_search_highlights_counts_and_cycles(page: Page) -> None:
    page.show(GRIPPER)
    page.find("#query").send_keys("MOVE")
    moves = [f"e{i}" for i, edge in enumerate(GRIPPER.edges) if str(edge.action).startswith("move")]
    assert [each.get_attribute("id") for each in page.all("#view .match")] == moves
    assert page.find("#matches").text == f"0 states, {len(moves)} actions"
    assert float(page.find("#v0").value_of_css_property("opacity")) < 0.5
    assert float(page.find(f"#{moves[0]}").value_of_css_property("opacity")) == 1
    frame = page.find("#drawing").rect
    for number, name in enumerate([*moves, moves[0]]):
        page.press(ENTER)
        assert [each.get_attribute("id") for each in page.all("#view .current")] == [name]
        assert page.find("#matches").text == f"{number % len(moves) + 1} of {len(moves)}: {name}"
        assert page.find("#details h2").text == f"Action {name}"
        box = page.find(f"#{name} .box").rect
        assert box["x"] + box["width"] / 2 == pytest.approx(frame["x"] + frame["width"] / 2, abs=2)
        assert box["y"] + box["height"] / 2 == pytest.approx(frame["y"] + frame["height"] / 2, abs=2)
    page.find("#query").send_keys(SHIFT, ENTER)
    assert page.find("#matches").text.endswith(moves[-1])
    page.press(ESCAPE)
    assert page.find("#query").get_attribute("value") == ""
    assert page.all("#view .match") == []


def test_the_search_finds_roles_relations_and_flags(page: Page) -> None:
    for automaton, term in ((GRIPPER, "held("), (GRIPPER, "{hand}"), (CANS, "revived"), (CANS, "holding delicate")):
        page.show(automaton)
        page.find("#query").send_keys(term)
        found = {each.get_attribute("id") for each in page.all("#view .vertex.match")}
        wanted = {f"v{i}" for i, v in enumerate(automaton.vertices) if all(word in str(v) for word in term.split())}
        assert found == wanted
        assert 0 < len(wanted) < len(automaton.vertices)
    page.find("#query").clear()
    page.find("#query").send_keys("v7")
    assert [each.get_attribute("id") for each in page.all("#view .match")] == ["v7"]
    page.find("#query").clear()
    page.find("#query").send_keys("no such thing")
    assert page.find("#matches").text == "no match"
    page.press(ENTER)


# --- the view ---


def test_buttons_zoom(page: Page) -> None:
    page.show(GRIPPER)
    start = page.view()
    page.find("#zoom-in").click()
    assert page.view()[2] == pytest.approx(start[2] * 1.25, rel=1e-3)
    page.find("#zoom-out").click()
    page.find("#zoom-out").click()
    assert page.view()[2] == pytest.approx(start[2] * 0.8, rel=1e-3)
    page.find("#zoom-fit").click()
    assert page.view() == pytest.approx(start)


def test_the_wheel_zooms_where_the_pointer_is(page: Page) -> None:
    from selenium.webdriver import ActionChains
    from selenium.webdriver.common.actions.wheel_input import ScrollOrigin

    page.show(GRIPPER)
    start, before = page.view(), page.find("#v3 .box").rect
    origin = ScrollOrigin.from_element(page.find("#v3 .box"))
    ActionChains(page.driver).scroll_from_origin(origin, 0, -100).perform()
    after = page.find("#v3 .box").rect
    assert page.view()[2] > start[2] * 1.1
    for low, extent in (("x", "width"), ("y", "height")):
        assert after[low] + after[extent] / 2 == pytest.approx(before[low] + before[extent] / 2, abs=2)


def test_the_drawing_follows_the_window_until_it_is_moved(page: Page) -> None:
    page.show(GRIPPER)
    start = page.view()
    page.run("document.getElementById('details').style.display = 'none'")
    page.settle()
    assert page.view()[0] > start[0] + 50
    page.press("+")
    moved = page.view()
    page.run("document.getElementById('details').style.display = 'block'")
    page.settle()
    assert page.view() == moved


def test_dragging_pans_and_selects_nothing(page: Page) -> None:
    from selenium.webdriver import ActionChains

    page.show(GRIPPER)
    x, y, scale = page.view()
    ActionChains(page.driver).click_and_hold(page.find("#v3 .box")).move_by_offset(60, 35).release().perform()
    assert page.view() == pytest.approx((x + 60, y + 35, scale), abs=1)
    assert page.find("#details h2").text == "This automaton"


# --- levels of coarseness ---


def test_a_switch_shows_the_automaton_at_each_degree_of_coarseness(page: Page) -> None:
    from selenium.webdriver.support.ui import Select

    page.show(GRIPPER)
    switch = Select(page.find("#level"))
    words = [each.text for each in switch.options]
    assert words[0] == "exactly"
    assert len(words) == 4
    page.click("v0")
    page.find("#query").send_keys("pick")
    for level in (2, 0, 3, 1):
        switch.select_by_visible_text(words[level])
        coarse = GRIPPER.coarsened(level)
        assert len(page.all("#view .vertex")) == len(coarse.vertices)
        assert len(page.all("#view .action")) == len(coarse.edges)
        assert page.find("#counts").text.startswith(f"{len(coarse.vertices)} abstract states · {len(coarse.edges)} ")
        assert page.find("#details h2").text == "This automaton"
        picks = [f"e{i}" for i, edge in enumerate(coarse.edges) if str(edge.action).startswith("pick")]
        assert [each.get_attribute("id") for each in page.all("#view .action.match")] == picks
        page.click("v0")
        assert page.texts("#details .words li") == describe_vertex(coarse.vertices[0])
        page.press(ESCAPE)


def test_the_page_opens_at_the_degree_asked_for(page: Page) -> None:
    page.show_text(GRIPPER.to_html(level=3))
    assert page.find("#level").get_attribute("value") == "3"
    assert len(page.all("#view .vertex")) == len(GRIPPER.coarsened(3).vertices)


def test_without_degrees_there_is_no_switch(page: Page) -> None:
    page.show(GRIPPER.coarsened(3))
    assert not page.find("#levels").is_displayed()


# --- a phone ---


@pytest.fixture
def phone(page: Page) -> Iterator[Page]:
    page.resize(360, 640)
    yield page
    page.resize(None, None)


def text_heights(page: Page) -> list[float]:
    """How large the texts are that are seen in the drawing, in pixels."""
    script = """const scale = document.getElementById('view').getCTM().a;
        return [...document.querySelectorAll('#view text')].filter(each => each.getClientRects().length > 0)
            .map(each => parseFloat(getComputedStyle(each).fontSize) * scale)"""
    return [float(each) for each in page.run(script)]


@pytest.mark.parametrize("automaton", [GRIPPER, CANS, grown(60), grown(1001)], ids=["10", "84", "60", "1001"])
def test_on_a_phone_text_can_be_read(phone: Page, automaton: Any) -> None:
    phone.show(automaton)
    assert min(text_heights(phone)) >= 9, "as it opens"
    start = next((each for each in boxes(phone) if each["left"] >= 0 and each["right"] <= 360), None)
    assert start is not None, "something is in sight as a whole"
    for _ in range(30):
        phone.press("-")
        assert min(text_heights(phone), default=99) >= 8.9
    phone.press("0")
    assert min(text_heights(phone), default=99) >= 8.9
    assert phone.run("return document.documentElement.scrollWidth") == 360, "nothing sticks out"


@pytest.mark.parametrize("size", [(360, 640), (640, 360), (1400, 900)])
def test_nothing_lies_on_the_drawing_but_the_zoom(page: Page, size: tuple[int, int]) -> None:
    page.resize(*size)
    page.show(GRIPPER)
    page.press("0")
    script = """const of = id => document.getElementById(id).getBoundingClientRect();
        return [of('drawing').bottom, of('legend').top, of('drawing').top, of('drawing').height]"""
    bottom, legend, top, height = page.run(script)
    assert bottom <= legend
    assert height > 100
    assert all(top <= each["top"] and each["bottom"] <= bottom for each in boxes(page))
    page.resize(None, None)


def test_on_a_phone_details_come_when_asked_for(phone: Page) -> None:
    phone.show(GRIPPER)
    assert not phone.find("#details").is_displayed()
    phone.find("#about").click()
    assert phone.find("#details").is_displayed()
    assert phone.find("#details h2").text == "This automaton"
    phone.find("#about").click()
    assert not phone.find("#details").is_displayed()
    phone.press("0")
    phone.click("v3")
    assert phone.find("#details h2").text == "State v3"
    assert phone.find("#drawing").rect["height"] > 80
    phone.find("#close").click()
    assert not phone.find("#details").is_displayed()


def test_two_fingers_zoom(phone: Page) -> None:
    phone.show(GRIPPER)
    phone.press("0")
    before = phone.view()
    script = """const target = document.getElementById('drawing');
        const send = (kind, id, x, y) => target.dispatchEvent(new PointerEvent(kind,
            {pointerId: id, pointerType: 'touch', clientX: x, clientY: y, bubbles: true, button: 0}));
        target.setPointerCapture = () => {};
        send('pointerdown', 1, 150, 400); send('pointerdown', 2, 210, 400);
        send('pointermove', 1, 120, 400); send('pointermove', 2, 240, 400);
        send('pointerup', 1, 120, 400); send('pointerup', 2, 240, 400)"""
    phone.run(script)
    assert phone.view()[2] == pytest.approx(2 * before[2], rel=1e-3)
    assert phone.find("#v0").get_attribute("aria-pressed") == "false"


# --- the keyboard ---


def test_everything_can_be_done_with_the_keyboard(page: Page) -> None:
    page.show(GRIPPER)
    page.press(TAB)
    assert page.focused() == "level"
    page.press(TAB)
    assert page.focused() == "query"
    page.press(TAB)
    assert page.focused() == "v0"
    page.press(ENTER)
    assert page.find("#details h2").text == "State v0"
    page.press(DOWN)
    below = page.focused()
    assert below.startswith("e")
    page.press(ENTER)
    assert page.find("#details h2").text == f"Action {below}"
    page.press(ESCAPE)
    assert page.find("#details h2").text == "This automaton"
    assert page.focused() == below
    page.press(UP)
    assert page.focused() == "v0"
    seen = {page.focused()}
    for key in (RIGHT, DOWN, LEFT, DOWN, UP, RIGHT):
        page.press(key)
        seen.add(page.focused())
    assert len(seen) > 3
    page.press(TAB)
    assert page.focused() == "zoom-in"
    page.press("/")
    assert page.focused() == "query"


def test_plus_minus_and_zero_zoom(page: Page) -> None:
    page.show(GRIPPER)
    start = page.view()
    scales = [start[2]]
    for key in "++-":
        page.press(key)
        scales.append(page.view()[2])
    assert [b > a for a, b in pairwise(scales)] == [True, True, False]
    page.press("0")
    assert page.view() == pytest.approx(start)
    page.find("#query").send_keys("+0-")
    assert page.view() == pytest.approx(start), "in the search they are letters"


def test_everything_has_a_name_for_those_who_do_not_see_it(page: Page) -> None:
    page.show(GRIPPER)
    assert page.find("#v0").get_attribute("aria-label") == "State v0: " + "; ".join(
        describe_vertex(GRIPPER.vertices[0])
    )
    assert all(each.get_attribute("aria-label") for each in page.all("[role=button], [role=group], section, aside"))
    shown = [each for each in page.all("button, input, select") if each.is_displayed()]
    assert all(each.accessible_name for each in shown)


# --- schemes, names, frames ---


def brightness(colour: str) -> float:
    return sum(float(each) for each in colour[colour.index("(") + 1 : -1].split(",")[:3]) / 3


def test_the_page_follows_the_colour_scheme(page: Page) -> None:
    grounds, inks, fills = {}, {}, {}
    for scheme in ("light", "dark"):
        page.prefer(scheme)
        page.show(GRIPPER)
        grounds[scheme] = brightness(page.find("body").value_of_css_property("background-color"))
        inks[scheme] = brightness(page.find("#v0 .name").value_of_css_property("fill"))
        fills[scheme] = brightness(page.find("#v0 .box").value_of_css_property("fill"))
    assert grounds["light"] > 200 > 60 > grounds["dark"]
    assert inks["light"] < 60 < 200 < inks["dark"]
    assert fills["light"] > 200 > 80 > fills["dark"]


def test_names_are_shown_and_not_run(page: Page) -> None:
    page.show(hostile())
    assert page.find("h1").get_attribute("textContent") == HOSTILE
    for name in ("v0", "v1", "e0"):
        page.click(name)
        assert HOSTILE in str(page.find("#details").get_attribute("textContent"))
    page.find("#query").send_keys("script")
    page.press(ENTER)
    assert page.run("return window.hacked === undefined")
    assert page.all("img") == []
    assert len(page.all("script")) == 6


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
    assert len(page.all("#view .vertex")) == len(GRIPPER.vertices)
    assert min(box["right"] - box["left"] for box in boxes(page)) > 10, "large enough to be seen"
    page.click("v1")
    assert page.find("#details h2").text == "State v1"
    page.driver.switch_to.default_content()
