"""docs/ten-things.md, as a newcomer does it: every command, in order, in an empty folder.

What the blocks of the kind ``console`` show is compared by test_docs.py; here those of the kind ``sh`` are run too.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.commands import run_line
from tests.paths import ROOT

PAGE = (ROOT / "docs" / "ten-things.md").read_text(encoding="utf-8")


def commands_of(text: str) -> list[str]:
    """The commands of a page or of a part of it, top to bottom."""
    found = []
    for kind, block in re.findall(r"^ *```(console|sh)\n(.*?)^ *```$", text, re.MULTILINE | re.DOTALL):
        lines = [line.strip() for line in block.splitlines()]
        found += lines if kind == "sh" else [line[2:] for line in lines if line.startswith("$ ")]
    return found


def test_there_are_ten_things_and_each_is_a_command() -> None:
    parts = re.split(r"^## ", PAGE, flags=re.MULTILINE)[1:]
    numbered = [part for part in parts if part[0].isdigit()]
    assert [part.split(".")[0] for part in numbered] == [str(number) for number in range(1, 11)]
    assert all(commands_of(part) for part in numbered)


def test_all_commands_run_in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for command in commands_of(PAGE):
        done = run_line(command)
        assert done.returncode == 0, f"{command}: {done.stderr}"
    for name in re.findall(r"Open `([^`]+)`", PAGE):
        assert (tmp_path / name).read_text(encoding="utf-8").startswith("<!doctype html>")
