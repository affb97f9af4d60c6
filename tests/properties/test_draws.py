"""What is drawn for the properties is the same in every run, and a failure says how to keep it."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis.internal.conjecture import providers

from tests.paths import ROOT

FILES = ("tests/properties/test_rules.py", "tests/properties/test_transitions.py", "tests/concepts/test_reasons.py")
ODD = {"PYTHONHASHSEED": "7", "TZ": "Asia/Kathmandu", "LC_ALL": "C", "CI": "true", "COLUMNS": "300"}
FAILING = """
from hypothesis import given, strategies as st

@given(st.integers(0, 2**64), st.booleans())
def test_small(number, flag):
    assert number < 50
"""


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments]
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    kept["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # to be quick
    return subprocess.run(command, cwd=ROOT, env={**kept, **environment}, capture_output=True, text=True)


def drawn(file: Path, *files: str, **environment: str) -> list[str]:
    """A line for each property with a digest of its examples."""
    done = run("--drawn", str(file), "-k", "random or whatever", *files, EFFORT="0.05", **environment)
    assert done.returncode == 0, done.stdout
    return sorted(file.read_text(encoding="utf-8").splitlines())


def test_the_same_examples_are_drawn_everywhere(tmp_path: Path) -> None:
    """Whatever strings hash to, wherever the machine is, and whichever tests were run before."""
    one = drawn(tmp_path / "one", *FILES, PYTHONHASHSEED="1")
    assert drawn(tmp_path / "other", *FILES[::-1], **ODD) == one
    assert {line.split("::")[0] for line in one} == set(FILES)


def test_no_constants_of_modules_that_happen_to_be_imported_are_drawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "with_constants.py").write_text("NUMBERS = [123456, 654321]\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    importlib.import_module("with_constants")
    assert len(providers._get_local_constants()) == 0


def test_a_failure_says_how_to_keep_it_and_new_draws_are_new(tmp_path: Path) -> None:
    file, lines = tmp_path / "test_failing.py", tmp_path / "lines"
    file.write_text(FAILING, encoding="utf-8")
    options = ("-p", "tests.conftest", "-c", str(ROOT / "pyproject.toml"), "--drawn", str(lines), str(file))
    for _ in range(2):
        done = run(*options, DRAWS="new", PYTHONPATH=str(ROOT))
        assert done.returncode == 1, done.stdout
        assert "put this below @given to keep it" in done.stdout
        assert "\n@example(\n    number=50,\n    flag=False," in done.stdout
    one, other = lines.read_text(encoding="utf-8").splitlines()
    assert one != other
