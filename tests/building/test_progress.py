"""What is shown of a build: one line that counts for a terminal, four for a log, everything if it fails."""

from __future__ import annotations

import io
import subprocess
import sys

from building.progress import show
from tests.paths import ROOT

BUILD = ["Collecting click\n", *(f"  [{step}/40] Building CXX object {step}.o\n" for step in range(1, 41)), "done\n"]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_log_gets_a_line_for_each_quarter() -> None:
    log = io.StringIO()
    show(BUILD, log)
    assert log.getvalue() == "".join(f"building the core: {step} of 40\n" for step in (10, 20, 30, 40))


def test_a_second_build_is_counted_from_its_beginning() -> None:
    log = io.StringIO()
    show(BUILD * 2, log)
    assert log.getvalue().count("building the core: 10 of 40\n") == 2


def test_a_terminal_gets_one_line_that_counts() -> None:
    terminal = Terminal()
    show(BUILD, terminal)
    assert terminal.getvalue().count("\n") == 1
    assert terminal.getvalue().endswith("\rbuilding the core: 39 of 40\rbuilding the core: 40 of 40\n")


def test_a_line_that_a_failure_left_open_is_ended() -> None:
    terminal = Terminal()
    show([*BUILD[:8], "error: no\n"], terminal)
    assert terminal.getvalue().endswith("7 of 40\n")


def test_an_installation_without_a_build_says_nothing() -> None:
    log = io.StringIO()
    show(["[1/2] Building CXX object a.o\n", "[2/2] Linking\n", "Successfully installed\n"], log)
    assert log.getvalue() == ""


def run(program: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "building" / "progress.py"), sys.executable, "-c", program]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


def test_a_command_that_succeeds_keeps_quiet() -> None:
    found = run("print('a lot')")
    assert (found.returncode, found.stdout, found.stderr) == (0, "", "")


def test_a_command_that_fails_shows_what_it_said() -> None:
    found = run("import sys; print('error: no such type'); sys.exit(3)")
    assert found.returncode == 3
    assert "error: no such type" in found.stderr
