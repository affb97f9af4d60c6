"""The page of a policy in a real browser; it is that of automata with other data, which has its own tests."""

from __future__ import annotations

import pytest

from gpaplan import ground, solve
from gpaplan.benchmarks import generate
from gpaplan.policies.page import page_data
from tests.browser.conftest import Page

pytestmark = pytest.mark.browser

BENCHMARK = generate("gripper", 3)
POLICY = solve(ground(BENCHMARK.domain, BENCHMARK.problem)).policy


def test_every_state_and_action_is_drawn(page: Page) -> None:
    page.show_text(POLICY.to_html())
    (graph,) = page_data(POLICY)["levels"]
    assert page.driver.title == "gripper-3: policy"
    assert len(page.all("#view .vertex")) == len(graph["vertices"])
    assert len(page.all("#view .action")) == len(graph["edges"]) == len(POLICY)
    assert len(page.all("#view .final")) == 1
    assert [each.get_attribute("id") for each in page.all("#view .initial")] == ["v0"]
    assert page.all("#view .cut") == []
    assert not page.find("#levels").is_displayed()


def test_details_of_states_and_actions(page: Page) -> None:
    page.show_text(POLICY.to_html())
    page.click("v0")
    assert page.find("#details .kind").text == "The initial state."
    assert "(robot-in room-a)" in page.texts("#details .words li")
    page.click("e0")
    (graph,) = page_data(POLICY)["levels"]
    assert page.find("#details .action-text").text == graph["edges"][0]["action"]
    chances = [float(each.split(":")[0].removeprefix("with probability ")) for each in page.texts(".targets > li")]
    assert sum(chances) == pytest.approx(1)
    page.find("#query").send_keys("drop")
    drops = [f"e{i}" for i, edge in enumerate(graph["edges"]) if edge["schema"] == "drop"]
    assert [each.get_attribute("id") for each in page.all("#view .action.match")] == drops


def test_of_a_larger_policy_the_part_near_the_start_is_drawn(page: Page) -> None:
    page.show_text(POLICY.to_html(states=4))
    assert len(page.all("#view .vertex")) <= 4
    assert len(page.all("#view .cut")) >= 1
    assert f"the policy has {len(POLICY)} decisions in all" in page.find("#counts").text
