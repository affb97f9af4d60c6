"""``gpaplan explain``: the table, the JSON, states from texts and files, what is solved and what is estimated."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gpaplan import ground, learn, solve
from gpaplan.benchmarks import generate
from tests import commands


def run(*arguments: object, code: int = 0) -> commands.Done:
    return commands.gpaplan("explain", *arguments, code=code)


def as_json(*arguments: object) -> dict[str, Any]:
    return commands.as_json("explain", *arguments)


def costs(record: dict[str, Any]) -> dict[str, Any]:
    return {each["action"]: (each["cost"], each["exact"]) for each in record["actions"]}


@pytest.fixture
def gripper(tmp_path: Path) -> tuple[str, str]:
    domain, problem = generate("gripper", 1).write(tmp_path)
    return str(domain), str(problem)


@pytest.fixture
def policy(tmp_path: Path) -> Path:
    path = tmp_path / "policy.json"
    solve(ground(generate("gripper", 1)), heuristic="lmcut", symmetry="off").policy.write(path)
    return path


AWAY = "(ball-in ball0 room-a) (robot-in room-b) (free left) (free right)"


def test_a_policy_is_explained_in_the_initial_state(gripper: tuple[str, str], policy: Path) -> None:
    shown = run(*gripper, "--policy", policy).stdout
    assert "gripper / gripper-1\n" in shown
    assert "decision  The policy takes (pick ball0 room-a left), at an expected cost of 3.25 from here." in shown
    assert "solved    from 2 states that the policy does not cover" in shown
    table = shown.partition("\n\n")[2].splitlines()
    assert [line.split("  ")[1] for line in table] == [
        "action", "(pick ball0 room-a left)", "(pick ball0 room-a right)", "(move room-a room-b)",
    ]  # fmt: skip
    assert table[1].endswith("3.25  taken")
    assert table[2].endswith("3.25  as good")
    assert table[3].endswith("5.25  worse by 2")


def test_as_json(gripper: tuple[str, str], policy: Path) -> None:
    record = as_json(*gripper, "--policy", policy)
    assert list(record) == [
        "status", "domain", "problem", "cost_mode", "policy", "covered", "solved", "passed_over", "relevance",
        "dropped_atoms", "dropped_actions", "state", "decision", "action", "cost", "exact", "goal_probability",
        "actions", "outcomes", "summary", "gpa",
    ]  # fmt: skip
    assert record["outcomes"] == [
        {"probability": 0.8, "changes": ["ball-in/held ball0: ball-in room-a → held left", "no longer (free left)"]},
        {"probability": 0.2, "changes": []},
    ]
    assert (record["status"], record["policy"], record["covered"]) == ("ok", str(policy), True)
    assert (record["decision"], record["action"], record["gpa"]) == ("action", "(pick ball0 room-a left)", None)
    assert record["cost"] == pytest.approx(3.25)
    assert record["solved"]["asked"] == record["solved"]["solved"] == 2
    assert record["solved"]["expanded"] > 0
    assert costs(record)["(move room-a room-b)"] == (pytest.approx(5.25), True)


def test_without_solving_there_are_lower_bounds(gripper: tuple[str, str], policy: Path) -> None:
    record = as_json(*gripper, "--policy", policy, "--max-states", 0)
    assert record["solved"] == {"asked": 2, "solved": 0, "expanded": 0}
    assert costs(record)["(move room-a room-b)"] == (4.25, False)
    shown = run(*gripper, "--policy", policy, "--max-states", 0).stdout
    assert "≥ 4.25  worse by at least 1" in shown
    assert "from 0 of 2 states that the policy does not cover; for the rest there are estimates" in shown
    nothing = run(*gripper, "--max-states", 0).stdout
    assert "policy    none given; none was found by solving from this state" in nothing


def test_without_a_policy_the_task_is_solved_from_the_state(gripper: tuple[str, str]) -> None:
    record = as_json(*gripper, "--state", AWAY)
    assert (record["policy"], record["covered"], record["action"]) == (None, False, "(move room-b room-a)")
    assert record["cost"] == pytest.approx(4.25)
    assert "what follows was found by solving from this state" in run(*gripper, "--state", AWAY).stdout


def test_a_state_that_the_policy_does_not_cover(gripper: tuple[str, str], policy: Path) -> None:
    record = as_json(*gripper, "--policy", policy, "--state", AWAY)
    assert (record["covered"], record["action"], record["exact"]) == (False, "(move room-b room-a)", True)
    assert "which does not cover this state; what follows was found" in run(
        *gripper, "--policy", policy, "--state", AWAY
    ).stdout.replace("\n", " ")
    unsolved = as_json(*gripper, "--policy", policy, "--state", AWAY, "--max-states", 0)
    assert (unsolved["decision"], unsolved["action"], unsolved["exact"]) == ("uncovered", None, False)


def test_a_state_comes_from_a_text_or_a_file(gripper: tuple[str, str], policy: Path, tmp_path: Path) -> None:
    atoms = ["(held ball0 left)", "(robot-in room-a)", "(free right)"]
    text, listed = tmp_path / "state.txt", tmp_path / "state.json"
    text.write_text("; in the hand\n" + "\n".join(atoms))
    listed.write_text(json.dumps(atoms))
    for given in (" ".join(atoms), text, listed):
        record = as_json(*gripper, "--policy", policy, "--state", given)
        assert record["state"] == sorted(atoms)
        assert record["action"] == "(move room-a room-b)"


def test_goals_and_dead_ends(tmp_path: Path) -> None:
    task = generate("triangle-tireworld-little", 1).write(tmp_path)
    goal = as_json(*task, "--state", "(car-at p1-3)")
    assert (goal["decision"], goal["actions"], goal["cost"]) == ("goal", [], 0)
    stuck = as_json(*task, "--state", "(car-at p1-2) (flat)")
    assert (stuck["actions"], stuck["cost"]) == ([], None)
    assert "does not reach the goal" in stuck["summary"] or "dead end" in stuck["summary"]
    start = as_json(*task)
    assert costs(start) == {"(drive p1-1 p2-1)": (pytest.approx(5.5), True), "(drive p1-1 p1-2)": (None, True)}
    chances = {each["action"]: each["goal_probability"] for each in start["actions"]}
    assert chances == {"(drive p1-1 p2-1)": pytest.approx(1), "(drive p1-1 p1-2)": pytest.approx(0.5)}


def test_a_policy_on_representatives(tmp_path: Path) -> None:
    files = generate("gripper", 3).write(tmp_path)
    path = tmp_path / "policy.json"
    written = solve(ground(generate("gripper", 3)), heuristic="lmcut", symmetry="on").policy.write(path, unfold=False)
    assert written.symmetry is not None
    record = as_json(*files, "--policy", path)
    assert len(record["actions"]) == 7
    assert all(exact for _, exact in costs(record).values())
    assert costs(record)["(pick ball2 room-a right)"] == (pytest.approx(9.75), True)
    assert costs(record)["(move room-a room-b)"] == (pytest.approx(11.75), True)


def test_what_an_automaton_keeps_and_prunes_and_why(tmp_path: Path) -> None:
    small = [ground(generate("gripper", size)) for size in (1, 2, 3)]
    solutions = [solve(task, heuristic="lmcut") for task in small]
    learn(small[0].domain, solutions).write(tmp_path / "gripper.gpa.json")
    files = generate("gripper", 5).write(tmp_path)
    gpa = ("--gpa", tmp_path / "gripper.gpa.json")
    record = as_json(*files, *gpa)["gpa"]
    assert record["file"] == str(tmp_path / "gripper.gpa.json")
    assert record["known"] is True
    assert "(pick ball0 room-a left)" in record["kept"]
    assert [each["action"] for each in record["pruned"]] == ["(move room-a room-b)"]
    assert record["pruned"][0]["reason"].startswith("no edge for move(")
    assert set(record["kept"]) | {"(move room-a room-b)"} == {
        each["action"] for each in as_json(*files, *gpa)["actions"]
    }
    shown = run(*files, *gpa).stdout
    assert "knows this state, and keeps 10 of 11 actions" in shown.replace("\n" + " " * 13, " ")
    assert "worse by 2  pruned: no edge for move(" in shown


@pytest.mark.parametrize(
    ("options", "message", "code"),
    [
        (("--state", "no-such-file"), "--state: 'no-such-file' is no file, and no atoms such as", 31),
        (("--state", "(robot-in room-b"), "'(robot-in room-b' is no atom", 31),
        (("--state", "(robot-in room-x)"), "has no atom (robot-in room-x); did you mean", 31),
        (("--policy", "no-such-file"), "no-such-file", 31),
        (("--gpa", "no-such-file"), "no-such-file", 31),
        (("--max-states", "-1"), "--max-states", 31),
        (("--dead-end-cost", "0"), "--dead-end-cost", 31),
        (("--max-outcomes", "1"), "joint outcomes", 34),
        (("--time-limit", "1e-9"), "the time limit", 10),
    ],
)
def test_what_is_wrong_is_said(gripper: tuple[str, str], options: tuple[str, str], message: str, code: int) -> None:
    assert message in run(*gripper, *options, code=code).stderr
    record = json.loads(run(*gripper, *options, "--json", code=code).stdout)
    assert record["status"] in ("error", "time-limit")
    assert message in record["errors"][0]["message"] or code == 31


def test_a_file_that_is_no_state(gripper: tuple[str, str], tmp_path: Path) -> None:
    wrong = tmp_path / "state.json"
    wrong.write_text('["(robot-in room-a)", 3]')
    assert "state.json" in run(*gripper, "--state", wrong, code=35).stderr
