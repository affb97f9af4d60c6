"""The workbench: what it answers, checked against what the rest of the package says of the same task."""

from __future__ import annotations

import time
from typing import Any

import pytest

from gpaplan import GroundTask, ground, solve
from gpaplan.automata.rules import RuleFilter
from gpaplan.benchmarks import generate
from gpaplan.tasks.variables import find_variables
from gpaplan.workbench import Workbench

RULES = "drop: (is ?r @ball-in/2)\npick: (not (is ?r @ball-in/2))\nmove:"


def task_of(family: str, *theta: int) -> GroundTask:
    benchmark = generate(family, *theta)
    return ground(benchmark.domain, benchmark.problem, relevance=False)


@pytest.fixture
def task() -> GroundTask:
    return task_of("gripper", 2)


def initial(task: GroundTask) -> list[str]:
    return sorted(map(str, task.initial_state))


def wait_for_end(bench: Workbench) -> dict[str, Any]:
    while not (answer := bench.answer({"ask": "progress"}))["is_over"]:
        time.sleep(0.01)
    return answer


def test_it_begins_with_what_there_is(task: GroundTask) -> None:
    answer = Workbench([task, task_of("gripper", 3)]).answer({"ask": "begin"})
    assert answer["problems"] == ["gripper-2", "gripper-3"]
    assert answer["initial"] == initial(task)
    assert [each["name"] for each in answer["variables"]] == [each.name for each in find_variables(task)]
    assert answer["schemas"] == ["move", "pick", "drop"]
    assert answer["rules"] == ""


def test_a_look_says_what_explaining_the_optimal_policy_says(task: GroundTask) -> None:
    answer = Workbench([task]).answer({"ask": "look", "state": initial(task)})
    found = solve(task, heuristic="lmcut").policy.explain()
    assert answer["summary"].split(",")[1:] == found.summary.split(",")[1:]
    assert sorted(each["cost"] for each in answer["actions"] if not each["cost"].startswith("≥")) != []
    assert {each["action"] for each in answer["actions"]} == {str(each.action) for each in found.actions}
    assert min(float(each["cost"].removeprefix("≥ ")) for each in answer["actions"]) == pytest.approx(found.cost)
    assert answer["picture"].startswith("<svg")
    assert answer["warning"] == ""


def test_another_world_is_solved_from_there(task: GroundTask) -> None:
    bench = Workbench([task])
    first = bench.answer({"ask": "look", "state": initial(task)})
    nearer = [each for each in first["state"] if "ball0" not in each] + ["(ball-in ball0 room-b)"]
    other = bench.answer({"ask": "look", "state": nearer})
    cheapest = [min(float(each["cost"].removeprefix("≥ ")) for each in one["actions"]) for one in (first, other)]
    assert cheapest[1] == pytest.approx(solve(task.with_initial_state(nearer), prove=True).value)
    assert cheapest[1] < cheapest[0]


def test_a_world_that_cannot_come_about_is_said_to_be_none(task: GroundTask) -> None:
    doubled = [*initial(task), "(ball-in ball0 room-b)"]
    answer = Workbench([task]).answer({"ask": "look", "state": doubled})
    assert "hold at once" in answer["warning"]


def test_what_may_come_of_an_action(task: GroundTask) -> None:
    bench = Workbench([task])
    action = next(
        each["action"]
        for each in bench.answer({"ask": "look", "state": initial(task)})["actions"]
        if "pick" in each["action"]
    )
    outcomes = bench.answer({"ask": "outcomes", "state": initial(task), "action": action})["outcomes"]
    assert len(outcomes) >= 1
    assert all(each["state"] != initial(task) or "nothing" in each["words"] for each in outcomes)
    assert "not applicable" in bench.answer({"ask": "outcomes", "state": initial(task), "action": "(drop x)"})["error"]


def test_solving_goes_on_until_it_is_proven_and_its_policy_is_followed(task: GroundTask) -> None:
    bench = Workbench([task])
    bench.answer({"ask": "solve"})
    answer = wait_for_end(bench)
    assert answer["value"] == pytest.approx(solve(task, prove=True).value)
    assert answer["gap"] == pytest.approx(0, abs=1e-5)
    assert task.initial_state in bench.policy


def test_solving_can_be_stopped() -> None:
    bench = Workbench([task_of("delivery", 3, 30, 8, 4, 1)])
    assert not bench.answer({"ask": "solve"})["is_over"]
    answer = bench.answer({"ask": "stop"})
    assert answer["is_over"]
    assert "interrupted" in answer["text"] or answer["gap"] is not None


@pytest.mark.parametrize("solved", [True, False])
def test_trials_lead_through_states_of_the_task(task: GroundTask, solved: bool) -> None:
    bench = Workbench([task], None if solved else RuleFilter.of(task.domain, RULES))
    if solved:
        bench.answer({"ask": "look", "state": initial(task)})
    trials = bench.answer({"ask": "trials", "state": initial(task)})["trials"]
    assert len(trials) == 5
    for trial in trials:
        atoms = set(trial["initial"])
        for step in trial["steps"]:
            atoms = atoms.difference(step.get("deleted", ())).union(step.get("added", ()))
        assert trial["end"] == "the goal is reached"
        assert task.is_goal(atoms)


def test_rules_are_judged_on_all_problems_and_then_acted_by(task: GroundTask) -> None:
    bench = Workbench([task, task_of("gripper", 3)])
    found = bench.answer({"ask": "rules", "text": RULES})
    assert [each["problem"] for each in found["problems"]] == ["gripper-2", "gripper-3"]
    assert not any(each["fails"] for each in found["problems"])
    looked = bench.answer({"ask": "look", "state": initial(task)})
    assert any(each["rule"].startswith("pruned") for each in looked["actions"])
    worse = bench.answer({"ask": "rules", "text": "pick:"})
    assert all(each["fails"] and "stuck" in each["verdict"] for each in worse["problems"])


QUESTIONS: list[Any] = [
    *(None, 3, [], {}, {"ask": "fly"}, {"ask": "begin", "x": 1}, {"ask": "look"}),
    *({"ask": "look", "state": state} for state in (3, ["(on a)"])),
    *({"ask": "rules", "text": text} for text in ("fly:", "", 7)),
]


@pytest.mark.parametrize("question", QUESTIONS, ids=str)
def test_what_is_no_question_gets_an_error(task: GroundTask, question: Any) -> None:
    answer = Workbench([task]).answer(question)
    assert list(answer) == ["error"]
    assert "Traceback" not in answer["error"]


def test_what_never_changes_can_be_changed_which_is_another_problem() -> None:
    task = task_of("delivery", 1, 4, 1, 0, 1)
    bench = Workbench([task])
    first = bench.answer({"ask": "begin"})
    roads = [row for row in first["fixed"] if row[0].startswith("(road")]
    assert {atom for row in roads for atom in row} >= {each for each in first["static"] if each.startswith("(road")}
    assert all(len(row) == 4 for row in roads)
    bench.answer({"ask": "solve"})
    wait_for_end(bench)
    short_cut = [
        *first["static"],
        *(
            f"(road {a} {b})"
            for a, b in [
                ("place0", "place2"),
                ("place2", "place0"),
                ("place1", "place3"),
                ("place3", "place1"),
                ("place0", "place3"),
                ("place3", "place0"),
            ]
        ),
    ]
    second = bench.answer({"ask": "world", "state": first["initial"], "static": short_cut})
    assert second["static"] == sorted({*short_cut})
    assert second["initial"] == first["initial"]
    found = solve(bench.task)
    assert found.value < solve(task).value
    assert "road" in bench.answer({"ask": "look", "state": second["initial"]})["picture"]
    cut_off = [each for each in first["static"] if not each.startswith("(road")]
    assert "error" not in bench.answer({"ask": "world", "state": first["initial"], "static": cut_off})
    assert solve(bench.task).status == "no-proper-policy"
    assert "error" in bench.answer({"ask": "world", "state": first["initial"], "static": ["(road a b)"]})


def test_what_is_too_large_to_know_at_once_is_shown_at_once_and_acted_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gpaplan.workbench._STATES", 3)
    bench = Workbench([task_of("gripper", 9)])
    begun = bench.answer({"ask": "begin"})
    assert "9 of 9 goals unmet" in begun["picture"]
    found = bench.answer({"ask": "look", "state": begun["initial"]})
    assert found["summary"] == "What is best here is not known yet: 'Solve' looks for a policy."
    assert found["acted"]["action"].startswith("(pick ")
