"""``--relevance`` on the command line: what is said of it, and that files from either side go on working."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gpaplan.benchmarks import generate
from gpaplan.errors import DataError, MismatchError
from tests import commands
from tests.commands import as_json

Files = tuple[Path, Path]


def gpaplan(*arguments: object, code: int = 0) -> str:
    done = commands.gpaplan(*arguments, code=code)
    return done.stderr if code else done.stdout


@pytest.fixture
def cans(tmp_path: Path) -> Files:
    domain, problem = generate("delicate-can", 4).write(tmp_path)
    return domain, problem


def test_check_says_what_is_dropped(cans: Files) -> None:
    assert "dropped     4 atoms of crushed: the goal cannot depend on them" in gpaplan("check", *cans)
    record = as_json("check", *cans)
    assert (record["relevance"], record["dropped_atoms"], record["dropped_actions"]) == (True, {"crushed": 4}, {})
    assert (record["atoms"], as_json("check", *cans, "--relevance", "off")["atoms"]) == (12, 16)
    assert "dropped" not in gpaplan("check", *cans, "--relevance", "off")


DROPPED = "4 atoms of crushed: the goal cannot depend on them"
STATE = "(hand-empty) (revived) (CRUSHED can2) (obstructs can1 can0) (crushed can3)"


def test_every_command_with_a_policy_says_what_is_dropped(cans: Files, tmp_path: Path) -> None:
    policies = {relevance: tmp_path / f"{relevance}.json" for relevance in ("on", "off")}
    for relevance, file in policies.items():
        gpaplan("solve", *cans, "--relevance", relevance, "--output", file)
        calls = {
            "evaluate": ("evaluate", *cans, "--policy", file),
            "simulate": ("simulate", *cans, "--policy", file),
            "acting": ("simulate", *cans, "--policy", file, "--online", "--trials", 3),
            "explain": ("explain", *cans, "--policy", file),
            "show": ("show", file, *cans),
        }
        for name, call in calls.items():
            rows = dict(line.strip().partition("  ")[::2] for line in gpaplan(*call).splitlines())
            assert rows.get("dropped", "").strip() == (DROPPED if relevance == "on" else ""), name
            record = as_json(*call)
            assert record["relevance"] is (relevance == "on"), name
            assert record["dropped_atoms"] == ({"crushed": 4} if relevance == "on" else {}), name
            assert record["dropped_actions"] == {}, name


def test_explain_says_what_it_passes_over(cans: Files) -> None:
    shown = gpaplan("explain", *cans, "--state", STATE)
    assert "  state        (hand-empty) (obstructs can1 can0) (revived)\n" in shown
    assert "  passed over  (crushed can2) (crushed can3)\n" in shown
    assert as_json("explain", *cans, "--state", STATE)["passed_over"] == ["(crushed can2)", "(crushed can3)"]
    kept = ("explain", *cans, "--state", STATE, "--relevance", "off")
    assert "passed over" not in gpaplan(*kept)
    record = as_json(*kept)
    assert (record["passed_over"], "(crushed can2)" in record["state"]) == ([], True)
    assert as_json("explain", *cans)["passed_over"] == []


def test_a_policy_from_either_side_is_taken_as_it_was_made(cans: Files, tmp_path: Path) -> None:
    domain, problem = cans
    for relevance in ("on", "off"):
        file = tmp_path / f"{relevance}.json"
        made = as_json("solve", *cans, "--relevance", relevance, "--heuristic", "lmcut", "--output", file)
        assert made["value"] == pytest.approx(9.6)
        found = as_json("evaluate", domain, problem, "--policy", file)
        assert (found["closed"], found["cost"]) == (True, pytest.approx(9.6))
        assert as_json("simulate", *cans, "--policy", file, "--trials", 20)["goal_rate"] == 1
        state = "(hand-empty) (revived) (crushed can2) (obstructs can1 can0)"
        assert as_json("explain", *cans, "--policy", file, "--state", state)["action"] is not None
        assert "decisions" in gpaplan("show", file, *cans)
        other = "off" if relevance == "on" else "on"
        message = gpaplan("evaluate", *cans, "--policy", file, "--relevance", other, code=DataError.exit_code)
        assert f"--relevance {relevance}" in message


def test_an_automaton_from_either_side_is_used_as_it_was_learned(cans: Files, tmp_path: Path) -> None:
    (tmp_path / "large").mkdir()
    large = generate("delicate-can", 7).write(tmp_path / "large")
    files = {}
    for relevance in ("on", "off"):
        files[relevance] = tmp_path / f"{relevance}.gpa.json"
        ranges = ("delicate-can", "2..5")
        grown = as_json("grow", *ranges, "--relevance", relevance, "-o", files[relevance])
        assert (grown["edges"] < 30) == (relevance == "on")
        assert json.loads(files[relevance].read_text())["settings"]["relevance"] == relevance
        done = "dropped" if relevance == "on" else "kept"
        row = f"  relevance    {relevance}: what the goals of training cannot depend on was {done}\n"
        assert row in gpaplan("show", files[relevance])
    old = tmp_path / "old.gpa.json"
    record = json.loads(files["off"].read_text())
    del record["settings"]["relevance"]  # as it was before there was a choice
    old.write_text(json.dumps(record))
    assert "  relevance    off: " in gpaplan("show", old)
    for file, is_on in ((files["on"], True), (files["off"], False), (old, False)):
        solved = as_json("solve", *large, "--gpa", file)
        assert (solved["relevance"], solved["gpa"]["fallback"]) == (is_on, False)
        pruned = as_json("prune", file, "delicate-can", "2..4", "-o", tmp_path / "pruned.json", "--partial")
        assert pruned["edges"] <= pruned["edges_before"]
    message = gpaplan("solve", *large, "--gpa", old, "--relevance", "on", code=MismatchError.exit_code)
    assert "the automaton was learned with relevance off" in message
    assert "cannot be merged" in gpaplan(
        "merge", files["on"], old, "-o", tmp_path / "both.json", code=MismatchError.exit_code
    )
    updated = as_json("learn", *cans, "--update", old, "-o", old)
    assert updated["edges"] >= 50
    assert json.loads(old.read_text())["settings"]["relevance"] == "off"
