"""Standard streams that are closed, full, or of another encoding: a message at most, and never a traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from gpaplan.benchmarks import generate

GPAPLAN = (sys.executable, "-m", "gpaplan")


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    return [str(path) for path in generate("gripper", 2).write(tmp_path)]


def in_shell(redirection: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = ["sh", "-c", f'exec "$@" {redirection}', "sh", *GPAPLAN, *arguments]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=60, env={**os.environ, **environment}
    )


@pytest.mark.parametrize("redirection", [">&-", "2>&-", "<&-", ">&- 2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("json_option", [[], ["--json"]])
def test_closed_streams(redirection: str, json_option: list[str], files: list[str], tmp_path: Path) -> None:
    policy = tmp_path / "policy.json"
    done = in_shell(redirection, "solve", *files, f"--output={policy}", *json_option)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    json.loads(policy.read_text())  # nothing that was meant for a stream is in the file


@pytest.mark.parametrize("redirection", [">&-", "2>&-", ">&- 2>&-", "2>/dev/full", ">/dev/full 2>/dev/full"])
@pytest.mark.parametrize("json_option", [[], ["--json"]])
def test_an_error_with_nowhere_to_say_it(redirection: str, json_option: list[str], files: list[str]) -> None:
    done = in_shell(redirection, "solve", files[0], "missing.ppddl", *json_option)
    assert done.returncode == 31
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("json_option", [[], ["--json"]])
def test_a_full_output(json_option: list[str], files: list[str]) -> None:
    done = in_shell(">/dev/full", "solve", *files, *json_option)
    assert done.returncode == 31
    assert done.stderr == "cannot write the output: No space left on device\n"


def test_a_full_standard_error_that_gets_a_warning(files: list[str], tmp_path: Path) -> None:
    problem = tmp_path / "warned.ppddl"
    problem.write_text(Path(files[1]).read_text().replace("(:init", "(:init (= (total-cost) 3)"))
    done = in_shell("2>/dev/full", "check", files[0], str(problem))
    assert done.returncode in (0, 30, 31)
    assert "Traceback" not in done.stdout


@pytest.mark.parametrize("encoding", ["latin-1", "ascii", "utf-8"])
def test_every_terminal_can_show_every_text(encoding: str, tmp_path: Path) -> None:
    name = "prüfung-…-試験.ppddl"
    domain, problem = generate("gripper", 2).write(tmp_path)
    problem = problem.rename(tmp_path / name)
    problem.write_text(problem.read_text(encoding="utf-8").replace("(:goal", "(:gaol"), encoding="utf-8")
    command = [*GPAPLAN, "check", str(domain), str(problem)]
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    done = subprocess.run(command, capture_output=True, check=False, timeout=60, env=environment)
    assert done.returncode == 30
    assert b"Traceback" not in done.stderr
    assert b"(:gaol" in done.stderr
    done = subprocess.run([*command, "--json"], capture_output=True, check=False, timeout=60, env=environment)
    assert done.returncode == 30
    assert json.loads(done.stdout.decode(encoding))["errors"][0]["file"].endswith(name)


@pytest.mark.parametrize(
    ("output", "why"),
    [("nowhere/x.json", "there is no folder '{folder}/nowhere'"), ("kept", "it is a folder")],
    ids=["no folder", "a folder"],
)
def test_a_file_that_cannot_be_written_is_said_before_the_work(
    output: str, why: str, files: list[str], tmp_path: Path
) -> None:
    (tmp_path / "kept").mkdir()
    Path(files[1]).write_text("no problem that could be read")
    target = tmp_path / output
    done = in_shell("", "learn", *files, "-o", str(target))
    assert (done.returncode, done.stderr) == (31, f"cannot write '{target}': {why.format(folder=tmp_path)}\n")
