"""Colour on a terminal, and nowhere else; what is said is the same with and without it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from gpaplan.benchmarks import generate
from gpaplan.cli.conventions import paint_message, paint_row, rendered

pty = pytest.importorskip("pty", reason="there are no pseudo-terminals")

GPAPLAN = (sys.executable, "-m", "gpaplan")
SOLVED = "\x1b[32m\x1b[1msolved\x1b[0m"
SETTINGS = ("NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE")


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    return [str(path) for path in generate("gripper", 2).write(tmp_path)]


def environment(**given: str) -> dict[str, str]:
    plain = {name: value for name, value in os.environ.items() if name not in SETTINGS}
    return {**plain, "TERM": "xterm-256color", **given}


def on_terminal(*arguments: str, **given: str) -> str:
    """What a command of gpaplan shows on a terminal, both streams together."""
    return shown_by([*GPAPLAN, *arguments], environment(**given))


def shown_by(command: list[str], env: dict[str, str]) -> str:
    ours, its = pty.openpty()
    with subprocess.Popen(command, stdin=its, stdout=its, stderr=its, env=env):
        os.close(its)
        shown = b""
        while True:
            try:
                piece = os.read(ours, 1 << 16)
            except OSError:  # how Linux says that nobody has the other end any more
                break
            if not piece:
                break
            shown += piece
    os.close(ours)
    return shown.decode().replace("\r\n", "\n")


def in_pipe(*arguments: str, **given: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*GPAPLAN, *arguments], capture_output=True, text=True, check=False, timeout=60, env=environment(**given)
    )


def without_colour(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*[mK]", "", text)


def test_a_result_is_coloured_on_a_terminal(files: list[str]) -> None:
    shown = on_terminal("solve", *files)
    assert SOLVED in shown
    assert "\x1b[2mguarantee\x1b[0m" in shown
    plain, piped = (
        re.sub(r"\d\.\d{3} s", "", text) for text in (without_colour(shown), in_pipe("solve", *files).stdout)
    )
    assert plain.replace("\r", "") == piped


def test_an_error_is_coloured_on_a_terminal(files: list[str], tmp_path: Path) -> None:
    broken = tmp_path / "broken.ppddl"
    broken.write_text(Path(files[1]).read_text().replace("(robot-in room-a)", "(robt-in room-a)", 1))
    shown = on_terminal("check", files[0], str(broken))
    assert re.search(r"\x1b\[31m\x1b\[1m\S*broken\.ppddl:\d+:\d+: unknown predicate 'robt-in'", shown)
    piped = in_pipe("check", files[0], str(broken))
    assert "\x1b" not in piped.stderr
    assert without_colour(shown).strip() == piped.stderr.strip()


@pytest.mark.parametrize("given", [{"NO_COLOR": "1"}, {"TERM": "dumb"}, {"NO_COLOR": "1", "FORCE_COLOR": "1"}])
def test_no_colour_on_a_terminal_if_so_asked(given: dict[str, str], files: list[str]) -> None:
    assert "\x1b[3" not in on_terminal("solve", *files, **given)
    assert "\x1b[1m" not in on_terminal("solve", files[0], "missing.ppddl", **given)


DEMO = "from gpaplan import demo; demo._show('Rules', 'generate --list')"


@pytest.mark.parametrize(("given", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)])
def test_the_demo_is_coloured_as_the_commands_are(given: dict[str, str], coloured: bool) -> None:
    shown = shown_by([sys.executable, "-c", DEMO], environment(**given))
    assert "── Rules ──" in shown
    assert "$ gpaplan generate --list" in shown
    assert ("\x1b[36m$" in shown) == coloured
    assert ("\x1b" in shown) == coloured


@pytest.mark.parametrize("given", [{}, {"FORCE_COLOR": ""}, {"FORCE_COLOR": "0"}, {"CLICOLOR_FORCE": "0"}])
def test_no_colour_in_a_pipe(given: dict[str, str], files: list[str]) -> None:
    assert "\x1b" not in in_pipe("solve", *files, **given).stdout


@pytest.mark.parametrize("given", [{"FORCE_COLOR": "1"}, {"CLICOLOR_FORCE": "1"}, {"FORCE_COLOR": "3", "TERM": "dumb"}])
def test_colour_in_a_pipe_if_so_asked(given: dict[str, str], files: list[str]) -> None:
    assert SOLVED in in_pipe("solve", *files, **given).stdout


def test_json_has_no_colour(files: list[str]) -> None:
    for arguments in (["solve", *files], ["solve", files[0], "missing.ppddl"]):
        done = in_pipe(*arguments, "--json", FORCE_COLOR="1")
        assert "\x1b" not in done.stdout
        json.loads(done.stdout)


@pytest.mark.parametrize(
    ("status", "colour"),
    [("solved", 32), ("time-limit", 33), ("memory-limit", 33), ("interrupted", 33), ("no-proper-policy", 31)],
)
def test_each_status_has_its_colour(status: str, colour: int) -> None:
    _, painted = paint_row("status", status)
    assert rendered(painted) == f"\x1b[{colour}m\x1b[1m{status}\x1b[0m"


@given(st.text(alphabet=st.characters(exclude_categories=["Cc", "Cf", "Cs"]) | st.just("\n")))
def test_a_painted_message_says_what_it_said(text: str) -> None:
    assert without_colour(rendered(paint_message(text))) == "\n".join(text.splitlines())


def test_a_warning_is_yellow() -> None:
    painted = paint_message("a.ppddl:3:1: warning: never used")
    assert rendered(painted) == "\x1b[33m\x1b[1ma.ppddl:3:1: warning: never used\x1b[0m"
