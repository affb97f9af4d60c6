"""Conversations with an actor."""

from __future__ import annotations

import json
from typing import Any

import pytest

from gpaplan import Actor, ground
from gpaplan.acting.session import LONGEST_LINE, Session
from gpaplan.benchmarks import generate
from tests.policy_automata import learned


@pytest.fixture
def session() -> Session:
    files = generate("gripper", 2)
    return Session(Actor(ground(files.domain, files.problem), learned("gripper", 1, 2)))


def test_a_run_by_changes(session: Session) -> None:
    first = session.answer({})
    assert first["source"] == "automaton"
    assert first["action"].startswith("(pick ball")
    _, ball, room, hand = first["action"].strip("()").split()
    change = {"added": [f"(held {ball} {hand})"], "deleted": [f"(ball-in {ball} {room})", f"(free {hand})"], "id": 1}
    second = session.answer(change)
    assert second["id"] == 1
    assert second["action"] not in (None, first["action"])
    assert session.answer({})["action"] == second["action"]
    assert session.answer({"reset": True})["action"].startswith("(pick")
    assert session.answer({"state": [str(atom) for atom in session.state]})["action"].startswith("(pick")


def test_a_goal_is_no_action(session: Session) -> None:
    goal = ["(ball-in ball0 room-b)", "(ball-in ball1 room-b)", "(robot-in room-b)", "(free left)", "(free right)"]
    answer = session.answer({"state": goal})
    assert (answer["action"], answer["source"]) == (None, "goal")


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("{", "this is not JSON"),
        ("[" * 100_000, "this is not JSON"),
        ("[]", "a request is an object"),
        ('{"atoms": []}', "a request has no 'atoms'"),
        ('{"state": "(robot-in room-a)"}', "'state' is a list of atoms"),
        ('{"state": ["(robot-at room-a)"]}', "has no atom"),
        ('{"state": [], "added": []}', "either 'state' or 'added'"),
        ('{"reset": 1}', "'reset' is true or false"),
        ('{"state": ["\udcff\udcfe"]}', "this is not UTF-8: invalid start byte at byte 13 of the line"),
        (" " * LONGEST_LINE + "{}", "this line is longer than 1,048,576 bytes"),
        (f'{{"state": ["({"a" * 500_000} b)"]}}', "a…; no reachable state has it"),
        (f'{{"state": ["(a{" b" * 200_000})"]}}', " …; no reachable state has it"),
        (f'{{"state": ["({"(" * 1000}"]}}', "(… is more than one atom"),
        (f'{{"{"a" * 1000}": 1}}', "a…'; it may have"),
        (f'{{"id": "{"a" * 1000}"}}', "an 'id' has at most 200 characters, and this one has more"),
        (f'{{"id": {"[" * 900}{"]" * 900}}}', "an 'id' "),
    ],
)
def test_what_is_wrong_is_the_answer_and_changes_nothing(session: Session, line: str, error: str) -> None:
    before = session.state
    answer = json.loads(session.answer_line(line.encode("utf-8", "surrogateescape")))
    assert error in answer["error"]
    assert len(answer["error"]) < 500
    assert session.state == before
    assert json.loads(session.answer_line(b"{}"))["action"] is not None


def test_a_line_as_windows_writes_it(session: Session) -> None:
    assert json.loads(session.answer_line(b'\xef\xbb\xbf{"id": "\xc3\xbc"}\r'))["id"] == "ü"


@pytest.mark.parametrize(
    ("request_", "warning"),
    [
        ({}, ""),
        ({"reset": True}, ""),
        ({"added": ["(robot-in room-b)"], "deleted": ["(robot-in room-a)"]}, ""),
        (
            {"added": ["(robot-in room-b)"]},
            "(robot-in room-a) and (robot-in room-b) hold at once, and only one of them ever does",
        ),
        (
            {"deleted": ["(robot-in room-a)"]},
            "none of (robot-in room-a) and (robot-in room-b) holds, and one of them always does",
        ),
        (
            {"state": ["(robot-in room-a)", "(ball-in ball1 room-b)", "(held ball1 left)", "(held ball0 right)"]},
            "(ball-in ball1 room-b) and (held ball1 left) hold at once, and only one of them ever does",
        ),
    ],
)
def test_a_state_that_cannot_come_about_is_answered_with_a_warning(
    session: Session, request_: dict[str, Any], warning: str
) -> None:
    answer = session.answer(request_)
    assert answer.get("warning", "") == warning
    assert session.answer({}).get("warning", "") == warning  # the state is the same
    assert "warning" not in session.answer({"reset": True})


def test_a_warning_is_short() -> None:
    files = generate("gripper", 30)
    warning = Session(Actor(ground(files.domain, files.problem))).answer({"state": []})["warning"]
    assert warning.count("none of") == 5
    assert warning.endswith(";  and 26 more like that")


def test_variables_of_a_large_task_are_not_looked_for(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gpaplan.tasks.variables._MOST_ATOMS", 1)
    assert not session.checks_states
    assert "warning" not in session.answer({"state": []})
