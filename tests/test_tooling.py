"""What the repository says in more than one place says the same: the version, the linters of CI and of the hooks."""

from __future__ import annotations

import importlib.metadata
import re

import gpaplan
from building.check_release import wrong_versions
from tests.paths import ROOT

MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


def recipe(target: str) -> str:
    """The commands of a target of the Makefile."""
    found = re.search(rf"^{target}:.*\n((?:\t.*\n)+)", MAKEFILE, re.MULTILINE)
    assert found, target
    return found[1]


def test_the_installed_version_is_that_of_the_source() -> None:
    assert importlib.metadata.version("gpaplan") == gpaplan.__version__


def test_the_changelog_and_the_citation_have_the_version() -> None:
    assert list(wrong_versions(ROOT, [])) == []


def test_the_version_is_written_down_nowhere_else() -> None:
    for name in ("pyproject.toml", "CMakeLists.txt", "README.md"):
        assert gpaplan.__version__ not in (ROOT / name).read_text(encoding="utf-8"), name


def test_the_hooks_run_the_linters_that_ci_runs() -> None:
    hooks = re.findall(r"entry: \.venv/bin/(.+)", (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    linters = re.findall(r"\$\(BIN\)/(.+)", recipe("lint") + recipe("types"))
    # Less the options: CI refuses what a hook mends, and hooks are given files.
    assert [without_options(each) for each in hooks] == [without_options(each) for each in linters]


def without_options(command: str) -> list[str]:
    return [word for word in command.split() if word[0] not in "-.$"]


def test_ci_runs_the_command_of_the_readme_on_a_core_without_warnings() -> None:
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    lines = re.findall(r"^make (?:\$beside )?(.+)$", script, re.MULTILINE)
    targets = " ".join(lines).split()
    assert targets == ["install", "lint", "types", "docs", "test", "test-browser", "asan-short"]
    assert "test" in lines, "by itself: some tests measure time"
    assert "make test " in (ROOT / "README.md").read_text(encoding="utf-8")
    assert script.index("export WERROR=ON") < script.index("make ")
