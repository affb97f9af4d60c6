"""Policies in files: what is written, and everything that can be wrong with what is read."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from gpaplan import DataError, LimitError, Limits, Policy, UsageError, evaluate
from tests.chains import Row, Rows, policy_of, task_of
from tests.commands import run as gpaplan
from tests.paths import ROOT
from tests.policies.test_policy import HALF, first_actions, gripper, one_ball

EXPECTED = """\
{
  "format": "gpaplan policy",
  "version": 1,
  "domain": "gripper",
  "problem": "gripper-1",
  "cost": "unit",
  "dead_end_cost": null,
  "states": [
    {"state": ["(ball-in ball0 room-a)", "(free left)", "(free right)", "(robot-in room-a)"], \
"action": "(pick ball0 room-a left)"},
    {"state": ["(free right)", "(held ball0 left)", "(robot-in room-a)"], "action": "(move room-a room-b)"},
    {"state": ["(free right)", "(held ball0 left)", "(robot-in room-b)"], "action": "(drop ball0 room-b left)"}
  ]
}
"""


def test_a_policy_is_written_one_state_a_line(tmp_path: Path) -> None:
    task, policy = one_ball()
    assert policy.to_text() == EXPECTED
    path = tmp_path / "policy.json"
    path.write_text("old")
    policy.write(path)
    assert path.read_text() == EXPECTED
    assert os.listdir(tmp_path) == ["policy.json"]
    again = Policy.read(task, path)
    assert again == policy
    assert again.to_text() == EXPECTED


def test_larger_policies_and_giving_up_come_back_as_they_were(tmp_path: Path) -> None:
    task = gripper(4)
    policy = first_actions(task, ("drop", "pick", "move"))
    policy.write(tmp_path / "a.json")
    assert Policy.read(task, tmp_path / "a.json") == policy
    rows: Rows = {0: Row(HALF, {1: HALF, 2: HALF}), 1: "give-up", 2: "goal"}
    task = task_of(rows)
    policy_of(task, rows, dead_end_cost=12.5).write(tmp_path / "b.json")
    again = Policy.read(task, tmp_path / "b.json")
    assert (again.cost, again.dead_end_cost) == ("metric", 12.5)
    assert evaluate(task, again).cost == 6.75
    empty = Policy(task, {})
    empty.write(tmp_path / "c.json")
    assert len(Policy.read(task, tmp_path / "c.json")) == 0


def edited(path: tuple[Any, ...], value: Any) -> str:
    record = json.loads(EXPECTED)
    inner = record
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return json.dumps(record)


def without(key: str) -> str:
    return json.dumps({name: value for name, value in json.loads(EXPECTED).items() if name != key})


FIRST = ("states", 0, "state")

BROKEN: list[tuple[str, str]] = [
    ("", "p.json: not JSON: Input data was truncated; the file was cut short"),
    (EXPECTED[:300], "not JSON"),
    (EXPECTED[: EXPECTED.index("]\n}")], "cut short"),
    ("[]", "p.json: must be an object with 'format' and 'version', not []"),
    ("[" * 100_000, "nested too deeply"),
    (
        edited(("format",), "gpaplan automaton"),
        'format: must be "gpaplan policy", not "gpaplan automaton"; this is not a',
    ),
    (without("format"), "p.json: format: is missing"),
    (edited(("version",), 4), "p.json: version: 4 is newer than the version 3"),
    (edited(("version",), "1"), 'version: must be a whole number from 1, not "1"'),
    (edited(("version",), True), "version: must be a whole number from 1, not true"),
    (edited(("domain",), "rover"), "domain: the policy is for domain \"rover\", and the task's domain is 'gripper'"),
    (edited(("problem",), None), "problem: must be a text, not null"),
    (edited(("cost",), ["unit"]), 'cost: must be "metric" or "unit", not ["unit"]'),
    (edited(("cost",), "units"), "cost: \"units\" is not known here;  did you mean 'unit'?"),
    (edited(("dead_end_cost",), -1), "dead_end_cost: must be a positive number or null, not -1"),
    (edited(("dead_end_cost",), "5"), 'dead_end_cost: must be a positive number or null, not "5"'),
    (edited(("dead_end_cost",), float("nan")), "p.json:1:122: not JSON: invalid character"),
    (EXPECTED.replace("null", "1e999"), "p.json: not JSON: Number out of range"),
    (EXPECTED.replace("null", "9" * 5000), "p.json: not JSON: "),
    (without("states"), "p.json: states: is missing"),
    (edited(("state",), []), "unknown key 'state';  did you mean 'states'?"),
    (edited(("states",), {}), "states: must be a list, not {}"),
    (edited(("states", 1), "x"), "p.json: states[1]: must be an object with 'state' and 'action', not \"x\""),
    (edited(("states", 1, "actoin"), 0), "states[1]: unknown key 'actoin';  did you mean 'action'?"),
    (edited(FIRST, "(free left)"), "states[0].state: must be a list of atoms"),
    (edited((*FIRST, 1), 5), "states[0].state[1]: must be an atom"),
    (edited((*FIRST, 1), ""), "states[0].state[1]: '' is not an atom"),
    (edited((*FIRST, 1), "(free lef)"), "states[0].state[1]: problem 'gripper-1' has no atom (free lef); did you mean"),
    (edited((*FIRST, 1), "(free right)"), "states[0].state: an atom occurs twice"),
    (edited(("states", 2), json.loads(EXPECTED)["states"][1]), "states[2].state: is the same state as states[1]"),
    (edited(("states", 1, "action"), None), "states[1].action: must be an action"),
    (edited(("states", 1, "action"), "(move room-a room-bb)"), "did you mean '(move room-a room-b)'?"),
    (edited(("states", 1, "action"), "(mov room-a room-b)"), "states[1].action: problem 'gripper-1' has no action"),
    (edited(("states", 1, "action"), "(move room-b room-a)"), "is not applicable in the state {(free right)"),
]


HUGE = [(f'"{key}": {digits}', key) for key in ("dead_end_cost", "version") for digits in ("9" * 400,)]


@pytest.mark.parametrize(("text", "place"), HUGE)
def test_a_number_of_400_digits_is_no_number_here(text: str, place: str, tmp_path: Path) -> None:
    file = tmp_path / "p.json"
    file.write_text(re.sub(f'"{place}": [^,]*', text, EXPECTED))
    with pytest.raises(DataError, match=f"{place}: "):
        Policy.read(gripper(1), file)


def test_a_limit_ends_the_reading(tmp_path: Path) -> None:
    file = tmp_path / "p.json"
    file.write_text(EXPECTED)
    with pytest.raises(LimitError, match="was stopped by the time limit"):
        Policy.read(gripper(1), file, limits=Limits(1e-9))


@pytest.mark.parametrize(("text", "message"), BROKEN, ids=range(len(BROKEN)))
def test_what_is_wrong_with_a_file_is_said_with_its_place(
    text: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("p.json").write_text(text)
    with pytest.raises(DataError) as caught:
        Policy.read(gripper(1), "p.json")
    assert message in str(caught.value)
    assert str(caught.value).startswith("p.json:")
    assert caught.value.exit_code == 35


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    task = gripper(1)
    with pytest.raises(UsageError, match="no such file"):
        Policy.read(task, tmp_path / "nowhere.json")
    with pytest.raises(UsageError, match="is a directory, not a file"):
        Policy.read(task, tmp_path)
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(DataError, match="not UTF-8"):
        Policy.read(task, tmp_path / "binary")


def test_a_full_disk_leaves_the_old_file(tmp_path: Path) -> None:
    """The limit on the size of a file stands for a full disk."""
    script = (
        "import resource, sys; from gpaplan import UsageError\n"
        "from tests.policies.test_policy import first_actions, gripper\n"
        "policy = first_actions(gripper(5), ('drop', 'pick', 'move'))\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))\n"
        "try: policy.write(sys.argv[1])\n"
        "except UsageError as error: print(error)\n"
    )
    path = tmp_path / "policy.json"
    path.write_text("old")
    root = ROOT
    run = subprocess.run([sys.executable, "-c", script, str(path)], capture_output=True, text=True, cwd=root)
    assert run.stdout == f"cannot write '{path}': File too large; the file that was there is unchanged\n"
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["policy.json"]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_devices_are_written_and_not_replaced() -> None:
    with pytest.raises(UsageError, match="cannot write '/dev/full': No space left on device"):
        one_ball()[1].write("/dev/full")
    assert not os.path.isfile("/dev/full")


def test_files_do_not_depend_on_the_hash_seed_or_on_the_order_of_states() -> None:
    task = gripper(3)
    policy = first_actions(task, ("drop", "pick", "move"))
    turned = Policy(task, dict(reversed(list(policy.items()))))
    assert turned.to_text() == policy.to_text()
    script = (
        "from tests.policies.test_policy import first_actions, gripper\n"
        "print(first_actions(gripper(3), ('drop', 'pick', 'move')).to_text(), end='')\n"
    )
    for seed in ("0", "4711"):
        run = subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            cwd=ROOT,
        )
        assert run.stdout.decode() == policy.to_text()


# --- the command line ---


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str, str]:
    from gpaplan.benchmarks import generate

    domain, problem = generate("gripper", 1).write(tmp_path)
    path = tmp_path / "policy.json"
    path.write_text(EXPECTED)
    return str(domain), str(problem), str(path)


def test_evaluate_and_simulate_a_file(files: tuple[str, str, str]) -> None:
    domain, problem, path = files
    result = gpaplan("evaluate", domain, problem, "--policy", path)
    assert (result.returncode, result.stderr) == (0, "")
    assert "expected cost     3.25\n" in result.stdout
    assert json.loads(gpaplan("evaluate", domain, problem, "--policy", path, "--json").stdout) == {
        "status": "ok",
        "cost_mode": "unit",
        "closed": True,
        "proper": True,
        "cost": 3.25,
        "goal_probability": 1.0,
        "states": 4,
        "open_state": None,
        "symmetry": {"mode": "auto", "on": False, "sizes": [], "classes": []},
        "relevance": True,
        "dropped_atoms": {},
        "dropped_actions": {},
    }
    result = gpaplan("simulate", domain, problem, "--policy", path, "--trials", "1000", "--json")
    record = json.loads(result.stdout)
    assert record["goal_rate"] == 1
    assert record["mean_cost"] == pytest.approx(3.25, abs=4 * record["sd_cost"] / 1000**0.5)


def test_open_and_broken_files_on_the_command_line(files: tuple[str, str, str]) -> None:
    domain, problem, path = files
    record = json.loads(EXPECTED)
    del record["states"][2]
    Path(path).write_text(json.dumps(record))
    found = json.loads(gpaplan("evaluate", domain, problem, "--policy", path, "--json").stdout)
    assert (found["closed"], found["proper"], found["cost"], found["goal_probability"]) == (False, False, None, 0)
    assert found["open_state"] == ["(free right)", "(held ball0 left)", "(robot-in room-b)"]
    assert "undefined in {(free right)" in gpaplan("evaluate", domain, problem, "--policy", path).stdout
    record["states"][1]["action"] = "(move room-a)"
    Path(path).write_text(json.dumps(record))
    for command in ("evaluate", "simulate"):
        result = gpaplan(command, domain, problem, "--policy", path, "--json")
        assert result.returncode == 35
        (error,) = json.loads(result.stdout)["errors"]
        assert error["file"] == path
        assert error["message"].startswith("states[1].action: problem 'gripper-1' has no action (move room-a)")
        assert "Traceback" not in result.stderr


def test_a_policy_for_other_costs_is_warned_of(files: tuple[str, str, str]) -> None:
    domain, problem, path = files
    Path(path).write_text(EXPECTED.replace('"unit"', '"metric"'))
    result = gpaplan("evaluate", domain, problem, "--policy", path)
    assert result.returncode == 0
    assert "made for metric costs" in result.stderr
