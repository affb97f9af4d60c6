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


def test_every_state_and_action_is_drawn_and_known(page: Page) -> None:
    page.show_text(POLICY.to_html())
    (graph,) = page_data(POLICY)["levels"]
    assert page.driver.title == "gripper-3: policy"
    assert len(page.all("svg .vertex")) == len(graph["vertices"])
    assert len(page.all("svg .action")) == len(graph["edges"]) == len(POLICY)
    assert len(page.all("svg .final")) == len(page.all("svg .initial")) == 1
    assert page.all("svg .cut") == []
    assert not page.find("#levels").is_displayed()
    page.find("svg .initial .name").click()
    assert "The initial state." in page.find("#level0-v0").text
    page.find("svg .action text").click()
    assert "with probability" in next(each.text for each in page.all(".item") if each.is_displayed())


def test_of_a_larger_policy_the_part_near_the_start_is_drawn(page: Page) -> None:
    page.show_text(POLICY.to_html(states=4))
    assert len(page.all("svg .vertex")) <= 4
    assert len(page.all("svg .cut")) >= 1
    assert f"the policy has {len(POLICY)} decisions in all" in page.find(".details").text
