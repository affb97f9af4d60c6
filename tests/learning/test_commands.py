"""``gpaplan grow``, ``gpaplan prune`` and ``gpaplan solve --learn``."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gpaplan import PolicyAutomaton
from gpaplan.benchmarks import generate
from tests.commands import as_json, gpaplan

COMMAND = [sys.executable, "-m", "gpaplan"]


def test_growing_on_files_gives_the_same_bytes_whatever_the_hash_seed(tmp_path: Path) -> None:
    files = [generate("schedule", 1, packets).write(tmp_path) for packets in (4, 2, 3)]
    texts = set()
    for seed in ("0", "77"):
        output = tmp_path / f"{seed}.gpa.json"
        command = [*COMMAND, "grow", *map(str, (files[0][0], *(p for _, p in files))), "-o", str(output)]
        subprocess.run(command, check=True, timeout=300, env={**os.environ, "PYTHONHASHSEED": seed})
        texts.add(output.read_bytes())
    (text,) = texts
    assert [each["problem"] for each in json.loads(text)["training"]] == [
        "schedule-1-2",
        "schedule-1-3",
        "schedule-1-4",
    ]


def test_growing_validates_and_explains(tmp_path: Path) -> None:
    output = tmp_path / "a.gpa.json"
    record = as_json("grow", "schedule", "1", "2..4", "-o", output, "--validate", "1 4..5")
    assert record["status"] == "ok"
    assert record["stopped_by"] == "exhausted"
    assert record["edges"] == len(PolicyAutomaton.read(output))
    assert [(row["problem"], row["status"]) for row in record["validation"]] == [
        ("schedule-1-4", "sufficed"),
        ("schedule-1-5", "failed"),
    ]
    assert record["validation"][0]["optimal"] is True
    assert record["validation"][0]["expanded"] < record["validation"][0]["expanded_without"]
    assert record["validation"][1]["counterexample"]["outcome_differences"][0]["what"] == "{packet, waiting}"
    assert record["steps"][1]["counterexample"]["kind"] == "stuck"
    shown = gpaplan("grow", "schedule", "1", "2..4", "-o", output, "--validate", "1 5", "--explain").stdout
    assert "validation: 0 of 1 solved without fallback" in shown
    assert "schedule-1-3: every action is pruned" in shown
    assert "schedule-1-5: every action is pruned" in shown


def test_growth_is_continued(tmp_path: Path) -> None:
    first, second = tmp_path / "a.gpa.json", tmp_path / "b.gpa.json"
    gpaplan("grow", "gripper", "1..2", "-o", first, "--goals", "--ignore", "free")
    record = as_json("grow", "gripper", "1..4", "-o", second, "--update", first)
    assert [step["outcome"] for step in record["steps"]] == ["sufficed", "sufficed", "failed", "failed"]
    assert PolicyAutomaton.read(second).abstraction.options == {"goals": True, "ignore": ["free"]}
    done = gpaplan("grow", "gripper", "1..4", "-o", second, "--update", first, "--no-goals", code=31)
    assert "leave --no-goals out" in done.stderr


def test_an_interrupt_leaves_a_valid_file(tmp_path: Path) -> None:
    output = tmp_path / "a.gpa.json"
    command = [*COMMAND, "grow", "gripper", "1..3,14", "-o", str(output), "--max-states", "9999999", "--json"]
    command += ["--symmetry", "off"]  # so that the last problem takes its time
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 240
    while not output.exists() or "gripper-3" not in output.read_text(encoding="utf-8"):
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=240)
    assert process.returncode == 12
    assert "Traceback" not in err
    record = json.loads(out)
    assert (record["status"], record["stopped_by"]) == ("interrupted", "interrupted")
    assert {each.problem for each in PolicyAutomaton.read(output).training} == {"gripper-1", "gripper-2", "gripper-3"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["grippr", "1"], "did you mean 'gripper'?"),
        (["gripper"], "must be followed by a range for each parameter"),
        (["gripper", "3..1"], "write the smaller number first"),
        (["gripper", "1", "--cost", "metric"], "have no metric"),
        (["gripper", "1", "--ignore", "fre"], "did you mean 'free'?"),
        (["gripper", "1", "--validate", "1 2"], "takes a range for each of 1 parameter"),
        (["gripper", "1", "--update", "nothing.json"], "nothing.json: no such file"),
    ],
)
def test_mistakes_are_said_plainly(arguments: list[str], message: str, tmp_path: Path) -> None:
    done = gpaplan("grow", *arguments, "-o", tmp_path / "a.json", code=31)
    assert message in done.stderr


def test_pruning_makes_training_problems_again(tmp_path: Path) -> None:
    whole, left = tmp_path / "a.gpa.json", tmp_path / "b.gpa.json"
    gpaplan("grow", "rover", "1", "3", "1..3", "2", "-o", whole, "--ties", "all")
    record = as_json("prune", whole, "rover", "1", "4", "2", "2", "-o", left)
    assert [(each["problem"], each["training"]) for each in record["checked"]] == [
        ("rover-1-3-1-2", True),
        ("rover-1-3-2-2", True),
        ("rover-1-3-3-2", True),
        ("rover-1-4-2-2", False),
    ]
    assert record["edges"] == len(PolicyAutomaton.read(left)) == record["edges_before"] - record["removed"]
    assert record["removed"] > 0
    assert PolicyAutomaton.read(left).settings["pruned"] == "cost"
    symmetric = as_json("prune", whole, "rover", "1", "4", "2", "2", "-o", left, "--symmetry", "on")
    assert [each["cost"] for each in symmetric["checked"]] == [each["cost"] for each in record["checked"]]
    assert sum(each["states"] for each in symmetric["checked"]) < sum(each["states"] for each in record["checked"])
    done = gpaplan("prune", whole, "rover", "1", "4", "2", "2", "-o", left, "--max-outcomes", "1", code=34)
    assert "more than 1 joint outcomes" in done.stderr


def test_pruning_insists_on_the_training_files(tmp_path: Path) -> None:
    whole, left = tmp_path / "a.gpa.json", tmp_path / "b.gpa.json"
    domain, first = generate("gripper", 1).write(tmp_path)
    _, second = generate("gripper", 2).write(tmp_path)
    gpaplan("grow", domain, first, second, "-o", whole)
    done = gpaplan("prune", whole, domain, second, "-o", left, code=31)
    assert "learned from gripper-1, which is not among the problems given" in done.stderr
    assert not left.exists()
    gpaplan("prune", whole, domain, second, "-o", left, "--partial")
    assert gpaplan("prune", whole, domain, first, second, "-o", left).stdout.startswith("gripper: ")


def test_what_the_fallback_finds_is_learned(tmp_path: Path) -> None:
    """The next time the automaton suffices, and its file is as it was."""
    gpa = tmp_path / "a.gpa.json"
    gpaplan("grow", "schedule", "1", "2..3", "-o", gpa)
    task = generate("schedule", 1, 6).write(tmp_path)
    first = as_json("solve", *task, "--gpa", gpa, "--learn", "--match", "strict")
    assert first["gpa"]["fallback"] is True
    assert first["gpa"]["learned"] > 0
    learned = gpa.read_bytes()
    second = as_json("solve", *task, "--gpa", gpa, "--learn", "--match", "strict")
    assert (second["gpa"]["fallback"], second["gpa"]["learned"]) == (False, 0)
    assert second["value"] <= first["value"] + 1e-9
    assert gpa.read_bytes() == learned
    assert as_json("solve", *task, "--gpa", gpa)["gpa"]["learned"] is None


def test_those_who_learn_at_the_same_time_all_add_to_the_file(tmp_path: Path) -> None:
    gpa = tmp_path / "a.gpa.json"
    gpaplan("grow", "rover", "1", "3", "1", "2", "-o", gpa)
    tasks = [generate("rover", 1, 3, samples, 2).write(tmp_path) for samples in (2, 3, 4)]
    commands = [[*COMMAND, "solve", *map(str, task), "--gpa", str(gpa), "--learn", "--json"] for task in tasks]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for command in commands]
    records = [json.loads(process.communicate(timeout=300)[0]) for process in running]
    taught = {record["problem"] for record in records if record["gpa"]["fallback"]}
    assert taught
    assert taught <= {example.problem for example in PolicyAutomaton.read(gpa).training}


def test_nothing_is_learned_from_what_is_not_solved(tmp_path: Path) -> None:
    gpa = tmp_path / "a.gpa.json"
    gpaplan("grow", "gripper", "1", "-o", gpa)
    before = gpa.read_bytes()
    task = generate("gripper", 3).write(tmp_path)
    record = as_json("solve", *task, "--gpa", gpa, "--learn", "--fallback", "none", code=20)
    assert (record["status"], record["gpa"]["learned"]) == ("no-proper-policy", 0)
    assert gpa.read_bytes() == before
    assert "give --gpa FILE" in gpaplan("solve", *task, "--learn", code=31).stderr
    assert "give --gpa FILE" in gpaplan("solve", *task, "--fallback", "local", code=31).stderr
