"""The house and its corridors: each folder uses only those that come before it, in both languages.

The orders below are the architecture (docs/concepts.md draws it). Every import counts, also those inside functions and
those for type checkers only; every include of a header of ours counts. Within a folder anything goes.
"""

import ast
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from types import SimpleNamespace

import pytest

from gpaplan import _core, ground
from gpaplan.benchmarks import generate
from gpaplan.solving.heuristics import make_heuristic
from gpaplan.solving.settings import RunSettings
from gpaplan.solving.solvers import SOLVERS
from gpaplan.spaces.state_space import StateSpace
from tests.executed_files import FIRST_LINE
from tests.paths import ROOT

PACKAGE = ROOT / "src" / "gpaplan"
CORE = ROOT / "src" / "core"

PYTHON = [
    "version",
    "interrupts",
    "_core",
    "source",
    "statuses",
    "errors",
    "display",
    "system",
    "settings",
    "limits",
    "files",
    "data",
    "pages",
    "ppddl",
    "tasks",
    "pictures",
    "spaces",
    "concepts",
    "policies",
    "automata",
    "traces",
    "proofs",
    "solving",
    "acting",
    "gym",
    "interop",
    "benchmarks",
    "learning",
    "briefing",
    "expectations",
    "workbench",
    "experiments",
    "cli",
    "__init__",
    "testing",
    "demo",
    "__main__",
]
"""Modules and folders of the package, from the bottom to the top."""

CPP = [
    "base",
    "task",
    "grounding",
    "symmetry",
    "spaces",
    "concepts",
    "variables",
    "heuristics",
    "policies",
    "patterns",
    "solvers",
    "automata",
    "proofs",
    "bindings",
]


def imported(path: Path) -> Iterator[str]:
    """The parts of the package that a file imports: the first name after ``gpaplan``."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno} imports by a relative name"
            module = node.module or ""
            names = [f"gpaplan.{alias.name}" for alias in node.names] if module == "gpaplan" else [module]
        else:
            continue
        for name in names:
            root, _, rest = name.partition(".")
            if root == "gpaplan":
                first = rest.partition(".")[0]
                yield first if first in PYTHON else "__init__"


def part(path: Path, root: Path) -> str:
    return path.relative_to(root).parts[0].removesuffix(".py")


def test_every_part_of_the_package_has_its_place() -> None:
    found = {part(path, PACKAGE) for path in PACKAGE.rglob("*.py")}
    assert found == set(PYTHON) - {"_core"}


def test_every_folder_of_the_core_has_its_place() -> None:
    assert {part(path, CORE) for path in CORE.rglob("*.?pp")} == set(CPP)


def test_python_imports_only_from_what_comes_before() -> None:
    for path in PACKAGE.rglob("*.py"):
        here = part(path, PACKAGE)
        later = [name for name in imported(path) if PYTHON.index(name) > PYTHON.index(here)]
        assert not later or here == "__init__", f"{path} imports {', '.join(later)}"


@pytest.mark.parametrize("folder", CPP)
def test_the_core_includes_only_from_what_comes_before(folder: str) -> None:
    for path in (CORE / folder).rglob("*.?pp"):
        text = path.read_text(encoding="utf-8")
        folders = [name.partition("/")[0] for name in re.findall(r'#include "([^"]+)"', text)]
        assert set(folders) <= set(declared(folder)), path
        assert folder == "bindings" or ("Python.h" not in text and "nanobind" not in text), path


def declared(folder: str) -> list[str]:
    """The folders that one may include from: those that its library names in CMakeLists.txt, and what these name."""
    if folder == "bindings":
        return CPP
    build = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    found = re.search(rf"core_library\({folder}\b[^)]*?(?:USES ([^)]*))?\)", build)
    assert found, f"no library for {folder}"
    used = (found[1] or "").split()
    assert all(CPP.index(name) < CPP.index(folder) for name in used)
    return [folder, *(name for each in used for name in declared(each))]


CONCEPTS = (ROOT / "docs" / "concepts.md").read_text(encoding="utf-8")


def test_the_drawing_shows_the_folders_in_their_order() -> None:
    drawing = CONCEPTS.partition("## The house")[2].partition("```text\n")[2].partition("```")[0]
    columns = [re.match(r" (.*)[│┤└](.*)", line) for line in drawing.splitlines()]
    left, right = (" ".join(found[side] for found in columns if found) for side in (1, 2))
    assert re.findall(r"\b([a-z]+)/ ", left) == [name for name in PYTHON if (PACKAGE / name).is_dir()]
    assert re.findall(r"\b([a-z]+)/ ", right) == CPP


def test_the_reading_order_is_twenty_files_and_crosses_the_border_once_each_way() -> None:
    order = re.findall(r"^\d+\. `([^`]+)`:", CONCEPTS, re.MULTILINE)
    assert 10 < len(order) <= 20
    assert [name for name in order if not (ROOT / "src" / name).is_file()] == []
    languages = [name.partition("/")[0] for name in order]
    assert [here for here, before in zip(languages, ["", *languages], strict=False) if here != before] == [
        "gpaplan",
        "core",
        "gpaplan",
    ]


def test_the_table_of_words_names_files_that_exist() -> None:
    table = re.findall(r"^\|.*\|$", CONCEPTS, re.MULTILINE)
    named = re.findall(r"`([\w/]+(?:/|\.py|\.hpp))`", "\n".join(table))
    assert len(named) > 20
    assert [name for name in named if not ((PACKAGE / name).exists() or (ROOT / "src" / name).exists())] == []


# --- what a setting costs ---


def test_a_setting_of_the_search_is_declared_on_both_sides_of_the_border_and_named_nowhere_between() -> None:
    header = (CORE / "solvers" / "search.hpp").read_text(encoding="utf-8")
    names = re.findall(r'visit\("(\w+)", \w+\);', header.partition("void each_field")[2].partition("}")[0])
    assert len(names) > 4
    task = ground(generate("gripper", 1))
    space, heuristic = StateSpace(task), make_heuristic("blind", task)
    for name in names:
        assert any(name in {each.name for each in fields(record)} for record in (RunSettings, *SOLVERS.values())), name
        with pytest.raises((TypeError, ValueError)):  # it arrives, whatever it is called
            _core.Search(space.core, heuristic, SimpleNamespace(**{name: "wrong"}))
    with pytest.raises(TypeError, match="no setting of this name"):
        _core.Search(space.core, heuristic, unheard_of=1)
    binding = (CORE / "bindings" / "solvers.cpp").read_text(encoding="utf-8")
    assert not [name for name in names if f'"{name}"_a' in binding]


# --- what a run passes ---

MOST_FILES = {"solve": 30, "learn": 37, "solve --gpa": 34, "act": 33}
"""How many Python files of gpaplan a run may pass. A number may fall; to raise one is a decision."""


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """The files that each of the four runs passes, in this order: they share the problems and the automaton."""
    folder = tmp_path_factory.mktemp("runs")
    for packets in (2, 3, 4):
        generate("schedule", 1, packets).write(folder)
    request = json.dumps({"state": sorted(map(str, ground(generate("schedule", 1, 4)).initial_state))})
    large = ["domain.ppddl", "schedule-1-4.ppddl"]
    commands = {
        "solve": ["solve", *large],
        "learn": ["learn", "domain.ppddl", "schedule-1-2.ppddl", "schedule-1-3.ppddl", "-o", "a.gpa.json"],
        "solve --gpa": ["solve", *large, "--gpa", "a.gpa.json"],
        "act": ["act", *large, "--gpa", "a.gpa.json", "--decision-work", "1000000000"],
    }
    found = {}
    for name, command in commands.items():
        done = subprocess.run(
            [sys.executable, "-m", "tests.executed_files", *command],
            input=request + "\n",
            capture_output=True,
            text=True,
            check=True,
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
        found[name] = done.stdout.partition(FIRST_LINE)[2].split()
    return found


@pytest.mark.parametrize("name", MOST_FILES)
def test_a_run_passes_no_more_files_than_it_did(name: str, runs: dict[str, list[str]]) -> None:
    assert 20 < len(runs[name]) <= MOST_FILES[name], "\n".join(runs[name])


def test_the_reading_order_is_what_runs_pass(runs: dict[str, list[str]]) -> None:
    order = re.findall(r"^\d+\. `gpaplan/([^`]+)`:", CONCEPTS, re.MULTILINE)
    every = {file for files in runs.values() for file in files}
    assert [file for file in order if file not in every] == []


@pytest.mark.parametrize("name", MOST_FILES)
def test_the_page_names_files_that_a_run_passes(name: str, runs: dict[str, list[str]]) -> None:
    rows = re.findall(rf"^\| `gpaplan {name}` \| (.*) \|$", CONCEPTS, re.MULTILINE)
    assert len(rows) == 1
    named = re.findall(r"`([\w/]+\.py)`", rows[0])
    assert len(named) > 4
    assert [file for file in named if file not in runs[name]] == []
