"""Conversations with an actor."""

from __future__ import annotations

import json

import pytest

from gpaplan import Actor, ground
from gpaplan.acting.session import Session
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
    ],
)
def test_what_is_wrong_is_the_answer_and_changes_nothing(session: Session, line: str, error: str) -> None:
    before = session.state
    assert error in json.loads(session.answer_line(line))["error"]
    assert session.state == before
    assert json.loads(session.answer_line("{}"))["action"] is not None
