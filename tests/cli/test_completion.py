"""Shells complete commands, options, names and files. Each shell is run for real, where it is installed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SHELLS = ["bash", "zsh", "fish"]

ASK = {
    # What the shell itself does when the key is pressed, for the words of the command line.
    "bash": """
        eval "$(gpaplan completion bash 2>/dev/null)"
        compopt() { echo "file"; }
        COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
        _gpaplan_completion gpaplan "${COMP_WORDS[$COMP_CWORD]}"
        printf '%s\\n' "${COMPREPLY[@]}"
    """,
    "zsh": """
        compdef() { :; }
        compadd() { print -l -- "${(@P)${@[-1]}}"; }
        _describe() { print -l -- "${(@P)3}"; }
        _path_files() { print file; }
        eval "$(gpaplan completion zsh)"
        words=("$@"); CURRENT=$#
        _gpaplan_completion
    """,
    "fish": """
        gpaplan completion fish | source
        complete --do-complete "$argv"
    """,
}


def completed(shell: str, *words: str, folder: Path) -> list[str]:
    """What a shell offers for the last of the words; ``file`` where it completes file names by itself."""
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"{shell} is not installed")
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    environment |= {"HOME": str(folder), "XDG_CONFIG_HOME": str(folder), "XDG_DATA_HOME": str(folder)}
    first = {"bash": ["--norc"], "zsh": ["-f"], "fish": ["--no-config"]}[shell]
    arguments = [" ".join(words)] if shell == "fish" else [shell, *words]
    done = subprocess.run(
        [program, *first, "-c", ASK[shell], *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        cwd=folder,
        env=environment,
        check=False,
    )
    # A description follows a tabulator (fish) or a colon (zsh).
    return [line.split("\t")[0].split(":")[0] for line in done.stdout.splitlines() if line]


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("gpaplan", "sol"), ["solve"]),
        (("gpaplan", "solve", "--heu"), ["--heuristic"]),
        (("gpaplan", "solve", "--solver", "l"), ["lao", "lrtdp"]),
        (("gpaplan", "solve", "--heuristic", "h"), ["hmax", "hadd"]),
        (("gpaplan", "generate", "delicate"), ["delicate-can", "delicate-can-shah"]),
        (("gpaplan", "grow", "gri"), ["gripper"]),
        (("gpaplan", "bench", "qu"), ["quick"]),
        (("gpaplan", "completion", "z"), ["zsh"]),
    ],
    ids=lambda value: "-".join(value),
)
def test_names_are_completed(shell: str, words: tuple[str, ...], expected: list[str], tmp_path: Path) -> None:
    assert sorted(completed(shell, *words, folder=tmp_path)) == sorted(expected)


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize(
    "words", [("gpaplan", "check", "dom"), ("gpaplan", "solve", "domain.ppddl", "p", "--gpa", "dom")]
)
def test_files_are_completed(shell: str, words: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "domain.ppddl").touch()
    expected = "domain.ppddl" if shell == "fish" else "file"  # the others say that they would look for files
    assert expected in completed(shell, *words, folder=tmp_path)


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_says_where_it_belongs(shell: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "gpaplan", "completion", shell], capture_output=True, text=True, check=True, timeout=60
    )
    first, *rest = done.stdout.splitlines()
    assert first.startswith("# ")
    assert f"gpaplan completion {shell}" in first
    assert any("_GPAPLAN_COMPLETE" in line for line in rest)


def test_an_unknown_shell() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "gpaplan", "completion", "tcsh"], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 31
    assert "'tcsh' is not one of 'bash', 'zsh', 'fish'" in done.stderr
