"""``gpaplan act`` and ``gpaplan simulate`` with an actor."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gpaplan import Trace, _core, solve
from gpaplan.benchmarks import generate
from gpaplan.cli import gpaplan
from gpaplan.cli.conventions import run
from gpaplan.files import read_lines
from gpaplan.tasks.grounding import load
from tests.paths import ROOT
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


@contextlib.contextmanager
def given(requests: bytes) -> Iterator[None]:
    """With these on standard input."""
    before = os.dup(0)
    with tempfile.TemporaryFile() as file:
        file.write(requests)
        file.seek(0)
        os.dup2(file.fileno(), 0)
        try:
            yield
        finally:
            os.dup2(before, 0)
            os.close(before)


def test_requests_are_answered_line_by_line(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    domain, problem, automaton, policy = files
    with given(b'{"id": 1}\n\nnonsense\r\n\r\n{"reset": true}'):
        code, out, err = call(["act", domain, problem, "--gpa", automaton], capsys)
    assert (code, err) == (0, "ready: gripper / gripper-3\n")
    first, second, third = map(json.loads, out.splitlines())
    assert (first["id"], first["source"]) == (1, "automaton")
    assert second["error"].startswith("this is not JSON")
    assert third["action"] == first["action"]
    with given(b"{}"):
        code, out, _ = call(["act", domain, problem, "--policy", policy], capsys)
    assert json.loads(out)["source"] == "policy"


@pytest.mark.parametrize("settings", [{"PYTHONIOENCODING": "utf-8"}, {"LC_ALL": "C"}, {"PYTHONUTF8": "0"}])
def test_a_line_that_is_not_utf_8_is_answered_in_every_locale(files: list[str], settings: dict[str, str]) -> None:
    command = [sys.executable, "-m", "gpaplan", "act", *files[:2]]
    with (ROOT / "tests/regression/reproducers/act-bad-utf8.jsonl").open("rb") as requests:
        done = subprocess.run(
            command, stdin=requests, capture_output=True, env={**os.environ, **settings}, timeout=60, check=True
        )
    first, second, third = map(json.loads, done.stdout.splitlines())
    assert second == {"error": "this is not UTF-8: invalid start byte at byte 13 of the line"}
    assert first["action"] == third["action"] is not None


def test_a_long_line_is_not_kept_and_the_next_one_is_answered(
    files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with given(b"x" * 5_000_000 + b"\n{}\n" + b"x" * 2_000_000):
        code, out, _ = call(["act", *files[:2]], capsys)
    first, second, third = map(json.loads, out.splitlines())
    assert code == 0
    assert "longer than 1,048,576 bytes" in first["error"]
    assert first == third
    assert second["action"] is not None
    with given(b"x" * 5_000_000 + b"\n\nyz"):
        assert list(map(len, read_lines(10, lambda: None))) == [11, 0, 2]


def test_a_time_limit_ends_acting_while_nothing_is_asked(files: list[str]) -> None:
    command = [sys.executable, "-m", "gpaplan", "act", *files[:2], "--time-limit=0.5"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.wait(60) == 10
        assert process.stderr is not None
        assert process.stderr.read().endswith("was stopped by the time limit\n")


def test_a_memory_limit_ends_acting(
    files: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def read_lines(_most: int, poll: Callable[[], None]) -> Iterator[bytes]:
        held = b"x" * 200_000_000
        while held:
            poll()
        yield b""

    monkeypatch.setattr("gpaplan.cli.act.read_lines", read_lines)
    limit = _core.resident_memory() / 1e6 + 100
    code, out, err = call(["act", *files[:2], f"--memory-limit={limit}"], capsys)
    assert (code, out) == (11, "")
    assert "acting was stopped by the memory limit" in err


def test_input_that_cannot_be_read_and_output_that_cannot_be_written(files: list[str], tmp_path: Path) -> None:
    command = [sys.executable, "-m", "gpaplan", "act", *files[:2]]
    with (tmp_path / "written").open("w") as written:
        done = subprocess.run(command, stdin=written, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 31
    assert done.stderr.endswith("standard input cannot be read: Bad file descriptor\n")
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            command, input="{}\n" * 9, stdout=full, stderr=subprocess.PIPE, text=True, timeout=60, check=False
        )
    assert done.returncode == 31
    assert done.stderr.endswith("cannot write the output: No space left on device\n")
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        command, input="{}\n" * 9, stdout=writer, stderr=subprocess.PIPE, text=True, timeout=60, check=False
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, "ready: gripper / gripper-3\n")


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
