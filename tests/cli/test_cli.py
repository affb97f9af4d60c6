"""The command line: output, exit codes, and what happens when things go wrong."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from gpaplan import Limits, ground, solve
from gpaplan.benchmarks import FAMILIES, generate
from gpaplan.cli import gpaplan as commands
from gpaplan.cli.solve import _rows
from tests.commands import Done, run
from tests.system_processes import wait_until_busy

COMMAND = [sys.executable, "-m", "gpaplan"]


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    domain, problem = generate("gripper", 3).write(tmp_path)
    return str(domain), str(problem)


def gpaplan(*arguments: str, cwd: Path | None = None) -> Done:
    with contextlib.chdir(cwd or "."):
        return run(*arguments)


def test_check_says_what_is_in_a_task(files: tuple[str, str]) -> None:
    result = gpaplan("check", *files, "--states")
    assert result.returncode == 0
    assert result.stderr == ""
    for line in (
        "objects             7  (room 2, ball 3, hand 2)",
        "states              87",
        "state-action pairs  272",
    ):
        assert line in result.stdout


def test_check_as_json(files: tuple[str, str]) -> None:
    result = gpaplan("check", *files, "--states", "--json")
    record = json.loads(result.stdout)
    assert record["objects"] == 7
    assert record["atoms"] == 16
    assert record["static_atoms"] == 0
    assert record["actions"] == 26
    assert record["actions_by_schema"] == {"move": 2, "pick": 12, "drop": 12}
    assert record["goal"] == "(and (ball-in ball0 room-b) (ball-in ball1 room-b) (ball-in ball2 room-b))"
    assert record["max_outcomes"] == 2
    assert (record["states"], record["state_action_pairs"], record["complete"]) == (87, 272, True)


def test_simulate_as_json_is_reproducible(files: tuple[str, str]) -> None:
    command = ("simulate", *files, "--policy", "random", "--trials", "50", "--seed", "7", "--json")
    first, second = gpaplan(*command), gpaplan(*command)
    assert first.stdout == second.stdout
    record = json.loads(first.stdout)
    assert (record["trials"], record["horizon"], record["seed"]) == (50, 100, 7)
    assert 0 <= record["goal_rate"] <= 1
    assert record["mean_cost"] <= 100


STILL = """
(define (domain still) (:predicates (there)) (:action wait :precondition (there) :effect (and)))
(define (problem p) (:domain still) (:init (there)) (:goal (there)))
"""


def test_check_counts_variables(files: tuple[str, str], tmp_path: Path) -> None:
    """How many there are and how many values they have; one by one if asked for."""
    assert "\n  variables  6  (of 2 to 4 values)\n" in gpaplan("check", *files).stdout
    record = json.loads(gpaplan("check", *files, "--json").stdout)
    assert (record["variable_count"], record["variables_by_size"]) == (6, {"2": 3, "4": 3})
    assert "variables" not in record
    shown = gpaplan("check", *files, "--variables").stdout
    assert "\n             robot-in: (robot-in room-a) | (robot-in room-b)\n" in shown
    assert "values)" not in shown
    listed = json.loads(gpaplan("check", *files, "--variables", "--json").stdout)
    assert (listed["variable_count"], listed["variables_by_size"]) == (6, {"2": 3, "4": 3})
    assert len(listed["variables"]) == 6
    (tmp_path / "still.ppddl").write_text(STILL)
    assert "\n  variables  none\n" in gpaplan("check", str(tmp_path / "still.ppddl")).stdout


@pytest.mark.parametrize("bound", ["_MOST_ACTIONS", "_MOST_ATOMS"])
def test_variables_of_large_tasks_are_counted_if_asked_for(
    files: tuple[str, str], bound: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"gpaplan.tasks.variables.{bound}", 11)

    def check(*options: str) -> str:
        return CliRunner().invoke(commands, ["check", *files, *options]).stdout

    assert "\n  variables  not counted: the task is large (--variables finds them)\n" in check()
    record = json.loads(check("--json"))
    assert (record["variable_count"], record["variables_by_size"]) == (None, None)
    assert "robot-in: (robot-in room-a)" in check("--variables")
    assert json.loads(check("--variables", "--json"))["variable_count"] == 6


def test_generate_writes_files_that_check_reads(tmp_path: Path) -> None:
    result = gpaplan("generate", "delicate-can", "4", "--seed", "3", "-o", str(tmp_path / "new"))
    assert result.returncode == 0
    domain, problem = result.stdout.split()
    record = json.loads(gpaplan("check", domain, problem, "--states", "--relevance", "off", "--json").stdout)
    assert (record["states"], record["state_action_pairs"]) == (9 * 14 + 16, 188)


def test_generate_lists_the_families(tmp_path: Path) -> None:
    lines = gpaplan("generate", "--list", cwd=tmp_path).stdout.splitlines()[1:]
    assert [line.split()[0] for line in lines] == list(FAMILIES)
    assert "keva-shah PLANKS HEIGHT" in lines[list(FAMILIES).index("keva-shah")]
    record = json.loads(gpaplan("generate", "--list", "--json", cwd=tmp_path).stdout)
    assert record["status"] == "ok"
    assert record["families"][0] == {
        "domain": "gripper",
        "parameters": ["balls"],
        "description": FAMILIES["gripper"].description,
    }
    assert [each["domain"] for each in record["families"]] == list(FAMILIES)
    assert not list(tmp_path.iterdir())


def test_errors_have_a_place_and_no_traceback(files: tuple[str, str], tmp_path: Path) -> None:
    broken = tmp_path / "broken.ppddl"
    broken.write_text(Path(files[1]).read_text().replace("robot-in", "robot-inn"))
    result = gpaplan("check", files[0], str(broken))
    assert result.returncode == 30
    assert result.stdout == ""
    assert "unknown predicate 'robot-inn'" in result.stderr
    assert "did you mean 'robot-in'?" in result.stderr
    assert "Traceback" not in result.stderr
    record = json.loads(gpaplan("check", files[0], str(broken), "--json").stdout)
    assert record["status"] == "error"
    (error,) = record["errors"]
    assert error["file"] == str(broken)
    assert error["message"] == "unknown predicate 'robot-inn'"
    line = broken.read_text().splitlines()[error["line"] - 1]
    assert line[error["column"] - 1 :].startswith("robot-inn")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["chek"], "did you mean 'check'"),
        (["domain", "problem"], "did you mean 'gpaplan run domain problem"),
        (["check"], "Missing argument 'DOMAIN'"),
        (["evaluate", "DOMAIN", "PROBLEM"], "Missing option '--policy'"),
        (["check", "nowhere.ppddl"], "nowhere.ppddl: no such file"),
        (["check", "."], "no .ppddl or .pddl file"),
        (["generate", "griper", "3"], "did you mean 'gripper'"),
        (["generate"], "which domain? 'gpaplan generate --list' shows them"),
        (["generate", "gripper"], "takes 1 parameter (balls), not 0"),
        (["generate", "gripper", "0"], "balls"),
        (["generate", "gripper", "three"], "not a valid integer"),
        (["generate", "keva", "3", "2"], "planks"),
        (["check", "x.ppddl", "--time-limit", "-1"], "--time-limit"),
        (["simulate", "x.ppddl", "--policy", "clever"], "unknown policy 'clever'"),
    ],
)
def test_mistakes_in_the_arguments(arguments: list[str], message: str, tmp_path: Path) -> None:
    (tmp_path / "domain").touch()
    result = gpaplan(*arguments, cwd=tmp_path)
    assert result.returncode == 31
    assert message in result.stderr
    assert "Traceback" not in result.stderr
    as_json = gpaplan(*arguments, "--json", cwd=tmp_path)
    assert as_json.returncode == 31
    assert json.loads(as_json.stdout)["status"] == "error"


def test_unsupported_is_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "durative.ppddl"
    path.write_text("(define (domain d) (:requirements :strips) (:predicates (p)) (:durative-action a))")
    result = gpaplan("check", str(path))
    assert ":durative-action" in result.stderr
    assert result.returncode in (30, 32)


@pytest.fixture
def large(tmp_path: Path) -> tuple[str, str]:
    domain, problem = generate("gripper", 24).write(tmp_path)
    return str(domain), str(problem)


def test_a_time_limit_gives_what_was_found(large: tuple[str, str]) -> None:
    result = gpaplan("check", *large, "--states", "--json", "--time-limit", "0.5")
    assert result.returncode == 10
    record = json.loads(result.stdout)
    assert record["status"] == "time-limit"
    assert record["states"] > 1000
    assert record["complete"] is False


def test_a_memory_limit_gives_what_was_found(large: tuple[str, str]) -> None:
    command = [*COMMAND, "check", *large, "--states", "--json", "--memory-limit", "120"]
    result = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert result.returncode == 11
    assert json.loads(result.stdout)["status"] == "memory-limit"


def test_a_limit_of_states_gives_what_was_found(large: tuple[str, str]) -> None:
    result = gpaplan("check", *large, "--states", "--max-states", "500")
    assert result.returncode == 13
    assert "at least" in result.stdout


def test_an_interrupt_ends_soon_with_what_was_found(large: tuple[str, str]) -> None:
    process = subprocess.Popen(
        [*COMMAND, "check", *large, "--states", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    wait_until_busy(process)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 12
    assert json.loads(out)["status"] == "interrupted"
    assert "Traceback" not in err


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_full_disk_is_said_plainly(files: tuple[str, str]) -> None:
    with open("/dev/full", "w") as full:
        result = subprocess.run([*COMMAND, "check", *files], stdout=full, stderr=subprocess.PIPE, text=True)
    assert result.returncode == 31
    assert "No space left" in result.stderr
    assert "Traceback" not in result.stderr


def test_a_reader_that_leaves_is_no_error(files: tuple[str, str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "w") as pipe:
        result = subprocess.run([*COMMAND, "check", *files], stdout=pipe, stderr=subprocess.PIPE, text=True)
    assert result.returncode == 0
    assert result.stderr == ""


def test_help_and_version() -> None:
    assert "Exit codes" in gpaplan("--help").stdout
    assert gpaplan("--version").stdout.startswith("gpaplan 0.")
    for name in ("check", "evaluate", "simulate", "export", "generate"):
        result = gpaplan(name, "--help")
        assert (result.returncode, "--json" in result.stdout) == (0, True)


def test_ground_tasks_do_not_depend_on_the_hash_seed() -> None:
    script = (
        "import hashlib, json; from gpaplan import ground; from gpaplan.benchmarks import generate\n"
        "for name, theta in (('gripper', (4,)), ('rover', (2, 4, 3, 2)), ('schedule', (2, 4)), ('keva', (6, 2)),"
        " ('delicate-can', (5,))):\n"
        "    b = generate(name, *theta, seed=3)\n"
        "    print(hashlib.sha256(json.dumps(ground(b).to_json()).encode()).hexdigest())\n"
    )
    outputs = [
        subprocess.run(
            [sys.executable, "-c", script], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("0", "1", "31337")
    ]
    assert outputs[0] == outputs[1] == outputs[2]
    assert len(set(outputs[0].split())) == 5


def test_what_is_not_solved_ends_with_what_to_do_next(tmp_path: Path) -> None:
    domain, problem = generate("gripper", 9).write(tmp_path)
    stopped = solve(ground(generate("gripper", 9)), limits=Limits(states=2))
    last = dict(_rows(stopped, None, {}, None))["next"] or ""
    assert "gpaplan simulate DOMAIN PROBLEM --online" in " ".join(last.split())
    problem.write_text(problem.read_text().replace("(robot-in room-a)", ""))
    stuck = run("solve", domain, problem)
    assert stuck.returncode == 20
    assert stuck.stdout.splitlines()[-1].startswith("  next ")
    assert "gpaplan check DOMAIN PROBLEM" in stuck.stdout
    assert "\n  next " not in run("solve", *generate("gripper", 2).write(tmp_path)).stdout
