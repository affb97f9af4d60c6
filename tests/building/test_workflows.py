"""The public's workflows do what the scripts of the repository do, with no more rights than they need."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.paths import ROOT

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_may_only_read_and_runs_once_at_a_time(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert "\npermissions:\n  contents: read\n" in text
    assert "\nconcurrency:\n" in text
    rights = re.findall(r"(\S+): write( #)?", text)
    assert all(reason for _, reason in rights), "a right without its reason"
    jobs = re.findall(r"^    runs-on: ", text, re.MULTILINE)
    assert len(jobs) == len(re.findall(r"^    timeout-minutes: ", text, re.MULTILINE))


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_names_no_host(path: Path) -> None:
    assert not re.search(r"https?:|\b\w+\.(io|org|com)\b", path.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("name", "commands"),
    [
        ("ci.yml", [".ci/run", "pip install .", "python building/smoke.py"]),
        ("docs.yml", ["make docs"]),
        ("elsewhere.yml", ["make test-elsewhere"]),
        ("thorough.yml", ["make test EFFORT=10 DRAWS=new"]),
        ("release.yml", ['make release-check TAG="$GITHUB_REF_NAME"']),
    ],
)
def test_what_a_workflow_runs(name: str, commands: list[str]) -> None:
    text = (ROOT / ".github" / "workflows" / name).read_text(encoding="utf-8")
    assert re.findall(r"^ +- run: (.+)$", text, re.MULTILINE) == commands


def test_nothing_is_published_before_it_is_checked() -> None:
    text = (ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")
    assert "  check:\n    needs: wheels\n" in text
    assert "  publish:\n    needs: check\n" in text
