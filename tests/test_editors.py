"""The problem matchers in editors/vscode/tasks.json find in the output of ``gpaplan check`` what ``--json`` says."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from gpaplan.benchmarks import generate
from tests.commands import Done, run
from tests.paths import ROOT

TASKS = json.loads((ROOT / "editors" / "vscode" / "tasks.json").read_text(encoding="utf-8"))["tasks"]

MISTAKES = {
    "a misspelt predicate": ("domain", "(robot-in ?from) (not", "(robt-in ?from) (not"),
    "two mistakes": ("domain", "(held ?b ?h) (not (ball-in", "(hold ?b ?hand) (not (ball-in"),
    "a parenthesis too few": ("domain", "(:types room ball hand)", "(:types room ball hand"),
    "an unknown object": ("problem", "(robot-in room-a)", "(robot-in room-x)"),
    "a wrong number of arguments": ("problem", "(robot-in room-a)", "(robot-in room-a room-b)"),
    "a probability above one": ("domain", "(probabilistic 0.8", "(probabilistic 1.8"),
}


def matched(text: str, pattern: dict[str, Any]) -> list[dict[str, Any]]:
    """What an editor finds line by line; a severity that is not there is an error."""
    found = []
    for line in text.splitlines():
        match = re.search(pattern["regexp"], line)
        if match is not None:
            parts = {name: match[pattern[name]] for name in ("file", "line", "column", "severity", "message")}
            parts |= {"line": int(parts["line"]), "column": int(parts["column"])}
            found.append(parts)
    return found


def check(*files: Path, as_json: bool = False) -> Done:
    return run("check", *files, *(["--json"] if as_json else []))


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task["label"])
@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes_are_found_where_they_are(task: dict[str, Any], mistake: str, tmp_path: Path) -> None:
    domain, problem = generate("gripper", 2).write(tmp_path)
    where, good, bad = MISTAKES[mistake]
    path = domain if where == "domain" else problem
    text = path.read_text()
    assert good in text
    path.write_text(text.replace(good, bad, 1))
    files = [domain, problem]
    if task["label"].endswith("this file"):
        both = tmp_path / "both.ppddl"
        both.write_text(domain.read_text() + problem.read_text())
        files = [both]
    shown = check(*files)
    assert shown.returncode == 30
    found = matched(shown.stderr, task["problemMatcher"]["pattern"])
    said = json.loads(check(*files, as_json=True).stdout)["errors"]
    assert [{name: each[name] for name in ("file", "line", "column", "message")} for each in found] == [
        {name: each[name] for name in ("file", "line", "column", "message")} for each in said
    ]
    assert {each["severity"] for each in found} == {None}


def test_a_domain_that_is_open_is_checked_by_the_task_for_problems(tmp_path: Path) -> None:
    """Which then names it twice."""
    domain, _ = generate("gripper", 2).write(tmp_path)
    assert check(domain, domain).stdout.startswith("gripper, a domain without a problem\n")
    domain.write_text(domain.read_text().replace("(robot-in ?from) (not", "(robt-in ?from) (not"))
    shown = check(domain, tmp_path / "." / "domain.ppddl")
    assert shown.returncode == 30
    (found,) = matched(shown.stderr, TASKS[0]["problemMatcher"]["pattern"])
    assert found["message"].startswith("unknown predicate 'robt-in'")


def test_a_warning_is_one(tmp_path: Path) -> None:
    domain, problem = generate("gripper", 2).write(tmp_path)
    domain.write_text(domain.read_text().replace(":typing ", ""))
    shown = check(domain, problem)
    assert shown.returncode == 0
    said = json.loads(check(domain, problem, as_json=True).stdout)["warnings"]
    found = matched(shown.stderr, TASKS[0]["problemMatcher"]["pattern"])
    assert found
    assert [(each["severity"], each["line"], each["message"]) for each in found] == [
        ("warning", each["line"], each["message"]) for each in said
    ]


def test_the_tasks_run_commands_that_exist() -> None:
    for task in TASKS:
        assert task["command"] == "gpaplan"
        assert task["args"][0] == "check"
        assert task["problemMatcher"]["severity"] == "error"
