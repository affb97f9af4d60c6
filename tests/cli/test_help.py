"""What ``--help`` and ``--version`` say: the examples of all commands are run, in one folder, in the order below."""

from __future__ import annotations

import contextlib
import json
import re
import tomllib
from pathlib import Path

import click
import pytest

from gpaplan import __version__
from gpaplan.benchmarks import generate
from gpaplan.cli import gpaplan
from gpaplan.experiments.record import write_records
from tests import commands, experiment_records
from tests.paths import ROOT

COMMANDS = gpaplan.list_commands(click.Context(gpaplan))
ORDER = ["generate", "check", "learn", "solve", "grow", "prune", "merge", "show", "evaluate", "simulate", "act"]
ORDER += ["run", "new", "test", "rules", "compare", "explain", "export", "shrink", "verify", "certify", "certificate"]
ORDER += ["bench", "report"]


def help_of(command: click.Command) -> str:
    return command.get_help(click.Context(command, info_name="gpaplan"))


def examples_of(text: str) -> list[str]:
    """The commands below ``Example:``, up to an empty line."""
    found = re.search(r"^ *Examples?:\n((?: +\S.*\n?)+)", text, re.MULTILINE)
    return [] if found is None else [line.strip() for line in found[1].splitlines()]


def command_of(name: str) -> click.Command:
    command = gpaplan.get_command(click.Context(gpaplan), name)
    assert command is not None
    return command


@pytest.mark.parametrize("name", COMMANDS)
def test_every_help_has_an_example_of_the_command(name: str) -> None:
    examples = examples_of(help_of(command_of(name)))
    assert examples
    assert all(f"gpaplan {name}" in example for example in examples)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_has_a_help_text(name: str) -> None:
    for option in command_of(name).params:
        if isinstance(option, click.Option):
            assert option.help, f"gpaplan {name}: {option.opts[0]}"
            assert option.help[0].isupper() or option.help[0] == "'", option.help


def test_the_examples_run_as_they_are(tmp_path: Path) -> None:
    assert sorted([*ORDER, "serve"]) == sorted(COMMANDS), "one serves until somebody ends it"
    for balls in (2, 9):
        generate("gripper", balls).write(tmp_path)
    lines = examples_of(help_of(gpaplan))
    for name in ORDER:
        lines += examples_of(help_of(command_of(name)))
    with contextlib.chdir(tmp_path):
        for line in lines:
            if line.startswith("gpaplan report"):
                write_records([experiment_records.record(), experiment_records.record(gpa=1)], "quick.csv")
            done = commands.run_line(line)
            assert done.returncode == 0, (line, done.stderr)
    written = {path.name for path in tmp_path.iterdir()}
    assert {"policy.json", "gripper.gpa.json", "grown.gpa.json", "pruned.gpa.json", "merged.gpa.json"} <= written
    assert {"gripper.html", "trace.json", "gripper.drn", "report"} <= written


def test_the_version_says_what_a_bug_report_needs() -> None:
    done = commands.gpaplan("--version")
    first, *rest = done.stdout.splitlines()
    assert first == f"gpaplan {__version__}"
    said = " ".join(rest)
    for words in ("Python 3.", "Release build", "nanobind ", "click 8.", "msgspec 0."):
        assert words in said


def test_the_version_as_json() -> None:
    done = commands.gpaplan("--version", "--json")
    record = json.loads(done.stdout)
    assert record["gpaplan"] == __version__
    assert set(record["core"]) == {"compiler", "build_type", "nanobind"}
    assert None not in record["packages"].values()


def test_the_version_and_the_page_name_what_the_extras_for_users_bring() -> None:
    done = commands.gpaplan("--version", "--json")
    with (ROOT / "pyproject.toml").open("rb") as file:
        extras = tomllib.load(file)["project"]["optional-dependencies"]
    for_developers = {"core-test", "test", "browser", "docs", "oracles", "elsewhere", "coverage", "dev"}
    page = (ROOT / "docs" / "installing.md").read_text(encoding="utf-8")
    brought = set()
    for extra in set(extras) - for_developers:
        assert f"`gpaplan[{extra}]`" in page
        brought |= {re.split(r"[<>=]", each)[0] for each in extras[extra]}
    assert set(json.loads(done.stdout)["optional"]) == brought


def test_json_alone_is_refused() -> None:
    done = commands.run("--json")
    assert done.returncode == 31
    assert json.loads(done.stdout)["status"] == "error"
