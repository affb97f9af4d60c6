"""``-`` is standard input where a file is read, and standard output where one is written."""

from __future__ import annotations

import contextlib
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from gpaplan.benchmarks import generate
from gpaplan.experiments.record import COLUMNS, write_records
from tests import experiment_records
from tests.commands import Done, run

GPAPLAN = (sys.executable, "-m", "gpaplan")


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("prepared")
    for balls in (2, 3):
        generate("gripper", balls).write(folder)
    with contextlib.chdir(folder):
        gpaplan("solve domain.ppddl gripper-2.ppddl --output policy.json")
        gpaplan("learn domain.ppddl gripper-2.ppddl gripper-3.ppddl -o gripper.gpa.json")
        Path("both.ppddl").write_text(Path("domain.ppddl").read_text() + Path("gripper-2.ppddl").read_text())
        write_records([experiment_records.record(), experiment_records.record(gpa=1)], "records.csv")
        settings = 'name = "tiny"\nruns = 1\nmemory_limit = 500\ngpa = [false]\nsolvers = ["vi"]\n'
        Path("tiny.toml").write_text(f'{settings}[[domain]]\ngenerator = "gripper"\ntest = [[1]]\n')
        Path("state.txt").write_text("(free left) (held ball0 right) (ball-in ball1 room-a) (robot-in room-a)")
    return folder


@pytest.fixture(autouse=True)
def _in_a_copy(prepared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(prepared, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)


def gpaplan(command: str, given: str | None = None) -> Done:
    """A command, with the content of a file on standard input."""
    return run(*command.split(), given="" if given is None else Path(given).read_text())


@pytest.mark.parametrize(
    ("command", "given"),
    [
        ("check - gripper-2.ppddl", "domain.ppddl"),
        ("check domain.ppddl -", "gripper-2.ppddl"),
        ("check -", "both.ppddl"),
        ("solve domain.ppddl gripper-2.ppddl --gpa -", "gripper.gpa.json"),
        ("evaluate domain.ppddl gripper-2.ppddl --policy -", "policy.json"),
        ("simulate domain.ppddl gripper-2.ppddl --policy -", "policy.json"),
        ("simulate domain.ppddl gripper-2.ppddl --gpa -", "gripper.gpa.json"),
        ("explain domain.ppddl gripper-2.ppddl --policy -", "policy.json"),
        ("explain domain.ppddl gripper-2.ppddl --state -", "state.txt"),
        ("export domain.ppddl gripper-2.ppddl --format drn -o x.drn --gpa -", "gripper.gpa.json"),
        ("show -", "gripper.gpa.json"),
        ("show - domain.ppddl gripper-2.ppddl", "policy.json"),
        ("show policy.json domain.ppddl -", "gripper-2.ppddl"),
        ("learn - gripper-2.ppddl gripper-3.ppddl -o x.json", "domain.ppddl"),
        ("learn domain.ppddl gripper-2.ppddl - -o x.json", "gripper-3.ppddl"),
        ("learn domain.ppddl gripper-2.ppddl --update - -o x.json", "gripper.gpa.json"),
        ("grow - gripper-2.ppddl gripper-3.ppddl -o x.json", "domain.ppddl"),
        ("prune - gripper 2..3 -o x.json", "gripper.gpa.json"),
        ("merge gripper.gpa.json - -o x.json", "gripper.gpa.json"),
        ("grow domain.ppddl gripper-2.ppddl --validate - -o x.json", "gripper-3.ppddl"),
        ("report -", "records.csv"),
        ("bench - --dry-run", "tiny.toml"),
    ],
)
def test_a_file_from_standard_input(command: str, given: str) -> None:
    """What comes from there is what comes from the file."""
    piped, plain = gpaplan(f"{command} --json", given), gpaplan(f"{command.replace(' - ', f' {given} ')} --json")
    if command.endswith(" -"):
        plain = gpaplan(f"{command[:-1]}{given} --json")
    assert piped.returncode == plain.returncode == 0, piped.stderr
    records = [untimed(json.loads(done.stdout.replace(given, "<stdin>"))) for done in (piped, plain)]
    assert records[0] == records[1]


def untimed(record: Any) -> Any:
    """The record without what depends on the time that it took."""
    if isinstance(record, list):
        return [untimed(each) for each in record]
    if not isinstance(record, dict):
        return record
    timed = re.compile("seconds|decisions|slowest|milliseconds")
    return {name: untimed(value) for name, value in record.items() if not timed.match(name)}


def test_a_mistake_in_standard_input_has_its_place() -> None:
    Path("broken.ppddl").write_text(Path("gripper-2.ppddl").read_text().replace("(robot-in", "(robt-in", 1))
    done = gpaplan("check domain.ppddl -", "broken.ppddl")
    assert done.returncode == 30
    same = gpaplan("check domain.ppddl broken.ppddl").stderr
    assert done.stderr == same.replace("broken.ppddl:", "<stdin>:")
    assert done.stderr.startswith("<stdin>:")


def test_a_broken_automaton_in_standard_input() -> None:
    Path("cut.json").write_text(Path("gripper.gpa.json").read_text()[:-20])
    done = gpaplan("solve domain.ppddl gripper-3.ppddl --gpa -", "cut.json")
    assert done.returncode == 35
    assert done.stderr.startswith("<stdin>:")


@pytest.mark.parametrize(
    ("command", "first", "second"),
    [
        ("check - -", "DOMAIN", "PROBLEM"),
        ("solve - gripper-2.ppddl --gpa -", "DOMAIN", "--gpa"),
        ("learn domain.ppddl - - -o x.json", "PROBLEM", "PROBLEM"),
        ("merge - - -o x.json", "AUTOMATON", "AUTOMATON"),
        ("act domain.ppddl -", "PROBLEM", "the requests"),
    ],
)
def test_standard_input_is_read_once(command: str, first: str, second: str) -> None:
    done = gpaplan(command)
    assert done.returncode == 31
    assert "standard input (-) can be read once only" in done.stderr
    assert f"for {first}" in done.stderr
    assert f"for {second}" in done.stderr
    assert not Path("x.json").exists()


def test_a_suite_from_standard_input_is_run_and_its_records_are_read_from_there() -> None:
    done = gpaplan("bench - --jobs 1", "tiny.toml")
    assert done.returncode == 0, done.stderr
    assert "1 of 1 runs" in done.stdout
    assert not Path("-").exists()
    header, record = Path("tiny.csv").read_text().splitlines()
    assert header == ",".join(COLUMNS)
    assert "gripper(1)" in record
    assert json.loads(gpaplan("report - --json", "tiny.csv").stdout)["records"] == 1


def test_a_suite_without_a_name_is_refused_on_standard_input() -> None:
    Path("nameless.toml").write_text(Path("tiny.toml").read_text().replace('name = "tiny"\n', ""))
    assert gpaplan("bench nameless.toml --dry-run").returncode == 0
    done = gpaplan("bench - --dry-run", "nameless.toml")
    assert done.returncode == 35
    assert done.stderr.startswith("<stdin>: name: a suite on standard input must have one")


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("bench tiny.toml -o -", "-o - cannot be a standard stream: records are added to a file on a disk"),
        ("report records.csv -o -", "-o - cannot be a standard stream: several files are written; give a directory"),
        ("generate gripper 2 -o -", "-o - cannot be a standard stream: several files are written; give a directory"),
        (
            "grow gripper 1..2 --validate - -o x.json",
            "standard input (-) has a problem file, and 'gripper' takes ranges",
        ),
        ("grow gripper - -o x.json", "standard input (-) has a problem file, and 'gripper' takes ranges"),
    ],
)
def test_what_cannot_be_a_stream_is_refused(command: str, message: str) -> None:
    before = sorted(Path().iterdir())
    done = gpaplan(command)
    assert done.returncode == 31
    assert message in done.stderr
    assert sorted(Path().iterdir()) == before


def test_an_automaton_to_add_to_is_a_file() -> None:
    done = gpaplan("solve domain.ppddl gripper-2.ppddl --gpa - --learn", "gripper.gpa.json")
    assert done.returncode == 31
    assert "--learn adds to the automaton's file" in done.stderr


def test_nothing_on_standard_input() -> None:
    done = gpaplan("check domain.ppddl -")
    assert done.returncode == 30
    assert "<stdin>" in done.stderr


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("solve domain.ppddl gripper-2.ppddl -o", "policy.json"),
        ("learn domain.ppddl gripper-2.ppddl gripper-3.ppddl -o", "gripper.gpa.json"),
        ("grow gripper 2..3 -o", "grown.json"),
        ("prune gripper.gpa.json gripper 2..3 -o", "pruned.json"),
        ("merge gripper.gpa.json gripper.gpa.json -o", "merged.json"),
        ("show gripper.gpa.json --format json -o", "shown.json"),
        ("export domain.ppddl gripper-2.ppddl --format drn -o", "gripper.drn"),
        ("simulate domain.ppddl gripper-2.ppddl --policy policy.json --trace", "trace.json"),
    ],
)
def test_a_file_to_standard_output(command: str, name: str) -> None:
    """It is there alone, and what is for people is on standard error."""
    to_file, to_stream = gpaplan(f"{command} {name}"), gpaplan(f"{command} -")
    assert to_stream.returncode == to_file.returncode == 0, to_stream.stderr
    assert to_stream.stdout == Path(name).read_text()
    said = [line.split()[:1] for line in (to_file.stdout + to_file.stderr).replace(name, "<stdout>").splitlines()]
    assert [line.split()[:1] for line in to_stream.stderr.splitlines()] == (
        said if not command.startswith("show") else []
    )


@pytest.mark.parametrize(
    "command",
    ["solve domain.ppddl gripper-2.ppddl -o -", "learn domain.ppddl gripper-2.ppddl -o -", "show policy.json -o -"],
)
def test_json_and_a_file_do_not_share_standard_output(command: str) -> None:
    for line in (f"{command} --json", f"{command.split()[0]} --json {command.partition(' ')[2]}"):
        done = gpaplan(line)
        assert done.returncode == 31
        assert "--json and -o - both write to standard output" in json.loads(done.stdout)["errors"][0]["message"]


def test_commands_in_a_pipeline() -> None:
    learned = gpaplan("learn domain.ppddl gripper-2.ppddl gripper-3.ppddl -o -").stdout
    done = subprocess.run(
        [*GPAPLAN, "solve", "domain.ppddl", "gripper-3.ppddl", "--gpa", "-", "--json"],
        input=learned,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert json.loads(done.stdout)["gpa"]["file"] == "<stdin>"


def test_a_silent_standard_input_is_not_waited_for_beyond_the_limit() -> None:
    command = [*GPAPLAN, "check", "domain.ppddl", "-", "--time-limit", "0.5", "--json"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.wait(60) == 10  # nothing is written to it, and it is not closed
        assert process.stdout is not None
        assert json.loads(process.stdout.read())["status"] == "time-limit"


def test_a_full_standard_output() -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [*GPAPLAN, "solve", "domain.ppddl", "gripper-2.ppddl", "-o", "-"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            timeout=60,
        )
    assert done.returncode == 31
    assert done.stderr == "cannot write the output: No space left on device\n"
