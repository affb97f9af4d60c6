"""The page of rules: in order, with pictures of states in which each decides."""

from __future__ import annotations

from urllib.parse import unquote

from gpaplan import RuleFilter, ground
from gpaplan.benchmarks import generate

BENCHMARK = generate("gripper", 2)
TASK = ground(BENCHMARK.domain, BENCHMARK.problem)
RULES = RuleFilter.of(TASK.domain, "drop: (is ?r @ball-in/2)\npick: (not (is ?r @ball-in/2))\nmove:")


def test_rules_stand_in_order_each_with_a_picture() -> None:
    page = RULES.to_html(task=TASK)
    items = page.split("<li>")[1:]
    assert [each.partition("<code>")[2].partition(":")[0] for each in items] == ["drop", "pick", "move"]
    for item, schema in zip(items, ("drop", "pick", "move"), strict=True):
        assert f"For example ({schema} " in item
        assert "gripper-2" in unquote(item)
        assert item.count("<img") == 1


def test_without_a_task_there_are_none() -> None:
    assert "<img" not in RULES.to_html()
    assert RULES.to_html().count("<li>") == 3
