"""The workbench in a real browser, from its own server, on a wide screen and on a phone."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from gpaplan import ground
from gpaplan.benchmarks import generate
from gpaplan.cli.serve import Server
from gpaplan.workbench import Workbench
from tests.browser.conftest import Page

pytestmark = pytest.mark.browser

LEFT, RIGHT = "\ue012", "\ue014"
RULES = "drop: (is ?r @ball-in/2)\npick: (not (is ?r @ball-in/2))\nmove:"


@pytest.fixture(params=[(1400, 900), (400, 800)], ids=["wide", "narrow"])
def bench(request: pytest.FixtureRequest, driver: Any, tmp_path: Path) -> Iterator[Page]:
    """The page of gripper with two balls, and three to check rules on; it asks nobody but its server."""
    tasks = [ground(each.domain, each.problem, relevance=False) for each in (generate("gripper", n) for n in (2, 3))]
    page = Page(driver, tmp_path)
    page.prefer("light")
    page.resize(*request.param)
    page.complaints()
    page.requests()
    with Server(Workbench(tasks), 0) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        page.driver.get(server.address)
        wait_for(page, lambda: page.all("#actions tr"))
        yield page
        server.shutdown()
        thread.join()
        assert page.complaints() == []
        hosts = {urlsplit(each).netloc for each in page.requests() if each.startswith("http")}
        assert hosts <= {urlsplit(server.address).netloc}
    page.resize(None, None)


def wait_for(page: Page, found: Callable[[], Any]) -> Any:
    from selenium.webdriver.support.ui import WebDriverWait

    return WebDriverWait(page.driver, 20).until(lambda _: found())


def click(page: Page, selector: str, number: int = 0) -> None:
    """In one go: what is there may be replaced at any time."""
    page.run("document.querySelectorAll(arguments[0])[arguments[1]].click()", selector, number)


def text(page: Page, selector: str) -> str:
    return page.texts(selector)[0]


def pressed(page: Page) -> set[str]:
    return set(page.texts(".chip[aria-pressed=true]"))


def test_it_opens_on_the_initial_state_and_fits(bench: Page) -> None:
    assert bench.driver.title == "gripper-2: workbench"
    assert "(robot-in room-a)" in pressed(bench)
    assert wait_for(bench, lambda: bench.run("return document.getElementById('picture').naturalWidth")) > 200
    assert "The policy takes" in text(bench, "#summary")
    assert bench.run("return document.documentElement.scrollWidth") <= bench.run("return innerWidth")


def test_solving_shows_cost_bound_and_gap(bench: Page) -> None:
    click(bench, "#solve")
    wait_for(bench, lambda: "optimal" in text(bench, "#known"))
    assert re.match(r"cost 5.5 · bound 5.5 · gap [\de.-]+ · \d+ states", text(bench, "#known"))
    assert text(bench, "#solve") == "Solve"


def test_what_if_another_action_leads_to_its_outcomes(bench: Page) -> None:
    costs = [float(text) for text in bench.texts("#actions td:nth-child(2)")]
    assert costs == sorted(costs)
    assert bench.texts("#actions tr.taken td:nth-child(3)") == ["taken"]
    places = bench.texts("#actions td:first-child")
    click(bench, "#actions .link", places.index("(move room-a room-b)"))
    wait_for(bench, lambda: bench.all("#outcomes li"))
    click(bench, "#outcomes .link")
    wait_for(bench, lambda: "(robot-in room-b)" in pressed(bench))
    click(bench, "#back")
    wait_for(bench, lambda: "(robot-in room-a)" in pressed(bench))


def test_another_world_is_a_click_away(bench: Page) -> None:
    before = float(bench.texts("#actions td:nth-child(2)")[0])
    chip = bench.texts(".chip").index("(ball-in ball0 room-b)")
    click(bench, ".chip", chip)
    wait_for(bench, lambda: "(ball-in ball0 room-b)" in pressed(bench))
    assert "(ball-in ball0 room-a)" not in pressed(bench), "a ball is in one place"
    assert float(bench.texts("#actions td:nth-child(2)")[0]) < before
    click(bench, ".chip", chip)
    wait_for(bench, lambda: "cannot come about" in text(bench, "#warning"))


def test_trials_are_stepped_through_with_pictures(bench: Page) -> None:
    click(bench, "#run")
    wait_for(bench, lambda: "trial 1, step 0" in text(bench, "#where"))
    first = bench.find("#picture").get_attribute("src")
    bench.press(RIGHT)
    wait_for(bench, lambda: "trial 1, step 1" in text(bench, "#where"))
    wait_for(bench, lambda: bench.find("#picture").get_attribute("src") != first)
    bench.press(LEFT)
    wait_for(bench, lambda: bench.find("#picture").get_attribute("src") == first)
    assert len(bench.all("#trials details")) == 5
    assert all("the goal is reached" in text for text in bench.texts("#trials summary"))


def test_rules_are_judged_as_they_are_typed(bench: Page) -> None:
    field = bench.find("#rules")
    field.send_keys("pick:")
    wait_for(bench, lambda: len(bench.texts("#verdict .fails")) == 2)
    assert "stuck" in bench.texts("#verdict .fails")[0]
    field.clear()
    field.send_keys("fly:")
    wait_for(bench, lambda: "fly" in "".join(bench.texts("#verdict .fails")))
    field.clear()
    field.send_keys(RULES)
    wait_for(bench, lambda: len(bench.texts("#verdict li")) == 3)
    assert all("always leads to the goal" in text for text in bench.texts("#verdict p"))
    wait_for(bench, lambda: any(text.startswith("pruned") for text in bench.texts("#actions td:nth-child(4)")))


def test_a_road_can_be_closed_which_is_another_problem(driver: Any, tmp_path: Path) -> None:
    benchmark = generate("delivery", 1, 3, 1, 0, 1)
    page = Page(driver, tmp_path)
    with Server(Workbench([ground(benchmark.domain, benchmark.problem, relevance=False)]), 0) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        page.driver.get(server.address)
        wait_for(page, lambda: page.all("#actions tr"))
        click(page, "#never summary")
        roads = [name for name in page.texts("#fixed .chip[aria-pressed=true]") if name.startswith("(road")]
        assert len(roads) == 4
        names = page.texts("#fixed .chip")
        click(page, "#fixed .chip", names.index(roads[0]))
        wait_for(page, lambda: "another problem" in text(page, "#known"))
        wait_for(page, lambda: roads[0] not in page.texts("#fixed .chip[aria-pressed=true]"))
        server.shutdown()
        thread.join()
    assert page.complaints() == []
