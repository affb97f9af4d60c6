"""``gpaplan act`` and ``gpaplan simulate`` with an actor."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from gpaplan import Trace, solve
from gpaplan.benchmarks import generate
from gpaplan.cli import gpaplan
from gpaplan.cli.conventions import run
from gpaplan.tasks.grounding import load
from tests.policy_automata import learned


def call(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    """Run a command here; the exit code, and what it printed."""
    with pytest.raises(SystemExit) as left:
        run(gpaplan, arguments)
    printed = capsys.readouterr()
    assert isinstance(left.value.code, int)
    return left.value.code, printed.out, printed.err


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """A domain, a problem, an automaton and a policy."""
    domain, problem = generate("gripper", 3).write(tmp_path)
    learned("gripper", 1, 2, 3).write(tmp_path / "gripper.gpa.json")
    solve(load(domain, problem)).policy.write(tmp_path / "policy.json")
    return [str(domain), str(problem), str(tmp_path / "gripper.gpa.json"), str(tmp_path / "policy.json")]


def test_requests_are_answered_line_by_line(
    files: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    domain, problem, automaton, policy = files
    monkeypatch.setattr("sys.stdin", io.StringIO('{"id": 1}\n\nnonsense\n{"reset": true}\n'))
    code, out, err = call(["act", domain, problem, "--gpa", automaton], capsys)
    assert (code, err) == (0, "ready: gripper / gripper-3\n")
    first, second, third = map(json.loads, out.splitlines())
    assert (first["id"], first["source"]) == (1, "automaton")
    assert second["error"].startswith("this is not JSON")
    assert third["action"] == first["action"]
    monkeypatch.setattr("sys.stdin", io.StringIO("{}"))
    code, out, _ = call(["act", domain, problem, "--policy", policy], capsys)
    assert json.loads(out)["source"] == "policy"


def test_an_automaton_of_another_domain_is_refused(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    learned("blocksworld", 2).write(tmp_path / "blocks.gpa.json")
    code, out, err = call(["act", *files[:2], "--gpa", str(tmp_path / "blocks.gpa.json")], capsys)
    assert (code, out) == (36, "")
    assert "learned for domain 'blocksworld', and problem 'gripper-" in err


def test_trials_of_an_actor(files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    domain, problem, automaton, policy = files
    trace = tmp_path / "trace.json"
    asked = ["simulate", domain, problem, "--trials", "30", "--trace", str(trace), "--trace-trials", "2"]
    code, out, _ = call([*asked, "--gpa", automaton, "--jobs", "2", "--json"], capsys)
    record = json.loads(out)
    assert (code, record["status"], record["trials"], record["goal_rate"]) == (0, "ok", 30, 1.0)
    assert record["ends"] == {"goal": 30}
    assert list(record["sources"]) == ["automaton"]
    low, high = record["goal_interval"]
    assert 0.8 < low < high == pytest.approx(1.0)
    assert len(Trace.read(trace).trials) == 2
    code, out, _ = call([*asked, "--policy", policy, "--online"], capsys)
    assert code == 0
    assert "policy 100.0 %" in out
    assert f"policy '{policy}', acting by looking ahead" in out


def test_a_time_limit_stops_acting(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    domain, problem, *_ = files
    asked = ["simulate", domain, problem, "--online", "--trials", "10000000", "--time-limit", "1", "--json"]
    code, out, _ = call(asked, capsys)
    record = json.loads(out)
    assert (code, record["status"]) == (10, "time-limit")
    assert 0 < record["trials"] < 10_000_000
