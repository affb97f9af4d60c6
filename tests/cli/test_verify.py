"""``gpaplan verify``: all problems of a class, the smallest that fails, and mistakes."""

from pathlib import Path

import pytest

from gpaplan import load
from tests.cli.test_rules import GRIPPER, problems
from tests.commands import as_json, gpaplan, run
from tests.paths import ROOT

TOWERS = ROOT / "tests" / "regression" / "reproducers" / "blocksworld-towers.rules"


def test_a_list_that_is_right_on_all_problems(tmp_path: Path) -> None:
    domain, files = problems(tmp_path, "gripper", (1,), (2,), (3,))
    rules = tmp_path / "my.rules"
    rules.write_text(GRIPPER, encoding="utf-8")
    record = as_json("verify", domain, rules, *files, "--up-to", 4)
    assert (record["status"], record["problems"], record["any"]["failing"]) == ("ok", 8, 0)
    shown = gpaplan("verify", domain, rules, *files, "--up-to", "ball=2").stdout
    assert "the goal is reached with probability one on all of them" in shown


def test_the_smallest_problem_on_which_a_list_fails_is_written(tmp_path: Path) -> None:
    domain, files = problems(tmp_path, "blocksworld-towers", *((3 + seed % 2, seed) for seed in range(7)))
    output = tmp_path / "fails.ppddl"
    run = gpaplan("verify", domain, TOWERS, *files, "--up-to", 5, "--choice", "random", "-o", output, code=21)
    assert "fails on 18 problems: in the initial state the list keeps no action" in run.stdout
    task = load(domain, output)
    assert len(task.objects) == 5
    assert "The rule list fails here: in the initial state the list keeps no action." in output.read_text("utf-8")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--up-to", "0"], "takes a number, or TYPE=NUMBER"),
        (["--up-to", "bal=2"], "no objects of type 'bal'"),
        (["--up-to", "2", "--assume", "(ball-im)"], "did you mean 'ball-in'"),
        (["--up-to", "2", "--assume", "(free) (free)"], "not one condition"),
    ],
)
def test_mistakes(tmp_path: Path, options: list[str], message: str) -> None:
    domain, files = problems(tmp_path, "gripper", (1,), (2,))
    rules = tmp_path / "my.rules"
    rules.write_text(GRIPPER, encoding="utf-8")
    assert message in gpaplan("verify", domain, rules, *files, *options, code=31).stderr


def test_files_that_were_swapped(tmp_path: Path) -> None:
    automaton = tmp_path / "a.gpa.json"
    automaton.write_text('\n{"format": "gpaplan rules"}')
    said = gpaplan("verify", automaton, automaton, "--up-to", 2, code=30).stderr
    assert said == f"{automaton}: is JSON, and not PPDDL\n  'gpaplan show {automaton}' says what it is\n"


@pytest.mark.parametrize("command", ["rules check", "verify", "certificate check"])
def test_domain_and_rules_may_be_exchanged(tmp_path: Path, command: str) -> None:
    domain, (problem,) = problems(tmp_path, "gripper", (2,))
    rules = ROOT / "docs" / "results" / "certificates" / "gripper.json"
    options = ["--up-to", 2] if command == "verify" else []
    if command != "certificate check":
        assert run(*command.split(), "-", domain, problem, *options, given=GRIPPER).returncode == 0
    else:
        pytest.importorskip("z3")
    one, other = (as_json(*command.split(), *files, problem, *options) for files in ((domain, rules), (rules, domain)))
    assert {**one, "seconds": 0} == {**other, "seconds": 0}


def test_the_domain_may_come_first_in_compare_and_prune(tmp_path: Path) -> None:
    domain, (problem,) = problems(tmp_path, "gripper", (2,))
    rules = ROOT / "docs" / "results" / "certificates" / "gripper.json"
    one, other = (as_json("compare", *files, problem) for files in ((rules, rules, domain), (domain, rules, rules)))
    assert (one["first"], one["problems"][0]["problem"]) == (other["first"], other["problems"][0]["problem"])
    wanted = ["--partial", "-o", tmp_path / "pruned.gpa.json"]
    one, other = (as_json("prune", *files, problem, *wanted) for files in ((rules, domain), (domain, rules)))
    assert {**one, "seconds": 0} == {**other, "seconds": 0}


def test_without_problems_the_next_step_is_to_give_some(tmp_path: Path) -> None:
    domain, _ = problems(tmp_path, "gripper", (1,))
    rules = tmp_path / "my.rules"
    rules.write_text(GRIPPER, encoding="utf-8")
    shown = gpaplan("verify", domain, rules, "--up-to", 1, code=21).stdout
    assert "say which problems are meant by giving some" in shown
    assert "\n  to " not in shown
