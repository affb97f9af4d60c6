"""The page about learned rules, from the records of bench/rules.py.

    python bench/rule_pages.py          write it anew

docs/results/rules.md has the rules and figures of each family between two marks; what is written by hand around them
stays. A test says when the page is not what the records say. The tables of all problems are made with the site.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

DOCS = Path(__file__).resolve().parent.parent / "docs"
RECORDS = DOCS / "results" / "records-rules.json"
RESULTS = DOCS / "results" / "rules.md"
_SUMMARY = re.compile(r"(<!-- all families: bench/rule_pages.py -->\n).*?(<!-- end -->)", re.DOTALL)
_BLOCK = re.compile(r"(<!-- the rules of ([a-z-]+) -->\n).*?(<!-- end -->)", re.DOTALL)

Record = dict[str, Any]


def results_page(text: str, records: dict[str, Record]) -> str:
    """The page of results, with the figures of each family, and of all, between its marks."""
    filled = _SUMMARY.sub(lambda found: "\n".join((found[1], *_table(summary(records)), "", found[2])), text)
    return _BLOCK.sub(lambda found: f"{found[1]}{section(records[found[2]])}\n{found[3]}", filled)


def problems_page(records: dict[str, Record]) -> str:
    """What rules, roles, and the search without either do on each problem; it is made with the site."""
    parts = ["# Rules, problem by problem", "", "[Here](rules.md) is what it means.", ""]
    for family, record in records.items():
        parts += [f"## {family}", "", *_table(_rows(record["solving"])), ""]
    return "\n".join(parts)


def write() -> None:
    """Write the page."""
    records = json.loads(RECORDS.read_text("utf-8"))
    RESULTS.write_text(results_page(RESULTS.read_text("utf-8"), records), "utf-8")


# --- the parts -------------------------------------------------------------------------------------------------------


def summary(records: dict[str, Record]) -> Iterator[tuple[object, ...]]:
    """The rows of the table of all families."""
    yield (
        "family",
        "rules",
        "learned in s",
        "goal reached by acting",
        "solved strictly",
        "states under the rules, of those without",
        "cost to optimum, acting",
        "cost to optimum, strict",
    )
    yield ("---", "---:", "---:", "---:", "---:", "---", "---", "---")
    for family, record in records.items():
        acting, solving = record["acting"], record["solving"]
        both = _finished_by_both(solving)
        with_rules, without = (sum(each[side]["states"] for each in both) for side in ("rules", "without"))
        yield (
            f"[{family}](#{family})",
            len(record["rules"]),
            record["seconds"],
            f"{sum(each['reached'] for each in acting)} of {sum(each['trials'] for each in acting)}",
            f"{len(_solved(solving))} of {len(solving)}",
            f"{with_rules:,} of {without:,} on {len(both)}" if both else "",
            _range(_ratios(acting)),
            _range(_strict_ratios(solving)),
        )


def section(record: Record) -> str:
    """What the records say of a family."""
    parts = (
        _rules(record),
        record["note"],
        f"Learned in {record['seconds']} s.",
        _acting(record["acting"]),
        _strictly(record["solving"]),
    )
    return "\n\n".join(parts)


def _rules(record: Record) -> str:
    lines = (f"{count:6}  {rule}" for count, rule in zip(record["counts"], record["rules"], strict=True))
    return "\n".join(("```text", *lines, "```", "", *record["words"]))


def _acting(acting: list[Record]) -> str:
    reached, trials = sum(each["reached"] for each in acting), sum(each["trials"] for each in acting)
    text = (
        f"Acting reached the goal in {reached} of {trials} trials on {len(acting)} unseen problems, "
        f"{acting[0]['problem']} to {acting[-1]['problem']}."
    )
    if ratios := _range(_ratios(acting)):
        text += f" Its mean cost is {ratios} times the optimum where that is known."
    missed = [each for each in acting if each["reached"] < each["trials"]]
    if missed:
        text += f" It fails on: {', '.join(_of(each) for each in missed)}."
    return text


def _of(each: Record) -> str:
    return f"{each['problem']} {each['reached']} of {each['trials']}"


def _strictly(solving: list[Record]) -> str:
    solved, both = _solved(solving), _finished_by_both(solving)
    text = f"Solved strictly, without fallback: {len(solved)} of {len(solving)} unseen problems."
    if both:
        shares = [each["without"]["states"] / each["rules"]["states"] for each in both if each["rules"]["states"]]
        text += (
            f" The search without automaton finishes {len(both)} of these in its time, and expands "
            f"{min(shares):,.1f} to {max(shares):,.1f} times as many states."
        )
    if ratios := _range(_strict_ratios(solving)):
        text += f" The policies cost {ratios} times the optimum where that is known."
    return text


def _rows(solving: list[Record]) -> Iterator[tuple[object, ...]]:
    """A row for each problem that was solved, or was to be."""
    yield "problem", "rules", "states", "cost", "roles", "states", "without", "states", "cost", "optimum"
    yield "---", "---", "---:", "---:", "---", "---:", "---", "---:", "---:", "---:"
    for each in solving:
        rules, roles, without = each["rules"], each["roles"], each["without"]
        yield (
            each["problem"],
            rules["status"],
            f"{rules['states']:,}",
            _cost(rules["cost"]),
            "" if roles is None else roles["status"],
            "" if roles is None else f"{roles['states']:,}",
            without["status"],
            f"{without['states']:,}",
            _cost(without["cost"] if without["status"] == "solved" else None),
            _cost(_optimum(each)),
        )


def _table(rows: Iterator[tuple[object, ...]]) -> Iterator[str]:
    for row in rows:
        yield f"| {' | '.join(map(str, row))} |"


def _solved(solving: list[Record]) -> list[Record]:
    return [each for each in solving if each["rules"]["status"] == "solved"]


def _finished_by_both(solving: list[Record]) -> list[Record]:
    return [each for each in _solved(solving) if each["without"]["status"] == "solved"]


def _optimum(each: Record) -> float | None:
    """By a closed form, or by the search without automaton."""
    if each["optimum"] is not None:
        return float(each["optimum"])
    return float(each["without"]["cost"]) if each["without"]["status"] == "solved" else None


def _ratios(acting: list[Record]) -> list[float]:
    return [each["cost"] / each["optimum"] for each in acting if each["cost"] and each["optimum"]]


def _strict_ratios(solving: list[Record]) -> list[float]:
    pairs = [(each["rules"]["cost"], _optimum(each)) for each in _solved(solving)]
    return [cost / optimum for cost, optimum in pairs if cost and optimum]


def _range(ratios: list[float]) -> str:
    return f"{min(ratios):.2f} to {max(ratios):.2f}" if ratios else ""


def _cost(cost: float | None) -> str:
    return "" if cost is None else f"{cost:.3f}"


if __name__ == "__main__":
    write()
