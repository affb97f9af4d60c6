"""Numbers on the command line that are larger than the core can count."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.types import IntParamType

from gpaplan.benchmarks import generate
from gpaplan.cli import gpaplan, main

LARGEST = 2**64 - 1
TASK = ("domain.ppddl", "gripper-1.ppddl")


def bounded_options() -> Iterator[tuple[str, str]]:
    """All of whole numbers."""
    context = click.Context(gpaplan)
    for name in gpaplan.list_commands(context):
        command = gpaplan.get_command(context, name)
        assert command is not None
        for option in command.params:
            if isinstance(option, click.Option) and isinstance(option.type, IntParamType):
                yield name, option.opts[0]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    here = tmp_path_factory.mktemp("large-numbers")
    generate("gripper", 1).write(here)
    return here


def run(folder: Path, *arguments: object) -> int:
    with contextlib.chdir(folder), pytest.raises(SystemExit) as ended:
        main([str(argument) for argument in arguments])
    assert isinstance(ended.value.code, int)
    return ended.value.code


@pytest.mark.parametrize(("command", "option"), list(bounded_options()))
def test_a_number_of_more_than_64_bits_is_refused(
    folder: Path, command: str, option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(folder, command, option, LARGEST + 1) == 31
    message = capsys.readouterr().err
    assert f"Invalid value for '{option}': {LARGEST + 1} is not in the range" in message


@pytest.mark.parametrize(
    "arguments",
    [
        ("check", *TASK, "--states", "--max-states", LARGEST),
        ("check", *TASK, "--max-actions", LARGEST),
        ("check", *TASK, "--memory-limit", 1e20),
        ("solve", *TASK, "--max-outcomes", LARGEST),
        ("solve", *TASK, "--solver", "ssipp", "--ssipp-steps", LARGEST),
        ("solve", *TASK, "--seed", LARGEST),
        ("grow", "gripper", "1", "-o", "grown.gpa.json", "--max-states", LARGEST, "--patience", LARGEST),
        ("explain", *TASK, "--max-states", LARGEST),
        ("simulate", *TASK, "--online", "--steps", LARGEST, "--decision-states", LARGEST),
        ("simulate", *TASK, "--trace", "trace.json", "--trace-trials", LARGEST),
    ],
    ids=lambda arguments: " ".join(map(str, arguments[-4:])),
)
def test_the_largest_numbers_mean_no_limit(folder: Path, arguments: tuple[object, ...]) -> None:
    assert run(folder, *arguments) == 0


@pytest.mark.parametrize(
    ("option", "number", "message"),
    [
        ("--runs", 100_001, "a suite has at most 100,000 runs of each problem, not 100,001"),
        ("--time-limit", "inf", "time_limit must be a finite number, not inf"),
        ("--memory-limit", "nan", "memory_limit must be a number above 0, not nan"),
    ],
)
def test_suites_take_what_their_files_may_say(
    folder: Path, option: str, number: object, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(folder, "bench", "quick", "--dry-run", option, number) == 31
    assert message in capsys.readouterr().err
