"""Symmetry is used where there is any: what the commands print, which files they write, and what stays as it is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gpaplan import (
    LimitError,
    Limits,
    Policy,
    RunSettings,
    SpaceSettings,
    StateSpace,
    evaluate,
    ground,
    load,
    simulate,
    solve,
    verify,
)
from gpaplan.benchmarks import generate
from gpaplan.policies import policy as policies
from gpaplan.tasks.task import GroundTask
from tests import commands
from tests.commands import as_json


def gpaplan(*arguments: object) -> str:
    return commands.gpaplan(*arguments).stdout


def many(size: int = 5) -> GroundTask:
    return ground(generate("gripper", size))


def test_the_defaults_in_python() -> None:
    assert solve(many()).symmetry_mode == SpaceSettings().symmetry == RunSettings().space.symmetry == "auto"
    assert solve(many()).symmetry is not None
    assert solve(many(2)).symmetry is None  # two balls and two hands are too few
    assert StateSpace(many()).symmetry is None


def test_numbers_of_states_say_up_to_symmetry_where_they_are(tmp_path: Path) -> None:
    domain, large = generate("gripper", 5).write(tmp_path)
    _, small = generate("gripper", 2).write(tmp_path)
    policy, automaton = tmp_path / "policy.json", tmp_path / "gpa.json"
    solve(load(domain, large)).policy.write(policy, unfold=False)
    gpaplan("learn", domain, large, small, "--abstraction", "canonical", "-o", automaton)
    said = "up to symmetry"
    assert "in the policy, up to symmetry\n" in gpaplan("solve", domain, large)
    assert said not in gpaplan("solve", domain, small)
    assert said not in gpaplan("solve", domain, large, "--symmetry", "off")
    assert "symmetry" not in gpaplan("solve", domain, large, "--symmetry", "off")
    assert said in gpaplan("evaluate", domain, large, "--policy", policy)
    assert said not in gpaplan("evaluate", domain, large, "--policy", policy, "--symmetry", "off")
    grown = gpaplan("grow", domain, large, small, "-o", tmp_path / "grown.json")
    pruned = gpaplan("prune", automaton, domain, large, small, "-o", tmp_path / "pruned.json")
    for text in (grown, pruned):
        lines = {line.split()[0]: line for line in text.splitlines()[1:] if "gripper-" in line}
        assert said in lines["gripper-5"]
        assert said not in lines["gripper-2"]


def test_check_and_export_show_the_task_itself_unless_asked(tmp_path: Path) -> None:
    files = generate("gripper", 5).write(tmp_path)
    model = tmp_path / "model.drn"
    assert "states              703\n" in gpaplan("check", *files, "--states")
    assert "states              29 up to symmetry\n" in gpaplan("check", *files, "--states", "--symmetry", "auto")
    export = ("export", *files, "--format", "drn", "-o", model)
    assert ": 703 states, " in gpaplan(*export)
    assert ": 29 states up to symmetry, " in gpaplan(*export, "--symmetry", "auto")


# --- policies in files ---


def test_a_small_policy_is_written_on_the_states_themselves(tmp_path: Path) -> None:
    task, path = many(), tmp_path / "policy.json"
    policy = solve(task, heuristic="lmcut").policy
    assert policy.symmetry is not None
    written = policy.write(path)
    assert written.symmetry is None
    again = Policy.read(task, path)
    assert again.to_text() == written.to_text() == path.read_text()
    assert verify(task, again)
    assert evaluate(task, again).cost == evaluate(task, policy).cost == pytest.approx(16.25)
    for state, action in again.items():
        assert again.action(state) == action
        assert (policy.action(state) is None) == (action is None)  # by symmetry


def test_a_large_policy_is_written_on_representatives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    task, path = ground(generate("delicate-can", 6), relevance=False), tmp_path / "policy.json"
    policy = solve(task, heuristic="lmcut").policy
    unfolded = policy.unfolded()
    monkeypatch.setattr(policies, "MOST_UNFOLDED", len(unfolded))
    assert policy.write(path).symmetry is None
    monkeypatch.setattr(policies, "MOST_UNFOLDED", len(unfolded) - 1)
    assert policy.write(path).symmetry is policy.symmetry
    record = json.loads(path.read_text())
    assert (record["version"], len(record["states"])) == (2, len(policy))
    assert len(policy) < len(unfolded)
    again = Policy.read(task, path)
    assert evaluate(task, again).cost == pytest.approx(evaluate(task, unfolded).cost)
    assert simulate(task, again, trials=20).goal_rate == 1
    assert policy.write(path, unfold=True).to_text() == unfolded.to_text() == path.read_text()


def test_limits_of_unfolding(tmp_path: Path) -> None:
    """Where nothing is asked for it is left out; where it is asked for, that is an error, and no file is written."""
    policy, path = solve(many()).policy, tmp_path / "policy.json"
    assert policy.write(path, limits=Limits(megabytes=1)).symmetry is policy.symmetry
    path.unlink()
    with pytest.raises(LimitError, match="unfolding the policy"):
        policy.write(path, unfold=True, limits=Limits(megabytes=1))
    assert not path.exists()


def test_an_empty_policy_is_unfolded_too(tmp_path: Path) -> None:
    """The initial state is a goal."""
    made = generate("gripper", 3)
    text = made.problem_text.replace("room-a)", "room-b)")
    policy = solve(load(made.domain_text, text)).policy
    assert (len(policy), policy.symmetry is None, policy.unfolded().symmetry) == (0, False, None)
    assert policy.write(tmp_path / "policy.json").symmetry is None


def test_solve_says_which_file_it_wrote(tmp_path: Path) -> None:
    files = generate("gripper", 5).write(tmp_path)
    output = tmp_path / "policy.json"
    solve_it = ("solve", *files, "--heuristic", "lmcut", "--output", output)
    found = as_json(*solve_it)
    assert (found["unfolded"], found["symmetry"]["on"], json.loads(output.read_text())["version"]) == (True, True, 1)
    assert f"written to        {output}, on 15 states\n" in gpaplan(*solve_it)
    assert as_json(*solve_it, "--unfold")["unfolded"] is True
    assert as_json("solve", *files)["unfolded"] is None
    commands.gpaplan("solve", *files, "--unfold", code=31)
    found = as_json(*solve_it, "--symmetry", "off")
    assert (found["unfolded"], found["symmetry"]["on"]) == (True, False)
    assert as_json("evaluate", *files, "--policy", output)["cost"] == 16.25
