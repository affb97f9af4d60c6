"""``gpaplan show``: it sees from a file what it is, and says what is wrong with it."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

import pytest

from gpaplan import record_trials, solve
from gpaplan.benchmarks import generate
from gpaplan.cli import main
from gpaplan.tasks.grounding import load
from tests.policy_automata import learned


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An automaton, a policy, a trace, and the task's files."""
    here = tmp_path_factory.mktemp("show")
    domain, problem = generate("gripper", 2).write(here)
    problem.rename(here / "problem.ppddl")
    task = load(domain, here / "problem.ppddl")
    policy = solve(task).policy
    policy.write(here / "policy.json")
    record_trials(task, policy, trials=2).write(here / "trace.json")
    learned("gripper", 1, 2).write(here / "automaton.json")
    return here


def run(folder: Path, *arguments: str) -> int:
    with contextlib.chdir(folder), pytest.raises(SystemExit) as ended:
        main(["show", *arguments])
    assert isinstance(ended.value.code, int)
    return ended.value.code


TASK = ("domain.ppddl", "problem.ppddl")


def test_a_domain_alone_has_no_state(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(folder, "domain.ppddl") != 0
    assert "it holds only a domain; give the problem's file as well" in capsys.readouterr().err


def test_the_initial_state_is_shown_as_text_and_as_a_picture(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(folder, *TASK) == 0
    assert capsys.readouterr().out.splitlines()[0] == "(ball-in ball0 room-a)"
    assert run(folder, *TASK, "--format", "svg") == 0
    picture = capsys.readouterr().out
    assert picture.startswith("<svg")
    (folder / "look.toml").write_text('free = "hidden"')
    assert run(folder, *TASK, "--format", "svg", "--look", "look.toml") == 0
    assert ">free<" in picture
    assert ">free<" not in capsys.readouterr().out


def test_the_page_of_a_trace_has_pictures_if_its_task_is_given(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for arguments, pictures in (((), 0), (TASK, 12)):
        assert run(folder, "trace.json", *arguments, "--format", "html") == 0
        assert capsys.readouterr().out.count("data:image/svg+xml,") == pictures


@pytest.mark.parametrize(
    ("arguments", "first"),
    [
        (["automaton.json"], "automaton for domain 'gripper'"),
        (["policy.json", *TASK], "policy for problem 'gripper-2' of domain 'gripper'"),
        (["trace.json"], "gripper / gripper-2, 2 trials, unit costs"),
    ],
)
def test_a_file_is_shown_as_what_it_is(
    folder: Path, arguments: list[str], first: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert run(folder, *arguments) == 0
    assert capsys.readouterr().out.splitlines()[0] == first
    assert run(folder, *arguments, "--format", "json") == 0
    assert capsys.readouterr().out == (folder / arguments[0]).read_text(encoding="utf-8")
    page = tmp_path / "page.html"
    assert run(folder, *arguments, "--format", "html", "-o", str(page), "--json") == 0
    assert json.loads(capsys.readouterr().out)["output"] == str(page)
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")


def test_what_json_says(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(folder, "policy.json", *TASK, "--json") == 0
    policy = json.loads(capsys.readouterr().out)
    assert policy["decisions"] == sum(policy["by_schema"].values())
    assert (policy["problem"], policy["cost_mode"], policy["symmetry"]) == ("gripper-2", "unit", [])
    assert run(folder, "trace.json", "--json") == 0
    trace = json.loads(capsys.readouterr().out)
    assert [trial["end"] for trial in trace["trials"]] == ["goal", "goal"]


def test_an_automaton_is_drawn(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(folder, "automaton.json", "--format", "svg") == 0
    assert capsys.readouterr().out == learned("gripper", 1, 2).to_svg()
    assert run(folder, "trace.json", "--format", "svg") == 31
    assert "a trace is shown as text, json, html, not as svg" in capsys.readouterr().err


def test_how_many_states_are_drawn(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(folder, "policy.json", *TASK, "--format", "html", "--states", "2") == 0
    assert "those nearest to the start; the policy has" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["policy.json"], 31, "give the task too, gpaplan show policy.json DOMAIN [PROBLEM]"),
        (["policy.json", *TASK, "--format", "dot"], 31, "a policy is shown as text, json, html, not as dot"),
        (["trace.json", "--format", "dot"], 31, "a trace is shown as text, json, html, not as dot"),
        (["automaton.json", *TASK], 31, "DOMAIN is for policies, rules and traces, and 'automaton.json' is none"),
        (
            ["trace.json", "domain.ppddl", "smaller.ppddl", "--format", "html"],
            31,
            "problem 'smaller' has no atom (ball-in",
        ),
        (["trace.json", "--format", "html", "--json"], 31, "--json prints a summary"),
        (["missing.json"], 31, "missing.json"),
        (["domain.ppddl", *TASK], 35, "domain.ppddl: this is PPDDL"),
        ([*TASK, "--format", "html"], 31, "a state is shown as text, svg, not as html"),
        (["list.json"], 35, "list.json: has no format; this is not an automaton, a policy or a trace"),
        (["other.json"], 35, 'other.json: format: is "gpaplan suite"; this is not an automaton, a policy or a trace'),
        (["broken.json"], 35, "broken.json: trials: is missing"),
        (["policy.json", "domain.ppddl", "other.ppddl"], 35, "the policy is for problem"),
        (["policy.json", "domain.ppddl", "missing.ppddl"], 31, "missing.ppddl"),
    ],
)
def test_what_is_wrong_is_said(
    folder: Path, arguments: list[str], code: int, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "list.json").write_text("[]")
    (folder / "other.json").write_text('{"format": "gpaplan suite", "version": 1}')
    record = json.loads((folder / "trace.json").read_text(encoding="utf-8"))
    del record["trials"]
    (folder / "broken.json").write_text(json.dumps(record))
    text = (folder / "problem.ppddl").read_text(encoding="utf-8")
    (folder / "other.ppddl").write_text(text.replace("gripper-2", "gripper-9"), encoding="utf-8")
    (folder / "smaller.ppddl").write_text(generate("gripper", 1).problem_text.replace("gripper-1", "smaller"))
    assert run(folder, *arguments) == code
    assert message in capsys.readouterr().err


def test_the_domain_may_come_first(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for file in ("policy.json", "trace.json"):
        assert run(folder, file, *TASK) == 0
        shown = capsys.readouterr().out
        assert run(folder, *TASK, file) == 0
        assert capsys.readouterr().out == shown
