"""The page about learned rules says what the records of bench/rules.py say, and what is tried is not learned from."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest

from gpaplan import parse_domain
from gpaplan.benchmarks import FAMILIES
from gpaplan.concepts.rules import RuleList
from tests.paths import ROOT

sys.path.append(str(ROOT / "bench"))
import rule_pages
from rule_plans import PLANS

RECORDS: dict[str, Any] = json.loads(rule_pages.RECORDS.read_text("utf-8"))


def test_the_page_says_what_the_records_say() -> None:
    text = rule_pages.RESULTS.read_text("utf-8")
    assert rule_pages.results_page(text, RECORDS) == text, "the page is old: python bench/rule_pages.py writes it"


def test_the_page_of_families_has_them_all() -> None:
    text = rule_pages.RESULTS.read_text("utf-8")
    assert list(RECORDS) == list(PLANS)
    for family, record in RECORDS.items():
        assert f"<!-- the rules of {family} -->" in text
        assert all(rule in text for rule in record["rules"])
        assert f"\n## {family.replace('-', ' ')}\n" in text.lower(), "the table of all families links to it"


@pytest.mark.parametrize("family", PLANS)
def test_the_rules_are_rules_of_the_family(family: str) -> None:
    domain = parse_domain(FAMILIES[family].domain_of(*FAMILIES[family].least.values()))
    rules = RuleList.parse("\n".join(RECORDS[family]["rules"]))
    rules.check(domain)
    assert rules.words(domain).splitlines() == RECORDS[family]["words"]


@pytest.mark.parametrize("family", PLANS)
def test_what_is_tried_is_not_learned_from(family: str) -> None:
    plan = PLANS[family]
    seen = {*plan.training, *plan.validation}
    for unseen in (plan.acting, plan.solving):
        assert len(set(unseen)) == 20
        assert not seen.intersection(unseen)


def test_the_figures_are_counted_right() -> None:
    """By hand: two problems solved under the rules, one of them without too."""
    solving = [
        {
            "problem": name,
            "rules": {"status": status, "states": states, "cost": cost},
            "roles": None,
            "without": {"status": without, "states": 100, "cost": 10.0},
            "optimum": optimum,
        }
        for name, status, states, cost, without, optimum in [
            ("p1", "solved", 10, 12.0, "solved", None),
            ("p2", "solved", 20, 11.0, "time-limit", 11.0),
            ("p3", "no-proper-policy", 5, None, "solved", None),
        ]
    ]
    acting = [{"problem": "q1", "trials": 5, "reached": 4, "cost": 6.0, "optimum": 5.0}]
    record = {
        "rules": ["move:"],
        "words": ["1. move"],
        "counts": [3],
        "note": "",
        "seconds": 1.0,
        "acting": acting,
        "solving": solving,
    }
    *_, row = rule_pages.summary({"family": record})
    assert row == (
        "[family](#family)",
        1,
        1.0,
        "4 of 5",
        "2 of 3",
        "10 of 100 on 1",
        "1.20 to 1.20",
        "1.00 to 1.20",
    )
    text = rule_pages.section(record)
    assert "It fails on: q1 4 of 5." in text
    assert "finishes 1 of these in its time, and expands 10.0 to 10.0 times as many states" in text
    table = rule_pages.problems_page({"family": record})
    assert "| p2 | solved | 20 | 11.000 |  |  | time-limit | 100 |  | 11.000 |" in table
